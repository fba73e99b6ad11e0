/* schedule: somebody hears what a subgroup issues, block by block (spv_emu_schedule). */
#ifndef EMU_SCHEDULE_H
#define EMU_SCHEDULE_H

#include "cost/policy_counts.h"
#include "engine/lanes.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuSchedule {
  const spv_emu_schedule *to; /* NULL: nobody listens to this subgroup */
  uint64_t subgroup;          /* its number in the dispatch */
  uint64_t added;             /* of counts->added, those that are told */
} EmuSchedule;

/* A new subgroup; `to` NULL: nobody listens to any. */
void emu_schedule_start(EmuSchedule *s, const spv_emu_schedule *to, uint64_t subgroup,
                        const EmuPolicyCounts *counts);
/* Tells of a block, and first of what the policy has issued before it. */
void emu_schedule_block(EmuSchedule *s, const EmuPolicyCounts *counts, uint32_t block,
                        uint32_t issues, const EmuMask *on);
/* Tells of what the policy has issued behind the last block. */
void emu_schedule_end(EmuSchedule *s, const EmuPolicyCounts *counts);

#endif
