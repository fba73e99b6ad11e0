/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_rematerialize: rematerializes values that no phi may hold at uses that their definition no
 * longer dominates.
 *
 * Access chains, loads of opaque handles from UniformConstant, conversions to handles, handles
 * extracted from loaded arrays and structs, and similar instructions are cloned before the use,
 * with those operands that need it. An 8- or 16-bit number of a shader that may only load, store
 * and convert such numbers is carried in 32 bits: widened after its definition, narrowed before the
 * use. */
#ifndef SR_SSA_REMATERIALIZE_H
#define SR_SSA_REMATERIALIZE_H

#include "passes/transform/ssa/ssa_value.h"

/* Word `word` of instruction `inst` needs `id` in block `block`: at its start or, for a phi's
 * operand, at the end of the predecessor `block`. */
typedef struct SrUse {
  uint32_t id, inst, word, block;
} SrUse;

typedef SR_VEC(SrUse) SrUses;

/* Can a value that no phi may hold be rematerialized at a use, or carried in 32 bits? */
bool sr_ssa_can_rematerialize(SrModule *m, SrRef def);
/* Repairs the uses of such values, given in block order; leaves in `uses` those that phis can
 * repair. Adds the number of instructions made to *made. */
SR_MUST_USE SrStatus sr_ssa_rematerialize(SrSsa *ssa, SrUses *uses, uint32_t *made);

#endif
