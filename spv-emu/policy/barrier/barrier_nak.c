/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_nak: the placement `nak` (barrier_place.h), for structured programs, after the compiler
 * NAK of Mesa, which lowers structured control flow to convergence barriers scope by scope.
 *
 * Each construct is one scope or several, from the outermost inwards:
 *
 *   selection   BSSY at the end of its header, BSYNC before its merge block
 *   loop        the break scope: BSSY in front of the loop, BSYNC before its merge block; in it the
 *               continue scope: BSSY in the header, in each iteration, BSYNC before the continue
 *               target
 *   join        of several edges inside a construct, such as a case of a switch into which another
 *               one falls through: BSSY at the branch of the construct's header, BSYNC before the
 *               join. The first of these is the innermost; code after the BSYNC of one is in the
 *               scope of the next. (NAK's input has no such joins: its front end makes a chain of
 *               selections of a switch, which reconverges at the same places.)
 *
 * A scope has a barrier if lanes in it may be divided: the branch of a block of the construct may
 * diverge, or that of a construct inside which some edge leaves other than to its merge block. A
 * selection also needs two edges to its merge block.
 *
 * An edge to the point of a scope S further out first goes to the BSYNC of the innermost scope,
 * with the depth of S in ESC; after the BSYNC, BRA.ESC sends such lanes on to the next scope that
 * has a barrier, until they are at S. So S has a barrier, too, if lanes leave an inner scope that
 * has one in this way. All lanes leave a scope through its BSYNC, except lanes that end, and lanes
 * that return (BREAK) from a function that is not the entry point (NAK would inline it). */
#include "spv-emu/policy/barrier/barrier_plan.h"

#include "spv-emu/policy/construct.h"
#include "spv-emu/policy/construct_order.h"

typedef enum ScopeKind { SCOPE_MERGE, SCOPE_CONT, SCOPE_JOIN } ScopeKind;

typedef struct Scope {
  ScopeKind kind;
  uint32_t point;     /* block */
  uint32_t construct; /* the construct that it belongs to */
  uint32_t outer;     /* the scope around it, or SR_NONE */
  uint32_t depth;     /* 1 for the outermost scope */
  bool reached;       /* the entry reaches the point */
  bool has_barrier;
  bool passed;      /* lanes go through its BSYNC to scopes further out */
  uint32_t bar;     /* its barrier, if it has one */
  uint32_t reg_end; /* registers in use in it, those of callers included */
} Scope;

/* Blocks are those of the function, numbered from 0. */
typedef struct Build {
  EmuBarrierPlan *p;
  const EmuBlockTable *table;
  const EmuPlaces *places;
  const uint32_t *first_part;
  bool *apart; /* by function: lanes that entered it together may return apart */
  /* Of the current function: */
  uint32_t f;
  const EmuFunctionBlocks *fn;
  const SrNest *nest;
  EmuConstructs c;
  uint32_t *join_of;   /* by construct: a join directly in it, or SR_NONE */
  uint32_t *join_next; /* by join: another join of the same construct, or SR_NONE */
  SR_VEC(Scope) scopes;
  uint32_t *first; /* by construct: its outermost scope, which its other scopes follow */
  uint32_t *count; /* by construct: number of its scopes */
  bool *divided;   /* by construct: lanes in it may be divided */
  bool *leaks;     /* by construct: an edge leaves it other than to its merge block */
  uint32_t *sync;  /* by scope: the position of its BSYNC in the entry of its point */
  uint32_t *enter; /* by block: the position where edges enter that reach no scope's point */
  uint32_t *again; /* by block: the position where back edges enter */
} Build;

