/* SPDX-License-Identifier: Apache-2.0 */
/* structure: does a function obey SPIR-V's rules of structured control flow?
 *
 * Problem. The rules (SPIR-V 1.6, 2.11) define constructs as sets of blocks. Storing those sets, as
 * SPIRV-Tools' validator does, takes memory in proportion to blocks × nesting depth.
 *
 * Method. A construct is a subtree of the structural dominator tree without the subtrees of its
 * exits. With D(x) the subtree of x:
 *
 *   selection of h, merge m               D(h) \ D(m)
 *   loop of h, merge m, target c          D(h) \ D(m) \ D(c)      (no such construct if c is h)
 *   continue of c, back-edge block l      D(c) \ (D(l) \ {l})
 *
 * so the question "is this block in that construct" is decided by comparing preorder numbers. Five
 * steps:
 *   1. declarations: merge and continue target of each header, and what dominates what;
 *   2. back edges, by one depth-first search: one per loop, from inside its continue construct;
 *   3. one walk down the dominator tree gives every block its innermost construct, and every
 *      construct the innermost loop, switch and continue construct around it;
 *   4. each edge is checked against the innermost constructs of its source alone: an exit that is
 *      legal for the innermost selection is legal for all the selections around it up to the loop
 *      or switch that is left, and an edge that enters a construct at a block other than its header
 *      is found by a test of the innermost construct of the target. For each switch the check
 *      records which case falls through to which, and compares that with the order of the operands;
 *   5. under MaximallyReconvergesKHR, each block with several predecessors must be a declared join.
 *
 * Invariants. Steps 3 and 4 rely on 1 and 2 (a header is the parent of its merge block and of its
 * continue target in the tree), so the check stops after step 2 if it found a violation there.
 *
 * Structural post-dominance needs no second tree: every structural cycle has an edge to its merge
 * block, so a back-edge block post-dominates the continue target if and only if no block of the
 * continue construct ends the invocation and no other block of it leaves the loop.
 *
 * Unreachable code. Like SPIRV-Tools' validator, the check counts back edges in unreachable code,
 * and, if the linked version is 2024.3 or older, branches from there to a continue target. It does
 * not count fall-through from blocks that only merge instructions reach. tests/structure/
 * test_agree.c lists the remaining differences between check and validator.
 *
 * Cost: that of one dominator tree, then O(blocks + edges). */
#include "analysis/structure.h"
#include "analysis/cycle.h"
#include "ir/promise.h"

#include <spirv-tools/libspirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { BODY, SELECTION, SWITCH, LOOP, CONTINUE } Kind;

typedef struct Construct {
  Kind kind;
  uint32_t header, merge;
  uint32_t target, latch; /* of a loop: continue target, back-edge block */
  /* By construct index, the innermost of each kind that holds this one or is this one; SR_NONE:
   * there is none. */
  uint32_t loop;      /* loop or continue construct */
  uint32_t switch_;   /* switch with no loop between */
  uint32_t continue_; /* continue construct */
} Construct;

/* Facts about a block. Fields are block indices, except `outer` and `inner` (construct indices) and
 * the opcodes. */
typedef struct Node {
  uint32_t merge, target; /* what it declares as a header */
  uint32_t merge_of;      /* the header whose merge block it is */
  uint32_t target_of;     /* the loop header, other than itself, whose continue target it is */
  uint32_t case_of;       /* the switch header that branches to it as a case */
  uint32_t latch;         /* of a loop header: the source of its back edge */
  uint32_t arm;           /* of the innermost switch header's children: the one that dominates it */
  uint32_t falls_to, falls_from; /* of a case: its neighbours by fall-through */
  uint32_t outer, inner;         /* innermost construct without, and with those that it heads */
  uint16_t merge_op;             /* SpvOpLoopMerge, SpvOpSelectionMerge, or SpvOpNop */
  uint16_t end_op;               /* of its terminator */
} Node;

typedef struct Check {
  const SrModule *m;
  const SrFunction *f;
  SrArena *arena; /* of the result */
  SrArena scratch;
  SrGraph *cfg, *structural;
  SrDom *dom;         /* structural */
  SrBits *live;       /* blocks that the entry reaches by branches, without merge declarations */
  SrNest *nest;       /* NULL: not needed yet */
  SrBits *dead_cases; /* blocks that cases reach by branches which the entry does not reach so */
  Node *node;
  SR_VEC(Construct) constructs; /* 0 is the function's body */
  SrViolations *out;
  uint32_t limit;
  uint32_t validator; /* the version of SPIRV-Tools whose reading of the rules counts */
} Check;

static const struct {
  const char *name, *text;
} rules[] = {
#define SR_RULE(name, text) {#name, text},
#include "analysis/structure_rules.def"
};

const char *sr_rule_name(SrRule rule) {
  return rules[rule].name;
}

const char *sr_rule_text(SrRule rule) {
  return rules[rule].text;
}

static uint32_t id(const Check *c, uint32_t block) {
  return c->f->blocks[block].id;
}

/* Records a violation: the text, and the section of the specification. */
__attribute__((format(printf, 6, 7))) static void
add(Check *c, SrRule rule, uint32_t header, uint32_t from, uint32_t to, const char *format, ...) {
  if (c->out->count >= c->limit)
    return;
  SrViolation v = {.rule = rule, .header = header, .from = from, .to = to};
  va_list args;
  va_start(args, format);
  int used = vsnprintf(v.text, sizeof v.text, format, args);
  va_end(args);
  if (used >= 0 && (size_t)used < sizeof v.text)
    snprintf(v.text + used, sizeof v.text - (size_t)used, " %s", strrchr(rules[rule].text, '('));
  SR_PUSH(c->arena, c->out, v);
}

