/* SPDX-License-Identifier: Apache-2.0 */
/* cfg: see cfg.h. All linear; searches keep their own stacks. */
#include "passes/analysis/graph/cfg.h"

/* Fills rows from edges in list order: a row holds the targets of its node's edges if `by_from`,
 * else the sources. */
static void fill_rows(SrArena *arena, uint32_t count, const SrEdge *edges, uint32_t n, bool by_from,
                      uint32_t **at_out, uint32_t **row_out) {
  uint32_t *at = SR_NEW(arena, uint32_t, (size_t)count + 2);
  uint32_t *row = SR_NEW_RAW(arena, uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    at[(by_from ? edges[i].from : edges[i].to) + 2]++;
  for (uint32_t b = 2; b < count + 2; b++)
    at[b] += at[b - 1];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t key = by_from ? edges[i].from : edges[i].to;
    row[at[key + 1]++] = by_from ? edges[i].to : edges[i].from;
  }
  *at_out = at;
  *row_out = row;
}

/* Drops repeated entries of each successor row, keeping the first. */
static uint32_t drop_repeats(SrGraph *g, SrArena *arena) {
  SrMark mark = sr_arena_mark(arena);
  uint32_t *seen = sr_new_none(arena, g->count), kept = 0;
  for (uint32_t b = 0; b < g->count; b++) {
    uint32_t begin = g->succ_at[b], end = g->succ_at[b + 1];
    g->succ_at[b] = kept;
    for (uint32_t i = begin; i < end; i++)
      if (seen[g->succ[i]] != b) {
        seen[g->succ[i]] = b;
        g->succ[kept++] = g->succ[i];
      }
  }
  g->succ_at[g->count] = kept;
  sr_arena_reset(arena, mark);
  return kept;
}

static void fill_preds(SrGraph *g, SrArena *arena) {
  g->pred_at = SR_NEW(arena, uint32_t, (size_t)g->count + 2);
  g->pred = SR_NEW_RAW(arena, uint32_t, g->succ_at[g->count]);
  for (uint32_t i = 0; i < g->succ_at[g->count]; i++)
    g->pred_at[g->succ[i] + 2]++;
  for (uint32_t b = 2; b < g->count + 2; b++)
    g->pred_at[b] += g->pred_at[b - 1];
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      g->pred[g->pred_at[*t + 1]++] = b;
}

/* Predecessor rows were filled in the order of the successor rows, so counting finds the slots. */
uint32_t *sr_graph_pred_slots(SrArena *arena, const SrGraph *g) {
  uint32_t *slot = SR_NEW_RAW(arena, uint32_t, g->pred_at[g->count]);
  SrMark mark = sr_arena_mark(arena);
  uint32_t *seen = SR_NEW(arena, uint32_t, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t i = g->succ_at[b]; i < g->succ_at[b + 1]; i++) {
      uint32_t t = g->succ[i];
      slot[g->pred_at[t] + seen[t]++] = i - g->succ_at[b];
    }
  sr_arena_reset(arena, mark);
  return slot;
}

SrGraph *sr_graph_new(SrArena *arena, uint32_t count, const SrEdge *edges, uint32_t edge_count) {
  SrGraph *g = SR_NEW(arena, SrGraph, 1);
  g->count = count;
  fill_rows(arena, count, edges, edge_count, true, &g->succ_at, &g->succ);
  drop_repeats(g, arena);
  fill_preds(g, arena);
  return g;
}

typedef SR_VEC(SrEdge) Edges;

static SrGraph *graph_of(SrArena *arena, const SrModule *m, const SrFunction *f, bool structural) {
  SrArena scratch = sr_arena_new(arena->heap);
  Edges edges = {0};
  SR_RESERVE(&scratch, &edges, 2 * f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef merge = structural ? sr_merge_inst(m, &f->blocks[b]) : SR_NONE;
    if (merge != SR_NONE) {
      SR_PUSH(&scratch, &edges, (SrEdge){b, sr_block_of(m, sr_words(m, merge)[1])});
      if (sr_inst(m, merge)->op == SpvOpLoopMerge)
        SR_PUSH(&scratch, &edges, (SrEdge){b, sr_block_of(m, sr_words(m, merge)[2])});
    }
    SrRef end = sr_terminator(&f->blocks[b]);
    for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
      SR_PUSH(&scratch, &edges, (SrEdge){b, sr_block_of(m, sr_words(m, end)[i])});
  }
  SrGraph *g = sr_graph_new(arena, f->block_count, edges.at, edges.count);
  sr_arena_free(&scratch);
  return g;
}

