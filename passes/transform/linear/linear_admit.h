/* SPDX-License-Identifier: Apache-2.0 */
/* linear_admit: which functions guard and linearize can put into a linear order. */
#ifndef SR_LINEAR_ADMIT_H
#define SR_LINEAR_ADMIT_H

#include "passes/transform/pass_run.h"

/* Can the function be linearized without changing what it computes? If not, a notice from pass
 * `name` says why. The reasons:
 *   - lanes communicate (subgroup operations, barriers, derivatives) in a block that some lanes do
 *   not reach, or reach several times. Lanes that left a loop early, or whose target comes later,
 *   would then take part. A block that post-dominates the entry and is in no cycle is admitted.
 *   - a value that no phi may hold and that cannot be rematerialized (a pointer that a call
 *     returned) is used outside of its block.
 * Near-linear. */
bool sr_linear_admits(SrPassRun *r, const SrFunction *f, const char *name);

#endif