/* ---- edges at fault ---- */

static bool is_reachable(const Check *c, uint32_t b) {
  return c->dom->enter[b] != SR_NONE;
}

/* These searches take time in proportion to the function, so they are made only to explain a
 * function, and for its first violations. */
enum { MOST_SEARCHES = 64, MOST_NAMED = 6 };

static bool explains(const Check *c) {
  return c->limit > 1 && c->out->count < MOST_SEARCHES;
}

/* Marks the blocks that `from` reaches by edges of g, without passing `stop` or a strict dominator
 * of h. With `within`, only its blocks. */
static SrBits *reach(Check *c, bool backwards, uint32_t from, uint32_t stop, uint32_t h,
                     const SrBits *within) {
  const SrGraph *g = c->cfg;
  uint32_t depth = 0, *stack = SR_NEW_RAW(&c->scratch, uint32_t, g->count);
  SrBits *seen = sr_bits_new(&c->scratch, g->count);
  sr_bit_set(seen, from);
  stack[depth++] = from;
  while (depth) {
    uint32_t b = stack[--depth];
    const uint32_t *next = backwards ? &g->pred[g->pred_at[b]] : &g->succ[g->succ_at[b]];
    uint32_t count = backwards ? sr_pred_count(g, b) : sr_succ_count(g, b);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t v = next[i];
      if (sr_bit(seen, v) || v == stop || (v != h && sr_dominates(c->dom, v, h)) ||
          (within && !sr_bit(within, v)))
        continue;
      sr_bit_set(seen, v);
      stack[depth++] = v;
    }
  }
  return seen;
}

typedef struct Edge {
  uint32_t from, to;
} Edge;

/* Header h does not dominate block t, which it declares: the branch by which a path around h enters
 * the blocks between h and t, or t itself. SR_NONE: there is none. */
static Edge edge_around(Check *c, uint32_t h, uint32_t t) {
  Edge found = {SR_NONE, SR_NONE};
  if (!explains(c) || !is_reachable(c, h) || t == h)
    return found;
  const SrBits *below = reach(c, false, h, t, h, NULL);
  const SrBits *between = reach(c, true, t, h, h, below);
  for (uint32_t v = 0; v < c->f->block_count; v++) {
    if (v == h || !sr_bit(between, v))
      continue;
    for (uint32_t i = 0; i < sr_pred_count(c->cfg, v); i++) {
      uint32_t u = c->cfg->pred[c->cfg->pred_at[v] + i];
      if (u != h && !sr_bit(below, u) && is_reachable(c, u) &&
          (found.to == SR_NONE || found.to == t))
        found = (Edge){u, v};
    }
  }
  return found;
}

/* The entries of the innermost cycle that holds both blocks, if it has several. */
static void find_entries(Check *c, uint32_t u, uint32_t v, SrViolation *violation) {
  if (!explains(c))
    return;
  if (!c->nest)
    c->nest = sr_nest_build(&c->scratch, c->cfg);
  uint32_t k = c->nest->inner[v];
  while (k != SR_NONE && !sr_cycle_has(c->nest, k, u))
    k = c->nest->cycles[k].parent;
  if (k == SR_NONE || c->nest->cycles[k].entries < 2)
    return;
  const SrCycle *cycle = &c->nest->cycles[k];
  uint32_t *entries = SR_NEW_RAW(c->arena, uint32_t, cycle->last - cycle->first + 1), count = 0;
  for (uint32_t b = 0; b < c->cfg->count; b++) {
    bool entered = false;
    for (uint32_t i = 0; i < sr_pred_count(c->cfg, b) && sr_cycle_has(c->nest, k, b); i++) {
      uint32_t p = c->cfg->pred[c->cfg->pred_at[b] + i];
      entered |= c->nest->rank[p] != SR_NONE && !sr_cycle_has(c->nest, k, p);
    }
    if (entered)
      entries[count++] = b;
  }
  violation->entries = count > 1 ? entries : NULL;
  violation->entry_count = count > 1 ? count : 0;
}

/* "%12, %13 and 3 more" */
static void list_blocks(const Check *c, const uint32_t *blocks, uint32_t count, char *text,
                        size_t size) {
  size_t used = 0;
  for (uint32_t i = 0; i < count && i < MOST_NAMED && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%%%u",
                             !i               ? ""
                             : i + 1 == count ? " and "
                                              : ", ",
                             id(c, blocks[i]));
  if (count > MOST_NAMED && used < size)
    snprintf(text + used, size - used, " and %u more", count - MOST_NAMED);
}

/* ---- 1. declarations ---- */

static void read_block(Check *c, uint32_t b) {
  const SrBlock *block = &c->f->blocks[b];
  Node *n = &c->node[b];
  memset(n, 0xff, sizeof *n);
  n->end_op = sr_inst(c->m, sr_terminator(block))->op;
  SrRef merge = sr_merge_inst(c->m, block);
  n->merge_op = merge == SR_NONE ? SpvOpNop : sr_inst(c->m, merge)->op;
  if (merge == SR_NONE)
    return;
  n->merge = sr_block_of(c->m, sr_words(c->m, merge)[1]);
  if (n->merge_op == SpvOpLoopMerge)
    n->target = sr_block_of(c->m, sr_words(c->m, merge)[2]);
}

