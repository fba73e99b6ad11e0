/* SPDX-License-Identifier: Apache-2.0 */
/* token_region: see token_region.h. */
#include "spv-emu/policy/token/token_region.h"

#include "passes/base/ancestor.h"
#include "passes/base/sort.h"

#include <stdlib.h>

/* A branch that may diverge and whose sides reconverge. */
typedef struct Branch {
  uint32_t block, point;
  bool back; /* the point dominates it, so lanes reconverge at the loop's header */
} Branch;

typedef struct Build {
  SrArena *arena, *scratch;
  const EmuBlockTable *table;
  const EmuFunctionBlocks *fn;
  const SrGraph *graph;
  const SrDom *dom, *back;
  SrAncestors tree; /* the dominator tree */
  SR_VEC(Branch) branches;
  uint32_t *region_of; /* by block: the region of its branch, or SR_NONE */
  uint32_t *top;       /* by region: an outer region, with path compression */
  SR_VEC(uint32_t) work;
  EmuRegions *out;
} Build;

/* ---- branches -------------------------------------------------------------------------------- */

static bool may_diverge(const Build *b, uint32_t block) {
  uint32_t at = b->fn->first + block;
  return b->out->nest->rank[block] != SR_NONE && sr_succ_count(b->graph, block) > 1 &&
         !(b->table->uniform && b->table->uniform[at]);
}

static void find_branches(Build *b) {
  for (uint32_t x = 0; x < b->fn->count; x++) {
    uint32_t point = b->back->idom[x];
    if (may_diverge(b, x) && point < b->fn->count)
      SR_PUSH(b->scratch, &b->branches, (Branch){x, point, sr_dominates(b->dom, point, x)});
  }
}

/* Points further from the function's end first; among branches with the same point, those that the
 * point dominates come last; then in dominator preorder. */
static int by_point(const void *left, const void *right, void *build) {
  const Build *b = build;
  const Branch *x = left, *y = right;
  uint32_t k = b->back->enter[x->point], l = b->back->enter[y->point];
  if (k != l)
    return k < l ? 1 : -1;
  if (x->back != y->back)
    return x->back ? 1 : -1;
  k = b->dom->enter[x->block];
  l = b->dom->enter[y->block];
  return (k > l) - (k < l);
}

/* ---- regions --------------------------------------------------------------------------------- */

static uint32_t outermost(Build *b, uint32_t region) {
  while (b->top[region] != region) {
    b->top[region] = b->top[b->top[region]];
    region = b->top[region];
  }
  return region;
}

static void add_successors(Build *b, uint32_t block) {
  for (SR_SUCCS(t, b->graph, block))
    SR_PUSH(b->scratch, &b->work, *t);
}

/* Adds a block to the region. If the block is in another region, adds all of that region; the
 * search then continues at the point of that region. */
static void take_in(Build *b, uint32_t region, uint32_t block) {
  EmuRegions *r = b->out;
  if (block == r->all.at[region].point)
    return;
  if (r->of[block] == SR_NONE) {
    r->of[block] = region;
    add_successors(b, block);
    return;
  }
  uint32_t inner = outermost(b, r->of[block]);
  if (inner == region)
    return;
  r->all.at[inner].outer = region;
  b->top[inner] = region;
  SR_PUSH(b->scratch, &b->work, r->all.at[inner].point);
}

/* The nearest common dominator of `head` and the branch, if both may be in one set (step 1); else
 * SR_NONE. */
static uint32_t common_head(const Build *b, uint32_t head, const Branch *branch) {
  uint32_t above = sr_ancestors_common(&b->tree, head, branch->block), point = branch->point;
  bool between = branch->back && (above == point || !sr_dominates(b->dom, point, above));
  return sr_dominates(b->back, point, above) && !between ? above : SR_NONE;
}

