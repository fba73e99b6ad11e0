/* SPDX-License-Identifier: Apache-2.0 */
/* policy_scalar: runs every invocation alone, in order of ids. It is the reference for code without
 * cross-lane operations. This is `none` with subgroups of one lane, which never diverge; the caller
 * sets that size. */
#include "spv-emu/policy/policy_groups.h"
#include "spv-emu/policy/policy_none.h"

const EmuPolicy emu_policy_scalar = {
    .name = "scalar",
    .purpose = "each invocation alone: subgroups of one lane",
    .meets_in_place = true,
    .refuses = emu_policy_accept,
    .create = emu_none_create,
    .start = emu_none_start,
    .next = emu_none_next,
    .went = emu_none_went,
    .waiting = emu_none_waiting,
};