static bool is_loop(const Check *c, uint32_t b) {
  return c->node[b].merge_op == SpvOpLoopMerge;
}

static bool is_switch(const Check *c, uint32_t b) {
  return c->node[b].merge_op == SpvOpSelectionMerge && c->node[b].end_op == SpvOpSwitch;
}

static void check_misplaced(Check *c) {
  uint32_t label = c->f->misplaced;
  if (label)
    add(c, SR_RULE_merge_terminator, sr_block_of(c->m, label), SR_NONE, SR_NONE,
        "block %%%u has a merge instruction that does not directly precede the terminator; move it "
        "there, or drop it",
        label);
}

static void check_merge_terminator(Check *c, uint32_t b) {
  const Node *n = &c->node[b];
  bool one_way = n->end_op == SpvOpBranch, two_way = n->end_op == SpvOpBranchConditional;
  if (is_loop(c, b) ? one_way || two_way : two_way || n->end_op == SpvOpSwitch)
    return;
  add(c, SR_RULE_merge_terminator, b, SR_NONE, SR_NONE,
      "block %%%u has an %s, but ends in an instruction that cannot follow one; %s", id(c, b),
      is_loop(c, b) ? "OpLoopMerge" : "OpSelectionMerge",
      is_loop(c, b) ? "move the OpSwitch to a block of its own, after an OpSelectionMerge"
                    : "drop the merge");
}

/* Header h does not dominate block t, its merge block or continue target. */
static void add_around(Check *c, SrRule rule, uint32_t h, uint32_t t) {
  const char *what = rule == SR_RULE_merge_dominance ? "merge block" : "continue target";
  const char *advice = rule == SR_RULE_merge_dominance
                           ? "give the header an empty merge block of its own, which branches to"
                           : "give the loop an empty continue block of its own, in place of";
  Edge e = edge_around(c, h, t);
  if (t == h)
    add(c, rule, h, SR_NONE, t,
        "header %%%u does not strictly dominate its merge block %%%u, which is itself; name the "
        "block that follows the construct",
        id(c, h), id(c, t));
  else if (e.to == SR_NONE)
    add(c, rule, h, SR_NONE, t,
        "header %%%u does not dominate its %s %%%u, which is also reached on a path around the "
        "header; %s %%%u",
        id(c, h), what, id(c, t), advice, id(c, t));
  else if (e.to == t)
    add(c, rule, h, e.from, t,
        "edge %%%u -> %%%u reaches the %s of header %%%u on a path around the header; %s %%%u",
        id(c, e.from), id(c, t), what, id(c, h), advice, id(c, t));
  else
    add(c, rule, h, e.from, e.to,
        "edge %%%u -> %%%u enters the construct of header %%%u past the header, so that the header "
        "does not "
        "dominate its %s %%%u; let %%%u branch to a copy of %%%u, and %s %%%u",
        id(c, e.from), id(c, e.to), id(c, h), what, id(c, t), id(c, e.from), id(c, e.to), advice,
        id(c, t));
}

static void check_loop_declaration(Check *c, uint32_t b) {
  const Node *n = &c->node[b];
  if (n->target == n->merge)
    add(c, SR_RULE_merge_distinct, b, SR_NONE, n->merge,
        "loop header %%%u names %%%u both as merge block and as continue target; name another "
        "merge "
        "block, which follows the loop or ends in OpUnreachable",
        id(c, b), id(c, n->merge));
  else if (n->target != b &&
           (is_reachable(c, b) ? c->dom->idom[n->target] != b : is_reachable(c, n->target)))
    add_around(c, SR_RULE_continue_dominance, b, n->target);
}

/* The edge header → merge is structural, so dominated means: child in the dominator tree. */
static void check_declaration(Check *c, uint32_t b, uint32_t *claimed) {
  const Node *n = &c->node[b];
  check_merge_terminator(c, b);
  if (claimed[n->merge] != SR_NONE)
    add(c, SR_RULE_merge_unique, b, SR_NONE, n->merge,
        "block %%%u is the merge block of header %%%u and of header %%%u; give %%%u an empty merge "
        "block of its own that branches to %%%u",
        id(c, n->merge), id(c, claimed[n->merge]), id(c, b), id(c, b), id(c, n->merge));
  else if (is_reachable(c, b) ? c->dom->idom[n->merge] != b : is_loop(c, b) && n->merge == b)
    add_around(c, SR_RULE_merge_dominance, b, n->merge);
  claimed[n->merge] = b;
  if (is_loop(c, b))
    check_loop_declaration(c, b);
  if (!is_reachable(c, b))
    return;
  c->node[n->merge].merge_of = b;
  if (is_loop(c, b) && n->target != b)
    c->node[n->target].target_of = b;
}

static void check_declarations(Check *c) {
  uint32_t *claimed = sr_new_none(&c->scratch, c->f->block_count);
  for (uint32_t b = 0; b < c->f->block_count; b++)
    read_block(c, b);
  for (uint32_t b = 0; b < c->f->block_count; b++)
    if (c->node[b].merge_op != SpvOpNop)
      check_declaration(c, b, claimed);
}

/* ---- 2. back edges ---- */

