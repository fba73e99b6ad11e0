/* SPDX-License-Identifier: Apache-2.0 */
/* policy_pdom: code that `pdom` and `tbc` share: a stack that reconverges at post-dominators. */
#ifndef EMU_POLICY_PDOM_H
#define EMU_POLICY_PDOM_H

#include "spv-emu/policy/policy.h"

typedef struct EmuPdomPlan {
  const uint32_t *ipdom;  /* by block: its immediate post-dominator, or SR_NONE */
  const uint32_t *likely; /* by block: its likely reconvergence block, or SR_NONE; NULL: no block
                             has one */
} EmuPdomPlan;

/* The functions of EmuPolicy with these names. The plan is an EmuPdomPlan, without `likely`. */
const void *emu_pdom_plan(SrArena *arena, const EmuBlockTable *table);
void *emu_pdom_create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                      EmuPolicyCounts *counts);
void emu_pdom_start(void *policy, const EmuMask *on);
bool emu_pdom_next(void *policy, uint32_t *block, EmuMask *on);
void emu_pdom_went(void *policy, const EmuWent *went);
bool emu_pdom_packed(const void *policy);
void emu_pdom_waiting(const void *policy,
                      void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user);

#endif
