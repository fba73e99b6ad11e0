/* SPDX-License-Identifier: Apache-2.0 */
/* lint_control: see lint_control.h. A block that becomes partial is put on a worklist, once; then the
 * blocks that depend on its branch are, the functions that it calls and what follows the calls of a
 * function in which lanes end. Along the post-dominator tree, blocks that are partial already are
 * skipped (`up`, with path compression). */
#include "passes/lint/lint_control.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/left_loop.h"

typedef struct Shape {
  SrGraph *g;
  SrNest *nest;
  SrBits *ran_out; /* by cycle: mark_cycle has marked it */
  SrDom *dom;
  SrDom *pdom;   /* of g reversed, with an exit */
  uint32_t *up;  /* by block: itself, or if it is partial one further up in the tree */
  SrBits *after; /* by block: lanes may have ended before it, in a call */
  SrBits *left;  /* by block: lanes run it after they have left a loop (left_loop.h) */
} Shape;

typedef struct Work {
  SrArena arena;
  const SrModule *m;
  const SrLintCalls *calls;
  SrLintControl *control;
  Shape *shapes;       /* by index of a function */
  bool ended, leaving; /* leaving: see leave_to_end */
  bool *called;        /* by index of a function: from a partial block */
  SR_VEC(uint32_t) blocks;
} Work;

/* ---- the call graph ---- */

static void number_blocks(SrArena *arena, const SrModule *m, SrLintCalls *k) {
  uint32_t n = 0;
  k->base = SR_NEW(arena, uint32_t, (size_t)m->function_count + 1);
  k->function_at = sr_new_none(arena, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++) {
    k->base[f] = n;
    k->function_at[m->functions[f].id] = f;
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      k->function_at[m->functions[f].blocks[b].id] = f;
    n += m->functions[f].block_count;
  }
  k->base[m->function_count] = n;
  k->owner = SR_NEW_RAW(arena, uint32_t, n);
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = k->base[f]; b < k->base[f + 1]; b++)
      k->owner[b] = f;
}

static void find_sites(SrArena *arena, const SrModule *m, SrLintCalls *k) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrRowItems sites = {0}, blocks = {0};
  for (uint32_t n = 0; n < k->base[m->function_count]; n++) {
    uint32_t f = k->owner[n];
    for (SR_EACH(m, r, m->functions[f].blocks[n - k->base[f]].list)) {
      if (sr_inst(m, r)->op != SpvOpFunctionCall)
        continue;
      uint32_t callee = k->function_at[sr_words(m, r)[3]];
      if (callee == SR_NONE)
        continue;
      SR_PUSH(&scratch, &sites, (SrRowItem){callee, r});
      SR_PUSH(&scratch, &blocks, (SrRowItem){callee, n});
    }
  }
  k->sites = sr_rows_new(arena, m->function_count, &sites);
  k->site_blocks = sr_rows_new(arena, m->function_count, &blocks);
  sr_arena_free(&scratch);
}

/* Gives each function the models of its callers. A function's set only grows. */
static void find_models(SrArena *arena, const SrModule *m, SrLintCalls *k) {
  SR_VEC(uint32_t) todo = {0};
  SrRowItems items = {0};
  k->models = SR_NEW(arena, uint32_t, m->function_count);
  for (uint32_t f = 0; f < m->function_count; f++)
    for (SR_NUMBERS(n, k->site_blocks, f))
      SR_PUSH(arena, &items, (SrRowItem){k->owner[*n], f});
  SrRows callees = sr_rows_new(arena, m->function_count, &items);
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    uint32_t f = sr_inst(m, r)->op == SpvOpEntryPoint ? k->function_at[w[2]] : SR_NONE;
    if (f == SR_NONE)
      continue;
    k->models[f] |= 1u << (w[1] < 31 ? w[1] : 31);
    SR_PUSH(arena, &todo, f);
  }
  while (todo.count) {
    uint32_t f = SR_POP(&todo);
    for (SR_NUMBERS(g, callees, f))
      if ((k->models[*g] | k->models[f]) != k->models[*g]) {
        k->models[*g] |= k->models[f];
        SR_PUSH(arena, &todo, *g);
      }
  }
}