/* A depth-first search of the structural graph from the entry and then, so that no block is missed,
 * from unreachable blocks, those without predecessors first. */
typedef struct Search {
  uint32_t *enter, *leave, *next, *stack;
  uint32_t time;
} Search;

static void search_from(const SrGraph *g, Search *s, uint32_t root) {
  if (s->enter[root] != SR_NONE)
    return;
  uint32_t depth = 0;
  s->stack[depth++] = root;
  s->enter[root] = s->time++;
  while (depth) {
    uint32_t b = s->stack[depth - 1];
    if (s->next[b] == sr_succ_count(g, b)) {
      s->leave[b] = s->time;
      depth--;
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + s->next[b]++];
    if (s->enter[t] == SR_NONE) {
      s->enter[t] = s->time++;
      s->stack[depth++] = t;
    }
  }
}

static Search search_all(Check *c) {
  uint32_t count = c->f->block_count;
  Search s = {.enter = sr_new_none(&c->scratch, count),
              .leave = sr_new_none(&c->scratch, count),
              .next = SR_NEW(&c->scratch, uint32_t, count),
              .stack = SR_NEW_RAW(&c->scratch, uint32_t, count)};
  search_from(c->structural, &s, 0);
  for (uint32_t b = 0; b < count; b++)
    if (sr_pred_count(c->structural, b) == 0)
      search_from(c->structural, &s, b);
  for (uint32_t b = 0; b < count; b++)
    search_from(c->structural, &s, b);
  return s;
}

/* Edge u → v closes a cycle, and v is no loop header. */
static void add_unnamed_cycle(Check *c, uint32_t u, uint32_t v) {
  char list[MOST_NAMED * 16];
  SrViolation with = {0};
  find_entries(c, u, v, &with);
  list_blocks(c, with.entries, with.entry_count, list, sizeof list);
  if (with.entry_count)
    add(c, SR_RULE_back_edge_target, v, u, v,
        "edge %%%u -> %%%u closes a cycle that is entered at %s; give it one entry: a loop header "
        "before these blocks, to which all edges to them lead, and which branches to the right one",
        id(c, u), id(c, v), list);
  else
    add(c, SR_RULE_back_edge_target, v, u, v,
        "edge %%%u -> %%%u closes a cycle, but %%%u has no OpLoopMerge; make it a loop header, or "
        "send the edge to the continue target of its loop",
        id(c, u), id(c, v), id(c, v));
  if (with.entry_count && c->out->count) {
    c->out->at[c->out->count - 1].entries = with.entries;
    c->out->at[c->out->count - 1].entry_count = with.entry_count;
  }
}

static void note_back_edge(Check *c, uint32_t u, uint32_t v) {
  if (!is_loop(c, v))
    add_unnamed_cycle(c, u, v);
  else if (c->node[v].latch != SR_NONE && is_reachable(c, v))
    add(c, SR_RULE_back_edge_count, v, u, v,
        "loop header %%%u has back edges from %%%u and from %%%u; send both to its continue target "
        "%%%u and branch back from there",
        id(c, v), id(c, c->node[v].latch), id(c, u), id(c, c->node[v].target));
  else
    c->node[v].latch = u;
}

static void check_latch(Check *c, uint32_t h) {
  const Node *n = &c->node[h];
  if (n->latch == SR_NONE)
    add(c, SR_RULE_back_edge_count, h, SR_NONE, SR_NONE,
        "loop header %%%u has no back edge; branch to it from its continue target %%%u, or replace "
        "the OpLoopMerge by OpSelectionMerge",
        id(c, h), id(c, n->target));
  else if (!sr_dominates(c->dom, n->target, n->latch))
    add(c, SR_RULE_back_edge_source, h, n->latch, h,
        "back edge %%%u -> %%%u comes from outside the loop's continue construct; route it through "
        "the continue target %%%u",
        id(c, n->latch), id(c, h), id(c, n->target));
  else if (sr_dominates(c->dom, n->merge, n->latch))
    add(c, SR_RULE_merge_distinct, h, n->latch, h,
        "loop header %%%u names %%%u as merge block, but its back edge comes from there; name the "
        "block that follows the loop, or an empty one that ends in OpUnreachable",
        id(c, h), id(c, n->merge));
  else if (n->target == h && n->latch != h)
    add(c, SR_RULE_continue_postdominance, h, n->latch, h,
        "loop header %%%u is its own continue target, but its back edge comes from %%%u; name %%%u "
        "or a block before it as the continue target",
        id(c, h), id(c, n->latch), id(c, n->latch));
}

static void check_back_edges(Check *c) {
  Search s = search_all(c);
  for (uint32_t u = 0; u < c->f->block_count; u++)
    for (SR_SUCCS(v, c->cfg, u))
      if (s.enter[*v] <= s.enter[u] && s.leave[u] <= s.leave[*v])
        note_back_edge(c, u, *v);
  for (uint32_t h = 0; h < c->f->block_count; h++)
    if (is_loop(c, h) && is_reachable(c, h))
      check_latch(c, h);
}

/* ---- 3. constructs ---- */

