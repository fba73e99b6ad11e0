/* SPDX-License-Identifier: Apache-2.0 */
/* policy_minpc: each lane has a program counter, and the lanes with the least one run (C. Collange,
 * Stack-less SIMT reconvergence at low cost, HAL hal-00622654, 2011).
 *
 * Each lane has a PC. Each time, the hardware takes the least PC and issues its instruction for all
 * lanes that have this PC. So it keeps no stack and needs no instruction for reconvergence: lanes
 * that wait are always further down in the layout, and the others run until they arrive there. This
 * needs a layout in which code comes before the code that it leads to; where it does not, lanes
 * that are ahead do not wait for the others.
 *
 * Documented: the choice by the least PC, and that equal PCs run together. Assumed: the layout,
 * since SPIR-V has no addresses. Functions lie in the order in which the entry point reaches them
 * by calls, depth first; their blocks in the order of the module, in which dominators come first. A
 * PC changes only where a block ends, since within a block the least PC stays the least. Calls and
 * returns are edges like any other, so lanes from different calls may meet in a callee.
 *
 * These are the rules of tf-stack with the places of the layout for priorities. Groups of lanes
 * with equal PCs, sorted, serve as the lanes' PCs; `depth` is the number of different PCs. */
#include "spv-emu/policy/layout.h"
#include "spv-emu/policy/policy_frontier.h"
#include "spv-emu/policy/policy_groups.h"

static const void *lay_out(SrArena *arena, const EmuBlockTable *table) {
  uint32_t *place = SR_NEW_RAW(arena, uint32_t, table->count);
  for (uint32_t b = 0; b < table->count; b++)
    place[b] = b;
  return place;
}

const EmuPolicy emu_policy_minpc = {
    .name = "minpc",
    .purpose = "a program counter for each lane, the least of them runs",
    .mixes = emu_layout_mixes_calls,
    .refuses = emu_policy_accept,
    .plan = lay_out,
    .create = emu_frontier_create,
    .start = emu_frontier_start,
    .next = emu_frontier_next,
    .went = emu_frontier_went,
    .stays = emu_frontier_stays,
    .waiting = emu_frontier_waiting,
    .rule = "other lanes have a lower program counter, and the least runs first",
};
