/* SPDX-License-Identifier: Apache-2.0 */
/* loop_gain: what two loops of a pair issue on recorded paths, as they are and merged.
 *
 * The lanes of a subgroup that enter the outer loop together are followed turn by turn. As they
 * are, all lanes begin a turn of a loop together; merged, each continues at its own pace, and what
 * a lane does between two visits of the common header is one turn. In each turn a block is issued
 * once if any lane runs it, as on machines where lanes wait for each other within a turn. */
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
  const SrBits *passes_by; /* by block: an edge from it to the outer header ends the turn of a
                              merged loop */
  const uint32_t *size;    /* by block: instructions */
  uint32_t added;          /* instructions that each turn of a merged loop has besides; not 0 */
} SrLoopShape;

/* By pair. Cost: O(n log n) in the length of the paths, times the lanes of a subgroup at worst. */
SrLoopIssues *sr_loop_gain(SrArena *arena, const SrLoopShape *shape, const SrLoopPaths *paths);

#endif
