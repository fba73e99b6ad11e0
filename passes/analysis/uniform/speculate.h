/* SPDX-License-Identifier: Apache-2.0 */
/* speculate: which instructions may run for lanes that would not have reached them. */
#ifndef SR_SPECULATE_H
#define SR_SPECULATE_H

#include "passes/ir/module.h"

/* May the instruction (not a terminator) run with any operands, without side effects and undefined
 * behaviour? (An undefined result is allowed.) Excluded are: stores, calls and similar
 * instructions; integer division, except by a constant that is neither 0 nor -1; conversions of
 * floats to integers, which may not fit; accesses to memory, except plain loads from a constant
 * place of a variable that is not in a buffer or in Workgroup memory; anything on images; and all
 * other instructions that make pointers or opaque handles. */
bool sr_may_speculate(SrModule *m, SrRef r);

#endif
