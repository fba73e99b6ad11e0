/* SPDX-License-Identifier: Apache-2.0 */
/* policy_tbc: thread block compaction (Fung and Aamodt, Thread Block Compaction for Efficient SIMT
 * Control Flow, HPCA 2011).
 *
 * The subgroups of a workgroup share one stack, that of `pdom`, with masks of the workgroup. They
 * wait for one another at divergent branches, and each side is packed into the fewest subgroups,
 * every lane in its column. Where they reconverge, the lanes are in their former subgroups again.
 * So a block is issued once for each subgroup into which its entry's lanes are packed.
 *
 *   tbc      reconverges at immediate post-dominators
 *   tbc-lcp  also at likely convergence points (section 4.2; likely.h)
 *
 * Documented: the stack, its entries, and packing by column. Assumed: an entry is packed again when
 * some of its lanes have ended; which points a compiler considers likely (likely.h). Lanes wait at
 * the end of every block, not only at branches. This changes no count, because an entry's lanes run
 * the same blocks. */
#include "spv-emu/policy/likely.h"
#include "spv-emu/policy/policy_groups.h"
#include "spv-emu/policy/policy_pdom.h"

/* A likely convergence point does not post-dominate the branch. So lanes that leave an inner loop
 * may come back to it in the next iteration of the outer loop, and meet lanes that wait there:
 * iterations mix. */
static const void *plan_likely(SrArena *arena, const EmuBlockTable *table) {
  EmuPdomPlan *plan = SR_NEW(arena, EmuPdomPlan, 1);
  *plan = *(const EmuPdomPlan *)emu_pdom_plan(arena, table);
  plan->likely = emu_likely_points(arena, table, plan->ipdom);
  return plan;
}

const EmuPolicy emu_policy_tbc = {
    .name = "tbc",
    .purpose = "thread block compaction: a stack for the workgroup",
    .refuses = emu_policy_accept,
    .plan = emu_pdom_plan,
    .create = emu_pdom_create,
    .start = emu_pdom_start,
    .next = emu_pdom_next,
    .went = emu_pdom_went,
    .packed = emu_pdom_packed,
    .waiting = emu_pdom_waiting,
    .rule = "another entry of the workgroup's stack runs first",
};

const EmuPolicy emu_policy_tbc_lcp = {
    .name = "tbc-lcp",
    .purpose = "the same, also reconverges at likely convergence points",
    .mixes = emu_policy_mixes,
    .refuses = emu_policy_accept,
    .plan = plan_likely,
    .create = emu_pdom_create,
    .start = emu_pdom_start,
    .next = emu_pdom_next,
    .went = emu_pdom_went,
    .packed = emu_pdom_packed,
    .waiting = emu_pdom_waiting,
    .rule = "another entry of the workgroup's stack runs first",
};
