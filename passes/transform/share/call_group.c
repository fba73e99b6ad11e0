/* SPDX-License-Identifier: Apache-2.0 */
/* call_group: see call_group.h. Blocks are visited in the order of the nest, in which every edge
 * but the back edges leads forward, and the blocks of a cycle are contiguous. */
#include "passes/transform/share/call_group.h"

#include "passes/base/sort.h"

/* Limit on the calls of one group, because each value that is carried past them may need a phi with
 * as many operands. */
enum { MOST_CALLS = 64 };

typedef struct Find {
  SrArena *arena;
  const SrModule *m;
  const SrFunction *f;
  const uint32_t *parameters;
  SrCallGroups *out;
  SrAncestors cycles;
  uint32_t *sites;   /* by block: its candidates */
  uint32_t *level;   /* by block: level of its first candidate */
  uint32_t *level_c; /* by cycle: the level that a candidate in its place would have in the cycle
                        around it */
} Find;

/* ---- candidates ---- */

bool sr_is_candidate_call(const SrModule *m, SrRef r, const uint32_t *parameters) {
  if (sr_inst(m, r)->op != SpvOpFunctionCall)
    return false;
  uint32_t count = parameters[sr_words(m, r)[3]];
  return count != SR_NONE && count + SR_CALL_ARGUMENTS == sr_word_count(m, r);
}

static bool has_calls(const Find *k) {
  uint32_t calls = 0;
  for (uint32_t b = 0; b < k->f->block_count && calls < 2; b++)
    for (SR_EACH(k->m, r, k->f->blocks[b].list))
      calls += sr_is_candidate_call(k->m, r, k->parameters);
  return calls > 1;
}

static void find_calls(Find *k) {
  const SrNest *nest = k->out->nest;
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r], cycle = nest->inner[b];
    if (cycle != SR_NONE && nest->cycles[cycle].entries > 1)
      continue;
    for (SR_EACH(k->m, q, k->f->blocks[b].list))
      if (sr_is_candidate_call(k->m, q, k->parameters))
        SR_PUSH(k->arena, &k->out->site,
                (SrCallSite){.call = q,
                             .number = k->out->site.count,
                             .block = b,
                             .callee = sr_words(k->m, q)[3],
                             .cycle = cycle});
  }
}

static int by_callee(const void *a, const void *b) {
  const SrCallSite *x = a, *y = b;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  return (x->callee > y->callee) - (x->callee < y->callee);
}

static int by_level(const void *a, const void *b) {
  const SrCallSite *x = a, *y = b;
  int order = by_callee(a, b);
  return order ? order : (x->level > y->level) - (x->level < y->level);
}

/* Sorts the sites, keeps those that compare equal to another one, and records these as groups of at
 * most `most`. */
static void keep_several(Find *k, int (*compare)(const void *, const void *), uint32_t most) {
  SrCallGroups *o = k->out;
  uint32_t count = o->site.count;
  sr_sort(k->arena, o->site.at, count, sizeof *o->site.at, compare);
  o->site.count = o->group.count = 0;
  for (uint32_t i = 0, j; i < count; i = j) {
    for (j = i + 1; j < count && j - i < most && compare(&o->site.at[i], &o->site.at[j]) == 0; j++)
      ;
    if (j - i < 2)
      continue;
    SR_PUSH(k->arena, &o->group, (SrCallGroup){.first = o->site.count, .count = j - i});
    memmove(&o->site.at[o->site.count], &o->site.at[i], (j - i) * sizeof *o->site.at);
    o->site.count += j - i;
  }
}

/* ---- levels ---- */

static void raise(uint32_t *level, uint32_t to) {
  if (*level < to)
    *level = to;
}

/* Passes the level at the end of block b on along an edge. */
static void pass_on(Find *k, uint32_t b, uint32_t to) {
  const SrNest *nest = k->out->nest;
  uint32_t from = nest->inner[b], in = nest->inner[to];
  uint32_t around = sr_ancestors_common(&k->cycles, from, in);
  uint32_t left = sr_ancestors_entered(&k->cycles, in, from),
           entered = sr_ancestors_entered(&k->cycles, from, in);
  uint32_t level = left == SR_NONE ? k->level[b] + k->sites[b] : k->level_c[left];
  if (entered != SR_NONE)
    raise(&k->level_c[entered], level);
  else if (around == SR_NONE || nest->cycles[around].header != to)
    raise(&k->level[to], level);
}

static void find_levels(Find *k) {
  const SrCallGroups *o = k->out;
  k->cycles = sr_nest_ancestors(k->arena, o->nest);
  k->sites = SR_NEW(k->arena, uint32_t, k->f->block_count);
  k->level = SR_NEW(k->arena, uint32_t, k->f->block_count);
  k->level_c = SR_NEW(k->arena, uint32_t, o->nest->cycle_count);
  for (uint32_t i = 0; i < o->site.count; i++)
    k->sites[o->site.at[i].block]++;
  for (uint32_t r = 0; r < o->nest->count; r++)
    for (SR_SUCCS(t, o->graph, o->nest->order[r]))
      pass_on(k, o->nest->order[r], *t);
}

static int by_number(const void *a, const void *b) {
  const SrCallSite *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static void set_levels(Find *k) {
  SrCallGroups *o = k->out;
  sr_sort(k->arena, o->site.at, o->site.count, sizeof *o->site.at, by_number);
  for (uint32_t i = 0; i < o->site.count; i++) {
    SrCallSite *s = &o->site.at[i];
    bool follows = i > 0 && s[-1].block == s->block;
    s->level = follows ? s[-1].level + 1 : k->level[s->block];
  }
}

/* ---- all ---- */

static void find_above(Find *k) {
  SrCallGroups *o = k->out;
  o->dom = sr_dom_build(k->arena, o->graph, 0);
  SrAncestors tree =
      sr_ancestors_build(k->arena, o->dom->idom, o->dom->count, o->dom->preorder, o->dom->reached);
  for (uint32_t i = 0; i < o->group.count; i++) {
    SrCallGroup *g = &o->group.at[i];
    g->above = o->site.at[g->first].block;
    for (uint32_t j = 1; j < g->count; j++)
      g->above = sr_ancestors_common(&tree, g->above, o->site.at[g->first + j].block);
  }
}

SrCallGroups sr_call_groups(SrArena *arena, const SrModule *m, const SrFunction *f,
                            const uint32_t *parameters) {
  SrCallGroups out = {0};
  Find k = {.arena = arena, .m = m, .f = f, .parameters = parameters, .out = &out};
  if (!has_calls(&k))
    return out;
  out.graph = sr_cfg_build(arena, m, f);
  out.nest = sr_nest_build(arena, out.graph);
  find_calls(&k);
  keep_several(&k, by_callee, UINT32_MAX);
  if (!out.group.count)
    return out;
  find_levels(&k);
  set_levels(&k);
  keep_several(&k, by_level, MOST_CALLS);
  if (out.group.count)
    find_above(&k);
  return out;
}
