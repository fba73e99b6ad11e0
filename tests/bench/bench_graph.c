/* SPDX-License-Identifier: Apache-2.0 */
/* bench_graph: the unstructured families: a chain 0, 1, 2, … in which each block branches to the
 * next one or to a block drawn at random. The chain makes every block reachable and puts dominators
 * first; one block in 50 can also return early. */
#include "tests/bench/bench_graph.h"

#include "tests/equiv/gen/emit.h"

#include <stdlib.h>
#include <string.h>

enum { LOCAL_WINDOW = 8, LOCAL_BACK_PERCENT = 25, TANGLED_BACK_PERCENT = 30, RETURN_PERCENT = 2 };
enum { KNOT_LEAST = 8, KNOT_MOST = 48, KNOT_BACK_PERCENT = 40, KNOT_NEXT_PERCENT = 10 };

const char *const bench_family_names[BENCH_FAMILIES] = {"structured", "local", "long",
                                                        "irreducible", "tangled"};

uint32_t bench_add_block(BenchFunction *f) {
  if (f->count == f->capacity) {
    f->capacity = f->capacity * 2 + 16;
    f->block = emit_resize(f->block, f->capacity * sizeof *f->block);
  }
  f->block[f->count] = (BenchBlock){0};
  return f->count++;
}

void bench_add_edge(BenchFunction *f, uint32_t from, uint32_t to) {
  BenchBlock *b = &f->block[from];
  b->succ[b->succ_count++] = to;
}

/* 1 .. limit: each order of magnitude (in base 2) is equally likely. */
static uint32_t draw_length(uint32_t limit, Rng *rng) {
  uint32_t bits = 0;
  while (limit >> bits > 1)
    bits++;
  uint32_t most = 2u << rng_below(rng, bits + 1);
  return rng_range(rng, most / 2, most - 1 < limit ? most - 1 : limit);
}

/* The blocks `first` to `end` - 1 are the knot of block i of the chain, `end` to `next` - 1 the
 * next knot. In the other families the chain is one knot. The entry is not a target, and not in a
 * knot. */
typedef struct Knot {
  uint32_t first, end, next;
} Knot;

/* The target of a random edge: `length` blocks forward or backward from i + 1. */
static uint32_t draw_chained(BenchFamily family, uint32_t i, Knot k, Rng *rng) {
  uint32_t back = family == BENCH_LOCAL     ? LOCAL_BACK_PERCENT
                  : family == BENCH_TANGLED ? TANGLED_BACK_PERCENT
                                            : 0;
  bool backward = i >= k.first && rng_percent(rng, back);
  uint32_t most = backward ? i + 1 - k.first : k.end - 2 - i;
  uint32_t length = family == BENCH_LOCAL
                        ? rng_range(rng, 1, most < LOCAL_WINDOW ? most : LOCAL_WINDOW)
                        : draw_length(most, rng);
  return backward ? i + 1 - length : i + 1 + length;
}

static uint32_t draw_knotted(uint32_t i, Knot k, Rng *rng) {
  uint32_t into_next = k.end > i + 2 ? k.end : i + 2;
  if (into_next < k.next && rng_percent(rng, KNOT_NEXT_PERCENT))
    return rng_range(rng, into_next, k.next - 1);
  if (i >= k.first && (i + 2 >= k.end || rng_percent(rng, KNOT_BACK_PERCENT)))
    return rng_range(rng, k.first, i);
  return rng_range(rng, i + 2, k.end - 1);
}

static Knot next_knot(Knot k, uint32_t n, Rng *rng) {
  uint32_t end = k.next + rng_range(rng, KNOT_LEAST, KNOT_MOST);
  return (Knot){k.end, k.next, end < n ? end : n};
}

/* The last block returns; the one before it branches there. */
static void make_chain(BenchFunction *f, BenchFamily family, uint32_t blocks, Rng *rng) {
  uint32_t n = 0;
  while (n + n * RETURN_PERCENT / 100 < blocks || n < 2)
    n++;
  for (uint32_t i = 0; i < n; i++)
    bench_add_block(f);
  bool knots = family == BENCH_IRREDUCIBLE;
  Knot knot = {1, knots ? 1 : n, knots ? 1 : n};
  for (uint32_t i = 0; i + 2 < n; i++) {
    while (knot.end < n && (i == 0 ? knot.end == 1 : i >= knot.end))
      knot = next_knot(knot, n, rng);
    uint32_t other = rng_percent(rng, RETURN_PERCENT) ? bench_add_block(f)
                     : knots                          ? draw_knotted(i, knot, rng)
                                                      : draw_chained(family, i, knot, rng);
    bool swap = rng_percent(rng, 50);
    bench_add_edge(f, i, swap ? other : i + 1);
    bench_add_edge(f, i, swap ? i + 1 : other);
  }
  bench_add_edge(f, n - 2, n - 1);
}

void bench_function_make(BenchFunction *f, BenchFamily family, uint32_t blocks, Rng *rng) {
  *f = (BenchFunction){0};
  if (family == BENCH_STRUCTURED)
    bench_tree(f, blocks, rng);
  else
    make_chain(f, family, blocks, rng);
  bench_fill(f, rng);
}

void bench_function_free(BenchFunction *f) {
  free(f->block);
  free(f->pred);
  free(f->phi);
  free(f->arg);
  free(f->op);
}
