/* SPDX-License-Identifier: Apache-2.0 */
/* merge_blocks: see merge_blocks.h. */
#include "passes/transform/merge/merge_blocks.h"
#include "passes/base/map.h"
#include "passes/ir/decorations.h"
#include "passes/transform/merge/merge_lines.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- comparing ---- */

uint64_t sr_merge_hash_code(const SrMergeGraph *g, uint32_t b) {
  const SrMergeBlock *block = &g->block[b];
  uint64_t h = XXH64(&g->code.at[block->code], block->code_count * sizeof *g->code.at, 0);
  return XXH64(&g->target.at[block->target], block->target_count * sizeof *g->target.at, h);
}

uint64_t sr_merge_hash(const SrMergeGraph *g, uint32_t b) {
  const SrMergeBlock *block = &g->block[b];
  uint64_t h = sr_merge_hash_code(g, b);
  for (uint32_t k = 0; k < block->out_count; k++)
    h = XXH64(&g->edge[block->out + k].to, sizeof g->edge->to, h);
  return h;
}

/* Calls visit with the results of both blocks, pair by pair, until it returns false. */
static bool each_result(const SrMergeGraph *g, uint32_t x, uint32_t y,
                        bool (*visit)(SrMergeGraph *g, uint32_t a, uint32_t b)) {
  const SrModule *m = g->m;
  SrRef j = g->f->blocks[y].list.first;
  for (SR_EACH(m, i, g->f->blocks[x].list)) {
    if (!sr_merge_is_code(m, i))
      continue;
    while (!sr_merge_is_code(m, j))
      j = sr_inst(m, j)->next;
    if (sr_inst(m, i)->result &&
        !visit((SrMergeGraph *)g, sr_inst(m, i)->result, sr_inst(m, j)->result))
      return false;
    j = sr_inst(m, j)->next;
  }
  return true;
}

static bool decorated_alike(SrMergeGraph *g, uint32_t a, uint32_t b) {
  return sr_same_decorations(g->m, a, b);
}

static bool same_words(const uint32_t *all, uint32_t x, uint32_t y, uint32_t count) {
  return count == 0 || memcmp(all + x, all + y, count * sizeof *all) == 0;
}

bool sr_merge_same_code(const SrMergeGraph *g, uint32_t x, uint32_t y) {
  const SrMergeBlock *a = &g->block[x], *b = &g->block[y];
  return a->code_count == b->code_count && a->target_count == b->target_count &&
         a->out_count == b->out_count && same_words(g->code.at, a->code, b->code, a->code_count) &&
         same_words(g->target.at, a->target, b->target, a->target_count) &&
         each_result(g, x, y, decorated_alike);
}

/* Do both blocks have the same targets? Neither block may dominate one of these targets, because
 * the target could then use the block's values. Nor may y be a target (x would be its first
 * iteration), because parameters that merging adds would need arguments on edges that are about to
 * be removed. */
static bool same_targets(const SrMergeGraph *g, uint32_t x, uint32_t y) {
  const SrMergeBlock *a = &g->block[x], *b = &g->block[y];
  for (uint32_t k = 0; k < a->out_count; k++) {
    uint32_t t = g->edge[a->out + k].to;
    if (t == y || t != g->edge[b->out + k].to || sr_merge_may_dominate(g, x, t) ||
        sr_merge_may_dominate(g, y, t))
      return false;
  }
  return true;
}

/* Can the arguments on the blocks' edges be merged? A value that both blocks pass on must be
 * computed at the same place in both, or in neither. */
static bool arguments_fit(SrMergeGraph *g, uint32_t x, uint32_t y) {
  for (uint32_t k = 0; k < g->block[x].out_count; k++) {
    const SrMergeEdge *ex = &g->edge[g->block[x].out + k], *ey = &g->edge[g->block[y].out + k];
    for (uint32_t i = 0; i < ex->argument.count; i++) {
      uint32_t a = ex->argument.at[i], b = ey->argument.at[i];
      if (a == SR_VALUE_UNSET || b == SR_VALUE_UNSET)
        continue;
      a = sr_merge_value(g, a);
      b = sr_merge_value(g, b);
      bool in_x = sr_merge_is_local(g, a, x), in_y = sr_merge_is_local(g, b, y);
      if (in_x != in_y || (in_x && sr_ids_get(g->place, a) != sr_ids_get(g->place, b)))
        return false;
    }
  }
  return true;
}

bool sr_merge_fits(SrMergeGraph *g, uint32_t x, uint32_t y) {
  if (x == y || g->block[x].gone || g->block[y].gone)
    return false;
  for (SR_MERGE_IN(g, e, next, x)) /* one branch cannot lead to both with different values */
    if (sr_merge_leads(g, g->edge[e].from, y))
      return false;
  return sr_merge_same_code(g, x, y) && same_targets(g, x, y) && arguments_fit(g, x, y);
}

/* ---- merging ---- */

/* Two corresponding values. */
typedef struct Pair {
  uint32_t b, parameter, next;
} Pair;

typedef struct Merge {
  SrMergeGraph *g;
  SrArena scratch;
  uint32_t x, y;
  SR_VEC(uint32_t) in; /* edges into x */
  SrMap first;         /* by value of y: its first pair */
  SR_VEC(Pair) pair;
  SR_VEC(uint32_t) claimed; /* by parameter of y: the value b of x that it corresponds to */
} Merge;

static uint32_t find_pair(const Merge *k, uint32_t a, uint32_t b) {
  for (uint32_t i = sr_map_get(&k->first, a); i != SR_NONE; i = k->pair.at[i].next)
    if (k->pair.at[i].b == b)
      return k->pair.at[i].parameter;
  return SR_NONE;
}

