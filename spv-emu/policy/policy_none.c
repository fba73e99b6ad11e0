/* SPDX-License-Identifier: Apache-2.0 */
/* policy_none: a subgroup that diverges never reconverges (the baseline of Fung, Sham, Yuan and
 * Aamodt, Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow, MICRO-40, 2007).
 *
 * Its groups are on a stack; the top one runs until its lanes have ended. At a branch the lanes of
 * the first target continue; those of the other targets are pushed below them. Calls and returns
 * are edges like any other. So a block runs once for each distinct path by which lanes reach it. */
#include "spv-emu/policy/policy_none.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct None {
  SrArena *arena;
  EmuPolicyCounts *counts;
  uint32_t entry, words;
  SR_VEC(EmuGroup) stack; /* the top group runs; places are not used */
} None;

void *emu_none_create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                      EmuPolicyCounts *counts) {
  (void)plan;
  None *p = SR_NEW(arena, None, 1);
  *p = (None){.arena = arena,
              .counts = counts,
              .entry = table->functions[table->entry_function].first,
              .words = emu_mask_words(lanes)};
  SR_RESERVE(arena, &p->stack, lanes);
  return p;
}

static void push(None *p, uint32_t block, const EmuMask *lanes) {
  SR_RESERVE(p->arena, &p->stack, 1);
  emu_group_set(&p->stack.at[p->stack.count++], block, 0, lanes, p->words);
  if (p->counts->max_depth < p->stack.count)
    p->counts->max_depth = p->stack.count;
}

void emu_none_start(void *policy, const EmuMask *on) {
  None *p = policy;
  p->stack.count = 0;
  if (emu_mask_any(on, p->words))
    push(p, p->entry, on);
}

bool emu_none_next(void *policy, uint32_t *block, EmuMask *on) {
  const None *p = policy;
  if (!p->stack.count)
    return false;
  *block = SR_LAST(&p->stack).block;
  emu_mask_copy(on, &SR_LAST(&p->stack).lanes, p->words);
  return true;
}

void emu_none_went(void *policy, const EmuWent *went) {
  None *p = policy;
  p->stack.count--;
  for (uint32_t i = went->count; i-- > 0;)
    push(p, went->targets[i].block, &went->targets[i].lanes);
  if (went->count)
    emu_count_pushes(p->counts, went->count - 1);
  else
    emu_count_pops(p->counts, p->stack.count > 0);
}

void emu_none_waiting(const void *policy,
                      void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const None *p = policy;
  for (uint32_t i = 0; i + 1 < p->stack.count; i++)
    tell(user, p->stack.at[i].block, &p->stack.at[i].lanes);
}

const EmuPolicy emu_policy_none = {
    .name = "none",
    .purpose = "lanes that diverge never reconverge",
    .stacked = true,
    .meets_in_place = true,
    .refuses = emu_policy_accept,
    .create = emu_none_create,
    .start = emu_none_start,
    .next = emu_none_next,
    .went = emu_none_went,
    .waiting = emu_none_waiting,
    .rule = "lanes that diverged from them run to their end first",
};
