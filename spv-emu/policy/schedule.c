/* SPDX-License-Identifier: Apache-2.0 */
/* schedule: see schedule.h. */
#include "spv-emu/policy/schedule.h"

/* Is the subgroup among those that are reported? */
static bool is_reported(const spv_emu_schedule *to, uint64_t subgroup) {
  if (!to->spread || *to->spread <= to->subgroups)
    return subgroup < to->subgroups;
  uint64_t all = *to->spread, number = (subgroup * to->subgroups + all - 1) / all;
  return number < to->subgroups && number * all / to->subgroups == subgroup;
}

void emu_schedule_start(EmuSchedule *s, const spv_emu_schedule *to, uint64_t subgroup,
                        const EmuPolicyCounts *counts) {
  bool heard = to && is_reported(to, subgroup);
  *s = (EmuSchedule){.to = heard ? to : NULL, .subgroup = subgroup, .added = counts->added};
}

static void tell_added(EmuSchedule *s, const EmuPolicyCounts *counts) {
  static const EmuMask none;
  uint64_t count = counts->added - s->added;
  s->added = counts->added;
  if (count)
    s->to->issued(s->to->user, s->subgroup, SPV_EMU_NO_PART, (uint32_t)count, none.w);
}

void emu_schedule_block(EmuSchedule *s, const EmuPolicyCounts *counts, uint32_t block,
                        uint32_t issues, const EmuMask *on) {
  tell_added(s, counts);
  s->to->issued(s->to->user, s->subgroup, block, issues, on->w);
}

void emu_schedule_end(EmuSchedule *s, const EmuPolicyCounts *counts) {
  if (s->to)
    tell_added(s, counts);
}
