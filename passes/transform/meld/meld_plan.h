/* SPDX-License-Identifier: Apache-2.0 */
/* meld_plan: the result of melding the two sides of a branch, and whether that pays.
 *
 * First the sequences of both sides are aligned (meld_align.h), then the blocks of the regions that
 * become one. There are two alignments. The first assumes that two values become one if the same
 * operation computes them. The second knows from the first which values do. Its pairs are tested
 * again in program order. */
#ifndef SR_MELD_PLAN_H
#define SR_MELD_PLAN_H

#include "passes/base/map.h"
#include "passes/transform/meld/meld_align.h"
#include "passes/transform/meld/meld_match.h"

/* The steps of one line of code: steps[first] to steps[first + count - 1]. */
typedef struct SrMeldLine {
  uint32_t first, count;
} SrMeldLine;

/* Regions of equal shape that become one. */
typedef struct SrMeldJoined {
  uint32_t region[2];
  uint32_t line; /* the line of its first block, in plan->line; the lines of its other blocks
                    follow */
} SrMeldJoined;

typedef struct SrMeldPlan {
  SrMeldPair pair;
  uint32_t branch, join; /* blocks */
  SrMeldSteps step;
  SR_VEC(SrMeldLine) line; /* line 0 is that of the sides' sequences */
  SR_VEC(SrMeldJoined) joined;
  uint32_t *joined_of; /* by region of the first side: index in `joined`; or SR_NONE */
  SrMap phi_of;        /* by phi (SrRef) of the first side: the phi of the other side */
  SrMap chosen; /* by value of the first side: the value for which an OpSelect was last counted */
  uint32_t matched;       /* instructions that become one with another */
  uint32_t before, after; /* costs */
} SrMeldPlan;

/* The steps between two matches, which stay alone: of side s, those numbered from[s] … to[s] - 1 in
 * `at`, of which guard_from[s] … guard_to[s] - 1 are under a guard. */
typedef struct SrMeldGap {
  uint32_t *at[2];
  uint32_t count[2], guard_from[2], guard_to[2];
} SrMeldGap;

/* Makes the plan. False: it cannot be done. plan->pair.partner must be an empty table, `first`
 * another. */
bool sr_meld_plan(SrMeldPlan *plan, SrIdTable *first);
/* Does the plan save enough? */
bool sr_meld_pays(const SrMeldPlan *plan);
/* Reads the gap at step `i` of the line; returns the index of the step after it. `items`: the
 * line's sequences. */
uint32_t sr_meld_gap(const SrMeldPlan *plan, SrArena *arena, SrMeldLine line, uint32_t i,
                     const SrMeldItem *const items[2], SrMeldGap *gap);
/* The instructions of part `part` of a region, or (region SR_NONE) the sequence of a side. */
const SrMeldItem *sr_meld_items(const SrMeldSide *s, uint32_t region, uint32_t part,
                                uint32_t *count);

#endif
