/* SPDX-License-Identifier: Apache-2.0 */
/* meld_write: writes what meld_plan.h planned.
 *
 *      B                        B: what both sides share, then of what only one side has
 *      c ? T : F                   a. what may run for all lanes
 *      T: x = p * q       =>       b. the rest, under a guard: c ? … : …
 *      F: y = r * s                v = OpSelect(c, p, r) * OpSelect(c, q, s)
 *      J: z = phi(x, y)         J: … v in place of z
 *
 * sr_ssa_leave_parts repairs values that are defined under a guard and used outside of it, once all
 * branches of the function are melded. */
#ifndef SR_MELD_WRITE_H
#define SR_MELD_WRITE_H

#include "passes/transform/meld/meld_plan.h"

/* What writing several branches leaves for the end. */
typedef struct SrMeldOutput {
  SR_VEC(SrBlock) block;   /* new and kept blocks, those of a branch contiguous */
  uint32_t *first, *count; /* by branch block: the blocks that follow it */
  SrBits *gone;            /* by block: it is in `block`, or was melded */
  SrMap part_of, tail_of;  /* by id of a guarded block: the guard's first block, and the block after
                            * it, as ids */
  SR_VEC(SrRef) single;    /* phis that may have a single operand left */
} SrMeldOutput;

/* Writes the plan into its branch's block and *out. */
SR_MUST_USE SrStatus sr_meld_write(const SrMeldPlan *plan, SrMeldOutput *out);

#endif
