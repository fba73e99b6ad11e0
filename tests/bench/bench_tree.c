/* SPDX-License-Identifier: Apache-2.0 */
/* bench_tree: the structured family, grown as a syntax tree (if, if-else, while, do-while, and in
 * loops sometimes break, continue or return), then put in reverse post-order: dominators come
 * first, and unreachable blocks are dropped. Depth, and so recursion, is bounded by DEPTH_LIMIT. */
#include "tests/bench/bench_graph.h"

#include "tests/equiv/gen/emit.h"

#include <stdlib.h>

#define NONE UINT32_MAX
enum { DEPTH_LIMIT = 10, BODY_PERCENT = 60, BODY_LIMIT = 6, EXIT_PERCENT = 12, IF_PERCENT = 70 };

typedef struct Tree {
  BenchFunction *f;
  Rng *rng;
  uint32_t wanted;
} Tree;

/* Where break and continue go; NONE outside of loops. */
typedef struct Scope {
  uint32_t depth, break_to, continue_to;
} Scope;

static uint32_t grow(Tree *t, uint32_t b, Scope s);

static void two_ways(Tree *t, uint32_t b, uint32_t x, uint32_t y) {
  bool swap = rng_percent(t->rng, 50);
  bench_add_edge(t->f, b, swap ? y : x);
  bench_add_edge(t->f, b, swap ? x : y);
}

/* Statements inside a construct, from block b on, then a jump to `to`. */
static void body(Tree *t, uint32_t b, uint32_t to, Scope s) {
  uint32_t length = t->f->count < t->wanted ? rng_geometric(t->rng, BODY_PERCENT, BODY_LIMIT) : 0;
  s.depth++;
  for (uint32_t k = 0; k < length && s.depth < DEPTH_LIMIT; k++)
    b = grow(t, b, s);
  bench_add_edge(t->f, b, to);
}

static uint32_t grow_if(Tree *t, uint32_t b, Scope s) {
  bool has_else = rng_percent(t->rng, 50);
  uint32_t merge = bench_add_block(t->f), then = bench_add_block(t->f);
  uint32_t other = has_else ? bench_add_block(t->f) : merge;
  two_ways(t, b, then, other);
  body(t, then, merge, s);
  if (has_else)
    body(t, other, merge, s);
  return merge;
}

static uint32_t grow_loop(Tree *t, uint32_t b, Scope s) {
  uint32_t header = bench_add_block(t->f), first = bench_add_block(t->f);
  uint32_t latch = bench_add_block(t->f), merge = bench_add_block(t->f);
  bench_add_edge(t->f, b, header);
  if (rng_percent(t->rng, 60)) { /* while */
    two_ways(t, header, first, merge);
    bench_add_edge(t->f, latch, header);
  } else {
    bench_add_edge(t->f, header, first);
    two_ways(t, latch, header, merge);
  }
  s.break_to = merge;
  s.continue_to = latch;
  body(t, first, latch, s);
  return merge;
}

/* if (x) break, continue or return. */
static uint32_t grow_exit(Tree *t, uint32_t b, Scope s) {
  const uint32_t target[3] = {s.break_to, s.continue_to, bench_add_block(t->f)};
  uint32_t next = bench_add_block(t->f);
  two_ways(t, b, target[rng_below(t->rng, 3)], next);
  return next;
}

/* Grows one statement; returns the block where the next statement starts. */
static uint32_t grow(Tree *t, uint32_t b, Scope s) {
  if (s.break_to != NONE && rng_percent(t->rng, EXIT_PERCENT))
    return grow_exit(t, b, s);
  return rng_percent(t->rng, IF_PERCENT) ? grow_if(t, b, s) : grow_loop(t, b, s);
}

/* Post-order of a depth-first search from the entry, with an explicit stack. Returns its length. */
static uint32_t post_order(const BenchFunction *f, uint32_t *order) {
  uint32_t *stack = emit_resize(NULL, f->count * sizeof *stack), depth = 0, done = 0;
  uint8_t *next = emit_resize(NULL, f->count);
  for (uint32_t b = 0; b < f->count; b++)
    next[b] = UINT8_MAX;
  next[0] = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t b = stack[depth - 1];
    if (next[b] == f->block[b].succ_count) {
      order[done++] = b;
      depth--;
      continue;
    }
    uint32_t s = f->block[b].succ[next[b]++];
    if (next[s] == UINT8_MAX) {
      next[s] = 0;
      stack[depth++] = s;
    }
  }
  free(stack);
  free(next);
  return done;
}

static void renumber(BenchFunction *f) {
  uint32_t *order = emit_resize(NULL, f->count * sizeof *order);
  uint32_t *number = emit_resize(NULL, f->count * sizeof *number);
  uint32_t n = post_order(f, order);
  BenchBlock *block = emit_resize(NULL, n * sizeof *block);
  for (uint32_t k = 0; k < n; k++)
    number[order[k]] = n - 1 - k;
  for (uint32_t k = 0; k < n; k++) {
    BenchBlock b = f->block[order[k]];
    for (uint32_t s = 0; s < b.succ_count; s++)
      b.succ[s] = number[b.succ[s]];
    block[n - 1 - k] = b;
  }
  free(order);
  free(number);
  free(f->block);
  f->block = block;
  f->count = f->capacity = n;
}

void bench_tree(BenchFunction *f, uint32_t blocks, Rng *rng) {
  Tree t = {f, rng, blocks};
  Scope outside = {0, NONE, NONE};
  uint32_t b = bench_add_block(f);
  while (f->count < blocks)
    b = grow(&t, b, outside);
  renumber(f);
}
