/* verify: the SSA rules that transforms rely on and must keep: each use is dominated by its
 * definition (a phi's operand: at the end of its predecessor), and phis match predecessors. */
#ifndef SR_VERIFY_H
#define SR_VERIFY_H

#include "ir/module.h"

SR_MUST_USE SrStatus sr_verify_ssa(const SrModule *m, SrArena *scratch, const SrFunction *f);

#endif
