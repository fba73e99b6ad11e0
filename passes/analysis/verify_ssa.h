/* SPDX-License-Identifier: Apache-2.0 */
/* verify_ssa: the SSA rules that transforms rely on and must keep: each use is dominated by its
 * definition (a phi's operand: at the end of its predecessor), and phis match predecessors. */
#ifndef SR_VERIFY_SSA_H
#define SR_VERIFY_SSA_H

#include "passes/ir/module.h"

SR_MUST_USE SrStatus sr_verify_ssa(const SrModule *m, SrArena *scratch, const SrFunction *f);

/* Does each block follow its immediate dominator, as SPIR-V 2.4 requires? (Some front ends ignore
 * this.) Unreachable blocks may be anywhere. */
bool sr_blocks_in_order(const SrModule *m, SrArena *scratch, const SrFunction *f);

#endif
