/* SPDX-License-Identifier: Apache-2.0 */
/* waves: policy exec, which runs the wave-level program of a reconverging module. */
#ifndef POLICIES_WAVES_H
#define POLICIES_WAVES_H

#include "tests/equiv/policies/run.h"

/* `exec` runs block for block what `pdom` runs, with as many lanes; with each lowering, and from a
 * listing that is printed and read back, it leaves the same memory. */
void waves_check(const Case *c, const spv_emu_program *program, uint32_t lanes,
                 const char *transform, const Outcome *exec, const Outcome *pdom);
/* With ballots, too, exec runs its lanes in the same groups as pdom. reconverge does not change a
 * function whose tangles depend on its merge instructions. */
void waves_check_tangles(const Case *c, uint32_t lanes, bool merges);

#endif
