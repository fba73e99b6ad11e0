/* SPDX-License-Identifier: Apache-2.0 */
/* race: finds accesses of memory whose results depend on the order in which workgroups, or the
 * invocations of one workgroup, run.
 *
 * Two accesses of a byte race if nothing orders them, at least one of them writes, and not both are
 * atomic. No barrier orders workgroups. A workgroup's barrier orders its invocations: it begins a
 * new interval, and accesses of two invocations race if they are in one interval. A barrier of the
 * subgroup orders its lanes; in a program that has one, lanes of one subgroup do not race. An order
 * that atomic operations create, such as a lock, is not recognized. A store of the value that is
 * already in memory changes nothing, and does not count. For each byte that may be written, a cell
 * records who accessed it; one thread runs all workgroups. */
#ifndef EMU_RACE_H
#define EMU_RACE_H

#include "spv-emu/engine/resource.h"

typedef enum EmuRaceKind { EMU_RACE_READ, EMU_RACE_WRITE, EMU_RACE_ATOMIC } EmuRaceKind;

typedef struct EmuRaces EmuRaces;

/* Tracks the writable buffers of the segments, the images, and the `shared_bytes` bytes of memory of
 * the workgroup that runs. Everything is in the arena. */
EmuRaces *emu_races_new(SrArena *arena, const EmuProgram *program, const EmuSegment *segments,
                        const EmuImages *images, const uint8_t *shared, uint32_t shared_bytes);
/* Sets the workgroup that runs from now on. */
void emu_races_group(EmuRaces *races, uint64_t group);
/* The workgroup has passed a barrier. `races` may be NULL. */
void emu_races_barrier(EmuRaces *races);
/* Records an access of a lane to these bytes; does nothing if s->races is NULL. */
void emu_race(const EmuLanes *s, uint32_t lane, const uint8_t *at, uint64_t bytes,
              EmuRaceKind kind);
/* The numbers of accesses that raced with an earlier one of another workgroup, and of another
 * invocation of the workgroup; 0 if `races` is NULL. */
uint64_t emu_races_count(const EmuRaces *races);
uint64_t emu_races_count_lanes(const EmuRaces *races);

#endif