static bool contains(const Check *c, const Construct *k, uint32_t b) {
  const SrDom *d = c->dom;
  switch (k->kind) {
  case BODY:
    return true;
  case SELECTION:
  case SWITCH:
    return sr_dominates(d, k->header, b) && !sr_dominates(d, k->merge, b);
  case LOOP:
    return sr_dominates(d, k->header, b) && !sr_dominates(d, k->merge, b) &&
           !sr_dominates(d, k->target, b);
  case CONTINUE:
    return sr_dominates(d, k->target, b) && (b == k->latch || !sr_dominates(d, k->latch, b));
  }
  return false;
}

static const Construct *inner(const Check *c, uint32_t b) {
  return &c->constructs.at[c->node[b].inner];
}

/* Opens a construct of header h inside `outer`; returns its index. */
static uint32_t open_construct(Check *c, uint32_t h, Kind kind, uint32_t outer) {
  const Node *n = &c->node[h];
  Construct k =
      c->constructs.at[outer]; /* inherits the loop, switch and continue construct around */
  uint32_t self = c->constructs.count;
  k.kind = kind;
  k.header = h;
  k.merge = n->merge;
  k.target = n->target;
  k.latch = n->latch;
  if (kind == SWITCH)
    k.switch_ = self;
  if (kind == LOOP || kind == CONTINUE) {
    k.loop = self;
    k.switch_ = SR_NONE;
  }
  if (kind == CONTINUE)
    k.continue_ = self;
  SR_PUSH(&c->scratch, &c->constructs, k);
  return self;
}

/* Opens the constructs that b heads. A loop's continue construct follows its loop construct. */
static void open_constructs(Check *c, uint32_t b) {
  Node *n = &c->node[b];
  n->inner = n->outer;
  if (is_switch(c, b))
    n->inner = open_construct(c, b, SWITCH, n->outer);
  else if (n->merge_op == SpvOpSelectionMerge)
    n->inner = open_construct(c, b, SELECTION, n->outer);
  else if (is_loop(c, b) && n->target == b)
    n->inner = open_construct(c, b, CONTINUE, n->outer);
  else if (is_loop(c, b)) {
    n->inner = open_construct(c, b, LOOP, n->outer);
    open_construct(c, b, CONTINUE, n->outer);
  }
}

/* Places b below its parent p in the dominator tree. */
static void place(Check *c, uint32_t b, uint32_t p) {
  Node *n = &c->node[b];
  const Node *parent = &c->node[p];
  const Construct *around = inner(c, p);
  n->arm = parent->arm;
  if (n->merge_of == p) {
    n->outer = parent->outer;
  } else if (n->target_of == p) {
    n->outer = parent->inner + 1;
  } else if (around->kind == CONTINUE && around->latch == p) {
    n->outer = c->node[around->header].outer; /* after the loop; the edge to it is a violation */
  } else {
    n->outer = parent->inner;
    if (is_switch(c, p))
      n->arm = b;
  }
}

static void build_constructs(Check *c) {
  SR_PUSH(&c->scratch, &c->constructs,
          (Construct){.kind = BODY,
                      .header = SR_NONE,
                      .merge = SR_NONE,
                      .loop = SR_NONE,
                      .switch_ = SR_NONE,
                      .continue_ = SR_NONE});
  c->node[0].outer = 0;
  open_constructs(c, 0);
  for (uint32_t i = 1; i < c->dom->reached; i++) {
    uint32_t b = c->dom->preorder[i];
    place(c, b, c->dom->idom[b]);
    open_constructs(c, b);
  }
}

/* ---- 4. edges ---- */

typedef struct Name {
  char text[80];
} Name;

static Name describe(const Check *c, const Construct *k) {
  Name n = {0};
  if (k->kind == CONTINUE)
    snprintf(n.text, sizeof n.text, "the continue construct %%%u of loop %%%u", id(c, k->target),
             id(c, k->header));
  else
    snprintf(n.text, sizeof n.text, "the %s construct of %%%u",
             k->kind == LOOP     ? "loop"
             : k->kind == SWITCH ? "switch"
                                 : "selection",
             id(c, k->header));
  return n;
}

static bool is_own_exit(const Construct *k, uint32_t v) {
  return v == k->merge || (k->kind == LOOP && v == k->target) ||
         (k->kind == CONTINUE && v == k->header);
}

static bool is_exit(const Check *c, const Construct *k, uint32_t v) {
  if (is_own_exit(k, v))
    return true;
  if (k->kind == LOOP || k->kind == CONTINUE)
    return false;
  if (k->switch_ != SR_NONE && c->constructs.at[k->switch_].merge == v)
    return true;
  if (k->loop == SR_NONE)
    return false;
  const Construct *loop = &c->constructs.at[k->loop];
  return v == loop->merge || (loop->kind == LOOP && v == loop->target);
}

static void report_exit(Check *c, const Construct *k, uint32_t u, uint32_t v) {
  Name name = describe(c, k);
  if (k->kind == LOOP)
    add(c, SR_RULE_loop_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither its merge block %%%u nor its "
        "continue target %%%u; route it through %%%u",
        id(c, u), id(c, v), name.text, id(c, k->merge), id(c, k->target), id(c, k->merge));
  else if (k->kind == CONTINUE)
    add(c, SR_RULE_continue_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither the header nor the merge block "
        "%%%u; route it through %%%u",
        id(c, u), id(c, v), name.text, id(c, k->merge), id(c, k->merge));
  else
    add(c, SR_RULE_selection_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither its merge block %%%u nor a break "
        "or continue of the innermost loop or switch; route it through %%%u",
        id(c, u), id(c, v), name.text, id(c, k->merge), id(c, k->merge));
}