static void note_pair(Merge *k, uint32_t a, uint32_t b, uint32_t parameter) {
  SR_PUSH(&k->scratch, &k->pair, (Pair){b, parameter, sr_map_get(&k->first, a)});
  sr_map_set(&k->first, a, k->pair.count - 1);
}

/* Returns a if it is a parameter of y that can correspond to b and has no value of x yet; else
 * SR_NONE. */
static uint32_t own_parameter(Merge *k, uint32_t a, uint32_t b) {
  uint32_t p = sr_merge_parameter(k->g, a);
  if (p == SR_NONE || k->g->parameter.at[p].block != k->y || !sr_merge_may_join(k->g, a, b))
    return SR_NONE;
  return k->claimed.at[k->g->parameter.at[p].index] == SR_NONE ? a : SR_NONE;
}

static bool is_parameter(const SrMergeGraph *g, uint32_t value, uint32_t block) {
  uint32_t p = sr_merge_parameter(g, value);
  return p != SR_NONE && g->parameter.at[p].block == block;
}

/* A new parameter of y, with argument a on the edges into y. */
static uint32_t add_parameter(Merge *k, uint32_t a) {
  SrMergeGraph *g = k->g;
  uint32_t p = sr_merge_add_parameter(g, k->y, sr_merge_type(g, a), k->x);
  for (SR_MERGE_IN(g, e, next, k->y)) {
    uint32_t v = sr_merge_on_edge(g, a, k->y, e);
    SR_LAST(&g->edge[e].argument) = v;
  }
  SR_PUSH(&k->scratch, &k->claimed, SR_NONE);
  return p;
}

/* The value that replaces a in y, and b in x. */
static uint32_t join(Merge *k, uint32_t a, uint32_t b) {
  SrMergeGraph *g = k->g;
  if (a == SR_VALUE_UNSET || b == SR_VALUE_UNSET)
    return SR_VALUE_UNSET; /* not read */
  a = sr_merge_value(g, a);
  b = sr_merge_value(g, b);
  if (sr_merge_is_local(g, a, k->y) || (a == b && !is_parameter(g, a, k->y)))
    return a;
  uint32_t p = find_pair(k, a, b);
  if (p != SR_NONE)
    return p;
  p = own_parameter(k, a, b);
  if (p == SR_NONE)
    p = add_parameter(k, a);
  sr_merge_stands_for(g, p, a);
  sr_merge_stands_for(g, p, b);
  k->claimed.at[g->parameter.at[sr_merge_parameter(g, p)].index] = b;
  note_pair(k, a, b, p);
  return p;
}

static void join_all(Merge *k) {
  SrMergeGraph *g = k->g;
  const SrMergeBlock *x = &g->block[k->x], *y = &g->block[k->y];
  for (uint32_t i = 0; i < y->use_count; i++) {
    uint32_t *value = &g->use.at[y->use + i].value;
    *value = join(k, *value, g->use.at[x->use + i].value);
  }
  for (uint32_t s = 0; s < y->out_count; s++)
    for (uint32_t i = 0; i < g->edge[y->out + s].argument.count; i++) {
      uint32_t a = g->edge[y->out + s].argument.at[i], b = g->edge[x->out + s].argument.at[i];
      a = join(k, a, b);
      g->edge[y->out + s].argument.at[i] = a; /* the array may have moved */
    }
}

/* Redirects the edges into x to y, with x's values as arguments. */
static void move_edges(Merge *k) {
  SrMergeGraph *g = k->g;
  for (uint32_t i = 0; i < k->in.count; i++) {
    uint32_t e = k->in.at[i];
    SR_VEC(uint32_t) argument = {0};
    for (uint32_t p = 0; p < k->claimed.count; p++) {
      uint32_t b = k->claimed.at[p];
      SR_PUSH(g->arena, &argument, b == SR_NONE ? SR_VALUE_UNSET : sr_merge_on_edge(g, b, k->x, e));
    }
    sr_merge_unlink_edge(g, e);
    g->edge[e].argument.count = 0;
    for (uint32_t p = 0; p < argument.count; p++)
      SR_PUSH(g->arena, &g->edge[e].argument, argument.at[p]);
    sr_merge_link_edge(g, e, k->y);
  }
}

static bool become_same(SrMergeGraph *g, uint32_t a, uint32_t b) {
  sr_merge_same(g, a, b);
  return true;
}

static void count_merged(SrMergeGraph *g, uint32_t x) {
  g->merged_blocks++;
  for (SR_EACH(g->m, r, g->f->blocks[x].list))
    g->merged_instructions += sr_counts(sr_inst(g->m, r));
}

void sr_merge_replace(SrMergeGraph *g, uint32_t x, uint32_t y) {
  each_result(g, x, y, become_same);
  sr_merge_lines_compare(g, x, y);
  count_merged(g, x);
  g->block[x].gone = true;
  g->block[y].merged = true;
}

void sr_merge_blocks(SrMergeGraph *g, uint32_t x, uint32_t y) {
  Merge k = {.g = g, .scratch = sr_arena_new(g->arena->heap), .x = x, .y = y};
  k.first.arena = &k.scratch;
  for (uint32_t s = 0; s < g->block[x].out_count; s++)
    sr_merge_unlink_edge(g, g->block[x].out + s);
  for (SR_MERGE_IN(g, e, next, x))
    SR_PUSH(&k.scratch, &k.in, e);
  for (uint32_t p = 0; p < g->block[y].parameter.count; p++)
    SR_PUSH(&k.scratch, &k.claimed, SR_NONE);
  join_all(&k);
  move_edges(&k);
  sr_merge_replace(g, x, y);
  sr_arena_free(&k.scratch);
}
