/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph: see random_graph.h. */
#include "tests/unit/random_graph.h"
#include "passes/base/vec.h"

static uint32_t pick_target(uint64_t *rng, uint32_t from, uint32_t count) {
  if (random_below(rng, 4) == 0)
    return 1 + random_below(rng, count - 1);
  uint32_t t = from + 1 + random_below(rng, 4); /* near, forward for the most part */
  t = t > 2 && random_below(rng, 5) == 0 ? t - 3 : t;
  return t < 1 ? 1 : t >= count ? count - 1 : t;
}

SrGraph *random_graph(SrArena *arena, uint64_t seed, uint32_t count) {
  uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b + 1 < count; b++) {
    uint32_t roll = random_below(&rng, 20), n = roll == 0 ? 0 : roll < 8 ? 1 : roll < 19 ? 2 : 3;
    for (uint32_t i = 0; i < n; i++)
      SR_PUSH(arena, &edges, (SrEdge){b, pick_target(&rng, b, count)});
  }
  return sr_graph_new(arena, count, edges.at, edges.count);
}
