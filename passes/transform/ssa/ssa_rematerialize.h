/* ssa_rematerialize: values that no phi may hold, and that must be computed anew where a use is no
 * longer dominated by its definition.
 *
 * Access chains, loads of opaque handles from UniformConstant, conversions to handles, handles
 * taken out of loaded arrays and structs, and the like are cloned in front of the use, with those
 * of their operands that need it. An 8- or 16-bit number of a shader that may but load, store and
 * convert such is carried in 32 bits: widened behind its definition, narrowed in front of the use.
 */
#ifndef SR_SSA_REMATERIALIZE_H
#define SR_SSA_REMATERIALIZE_H

#include "transform/ssa/ssa_value.h"

/* Word `word` of instruction `inst` needs `id` in block `block`: at its start or, for a phi's
 * operand, at the end of the predecessor `block`. */
typedef struct SrUse {
  uint32_t id, inst, word, block;
} SrUse;

typedef SR_VEC(SrUse) SrUses;

/* Can a value that no phi may hold be computed anew at a use, or carried in 32 bits? */
bool sr_ssa_can_rematerialize(SrModule *m, SrRef def);
/* Mends those of the uses, which come in block order; leaves in `uses` what phis can mend. Adds the
 * number of instructions made to *made. */
SR_MUST_USE SrStatus sr_ssa_rematerialize(SrSsa *ssa, SrUses *uses, uint32_t *made);

#endif