SrLintCalls *sr_lint_calls(SrArena *arena, const SrModule *m) {
  SrLintCalls *k = SR_NEW(arena, SrLintCalls, 1);
  number_blocks(arena, m, k);
  find_sites(arena, m, k);
  find_models(arena, m, k);
  return k;
}

/* ---- what depends on a branch ---- */

static const Shape *shape_of(Work *w, uint32_t f) {
  Shape *s = &w->shapes[f];
  if (s->g)
    return s;
  s->g = sr_cfg_build(&w->arena, w->m, &w->m->functions[f]);
  s->dom = sr_dom_build(&w->arena, s->g, 0);
  s->pdom = sr_dom_build(&w->arena, sr_graph_reverse_with_exit(&w->arena, s->g), s->g->count);
  s->after = sr_bits_new(&w->arena, s->g->count);
  s->nest = sr_nest_build(&w->arena, s->g);
  s->ran_out = sr_bits_new(&w->arena, s->nest->cycle_count);
  s->left = sr_left_loop_blocks(&w->arena, w->m, &w->m->functions[f], s->nest);
  s->up = SR_NEW_RAW(&w->arena, uint32_t, (size_t)s->g->count + 1);
  for (uint32_t b = 0; b <= s->g->count; b++)
    s->up[b] = b;
  return s;
}

/* The block, or the nearest one above it in the tree, that is not partial. */
static uint32_t not_partial(const Shape *s, uint32_t b) {
  while (s->up[b] != b) {
    s->up[b] = s->up[s->up[b]];
    b = s->up[b];
  }
  return b;
}

static void mark(Work *w, uint32_t number, SrPartial why) {
  if (w->control->partial[number].kind != SR_PARTIAL_NOT)
    return;
  w->control->partial[number] = why;
  SR_PUSH(&w->arena, &w->blocks, number);
}

static bool is_partial(const Work *w, uint32_t f, uint32_t block) {
  return w->control->partial[w->calls->base[f] + block].kind != SR_PARTIAL_NOT;
}

static bool is_entry(const Work *w, uint32_t f) {
  return w->calls->sites.at[f] == w->calls->sites.at[f + 1];
}

/* Does the instruction end the lanes that run it? */
static bool ends_lanes(const Work *w, uint32_t f, SrRef end) {
  uint16_t op = sr_inst(w->m, end)->op;
  if (op == SpvOpReturn || op == SpvOpReturnValue)
    return is_entry(w, f);
  return sr_is_leaf((SpvOp)op);
}

/* Do lanes that take this way only end, without meeting others? */
static bool is_way_out(const Work *w, uint32_t f, uint32_t block) {
  const SrGraph *g = w->shapes[f].g;
  while (sr_pred_count(g, block) == 1) {
    if (ends_lanes(w, f, sr_terminator(&w->m->functions[f].blocks[block])))
      return true;
    if (sr_succ_count(g, block) != 1)
      return false;
    block = g->succ[g->succ_at[block]];
  }
  return false;
}

/* Marks what is run by lanes that take one way out of a branch, up to where all ways meet. */
static void spread_way(Work *w, uint32_t f, const Shape *s, uint32_t to, uint32_t meet,
                       SrPartial why) {
  if (s->pdom->enter[to] == SR_NONE)
    return;
  for (uint32_t b = not_partial(s, to);
       b != s->g->count && b != meet && sr_dominates(s->pdom, meet, b); b = not_partial(s, b)) {
    mark(w, w->calls->base[f] + b, why);
    s->up[b] = s->pdom->idom[b];
  }
}

/* Marks what follows an edge out of a partial block, as far as lanes come there by this edge only.
 * `to`: has no other edge. */