/* Checks edge u → v, which leaves the innermost construct k of u. */
static void check_exit(Check *c, const Construct *k, uint32_t u, uint32_t v) {
  if (!is_exit(c, k, v)) {
    report_exit(c, k, u, v);
    return;
  }
  if (k->loop == SR_NONE)
    return;
  const Construct *loop = &c->constructs.at[k->loop];
  if (loop->kind == CONTINUE && v == loop->merge && u != loop->latch)
    add(c, SR_RULE_continue_postdominance, loop->header, u, v,
        "edge %%%u -> %%%u leaves the continue construct %%%u of loop %%%u past its back-edge "
        "block %%%u; only that block may leave: end the continue construct before %%%u",
        id(c, u), id(c, v), id(c, loop->target), id(c, loop->header), id(c, loop->latch), id(c, u));
}

/* Checks that every construct that holds v but not u has v as its header. */
static bool check_entry(Check *c, uint32_t u, uint32_t v) {
  const Node *n = &c->node[v];
  if (n->target_of != SR_NONE) {
    if (sr_dominates(c->dom, v, u) ||
        (is_reachable(c, u) && contains(c, inner(c, n->target_of), u)))
      return true;
    add(c, SR_RULE_continue_entry, n->target_of, u, v,
        "edge %%%u -> %%%u enters the continue target of loop %%%u from %s; %s", id(c, u), id(c, v),
        id(c, n->target_of), is_reachable(c, u) ? "outside its loop construct" : "unreachable code",
        is_reachable(c, u) ? "name a later block as the loop's merge block, so that it is inside"
                           : "end that block in OpUnreachable");
    return false;
  }
  const Construct *k = &c->constructs.at[n->outer];
  if (contains(c, k, u))
    return true;
  Name name = describe(c, k);
  add(c, SR_RULE_construct_entry, k->header, u, v,
      "edge %%%u -> %%%u enters %s past its header; enter at the header, or reach %%%u through the "
      "merge block %%%u alone",
      id(c, u), id(c, v), name.text, id(c, v), id(c, k->merge));
  return false;
}

/* Does edge u → v lead from one case of the innermost switch k of u to a block outside that case? A
 * block that only merge instructions reach does not fall through (an if whose two sides return). */
static bool leaves_case(const Check *c, const Construct *k, uint32_t u, uint32_t v) {
  return k->kind == SWITCH && u != k->header && contains(c, k, v) &&
         !sr_dominates(c->dom, c->node[u].arm, v) &&
         (sr_bit(c->live, u) || !sr_bit(c->live, k->header));
}

static void note_fall(Check *c, uint32_t w, uint32_t from, uint32_t to, uint32_t u, uint32_t v) {
  Node *source = &c->node[from], *target = &c->node[to];
  if (source->falls_to != SR_NONE && source->falls_to != to)
    add(c, SR_RULE_case_fan_out, w, u, v,
        "case %%%u of switch %%%u branches to case %%%u and, by edge %%%u -> %%%u, to case %%%u; "
        "only one of them is allowed: let %%%u branch to a copy of %%%u",
        id(c, from), id(c, w), id(c, source->falls_to), id(c, u), id(c, v), id(c, to), id(c, u),
        id(c, v));
  else if (target->falls_from != SR_NONE && target->falls_from != from)
    add(c, SR_RULE_case_fan_in, w, u, v,
        "case %%%u of switch %%%u is branched to by case %%%u and, by edge %%%u -> %%%u, by case "
        "%%%u; only one of them is allowed: let %%%u branch to a copy of %%%u",
        id(c, to), id(c, w), id(c, target->falls_from), id(c, u), id(c, v), id(c, from), id(c, u),
        id(c, v));
  source->falls_to = to;
  target->falls_from = from;
}

/* ---- cases that no branch reaches ---- */

/* SPIRV-Tools' validator, in old versions, compares nesting depths where a case is left for the
 * loop around its switch, and takes those of blocks that the entry does not reach as 0. */
static void find_dead_cases(Check *c) {
  uint32_t count = c->f->block_count, depth = 0;
  uint32_t *stack = SR_NEW_RAW(&c->scratch, uint32_t, count);
  c->dead_cases = sr_bits_new(&c->scratch, count);
  for (uint32_t b = 0; b < count && c->validator < SR_VALIDATOR_SWITCH_EXITS; b++)
    if (c->node[b].case_of != SR_NONE && !sr_bit(c->live, b)) {
      sr_bit_set(c->dead_cases, b);
      stack[depth++] = b;
    }
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_SUCCS(v, c->cfg, b))
      if (!sr_bit(c->live, *v) && !sr_bit(c->dead_cases, *v)) {
        sr_bit_set(c->dead_cases, *v);
        stack[depth++] = *v;
      }
  }
}

/* Does edge u → v, from a case that no branch reaches, leave switch k for the loop around it? */
static void check_dead_exit(Check *c, const Construct *k, uint32_t u, uint32_t v) {
  bool depth_0 = !sr_bit(c->live, v) && c->node[v].target_of != SR_NONE;
  if (u == k->header || v == k->merge || contains(c, k, v) || depth_0)
    return;
  add(c, SR_RULE_case_exit, k->header, u, v,
      "edge %%%u -> %%%u leaves case %%%u of switch %%%u for the loop around it, but no branch "
      "leads "
      "to that case, and SPIRV-Tools' validator refuses this; route it through the merge block "
      "%%%u",
      id(c, u), id(c, v), id(c, c->node[u].arm), id(c, k->header), id(c, k->merge));
}

