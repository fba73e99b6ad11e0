/* SPDX-License-Identifier: Apache-2.0 */
/* regroup: runs a workgroup under a policy that regroups the lanes of its subgroups
 * (EmuPolicy.packed).
 *
 * The policy says which lanes of the workgroup run which block next. The registers of a lane stay
 * in the file of its own subgroup; so each subgroup runs the block for those of its lanes that are
 * chosen, one subgroup after the other, and only the counting is by pack (packs.h): a block counts
 * as executed once for each pack, a memory instruction as issued once for each pack, with the
 * transactions of the pack's lanes (transactions.h). What lanes compute does not depend on it, for
 * lanes of a pack communicate through memory alone; modules with other cross-lane operations are
 * refused.
 *
 * The subgroups' own policy is emu_policy_member: it hands over what was chosen, and collects where
 * lanes went. */
#ifndef EMU_REGROUP_H
#define EMU_REGROUP_H

#include "spv-emu/exec/exec.h"

extern const EmuPolicy emu_policy_member;

typedef struct EmuRegroup EmuRegroup;

/* For the subgroups `execs` of a worker, which have been made with emu_policy_member; `policy` is
 * the one that regroups, with its plan. */
EmuRegroup *emu_regroup_new(SrArena *arena, EmuExec *execs, uint32_t subgroups,
                            const EmuPolicy *policy, const EmuBlockTable *table);
/* Runs a workgroup, all of whose subgroups have been started. *failed: the subgroup that the end is
 * about, if it is not EMU_EXEC_DONE. */
EmuExecEnd emu_regroup_run(EmuRegroup *r, bool backwards, uint32_t *failed);

#endif
