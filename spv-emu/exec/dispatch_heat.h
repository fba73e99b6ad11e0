/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_heat: the cost of the invocations of a dispatch (spv_emu_heat): a pixel is the x and y of
 * GlobalInvocationID, and invocations that differ in z add up.
 *
 * Each subgroup counts for itself; its counts are added to the pixels when it ends, atomically,
 * since threads may run workgroups with the same x and y. Where a policy packs lanes of a workgroup
 * into other subgroups, an issue counts at the pixels of the lanes that run it; the rest of the pack
 * is unused. */
#ifndef EMU_DISPATCH_HEAT_H
#define EMU_DISPATCH_HEAT_H

#include "spv-emu/engine/engine.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuDispatchHeat {
  spv_emu_heat *to;
  bool packed;     /* the policy packs lanes */
  uint64_t issued; /* by the subgroup, for all its lanes */
  uint64_t unused; /* lanes of packs that are not full, times issues */
  uint64_t *used;  /* by lane: issues while it was active */
} EmuDispatchHeat;

/* Gives the heat the size of the dispatch, if it has none. False: it has a different one, or memory
 * ran out, for which `*enough` is false. */
bool emu_dispatch_heat_size(spv_emu_heat *heat, const EmuProgram *program, const uint32_t groups[3],
                            bool *enough);
/* For the subgroups, of `lanes` lanes, that run in one register file. */
EmuDispatchHeat *emu_dispatch_heat_new(SrArena *arena, spv_emu_heat *to, uint32_t lanes,
                                       bool packed);
void emu_dispatch_heat_start(EmuDispatchHeat *heat, uint32_t lanes);
/* The subgroup issues `count` instructions for these lanes, perhaps none. */
void emu_dispatch_heat_add(EmuDispatchHeat *heat, uint64_t count, const EmuMask *on,
                           uint32_t words);
/* The subgroup has ended: `group` and `subgroup` are the numbers of its workgroup and in that. */
void emu_dispatch_heat_end(const EmuDispatchHeat *heat, const EmuLanes *lanes,
                           const uint32_t groups[3], uint64_t group, uint32_t subgroup);

#endif