static void spread_only(Work *w, uint32_t f, const Shape *s, uint32_t to, SrPartial why) {
  mark(w, w->calls->base[f] + to, why);
  if (s->pdom->enter[to] == SR_NONE)
    return;
  for (uint32_t b = not_partial(s, to); b != s->g->count && sr_dominates(s->dom, to, b);
       b = not_partial(s, b)) {
    mark(w, w->calls->base[f] + b, why);
    s->up[b] = s->pdom->idom[b];
  }
}

/* If one side of a branch only ends lanes, all lanes that remain run the other side. */
static void spread(Work *w, uint32_t f, uint32_t block, SrPartial why) {
  const Shape *s = shape_of(w, f);
  uint32_t meet = s->pdom->idom[block], others = 0;
  for (SR_SUCCS(t, s->g, block))
    if (sr_bit(s->left, *t))
      mark(w, w->calls->base[f] + *t, why);
  if (sr_succ_count(s->g, block) < 2 || meet == SR_NONE)
    return;
  for (SR_SUCCS(t, s->g, block))
    others += w->ended || !is_way_out(w, f, *t);
  for (SR_SUCCS(t, s->g, block))
    if (others > (w->ended || !is_way_out(w, f, *t)))
      spread_way(w, f, s, *t, meet, why);
    else if (is_partial(w, f, block) && sr_pred_count(s->g, *t) == 1)
      spread_only(w, f, s, *t, why);
}

/* ---- lanes that end ---- */

/* All that lanes can still reach from the block, but not the block itself. */
static void mark_rest(Work *w, uint32_t f, uint32_t block, SrPartial why) {
  const Shape *s = shape_of(w, f);
  SR_VEC(uint32_t) todo = {0};
  SR_PUSH(&w->arena, &todo, block);
  while (todo.count) {
    uint32_t b = SR_POP(&todo);
    for (SR_SUCCS(t, s->g, b)) {
      if (sr_bit(s->after, *t))
        continue;
      sr_bit_set(s->after, *t);
      mark(w, w->calls->base[f] + *t, why);
      SR_PUSH(&w->arena, &todo, *t);
    }
  }
}

/* Only some of the lanes may end in the function, at the block with this number. */
static void end_some(Work *w, uint32_t f, uint32_t number) {
  SrLintControl *c = w->control;
  if (c->end[f] != SR_NONE)
    return;
  c->end[f] = number;
  for (uint32_t i = w->calls->sites.at[f]; i < w->calls->sites.at[f + 1]; i++) {
    uint32_t site = w->calls->site_blocks.number[i], caller = w->calls->owner[site];
    SrRef call = w->calls->sites.number[i];
    if (c->ends[site] == SR_NONE || call < c->ends[site])
      c->ends[site] = call;
    mark_rest(w, caller, site - w->calls->base[caller], (SrPartial){SR_PARTIAL_ENDED, site, call});
    SR_PUSH(&w->arena, &w->blocks, site); /* its callers: see propagate */
  }
}

/* ---- the whole ---- */

static void call_partially(Work *w, uint32_t f, uint32_t number) {
  if (f == SR_NONE || w->called[f])
    return;
  w->called[f] = true;
  for (uint32_t n = w->calls->base[f]; n < w->calls->base[f + 1]; n++)
    mark(w, n, (SrPartial){SR_PARTIAL_CALL, number, SR_NONE});
}

static void propagate(Work *w, uint32_t number) {
  const SrModule *m = w->m;
  const SrLintControl *c = w->control;
  uint32_t f = w->calls->owner[number], b = number - w->calls->base[f];
  const SrBlock *block = &m->functions[f].blocks[b];
  if (c->ends[number] != SR_NONE)
    end_some(w, f, number);
  if (c->partial[number].kind == SR_PARTIAL_NOT)
    return;
  if (!w->leaving)
    spread(w, f, b, c->partial[number]);
  for (SR_EACH(m, r, block->list))
    if (sr_inst(m, r)->op == SpvOpFunctionCall)
      call_partially(w, w->calls->function_at[sr_words(m, r)[3]], number);
  if (w->ended && sr_inst(m, sr_terminator(block))->op != SpvOpUnreachable &&
      ends_lanes(w, f, sr_terminator(block)))
    end_some(w, f, number);
}

