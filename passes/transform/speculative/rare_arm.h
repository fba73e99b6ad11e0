/* SPDX-License-Identifier: Apache-2.0 */
/* rare_arm: the arms that `speculative` moves out of their loops, and why it does not move others.
 *
 * An arm (analysis/graph/arm.h) is moved if it costs more than four times as much as the rest of
 * its loop. Before the change, each iteration issues both if any lane needs the arm. After the
 * change, each lane iterates without the arm until it needs the arm. If a lane needs the arm in an
 * iteration with some probability, the slowest of 32 lanes takes four times as many iterations as
 * the average lane (1 + 1/2 + … + 1/32). So the rest is issued about four times as often, and the
 * arm once for each time that a lane needs it. */
#ifndef SR_RARE_ARM_H
#define SR_RARE_ARM_H

#include "passes/analysis/graph/arm.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/base/vec.h"
#include "passes/transform/iterations/loop_visit.h"

typedef struct SrRareArm {
  uint32_t cycle, header;    /* header: its block */
  uint32_t block;            /* the block where lanes enter the arm */
  uint32_t tail, tail_count; /* in SrRareArms.tail: the blocks that lanes may run after the arm in
                                the same iteration; to be copied */
} SrRareArm;

typedef struct SrRareArms {
  const SrGraph *graph;
  const SrNest *nest;
  const SrDom *dom;
  SR_VEC(SrRareArm) arm; /* no two loops overlap */
  SR_VEC(uint32_t) tail;
  uint32_t *arm_of; /* by block of a loop that changes: the index of its arm; else SR_NONE */
} SrRareArms;

/* What the choice depends on besides the function. */
typedef struct SrRareChoice {
  const SrUniform *uniform;
  const uint32_t *function_size; /* see function_size.h */
  const SrBits *talking;         /* see sr_talking_functions */
  bool all;                      /* move all arms that can be moved, whether that pays or not */
  const SrLoopPaths *paths; /* move the arms whose loops then issue less on these paths; or NULL */
  uint32_t max_growth;      /* percent, of the function's instructions */
} SrRareChoice;

/* Does the block belong to the arm? */
static inline bool sr_rare_has(const SrRareArms *arms, const SrRareArm *arm, uint32_t block) {
  return sr_cycle_has(arms->nest, arm->cycle, block) && sr_dominates(arms->dom, arm->block, block);
}

/* Finds the arms to move; for each other loop with an arm, a notice gives the reason.
 * Near-linear. */
SrRareArms sr_rare_arms(SrArena *arena, SrModule *m, const SrFunction *f,
                        const SrRareChoice *choice);

#endif