static bool is_reached(const Build *b, uint32_t block) {
  return b->nest->rank[block] != SR_NONE;
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static uint32_t cont_of(const Build *b, const EmuConstruct *c) {
  return b->table->cont[b->fn->first + c->from] - b->fn->first;
}

/* A loop whose header is its continue target has no continue scope, because nothing comes before
 * its BSYNC. */
static bool has_cont_scope(const Build *b, const EmuConstruct *c) {
  return c->loop && cont_of(b, c) != c->head;
}

/* The innermost scope of a construct around a block. The block is in the construct, and is not the
 * header of a selection. */
static uint32_t scope_in(const Build *b, uint32_t construct, uint32_t block) {
  uint32_t first = b->first[construct], last = first + b->count[construct] - 1;
  if (b->c.all.at[construct].loop && block == b->c.all.at[construct].head)
    last = last > first && b->scopes.at[first + 1].kind == SCOPE_CONT ? first + 1 : first;
  /* The continue target, then joins, the last of them first. */
  for (uint32_t s = first + 1; s <= last; s++)
    if (sr_dominates(b->c.dom, b->scopes.at[s].point, block))
      return s - 1;
  return last;
}

/* The innermost scope of a block before its last instruction; SR_NONE: none. */
static uint32_t scope_at(const Build *b, uint32_t block) {
  uint32_t in = b->c.inner[block];
  if (in != SR_NONE && b->c.headed[block] == in && !b->c.all.at[in].loop) {
    in = b->c.all.at[in].outer;
  }
  return in == SR_NONE ? SR_NONE : scope_in(b, in, block);
}

/* The construct that the block, the last part of a header, declares; or SR_NONE. */
static uint32_t declared_by(const Build *b, uint32_t block) {
  uint32_t merge = b->table->merge[b->fn->first + block];
  return merge == SR_NONE ? SR_NONE : b->c.merged[merge - b->fn->first];
}

/* The same at its branch, where a header has opened all scopes of its construct. */
static uint32_t scope_at_end(const Build *b, uint32_t block) {
  uint32_t in = declared_by(b, block);
  return in == SR_NONE ? scope_at(b, block) : b->first[in] + b->count[in] - 1;
}

static void add_scope(Build *b, ScopeKind kind, uint32_t construct, uint32_t point,
                      uint32_t outer) {
  SR_PUSH(b->p->arena, &b->scopes,
          (Scope){.kind = kind,
                  .point = point,
                  .reached = is_reached(b, point),
                  .construct = construct,
                  .outer = outer,
                  .depth = outer == SR_NONE ? 1 : b->scopes.at[outer].depth + 1});
}

/* Do several paths lead to the block other than by back edges? */
static bool is_join(const Build *b, uint32_t block) {
  uint32_t edges = 0;
  for (SR_PREDS(from, b->fn->graph, block))
    edges += is_reached(b, *from) && !sr_dominates(b->c.dom, block, *from);
  return edges > 1;
}

/* Finds the joins that are neither merge blocks nor continue targets, by the construct around
 * them. */
static void find_joins(Build *b) {
  b->join_of = sr_new_none(b->p->arena, b->c.all.count);
  b->join_next = sr_new_none(b->p->arena, b->fn->count);
  SrBits *points = sr_bits_new(b->p->arena, b->fn->count);
  for (uint32_t i = 0; i < b->c.all.count; i++) {
    sr_bit_set(points, b->c.all.at[i].merge);
    if (has_cont_scope(b, &b->c.all.at[i]))
      sr_bit_set(points, cont_of(b, &b->c.all.at[i]));
  }
  for (uint32_t x = 0; x < b->fn->count; x++) {
    uint32_t in = b->c.inner[x];
    if (in != SR_NONE && b->c.headed[x] == in)
      in = b->c.all.at[in].outer;
    if (in == SR_NONE || sr_bit(points, x) || !is_reached(b, x) || !is_join(b, x))
      continue;
    b->join_next[x] = b->join_of[in];
    b->join_of[in] = x;
  }
}

/* Adds the last join first, because joins that come later in the order of places are further
 * out. */
static void add_joins(Build *b, uint32_t construct) {
  uint32_t first = b->scopes.count;
  const uint32_t *place = &b->places->place[b->fn->first];
  for (uint32_t x = b->join_of[construct]; x != SR_NONE; x = b->join_next[x]) {
    uint32_t at = b->scopes.count;
    add_scope(b, SCOPE_JOIN, construct, x, at - 1);
    for (; at > first && place[b->scopes.at[at - 1].point] < place[x]; at--) {
      b->scopes.at[at].point = b->scopes.at[at - 1].point;
      b->scopes.at[at - 1].point = x;
    }
  }
}

static void add_scopes(Build *b, uint32_t construct) {
  const EmuConstruct *c = &b->c.all.at[construct];
  uint32_t outer = c->outer == SR_NONE ? SR_NONE : scope_in(b, c->outer, c->head);
  b->first[construct] = b->scopes.count;
  add_scope(b, SCOPE_MERGE, construct, c->merge, outer);
  if (has_cont_scope(b, c))
    add_scope(b, SCOPE_CONT, construct, cont_of(b, c), b->scopes.count - 1);
  add_joins(b, construct);
  b->count[construct] = b->scopes.count - b->first[construct];
}

static void find_scopes(Build *b) {
  b->first = SR_NEW(b->p->arena, uint32_t, b->c.all.count);
  b->count = SR_NEW(b->p->arena, uint32_t, b->c.all.count);
  b->scopes.count = 0;
  find_joins(b);
  for (uint32_t i = 0; i < b->c.dom->reached; i++) {
    uint32_t construct = b->c.headed[b->c.dom->preorder[i]];
    if (construct != SR_NONE)
      add_scopes(b, construct);
  }
}

/* ---- which scopes have barriers -------------------------------------------------------------- */

/* Marks the constructs that an edge leaves other than to their merge block. */
static void find_leaks(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++)
    for (SR_SUCCS(t, b->fn->graph, x)) {
      uint32_t in = b->c.inner[x];
      while (in != SR_NONE && is_reached(b, x) && *t != b->c.all.at[in].merge &&
             !emu_construct_has(&b->c, in, *t)) {
        b->leaks[in] = true;
        in = b->c.all.at[in].outer;
      }
    }
}

