/* SPDX-License-Identifier: Apache-2.0 */
/* phi_variables: every OpPhi becomes a Function variable, in the form in which front ends write a
 * value that several branches set. */
#ifndef SR_PHI_VARIABLES_H
#define SR_PHI_VARIABLES_H

#include "passes/transform/pass_run.h"

/* As a pass. Needs and keeps SSA; keeps structure, and which block dominates which. If no variable
 * may have the type of a phi, the phi is kept, with a notice. Linear. */
SR_MUST_USE SrStatus sr_phi_variables_pass(SrPassRun *r, SrFunction *f, bool *changed);

/* The same for boolean phis of loop headers whose operand on a back edge comes from outside the
 * loop: NVIDIA's compiler crashes on some of them (docs/driver-bugs.md). For a function with
 * structure. Near-linear. */
SR_MUST_USE SrStatus sr_phi_variables_flags(SrModule *m, SrArena *scratch, SrFunction *f,
                                            SrTransformCounts *counts);

#endif
