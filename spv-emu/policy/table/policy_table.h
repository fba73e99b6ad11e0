/* SPDX-License-Identifier: Apache-2.0 */
/* policy_table: the reconvergence policies by name. `opt` is not among them: it is a bound
 * (policy/optimum/optimum.h). */
#ifndef EMU_POLICY_TABLE_H
#define EMU_POLICY_TABLE_H

#include "spv-emu/policy/policy.h"

#define EMU_POLICY(name) extern const EmuPolicy emu_policy_##name;
#include "spv-emu/policy/table/policies.def"
#undef EMU_POLICY

/* The policy of that name ("tf-stack"); NULL: there is none. */
const EmuPolicy *emu_policy_find(const char *name);
/* The policy at `index` of the table, NULL past the last. */
const EmuPolicy *emu_policy_at(uint32_t index);

#endif
