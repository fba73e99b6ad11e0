/* SPDX-License-Identifier: Apache-2.0 */
/* policy_frontier: code that `tf-stack` and `minpc` share: of the blocks that have lanes, the first
 * in an order runs, with all lanes that are there. */
#ifndef EMU_POLICY_FRONTIER_H
#define EMU_POLICY_FRONTIER_H

#include "spv-emu/policy/policy.h"

/* The functions of EmuPolicy with these names. The plan is the order: by block its place; NULL: the
 * table's priorities. */
void *emu_frontier_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                          uint32_t lanes, EmuPolicyCounts *counts);
void emu_frontier_start(void *policy, const EmuMask *on);
bool emu_frontier_next(void *policy, uint32_t *block, EmuMask *on);
void emu_frontier_went(void *policy, const EmuWent *went);
bool emu_frontier_stays(void *policy, uint32_t to, bool *joined);
void emu_frontier_waiting(const void *policy,
                          void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                          void *user);
void emu_frontier_held(const void *policy, EmuTellHeld *tell, void *user);

#endif
