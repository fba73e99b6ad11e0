/* SPDX-License-Identifier: Apache-2.0 */
/* effects: what instructions do besides computing a value of their own lane. */
#ifndef SR_EFFECTS_H
#define SR_EFFECTS_H

#include "passes/ir/module.h"

/* Does the result depend on which lanes run the instruction together: subgroup and group
 * operations, barriers, derivatives, sampling with implicit level of detail? An instruction that
 * the grammar does not know may be one. Callees are not considered. */
bool sr_is_cross_lane(const SrModule *m, SrRef r);
/* Is it a cross-lane instruction whose result is defined only if the lanes of a quad run it
 * together: derivatives, implicit level of detail, quad operations? */
bool sr_is_quad_operation(const SrModule *m, SrRef r);
/* Is it a cross-lane instruction only by its lane's number: it reads a ballot that was made? */
bool sr_reads_ballot(const SrModule *m, SrRef r);
/* Is the OpExtInst a pure function of its operands? In the two standard sets, all are except those
 * that may take a pointer: they may store through it, or interpolate an Input. */
bool sr_is_pure_extended(const SrModule *m, SrRef r);
/* Is it an atomic operation or a volatile load, of memory or a texel, by which lanes may wait
 * for one another? A load is volatile by its operand, or if it may read something decorated
 * Volatile. */
bool sr_is_polling(const SrModule *m, SrRef r);

#endif
