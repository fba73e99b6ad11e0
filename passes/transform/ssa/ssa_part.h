/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_part: repairs SSA form after straight-line code was divided into parts that only some of the
 * lanes run.
 *
 *      G: c ? P : T
 *      P: x = …             a part, and the block T where all lanes meet again
 *      T: … x …      =>     T: y = phi(x from P, undefined from G); … y …
 *
 * Lanes that skip a part do not need its values, so the phi is undefined for these lanes. */
#ifndef SR_SSA_PART_H
#define SR_SSA_PART_H

#include "passes/transform/ssa/ssa_value.h"

/* `part`: by block, the part that it is in (any number that names it), or SR_NONE; `tail`: by block
 * of a part, the block after the part. ssa: with m, f, graph, dom and arena set. A value that is
 * used outside of its part gets a phi in the tail, or is rematerialized if no phi may hold it
 * (ssa_rematerialize.h). So is the result of an OpSampledImage if its block was divided between it
 * and a use. Uses in debug instructions count. Near-linear. */
SR_MUST_USE SrStatus sr_ssa_leave_parts(SrSsa *ssa, const uint32_t *part, const uint32_t *tail);

#endif
