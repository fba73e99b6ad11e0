/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: reports what a subgroup issues, block by block (spv_emu_schedule). */
#ifndef EMU_SCHEDULE_H
#define EMU_SCHEDULE_H

#include "spv-emu/cost/policy_counts.h"
#include "spv-emu/engine/lanes.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuSchedule {
  const spv_emu_schedule *to; /* NULL: this subgroup is not reported */
  uint64_t subgroup;          /* its number in the dispatch */
  uint64_t added;             /* the part of counts->added that has been reported */
} EmuSchedule;

/* Starts a new subgroup; `to` NULL: it is not reported. */
void emu_schedule_start(EmuSchedule *s, const spv_emu_schedule *to, uint64_t subgroup,
                        const EmuPolicyCounts *counts);
/* Reports a block, and before it what the policy has issued since the last report. */
void emu_schedule_block(EmuSchedule *s, const EmuPolicyCounts *counts, uint32_t block,
                        uint32_t issues, const EmuMask *on);
/* Reports what the policy has issued after the last block. */
void emu_schedule_end(EmuSchedule *s, const EmuPolicyCounts *counts);

#endif