SrGraph *sr_cfg_build(SrArena *arena, const SrModule *m, const SrFunction *f) {
  return graph_of(arena, m, f, false);
}

SrGraph *sr_cfg_structural(SrArena *arena, const SrModule *m, const SrFunction *f) {
  return graph_of(arena, m, f, true);
}

uint32_t sr_graph_rpo(SrArena *arena, const SrGraph *g, uint32_t root, bool reverse_rows,
                      uint32_t *out) {
  SrMark mark = sr_arena_mark(arena);
  uint32_t *next = SR_NEW(arena, uint32_t, g->count); /* successors visited so far, plus one */
  uint32_t *stack = SR_NEW_RAW(arena, uint32_t, g->count), depth = 0, left = g->count;
  stack[depth++] = root;
  next[root] = 1;
  while (depth) {
    uint32_t b = stack[depth - 1], i = next[b] - 1, n = sr_succ_count(g, b);
    if (i == n) {
      out[--left] = b;
      depth--;
      continue;
    }
    next[b]++;
    uint32_t t = g->succ[g->succ_at[b] + (reverse_rows ? n - 1 - i : i)];
    if (!next[t]) {
      next[t] = 1;
      stack[depth++] = t;
    }
  }
  uint32_t reached = g->count - left;
  memmove(out, out + left, reached * sizeof *out);
  sr_arena_reset(arena, mark);
  return reached;
}

SrBits *sr_graph_reachable(SrArena *arena, const SrGraph *g, uint32_t root) {
  SrBits *set = sr_bits_new(arena, g->count);
  SrMark mark = sr_arena_mark(arena);
  uint32_t *stack = SR_NEW_RAW(arena, uint32_t, g->count), depth = 0;
  stack[depth++] = root;
  sr_bit_set(set, root);
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_SUCCS(t, g, b))
      if (!sr_bit(set, *t)) {
        sr_bit_set(set, *t);
        stack[depth++] = *t;
      }
  }
  sr_arena_reset(arena, mark);
  return set;
}

/* Adds `from`, and the nodes that lead to it, to the set. */
static void mark_back(const SrGraph *g, uint32_t from, SrBits *set, uint32_t *stack) {
  if (sr_bit(set, from))
    return;
  uint32_t depth = 0;
  stack[depth++] = from;
  sr_bit_set(set, from);
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_PREDS(p, g, b))
      if (!sr_bit(set, *p)) {
        sr_bit_set(set, *p);
        stack[depth++] = *p;
      }
  }
}

SrGraph *sr_graph_reverse_with_exit(SrArena *arena, const SrGraph *g) {
  SrArena scratch = sr_arena_new(arena->heap);
  Edges edges = {0};
  SrBits *done = sr_bits_new(&scratch, g->count);
  uint32_t *stack = SR_NEW_RAW(&scratch, uint32_t, g->count);
  uint32_t *order = SR_NEW_RAW(&scratch, uint32_t, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) == 0) {
      SR_PUSH(&scratch, &edges, (SrEdge){g->count, b});
      mark_back(g, b, done, stack);
    }
  uint32_t reached = g->count ? sr_graph_rpo(&scratch, g, 0, false, order) : 0;
  for (uint32_t i = reached; i-- > 0;) /* endless regions: the last block represents each */
    if (!sr_bit(done, order[i])) {
      SR_PUSH(&scratch, &edges, (SrEdge){g->count, order[i]});
      mark_back(g, order[i], done, stack);
    }
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      SR_PUSH(&scratch, &edges, (SrEdge){*t, b});
  SrGraph *r = sr_graph_new(arena, g->count + 1, edges.at, edges.count);
  sr_arena_free(&scratch);
  return r;
}
