/* SPDX-License-Identifier: Apache-2.0 */
/* latency: latency hiding. Several subgroups are resident on one issue port; while one waits,
 * another issues.
 *
 * After the lecture on divergent flow (document 003): a load that misses takes its subgroup off the
 * active list, the next cycle is another's. Here:
 *
 *   - The port continues with a subgroup until that waits; then to the next one after it, in the
 *     order of places, that is ready. Switching takes no time. Where none is ready the port is idle
 *     until one is.
 *   - A load that misses is issued, and its subgroup is ready again `latency` cycles later; `hit`
 *     for one that hits. A subgroup waits in the same way for its stack (stack_cost.h).
 *   - A load misses where one of its segments is not in the cache, which all subgroups share and
 *     which holds a segment from the time of the load that requests it; or, without a cache, with
 *     a probability: load k of subgroup g draws from hash(seed, g, k), whatever the order.
 *     Stores neither wait nor are cached.
 *   - A place whose subgroup has ended takes the dispatch's next one. Subgroups of a workgroup that
 *     wait for one another at barriers start together, as soon as there are places for all of them.
 *
 * So with one place the cycles are the sum of issuing and all waits. With more places waits overlap
 * with the issues of other subgroups, and at best the port is never idle. */
#ifndef EMU_LATENCY_H
#define EMU_LATENCY_H

#include "cost/timeline.h"

typedef struct EmuLatency {
  uint64_t cycles, idle;
  uint64_t loads, misses;
  uint64_t load_cycles; /* waits for them, hidden or not */
} EmuLatency;

/* The records of the dispatch's subgroups in their order, `group` to a workgroup; `together`: they
 * wait for one another at barriers, and `group` is `subgroups` of the model at most. */
EmuLatency emu_latency_replay(SrArena *arena, const spv_emu_cost *model, const EmuRecord *records,
                              uint64_t count, uint32_t group, bool together);

#endif
