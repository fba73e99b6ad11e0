/* SPDX-License-Identifier: Apache-2.0 */
/* policy_stackless: code that `stackless` and `jip` share: in the innermost call, the least PC
 * runs. */
#ifndef EMU_POLICY_STACKLESS_H
#define EMU_POLICY_STACKLESS_H

#include "spv-emu/policy/policy.h"

/* The functions of EmuPolicy with these names. */
void *emu_stackless_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                           uint32_t lanes, EmuPolicyCounts *counts);
void emu_stackless_start(void *policy, const EmuMask *on);
bool emu_stackless_next(void *policy, uint32_t *block, EmuMask *on);
void emu_stackless_went(void *policy, const EmuWent *went);
bool emu_stackless_stays(void *policy, uint32_t to, bool *joined);
void emu_stackless_waiting(const void *policy,
                           void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                           void *user);

#endif
