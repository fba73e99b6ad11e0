/* SPDX-License-Identifier: Apache-2.0 */
/* policy_none: code that `none` and `scalar` share. */
#ifndef EMU_POLICY_NONE_H
#define EMU_POLICY_NONE_H

#include "spv-emu/policy/policy.h"

/* The functions of EmuPolicy with these names. */
void *emu_none_create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                      EmuPolicyCounts *counts);
void emu_none_start(void *policy, const EmuMask *on);
bool emu_none_next(void *policy, uint32_t *block, EmuMask *on);
void emu_none_went(void *policy, const EmuWent *went);
void emu_none_waiting(const void *policy,
                      void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user);

#endif
