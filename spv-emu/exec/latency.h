/* SPDX-License-Identifier: Apache-2.0 */
/* latency: latency hiding. Several subgroups are resident on one issue port; while one waits,
 * another issues.
 *
 * As on GPUs, a subgroup whose load misses cannot issue until the data arrives, and others issue
 * meanwhile (J. Criswell's lecture notes on divergent flow, docs/tokens.md). In detail:
 *
 *   - A resident subgroup has a *place*. The port issues from one subgroup until that waits; then
 *     from the next ready one, round robin over the places. Switching takes no time. If none is
 *     ready, the port is idle until one is.
 *   - After a load has been issued, its subgroup is ready again `latency` cycles later if the load
 *     misses, `hit` cycles later if it hits. A subgroup waits in the same way for its stack
 *     (stack_cost.h).
 *   - A load misses if one of its segments is not in the cache, which all subgroups share and which
 *     holds a segment from the time of the load that requests it. Without a cache it misses with
 *     a given probability, by hash(seed, g, k) for load k of subgroup g, so that the order of loads
 *     does not matter. Stores neither wait nor are cached.
 *   - If the model interleaves subwarps, lanes of a subgroup that are elsewhere in the program
 *     may issue while those that loaded wait (strands.h); for its stack the whole subgroup waits.
 *   - When a subgroup ends, the dispatch's next one takes its place. Subgroups of a workgroup
 *     that wait for one another at barriers start together, as soon as there are places for all.
 *
 * So with one place the cycles are the sum of issuing and all waits. With more places waits overlap
 * with the issues of other subgroups, and at best the port is never idle. */
#ifndef EMU_LATENCY_H
#define EMU_LATENCY_H

#include "spv-emu/cost/timeline.h"

typedef struct EmuLatency {
  uint64_t cycles, idle;
  uint64_t loads, misses;
  uint64_t load_cycles; /* waits for loads, hidden or not */
} EmuLatency;

/* `records`: one for each subgroup of the dispatch, in order; `group`: number of subgroups in a
 * workgroup. `together`: the subgroups of a workgroup wait for one another at barriers; then
 * `group` must not exceed the model's `subgroups`. */
EmuLatency emu_latency_replay(SrArena *arena, const spv_emu_cost *model, const EmuRecord *records,
                              uint64_t count, uint32_t group, bool together);

#endif
