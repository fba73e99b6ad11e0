/* SPDX-License-Identifier: Apache-2.0 */
/* regroup: runs a workgroup under a policy that regroups the lanes of its subgroups
 * (EmuPolicy.packed).
 *
 * The policy says which lanes of the workgroup run which block next. The registers of a lane stay
 * in the file of its own subgroup. So the subgroups run the block one after the other, each for
 * those of its lanes that were chosen, and only the counting is by pack (packs.h): a block counts
 * as executed once for each pack, a memory instruction as issued once for each pack, with the
 * transactions of the pack's lanes (transactions.h). Packing does not affect what lanes compute,
 * because lanes of a pack communicate through memory alone; modules with other cross-lane
 * operations are refused.
 *
 * The subgroups' own policy is emu_policy_member: it passes on the choice to the subgroup, and
 * collects where its lanes went. */
#ifndef EMU_REGROUP_H
#define EMU_REGROUP_H

#include "spv-emu/exec/exec.h"

extern const EmuPolicy emu_policy_member;

typedef struct EmuRegroup EmuRegroup;

/* For the subgroups `execs` of a worker, which were made with emu_policy_member; `policy`: the
 * policy that regroups, with its plan. */
EmuRegroup *emu_regroup_new(SrArena *arena, EmuExec *execs, uint32_t subgroups,
                            const EmuPolicy *policy, const EmuBlockTable *table);
/* Runs a workgroup whose subgroups have all been started. If the end is not EMU_EXEC_DONE, *failed
 * is the subgroup that caused it. */
EmuExecEnd emu_regroup_run(EmuRegroup *r, bool backwards, uint32_t *failed);

#endif