static void propagate_all(Work *w) {
  while (w->blocks.count)
    propagate(w, SR_POP(&w->blocks));
}

static void start(Work *w) {
  const SrModule *m = w->m;
  for (uint32_t n = 0; n < w->calls->base[m->function_count]; n++) {
    uint32_t f = w->calls->owner[n], b = n - w->calls->base[f];
    if (w->calls->models[f] && !sr_uniform_branch(w->control->uniform, m, &m->functions[f], b))
      spread(w, f, b, (SrPartial){SR_PARTIAL_BRANCH, n, SR_NONE});
  }
}

/* ---- lanes that leave a loop to end ---- */

static uint32_t outermost_cycle(const SrNest *nest, uint32_t block) {
  uint32_t cycle = nest->inner[block];
  while (cycle != SR_NONE && nest->cycles[cycle].parent != SR_NONE)
    cycle = nest->cycles[cycle].parent;
  return cycle;
}

static void mark_cycle(Work *w, uint32_t f, uint32_t cycle, SrPartial why) {
  const Shape *s = &w->shapes[f];
  const SrCycle *c = &s->nest->cycles[cycle];
  if (sr_bit(s->ran_out, cycle))
    return;
  sr_bit_set(s->ran_out, cycle);
  for (uint32_t r = c->first; r <= c->last; r++)
    mark(w, w->calls->base[f] + s->nest->order[r], why);
}

/* Has the branch a way out of the cycle to end, and one that stays? (No way out is in a cycle.) */
static bool leaves_some(const Work *w, uint32_t f, uint32_t block, uint32_t cycle) {
  const Shape *s = &w->shapes[f];
  bool leave = false, stay = false;
  for (SR_SUCCS(t, s->g, block)) {
    stay = stay || sr_cycle_has(s->nest, cycle, *t);
    leave = leave || is_way_out(w, f, *t);
  }
  return leave && stay;
}

/* Lanes that leave a loop to end do so in different iterations, while the others go on: all that the
 * loop runs depends on who has left. What follows the loop does not: those that have ended do not
 * count. So no branch of these blocks is spread. */
static void leave_to_end(Work *w) {
  const SrModule *m = w->m;
  for (uint32_t n = 0; n < w->calls->base[m->function_count]; n++) {
    uint32_t f = w->calls->owner[n], b = n - w->calls->base[f];
    bool partial = w->control->partial[n].kind != SR_PARTIAL_NOT;
    if (!w->calls->models[f] ||
        (!partial && sr_uniform_branch(w->control->uniform, m, &m->functions[f], b)))
      continue;
    uint32_t cycle = outermost_cycle(shape_of(w, f)->nest, b);
    if (cycle != SR_NONE && leaves_some(w, f, b, cycle))
      mark_cycle(w, f, cycle,
                 partial ? w->control->partial[n] : (SrPartial){SR_PARTIAL_BRANCH, n, SR_NONE});
  }
  w->leaving = true;
}

SrLintControl *sr_lint_control(SrArena *arena, const SrModule *m, const SrLintCalls *calls,
                               SrScope scope, bool ended, const SrBits *settled) {
  SrLintControl *c = SR_NEW(arena, SrLintControl, 1);
  uint32_t count = calls->base[m->function_count];
  Work w = {
      .arena = sr_arena_new(arena->heap), .m = m, .calls = calls, .control = c, .ended = ended};
  c->uniform = sr_uniform_explain(arena, m, scope, settled);
  c->partial = SR_NEW(arena, SrPartial, count);
  c->ends = sr_new_none(arena, count);
  c->end = sr_new_none(arena, m->function_count);
  w.shapes = SR_NEW(&w.arena, Shape, m->function_count);
  w.called = SR_NEW(&w.arena, bool, m->function_count);
  start(&w);
  propagate_all(&w);
  if (!ended) {
    leave_to_end(&w);
    propagate_all(&w);
  }
  sr_arena_free(&w.arena);
  return c;
}