static void find_divided(Build *b) {
  b->divided = SR_NEW(b->p->arena, bool, b->c.all.count);
  b->leaks = SR_NEW(b->p->arena, bool, b->c.all.count);
  find_leaks(b);
  for (uint32_t x = 0; x < b->fn->count; x++) {
    uint32_t in = b->c.inner[x];
    if (!is_reached(b, x) || !emu_barrier_may_diverge(b->p, b->fn->first + x))
      continue;
    while (in != SR_NONE && !b->divided[in]) {
      b->divided[in] = true;
      in = b->leaks[in] ? b->c.all.at[in].outer : SR_NONE;
    }
  }
}

static uint32_t edges_to(const Build *b, uint32_t block) {
  uint32_t count = 0;
  for (SR_PREDS(from, b->fn->graph, block))
    count += is_reached(b, *from);
  return count;
}

static bool needs_barrier(const Build *b, uint32_t s) {
  const Scope *scope = &b->scopes.at[s];
  if (!b->divided[scope->construct] || !scope->reached)
    return false;
  return scope->kind != SCOPE_MERGE || b->c.all.at[scope->construct].loop ||
         edges_to(b, scope->point) > 1;
}

/* The innermost scope around an edge's source, from `s` outwards, that has a barrier; `end`: there
 * is none before that scope. */
static uint32_t with_barrier(const Build *b, uint32_t s, uint32_t end) {
  while (s != end && !b->scopes.at[s].has_barrier)
    s = b->scopes.at[s].outer;
  return s;
}

/* The scope whose point the edge reaches; SR_NONE: it stays in its scope. */
static uint32_t target_scope(const Build *b, uint32_t from, uint32_t to) {
  uint32_t s = scope_at_end(b, from);
  while (s != SR_NONE && b->scopes.at[s].point != to)
    s = b->scopes.at[s].outer;
  return s;
}

static bool give_barriers(Build *b) {
  bool more = false;
  for (uint32_t x = 0; x < b->fn->count; x++)
    for (SR_SUCCS(t, b->fn->graph, x)) {
      uint32_t to = is_reached(b, x) ? target_scope(b, x, *t) : SR_NONE;
      if (to == SR_NONE || b->scopes.at[to].has_barrier)
        continue;
      if (with_barrier(b, scope_at_end(b, x), to) != to)
        more = b->scopes.at[to].has_barrier = true;
    }
  return more;
}

/* Each round but the last gives a barrier to a scope. */
static void decide(Build *b) {
  for (uint32_t s = 0; s < b->scopes.count; s++)
    b->scopes.at[s].has_barrier = needs_barrier(b, s);
  while (give_barriers(b)) {
  }
  for (uint32_t s = 0; s < b->scopes.count; s++) {
    Scope *scope = &b->scopes.at[s];
    uint32_t reg = scope->outer == SR_NONE ? b->p->floor[b->f] : b->scopes.at[scope->outer].reg_end;
    if (scope->has_barrier)
      scope->bar = emu_barrier_new(b->p, reg, b->fn->first + scope->point);
    scope->reg_end = reg + scope->has_barrier;
  }
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void find_passed(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++)
    for (SR_SUCCS(t, b->fn->graph, x)) {
      uint32_t to = is_reached(b, x) ? target_scope(b, x, *t) : SR_NONE;
      for (uint32_t s = scope_at_end(b, x); to != SR_NONE && s != to; s = b->scopes.at[s].outer)
        b->scopes.at[s].passed = true;
    }
}