static void check_case_exit(Check *c, const Construct *k, uint32_t u, uint32_t v) {
  uint32_t w = k->header, arm = c->node[u].arm;
  if (c->node[v].case_of != w)
    add(c, SR_RULE_case_exit, w, u, v,
        "edge %%%u -> %%%u leaves case %%%u of switch %%%u for a block that other cases reach too; "
        "put it after the merge block %%%u",
        id(c, u), id(c, v), id(c, arm), id(c, w), id(c, k->merge));
  else if (c->node[arm].case_of == w)
    note_fall(c, w, arm, v, u, v);
}

static void check_edge(Check *c, uint32_t u, uint32_t v) {
  const Construct *k = inner(c, u);
  if (!check_entry(c, u, v))
    return;
  if (!contains(c, k, v))
    check_exit(c, k, u, v);
  else if (leaves_case(c, k, u, v))
    check_case_exit(c, k, u, v);
  if (sr_bit(c->dead_cases, u) && k->switch_ != SR_NONE)
    check_dead_exit(c, &c->constructs.at[k->switch_], u, v);
}

static bool is_exit_edge(const Check *c, uint32_t u, uint32_t v) {
  const Construct *k = inner(c, u);
  return !contains(c, k, v) || leaves_case(c, k, u, v);
}

/* Checks a conditional branch: it needs a merge instruction unless one of its two edges is an
 * exit. */
static void check_branch(Check *c, uint32_t u) {
  const Node *n = &c->node[u];
  if (n->merge_op == SpvOpSelectionMerge ||
      (n->merge_op == SpvOpLoopMerge && c->validator < SR_VALIDATOR_LOOP_SELECTS))
    return;
  if (n->end_op == SpvOpSwitch) {
    add(c, SR_RULE_selection_merge, u, u, SR_NONE,
        "block %%%u ends in OpSwitch without an OpSelectionMerge; declare where its cases meet",
        id(c, u));
    return;
  }
  if (sr_succ_count(c->cfg, u) < 2)
    return;
  const uint32_t *t = &c->cfg->succ[c->cfg->succ_at[u]];
  if (is_exit_edge(c, u, t[0]) || is_exit_edge(c, u, t[1]))
    return;
  if (n->merge_op == SpvOpLoopMerge)
    add(c, SR_RULE_selection_merge, u, u, SR_NONE,
        "loop header %%%u branches to %%%u and %%%u, and neither edge leaves a construct; move the "
        "branch to a block of its own, after an OpSelectionMerge",
        id(c, u), id(c, t[0]), id(c, t[1]));
  else
    add(c, SR_RULE_selection_merge, u, u, SR_NONE,
        "block %%%u branches to %%%u and %%%u without an OpSelectionMerge, and neither edge leaves "
        "a construct; declare where the two sides meet",
        id(c, u), id(c, t[0]), id(c, t[1]));
}

static void check_leaf(Check *c, uint32_t u) {
  if (sr_succ_count(c->cfg, u) > 0 || inner(c, u)->continue_ == SR_NONE)
    return;
  const Construct *k = &c->constructs.at[inner(c, u)->continue_];
  add(c, SR_RULE_continue_postdominance, k->header, u, SR_NONE,
      "block %%%u ends the invocation inside the continue construct %%%u of loop %%%u, whose "
      "blocks must all reach the back-edge block %%%u; move it in front of the continue target",
      id(c, u), id(c, k->target), id(c, k->header), id(c, k->latch));
}

static void note_cases(Check *c, uint32_t w) {
  for (SR_SUCCS(v, c->cfg, w)) {
    if (*v == c->node[w].merge)
      continue;
    if (sr_dominates(c->dom, w, *v))
      c->node[*v].case_of = w;
    else
      add(c, SR_RULE_case_dominance, w, w, *v,
          "switch header %%%u branches straight to %%%u, which other paths reach too; give that "
          "case a block of its own that branches to %%%u",
          id(c, w), id(c, *v), id(c, *v));
  }
}

/* Checks case `target` of switch header w, which `next` follows in the OpSwitch (SR_NONE: nothing):
 * the case may fall through to no other. `by_default`: the target of the default, or SR_NONE if
 * that is a case too. */
static void check_followed(Check *c, uint32_t w, uint32_t target, uint32_t next,
                           uint32_t by_default) {
  if (target == c->node[w].merge)
    return;
  uint32_t to = c->node[target].falls_to;
  if (to != SR_NONE && to == by_default)
    to = c->node[by_default].falls_to;
  if (to != SR_NONE && to != next)
    add(c, SR_RULE_case_order, w, target, to,
        "case %%%u of switch %%%u falls through to case %%%u, but does not immediately precede it "
        "in the OpSwitch; reorder its targets",
        id(c, target), id(c, w), id(c, to));
}

/* Checks the order of the cases. The default is not in it, unless it is a case too: a case that
 * falls through to the default must precede the case to which the default falls through.
 * Repetitions of a target in a row count once. */
