/* SPDX-License-Identifier: Apache-2.0 */
/* merge_cycles: merges two cycles that do the same.
 *
 * Each is entered at one block only. From there its blocks are numbered by a search along
 * successors. The cycles are the same if blocks with the same number have the same code, and lead
 * to blocks with the same number, or out of the cycle to exactly the same block. If they use
 * different values from outside, these become parameters of the entry; the parameters of blocks
 * with the same number must correspond. */
#ifndef SR_MERGE_CYCLES_H
#define SR_MERGE_CYCLES_H

#include "passes/base/map.h"
#include "passes/transform/merge/merge_graph.h"

typedef struct SrMergeCycle {
  uint32_t *block, count; /* by number, the entry first */
  uint32_t next;          /* the previous candidate with the same hash, or SR_NONE */
} SrMergeCycle;

typedef struct SrMergeCycles {
  SrMergeGraph *g;
  const SrBits *kept; /* by block: it must not be merged into another */
  /* By rank: the number of blocks (in bits 40 and up) and of instructions (in the bits below) that
   * come before the block. */
  uint64_t *code_before;
  SrMap of_size; /* by hash of a number of blocks and a number of instructions: how many cycles have
                    these numbers */
  SrMap first;   /* by hash: the latest candidate, in `cycle` */
  SR_VEC(SrMergeCycle) cycle;
  uint32_t *number;          /* by block: its number in the cycle that counted it last */
  uint32_t *epoch_of, epoch; /* by block: it is in the current cycle if this == epoch */
  uint32_t *place[2]; /* by block: its number in the cycles that are compared, else SR_NONE */
} SrMergeCycles;

/* To be called after empty blocks have been dropped. */
SrMergeCycles sr_merge_cycles_new(SrMergeGraph *g, const SrBits *kept);
/* To be called after all blocks of the nest's cycle have been visited: merges the cycle into an
 * earlier one that is the same, or makes it a candidate. */
void sr_merge_cycle(SrMergeCycles *k, uint32_t cycle);

#endif