static void escape(Build *b, EmuBarrierOps *ops, uint32_t depth) {
  emu_barrier_add(b->p, ops, EMU_BARRIER_ESCAPE, depth);
}

/* Leads an edge to a scope's point through the scopes inside that scope. */
static void lead_to_point(Build *b, uint32_t from, uint32_t i, uint32_t to) {
  EmuBarrierEdge *edge = emu_barrier_edge(b->p, b->fn->first + from, i);
  uint32_t near = with_barrier(b, scope_at_end(b, from), to);
  const Scope *scope = &b->scopes.at[near];
  if (near != to)
    escape(b, &edge->ops, b->scopes.at[to].depth);
  else if (scope->has_barrier && scope->passed)
    escape(b, &edge->ops, SR_NONE);
  edge->pos = b->sync[near];
}

static void lead_inside(Build *b, uint32_t from, uint32_t i, uint32_t block) {
  EmuBarrierEdge *edge = emu_barrier_edge(b->p, b->fn->first + from, i);
  uint32_t headed = b->c.headed[block];
  bool back =
      headed != SR_NONE && b->c.all.at[headed].loop && emu_construct_has(&b->c, headed, from);
  edge->pos = back ? b->again[block] : b->enter[block];
}

/* The block where lanes go first if they do not go directly to the edge's target. */
static uint32_t first_sync(const Build *b, uint32_t from, uint32_t to) {
  return b->scopes.at[with_barrier(b, scope_at_end(b, from), to)].point;
}

static void lead_edges(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++) {
    uint32_t i = 0;
    for (SR_SUCCS(t, b->fn->graph, x)) {
      uint32_t to = is_reached(b, x) ? target_scope(b, x, *t) : SR_NONE;
      if (to != SR_NONE) {
        lead_to_point(b, x, i, to);
        emu_barrier_edge(b->p, b->fn->first + x, i)->via = b->fn->first + first_sync(b, x, to);
      } else if (is_reached(b, x)) {
        lead_inside(b, x, i, *t);
      }
      i++;
    }
  }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void sync_scope(Build *b, uint32_t s) {
  const Scope *scope = &b->scopes.at[s];
  EmuBarrierOps *ops = &b->p->entry[b->fn->first + scope->point];
  b->sync[s] = ops->count;
  if (!scope->has_barrier)
    return;
  emu_barrier_add(b->p, ops, EMU_BARRIER_BSYNC, scope->bar);
  uint32_t outer = with_barrier(b, scope->outer, SR_NONE);
  if (!scope->passed || outer == SR_NONE)
    return;
  emu_barrier_add(b->p, ops, EMU_BARRIER_TEST, scope->depth);
  SR_LAST(ops).block = b->fn->first + b->scopes.at[outer].point;
  SR_LAST(ops).to = outer; /* holds the scope until all positions are known */
}

static void join_loop(Build *b, uint32_t block) {
  uint32_t headed = b->c.headed[block];
  EmuBarrierOps *ops = &b->p->entry[b->fn->first + block];
  b->enter[block] = b->again[block] = ops->count;
  if (headed == SR_NONE || !b->c.all.at[headed].loop)
    return;
  for (uint32_t i = 0; i < b->count[headed] && i < 2; i++) {
    const Scope *scope = &b->scopes.at[b->first[headed] + i];
    if (scope->kind == SCOPE_JOIN)
      break;
    b->again[block] = i ? b->again[block] : ops->count + scope->has_barrier;
    if (scope->has_barrier)
      emu_barrier_add(b->p, ops, EMU_BARRIER_BSSY, scope->bar);
  }
}

/* Opens the scopes that begin at the branch of a header: all scopes of a selection, and the joins
 * of a loop. */
