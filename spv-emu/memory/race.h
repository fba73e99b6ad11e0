/* SPDX-License-Identifier: Apache-2.0 */
/* race: finds accesses of buffers and images whose results depend on which workgroups run at the
 * same time.
 *
 * Two accesses of a byte race if they are from different workgroups, at least one of them writes,
 * and not both are atomic, because no barrier orders workgroups. A store of the value that is
 * already in memory changes nothing, and does not count. For each byte that may be written, a cell
 * records which workgroups accessed it; one thread runs all workgroups. */
#ifndef EMU_RACE_H
#define EMU_RACE_H

#include "spv-emu/engine/resource.h"

typedef enum EmuRaceKind { EMU_RACE_READ, EMU_RACE_WRITE, EMU_RACE_ATOMIC } EmuRaceKind;

typedef struct EmuRaces EmuRaces;

/* Tracks the writable buffers of the segments, and the images. Everything is in the arena. */
EmuRaces *emu_races_new(SrArena *arena, const EmuProgram *program, const EmuSegment *segments,
                        const EmuImages *images);
/* Sets the workgroup that runs from now on. */
void emu_races_group(EmuRaces *races, uint64_t group);
/* Records an access of a lane to these bytes; does nothing if `races` is NULL. */
void emu_race(EmuRaces *races, const uint8_t *at, uint64_t bytes, EmuRaceKind kind);
/* The number of accesses that raced with an earlier one; 0 if `races` is NULL. */
uint64_t emu_races_count(const EmuRaces *races);

#endif
