/* SPDX-License-Identifier: Apache-2.0 */
/* loop_gain: what the two loops of a pair issue on recorded paths, before and after they are
 * merged.
 *
 * The lanes of a subgroup that enter the outer loop together are followed iteration by iteration.
 * Before merging, all lanes begin an iteration of a loop together. After merging, each lane
 * continues at its own pace, and an iteration is what it does between two visits of the common
 * header. In each iteration a block is issued once if any lane runs it, as on machines where lanes
 * wait for each other within an iteration. */
#ifndef SR_LOOP_GAIN_H
#define SR_LOOP_GAIN_H

#include "passes/base/bitset.h"
#include "passes/transform/iterations/loop_visit.h"

typedef struct SrLoopHeaders {
  uint32_t outer, inner; /* blocks */
} SrLoopHeaders;

/* The pairs of a function. */
typedef struct SrLoopShape {
  const SrLoopHeaders *pair;
  uint32_t count;
  uint32_t block_count;
  const uint32_t *pair_of; /* by block: its pair, or SR_NONE */
  const SrBits *is_inner;  /* by block: it is in an inner loop */
  const SrBits *passes_by; /* by block: an edge from it to the outer header ends an iteration of a
                              merged loop */
  const uint32_t *size;    /* by block: instructions */
  uint32_t added;          /* instructions that merging adds to each iteration; not 0 */
} SrLoopShape;

/* The issues before and after, by pair. Cost: O(n log n) in the length of the paths, times the
 * lanes of a subgroup at worst. */
SrLoopIssues *sr_loop_gain(SrArena *arena, const SrLoopShape *shape, const SrLoopPaths *paths);

#endif
