/* SPDX-License-Identifier: Apache-2.0 */
/* effects: what instructions do besides computing a value of their own lane. */
#ifndef SR_EFFECTS_H
#define SR_EFFECTS_H

#include "passes/ir/module.h"

/* Does the result depend on which lanes run the instruction together: subgroup and group
 * operations, barriers, derivatives, sampling with implicit level of detail? An instruction that
 * the grammar does not know may be one. Callees are not considered. */
bool sr_is_cross_lane(const SrModule *m, SrRef r);
/* Of these: is the result defined only where the lanes of a quad run the instruction together:
 * derivatives, implicit level of detail, quad operations? */
bool sr_is_quad_operation(const SrModule *m, SrRef r);
/* Is the OpExtInst a function of its operands, without an effect? Those of the two standard sets
 * are, except those that may take a pointer: they may store through it, or interpolate an Input. */
bool sr_is_pure_extended(const SrModule *m, SrRef r);
/* Is it an atomic operation or a volatile load, of memory or a texel, with which lanes may wait for
 * one another? Volatile: by its operand; or something is decorated so, and it may be what is
 * loaded. */
bool sr_is_polling(const SrModule *m, SrRef r);

#endif