static void check_order(Check *c, uint32_t w) {
  const SrModule *m = c->m;
  SrRef end = sr_terminator(&c->f->blocks[w]);
  uint32_t first = sr_next_target(m, end, 0);
  uint32_t by_default = sr_block_of(m, sr_words(m, end)[first]), lone = by_default;
  for (uint32_t i = first; (i = sr_next_target(m, end, i));)
    if (sr_block_of(m, sr_words(m, end)[i]) == by_default)
      lone = SR_NONE;
  uint32_t last = SR_NONE;
  for (uint32_t i = first; (i = sr_next_target(m, end, i));) {
    uint32_t t = sr_block_of(m, sr_words(m, end)[i]);
    if (last != SR_NONE && t != last)
      check_followed(c, w, last, t, lone);
    last = t;
  }
  if (last != SR_NONE)
    check_followed(c, w, last, SR_NONE, lone);
}

static void check_block(Check *c, uint32_t u) {
  if (!is_reachable(c, u)) {
    for (SR_SUCCS(v, c->cfg, u))
      if (c->node[*v].target_of != SR_NONE && c->validator < SR_VALIDATOR_LIVE_ENTRIES)
        check_entry(c, u, *v);
    return;
  }
  for (SR_SUCCS(v, c->cfg, u))
    check_edge(c, u, *v);
  check_branch(c, u);
  check_leaf(c, u);
}

static void check_edges(Check *c) {
  uint32_t count = c->f->block_count;
  for (uint32_t b = 0; b < count; b++)
    if (is_reachable(c, b) && is_switch(c, b))
      note_cases(c, b);
  find_dead_cases(c);
  for (uint32_t b = 0; b < count && c->out->count < c->limit; b++)
    check_block(c, b);
  for (uint32_t b = 0; b < count && c->out->count < c->limit; b++)
    if (is_reachable(c, b) && is_switch(c, b))
      check_order(c, b);
}

/* ---- 5. joins ---- */

/* The blocks where lanes may reconverge (SPV_KHR_maximal_reconvergence, Non-reconvergence). */
static SrBits *declared_joins(Check *c) {
  SrBits *joins = sr_bits_new(&c->scratch, c->f->block_count);
  for (uint32_t b = 0; b < c->f->block_count; b++) {
    const Node *n = &c->node[b];
    if (n->merge_op != SpvOpNop)
      sr_bit_set(joins, n->merge);
    if (is_loop(c, b)) {
      sr_bit_set(joins, b);
      sr_bit_set(joins, n->target);
    }
    if (n->end_op == SpvOpSwitch)
      for (SR_SUCCS(v, c->cfg, b))
        sr_bit_set(joins, *v);
  }
  return joins;
}

static void check_labels(Check *c, uint32_t b) {
  if (c->node[b].end_op == SpvOpBranchConditional && sr_succ_count(c->cfg, b) == 1)
    add(c, SR_RULE_distinct_labels, b, b, c->cfg->succ[c->cfg->succ_at[b]],
        "both labels of the OpBranchConditional of block %%%u are %%%u; use OpBranch, without a "
        "merge instruction",
        id(c, b), id(c, c->cfg->succ[c->cfg->succ_at[b]]));
}

static void check_joins(Check *c) {
  const SrBits *joins = declared_joins(c);
  for (uint32_t b = 0; b < c->f->block_count; b++) {
    check_labels(c, b);
    if (sr_pred_count(c->cfg, b) < 2 || sr_bit(joins, b))
      continue;
    const uint32_t *from = &c->cfg->pred[c->cfg->pred_at[b]];
    add(c, SR_RULE_declared_join, b, from[1], b,
        "block %%%u is reached from %%%u and from %%%u, but no instruction declares it as a place "
        "where lanes meet; give one of the branches before it an OpSelectionMerge that names it",
        id(c, b), id(c, from[0]), id(c, from[1]));
  }
}

uint32_t sr_structure_validator(const char *version) {
  const char *v = strchr(version, 'v');
  if (!v)
    return 0;
  char *dot;
  uint32_t year = (uint32_t)strtoull(v + 1, &dot, 10);
  return *dot == '.' ? year * 100 + (uint32_t)strtoull(dot + 1, NULL, 10) : 0;
}

uint32_t sr_structure_check(SrArena *arena, const SrModule *m, const SrFunction *f, uint32_t limit,
                            SrViolations *out) {
  return sr_structure_check_as(arena, m, f, limit,
                               sr_structure_validator(spvSoftwareVersionString()), out);
}

uint32_t sr_structure_check_as(SrArena *arena, const SrModule *m, const SrFunction *f,
                               uint32_t limit, uint32_t validator, SrViolations *out) {
  *out = (SrViolations){0};
  if (f->block_count == 0)
    return 0;
  Check c = {.m = m, .f = f, .arena = arena, .out = out, .limit = limit, .validator = validator};
  c.scratch = sr_arena_new(arena->heap);
  c.cfg = sr_cfg_build(&c.scratch, m, f);
  c.structural = sr_cfg_structural(&c.scratch, m, f);
  c.dom = sr_dom_build(&c.scratch, c.structural, 0);
  c.live = sr_graph_reachable(&c.scratch, c.cfg, 0);
  c.node = SR_NEW_RAW(&c.scratch, Node, f->block_count);
  check_misplaced(&c);
  check_declarations(&c);
  check_back_edges(&c);
  if (out->count == 0) {
    build_constructs(&c);
    check_edges(&c);
    if (f->promises & SR_PROMISE_MAXIMAL)
      check_joins(&c);
  }
  sr_arena_free(&c.scratch);
  return out->count;
}
