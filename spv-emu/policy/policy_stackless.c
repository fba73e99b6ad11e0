/* SPDX-License-Identifier: Apache-2.0 */
/* policy_stackless: program counters and call depths of lanes; the deepest call runs first, in it
 * the least PC (C. Collange, Stack-less SIMT reconvergence at low cost, HAL hal-00622654, 2011:
 * MinSP-PC; the same, Simty: a synthesizable general-purpose SIMT processor, Inria RR-8944, 2016).
 *
 * `minpc` fails where a function lies before its caller in the layout: lanes that are still in the
 * caller have larger PCs, and those in the function return one group after the other. So the stack
 * pointer decides first. Stacks grow downwards: the least stack pointer is that of the deepest
 * call. Then by PC; lanes with equal depth and PC run together.
 *
 * Documented: the order by stack pointer, then PC, and its price, which follows: lanes that call a
 * function from both arms of a branch run it one after the other, since those that call first are
 * deeper than those that have not called yet. Assumed: the layout is that of `minpc`, and every
 * function takes as much stack as any other, so that the stack pointer is the depth.
 *
 * Lanes that call are the deepest, so they run until they have returned or ended, and the calls
 * nest. Each call is a part of the groups (policy_groups.h); only the last decides what runs. */
#include "spv-emu/policy/policy_stackless.h"
#include "spv-emu/policy/layout.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct Stackless {
  SrArena *arena;
  uint32_t entry;
  EmuGroups groups;
  SR_VEC(uint32_t) calls; /* by depth, from the outermost call: where the caller's part starts */
} Stackless;

void *emu_stackless_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                           uint32_t lanes, EmuPolicyCounts *counts) {
  (void)plan;
  Stackless *p = SR_NEW(arena, Stackless, 1);
  *p = (Stackless){.arena = arena, .entry = table->functions[table->entry_function].first};
  p->groups = (EmuGroups){
      .arena = arena, .counts = counts, .counted = true, .words = emu_mask_words(lanes)};
  SR_RESERVE(arena, &p->groups.wait, lanes);
  return p;
}

void emu_stackless_start(void *policy, const EmuMask *on) {
  Stackless *p = policy;
  p->groups.wait.count = p->groups.first = 0;
  p->groups.running = false;
  p->calls.count = 0;
  if (emu_mask_any(on, p->groups.words)) {
    emu_groups_offer(&p->groups, p->entry, p->entry, on);
    emu_groups_settle(&p->groups);
  }
}

bool emu_stackless_next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_groups_next(&((const Stackless *)policy)->groups, block, on);
}

/* Lanes return to a block of the caller. */
static void come_back(Stackless *p, const EmuTarget *t) {
  if (emu_groups_put(&p->groups, SR_LAST(&p->calls), p->groups.first, t->block, t->block,
                     &t->lanes))
    p->groups.first++;
}

void emu_stackless_went(void *policy, const EmuWent *w) {
  Stackless *p = policy;
  p->groups.running = false;
  if (w->count && w->kind == EMU_WENT_CALL) {
    SR_PUSH(p->arena, &p->calls, p->groups.first);
    p->groups.first = p->groups.wait.count;
  }
  for (uint32_t i = 0; i < w->count; i++)
    if (w->kind == EMU_WENT_RETURN)
      come_back(p, &w->targets[i]);
    else
      emu_groups_offer(&p->groups, w->targets[i].block, w->targets[i].block, &w->targets[i].lanes);
  while (!emu_groups_settle(&p->groups) && p->calls.count)
    p->groups.first = SR_POP(&p->calls);
}

bool emu_stackless_stays(void *policy, uint32_t to, bool *joined) {
  (void)joined;
  return emu_groups_move(&((Stackless *)policy)->groups, to, to);
}

void emu_stackless_waiting(const void *policy,
                           void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                           void *user) {
  emu_groups_tell(&((const Stackless *)policy)->groups, tell, user);
}

const EmuPolicy emu_policy_stackless = {
    .name = "stackless",
    .purpose = "lanes in the deepest call run first, of these the least PC",
    .mixes = emu_layout_mixes,
    .refuses = emu_policy_accept,
    .create = emu_stackless_create,
    .start = emu_stackless_start,
    .next = emu_stackless_next,
    .went = emu_stackless_went,
    .stays = emu_stackless_stays,
    .waiting = emu_stackless_waiting,
    .rule = "other lanes are in a deeper call, or have a lower program counter, and run first",
};