static void join_at_branch(Build *b, uint32_t block) {
  uint32_t in = declared_by(b, block);
  for (uint32_t i = 0; in != SR_NONE && i < b->count[in]; i++) {
    const Scope *scope = &b->scopes.at[b->first[in] + i];
    if (scope->has_barrier && (!b->c.all.at[in].loop || scope->kind == SCOPE_JOIN))
      emu_barrier_add(b->p, &b->p->end[b->fn->first + block], EMU_BARRIER_BSSY, scope->bar);
  }
}

/* Lanes that return leave all barriers of the function. */
static void leave_all(Build *b, uint32_t block) {
  uint32_t at = b->fn->first + block;
  if (sr_succ_count(b->fn->graph, block) || b->f == b->table->entry_function)
    return;
  for (uint32_t s = scope_at_end(b, block); s != SR_NONE; s = b->scopes.at[s].outer)
    if (b->scopes.at[s].has_barrier)
      emu_barrier_add(b->p, &b->p->end[at], EMU_BARRIER_BREAK, b->scopes.at[s].bar);
}

static void treat_call(Build *b, uint32_t block) {
  uint32_t at = b->fn->first + block, callee = b->table->callee[at], s = scope_at(b, block);
  uint32_t reg = s == SR_NONE ? b->p->floor[b->f] : b->scopes.at[s].reg_end;
  if (callee == SR_NONE)
    return;
  if (b->apart[callee])
    emu_barrier_around_call(b->p, at, reg++);
  if (b->p->floor[callee] < reg)
    b->p->floor[callee] = reg;
}

static void fill_tests(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++) {
    EmuBarrierOps *ops = &b->p->entry[b->fn->first + x];
    for (uint32_t i = 0; i < ops->count; i++)
      if (ops->at[i].op == EMU_BARRIER_TEST)
        ops->at[i].to = b->sync[ops->at[i].to];
  }
}

static void start_function(Build *b, uint32_t f) {
  b->f = f;
  b->fn = &b->table->functions[f];
  b->nest = b->p->nest[f];
  b->c = emu_constructs_build(b->p->arena, b->table, b->fn, b->first_part);
  find_divided(b);
}

/* Finds whether lanes may return from the function apart: they may if it ends inside a construct in
 * which lanes may be divided. */
static void find_apart(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++) {
    bool ends = is_reached(b, x) && !sr_succ_count(b->fn->graph, x);
    for (uint32_t in = b->c.inner[x]; ends && in != SR_NONE; in = b->c.all.at[in].outer)
      b->apart[b->f] |= b->divided[in];
  }
}

static void place_function(Build *b, uint32_t f) {
  start_function(b, f);
  find_scopes(b);
  decide(b);
  find_passed(b);
  b->sync = SR_NEW(b->p->arena, uint32_t, b->scopes.count);
  b->enter = SR_NEW(b->p->arena, uint32_t, b->fn->count);
  b->again = SR_NEW(b->p->arena, uint32_t, b->fn->count);
  for (uint32_t s = b->scopes.count; s-- > 0;) /* the innermost scope of a point comes first */
    if (b->scopes.at[s].reached)
      sync_scope(b, s);
  fill_tests(b);
  for (uint32_t x = 0; x < b->fn->count; x++) {
    if (!is_reached(b, x))
      continue;
    join_loop(b, x);
    join_at_branch(b, x);
    leave_all(b, x);
    treat_call(b, x);
  }
  lead_edges(b);
}

void emu_barriers_place_scopes(EmuBarrierPlan *p) {
  SrText why = {.arena = p->keep};
  for (uint32_t f = 0; f < p->table->function_count; f++)
    if (!p->table->functions[f].structured) {
      emu_function_name(&p->table->functions[f], &why);
      sr_text_add(&why, " is not structured: run --transform=structurize, or use "
                        "--barrier-placement=ipdom");
      p->why = sr_text_end(&why);
      return;
    }
  Build b = {.p = p,
             .table = p->table,
             .places = emu_places_build(p->arena, p->table),
             .first_part = emu_first_parts(p->arena, p->table),
             .apart = SR_NEW(p->arena, bool, p->table->function_count)};
  const uint32_t *order = emu_barrier_callers_first(p);
  for (uint32_t f = 0; f < p->table->function_count; f++) {
    start_function(&b, f);
    find_apart(&b);
  }
  for (uint32_t f = 0; f < p->table->function_count; f++)
    place_function(&b, order[f]);
}