/* Makes the region of the branches that have one point, sorted by by_point. */
static void make_region(Build *b, const Branch *branches, uint32_t count) {
  uint32_t region = b->out->all.count, head = branches->block;
  b->top[region] = region;
  SR_PUSH(b->arena, &b->out->all, (EmuRegion){.point = branches->point, .outer = SR_NONE});
  for (uint32_t i = 0; i < count; i++) {
    bool apart = i && branches[i].back != branches[i - 1].back;
    uint32_t above = apart ? SR_NONE : common_head(b, head, &branches[i]);
    b->region_of[branches[i].block] = region;
    if (above == SR_NONE) {
      add_successors(b, head);
      above = branches[i].block;
    }
    head = above;
  }
  add_successors(b, head);
  while (b->work.count)
    take_in(b, region, SR_POP(&b->work));
}

static void make_regions(Build *b) {
  uint32_t count = b->branches.count, end;
  const Branch *at = b->branches.at;
  b->top = sr_new_none(b->scratch, count);
  for (uint32_t first = 0; first < count; first = end) {
    for (end = first; end < count && at[end].point == at[first].point;)
      end++;
    make_region(b, &at[first], end - first);
  }
}

/* Sets the preorder intervals of the regions, which come after those inside them. */
static void number_forest(Build *b) {
  EmuRegion *all = b->out->all.at;
  uint32_t count = b->out->all.count, roots = 0;
  uint32_t *size = SR_NEW(b->scratch, uint32_t, count); /* regions in it, itself included */
  for (uint32_t i = 0; i < count; i++) {
    size[i]++;
    if (all[i].outer != SR_NONE)
      size[all[i].outer] += size[i];
  }
  for (uint32_t i = count; i-- > 0;) {
    uint32_t *next = all[i].outer == SR_NONE ? &roots : &all[all[i].outer].leave;
    all[i].enter = *next;
    *next += size[i];
    /* While numbering, `leave` is where the next inner region starts. In the end it is one too
     * large. */
    all[i].leave = all[i].enter + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    all[i].leave--;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Branches that may diverge and leave a cycle. */
typedef struct Exits {
  uint32_t *count;   /* by cycle */
  uint32_t *witness; /* by cycle: the branch that leaves most cycles, or SR_NONE */
  uint32_t *stop;    /* by block with such a branch: the innermost cycle that it does not leave */
} Exits;

static uint32_t depth_of(const SrNest *nest, uint32_t cycle) {
  return cycle == SR_NONE ? 0 : nest->cycles[cycle].depth;
}

/* Does the branch leave that cycle? */
static bool leaves(const Build *b, const Exits *e, uint32_t block, uint32_t cycle) {
  return block != SR_NONE && depth_of(b->out->nest, e->stop[block]) < depth_of(b->out->nest, cycle);
}

static void note_branch(Build *b, const SrAncestors *cycles, Exits *e, uint32_t block) {
  const SrNest *nest = b->out->nest;
  uint32_t in = nest->inner[block], stop = in;
  for (SR_SUCCS(t, b->graph, block))
    stop = sr_ancestors_common(cycles, stop, nest->inner[*t]);
  e->stop[block] = stop;
  if (stop == in)
    return;
  e->count[in]++;
  if (stop != SR_NONE)
    e->count[stop]--; /* may wrap around; the sums are correct */
  if (!leaves(b, e, e->witness[in], in) ||
      depth_of(nest, stop) < depth_of(nest, e->stop[e->witness[in]]))
    e->witness[in] = block;
}

static Exits find_exits(Build *b) {
  const SrNest *nest = b->out->nest;
  uint32_t count = nest->cycle_count;
  Exits e = {SR_NEW(b->scratch, uint32_t, count), sr_new_none(b->scratch, count),
             sr_new_none(b->scratch, b->fn->count)};
  SrAncestors cycles = sr_nest_ancestors(b->scratch, nest);
  for (uint32_t x = 0; x < b->fn->count; x++)
    if (may_diverge(b, x) && nest->inner[x] != SR_NONE)
      note_branch(b, &cycles, &e, x);
  for (uint32_t c = count; c-- > 0;) {
    uint32_t up = nest->cycles[c].parent, w = e.witness[c];
    if (up == SR_NONE)
      continue;
    e.count[up] += e.count[c];
    if (leaves(b, &e, w, up) && (e.witness[up] == SR_NONE ||
                                 depth_of(nest, e.stop[w]) < depth_of(nest, e.stop[e.witness[up]])))
      e.witness[up] = w;
  }
  return e;
}

/* Finds the regions of kind BREAK: cycles that several branches leave. */
static void find_breaks(Build *b, const Exits *e) {
  const SrNest *nest = b->out->nest;
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    uint32_t region = e->count[c] > 1 ? b->region_of[e->witness[c]] : SR_NONE;
    if (region != SR_NONE)
      b->out->all.at[region].kind = EMU_REGION_BREAK;
  }
  for (uint32_t x = 0; x < b->fn->count; x++) {
    uint32_t in = nest->inner[x];
    b->out->leaves_cycle[x] =
        may_diverge(b, x) && in != SR_NONE && leaves(b, e, x, in) && e->count[in] > 1;
  }
}

/* Is the block's only edge a back edge to its cycle's header, and the only one of that cycle? */
static bool is_latch(const Build *b, uint32_t block) {
  const SrNest *nest = b->out->nest;
  uint32_t in = nest->inner[block], back = 0;
  if (in == SR_NONE || sr_succ_count(b->graph, block) != 1 ||
      b->graph->succ[b->graph->succ_at[block]] != nest->cycles[in].header)
    return false;
  for (SR_PREDS(p, b->graph, nest->cycles[in].header))
    back += sr_cycle_has(nest, in, *p);
  return back == 1;
}

static void find_continues(Build *b) {
  const Branch *at = b->branches.at;
  for (uint32_t i = 1; i < b->branches.count; i++) {
    uint32_t region = b->region_of[at[i].block];
    EmuRegion *r = &b->out->all.at[region];
    bool several = b->region_of[at[i - 1].block] == region, back = at[i].back && at[i - 1].back;
    if (several && r->kind == EMU_REGION_SYNC && (back || is_latch(b, r->point)))
      r->kind = EMU_REGION_CONT;
  }
}

/* ---- all regions of a function --------------------------------------------------------------- */

/* By block: how many points there are on the path to the root of the post-dominator tree, the
 * virtual exit. */
static uint32_t *measure_depths(SrArena *arena, const SrDom *back, uint32_t count) {
  uint32_t *far = SR_NEW(arena, uint32_t, count + 1);
  for (uint32_t i = 1; i < back->reached; i++)
    far[back->preorder[i]] = far[back->idom[back->preorder[i]]] + 1;
  return far;
}

EmuRegions *emu_regions_build(SrArena *arena, const EmuBlockTable *table,
                              const EmuFunctionBlocks *fn, const SrNest *nest) {
  SrArena scratch = sr_arena_new(arena->heap);
  EmuRegions *out = SR_NEW(arena, EmuRegions, 1);
  const SrGraph *back = emu_block_table_backwards(&scratch, table, fn);
  *out = (EmuRegions){.nest = nest,
                      .back = sr_dom_build(arena, back, fn->count),
                      .of = sr_new_none(arena, fn->count),
                      .leaves_cycle = SR_NEW(arena, bool, fn->count)};
  Build b = {.arena = arena,
             .scratch = &scratch,
             .table = table,
             .fn = fn,
             .graph = fn->graph,
             .dom = sr_dom_build(&scratch, fn->graph, 0),
             .back = out->back,
             .region_of = sr_new_none(&scratch, fn->count),
             .out = out};
  b.tree = sr_ancestors_build(&scratch, b.dom->idom, fn->count, b.dom->preorder, b.dom->reached);
  out->far = measure_depths(arena, b.back, fn->count);
  find_branches(&b);
  if (b.branches.count)
    sr_sort_by(&scratch, b.branches.at, b.branches.count, sizeof *b.branches.at, by_point, &b);
  make_regions(&b);
  number_forest(&b);
  const Exits e = find_exits(&b);
  find_breaks(&b, &e);
  find_continues(&b);
  sr_arena_free(&scratch);
  return out;
}
