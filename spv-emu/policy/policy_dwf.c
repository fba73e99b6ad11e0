/* SPDX-License-Identifier: Apache-2.0 */
/* policy_dwf: dynamic warp formation (Fung, Sham, Yuan and Aamodt, Dynamic Warp Formation and
 * Scheduling for Efficient GPU Control Flow, MICRO-40, 2007).
 *
 * There is no stack. A pool holds the lanes of all subgroups of a workgroup by their PC; those with
 * one PC are packed into the fewest subgroups, every lane in its column, and these are issued.
 * Which PC is next, the scheduler decides (policy_dwf.h); of several that it holds equal, the one
 * whose first lanes came first. With the order `pc` and one subgroup in the workgroup this is
 * `minpc`.
 *
 * Documented: the pool, the columns, the orders. Assumed: a PC changes only where a block ends; all
 * subgroups of a PC are issued before another PC is chosen, so that lanes which come meanwhile are
 * packed with those that wait; the packing is perfect. A block with a barrier of the workgroup is
 * chosen only when no other has lanes, since warps wait inside it. */
#include "policy/policy_dwf.h"

#include "policy/policy_groups.h"

#include <string.h>

typedef struct Pool {
  EmuBlockTable const *table;
  EmuPolicyCounts *counts;
  uint32_t words;
  uint32_t run;            /* index of the group that runs; SR_NONE: no lane is left */
  uint32_t *at;            /* by block: its index in `groups`, or SR_NONE */
  SR_VEC(EmuGroup) groups; /* in the order in which their first lanes came; place: their number */
} Pool;

bool emu_pool_order_find(const char *name, EmuPoolOrder *order) {
  static const char *const names[] = {"majority", "minority", "time-stamp", "pc"};
  *order = EMU_POOL_MAJORITY;
  for (uint32_t i = 0; name && i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *order = (EmuPoolOrder)i;
      return true;
    }
  return !name;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  (void)plan;
  Pool *p = SR_NEW(arena, Pool, 1);
  *p = (Pool){.table = table, .counts = counts, .words = emu_mask_words(lanes)};
  p->at = sr_new_none(arena, table->count);
  SR_RESERVE(arena, &p->groups, lanes + 1);
  return p;
}

static void put(Pool *p, uint32_t block, const EmuMask *lanes) {
  uint32_t i = p->at[block];
  if (i != SR_NONE) {
    EmuGroup *g = &p->groups.at[i];
    emu_mask_add(&g->lanes, lanes, p->words);
    g->place = emu_mask_count(&g->lanes, p->words);
    p->counts->reconvergences++;
    return;
  }
  p->at[block] = p->groups.count;
  emu_group_set(&p->groups.at[p->groups.count++], block, emu_mask_count(lanes, p->words), lanes,
                p->words);
  if (p->counts->max_depth < p->groups.count)
    p->counts->max_depth = p->groups.count;
}

static void take_out(Pool *p, uint32_t i) {
  p->at[p->groups.at[i].block] = SR_NONE;
  p->groups.count--;
  for (; i < p->groups.count; i++) {
    emu_group_copy(&p->groups.at[i], &p->groups.at[i + 1], p->words);
    p->at[p->groups.at[i].block] = i;
  }
}

static bool stops(const Pool *p, const EmuGroup *g) {
  return p->table->stops && p->table->stops[g->block];
}

static bool is_before(const Pool *p, const EmuGroup *a, const EmuGroup *b) {
  if (stops(p, a) != stops(p, b))
    return stops(p, b);
  switch (p->table->pool_order) {
  case EMU_POOL_MAJORITY:
    return a->place > b->place;
  case EMU_POOL_MINORITY:
    return a->place < b->place;
  case EMU_POOL_PC:
    return a->block < b->block;
  case EMU_POOL_TIME_STAMP:
    break;
  }
  return false;
}

static void choose(Pool *p) {
  p->run = p->groups.count ? 0 : SR_NONE;
  for (uint32_t i = 1; i < p->groups.count; i++)
    if (is_before(p, &p->groups.at[i], &p->groups.at[p->run]))
      p->run = i;
}

static void start(void *policy, const EmuMask *on) {
  Pool *p = policy;
  while (p->groups.count)
    take_out(p, p->groups.count - 1);
  if (emu_mask_any(on, p->words))
    put(p, p->table->functions[p->table->entry_function].first, on);
  choose(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  const Pool *p = policy;
  if (p->run == SR_NONE)
    return false;
  *block = p->groups.at[p->run].block;
  emu_mask_copy(on, &p->groups.at[p->run].lanes, p->words);
  return true;
}

static void went(void *policy, const EmuWent *w) {
  Pool *p = policy;
  take_out(p, p->run);
  for (uint32_t i = 0; i < w->count; i++)
    put(p, w->targets[i].block, &w->targets[i].lanes);
  choose(p);
}

static bool packed(const void *policy) {
  (void)policy;
  return true;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Pool *p = policy;
  for (uint32_t i = 0; i < p->groups.count; i++)
    if (i != p->run)
      tell(user, p->groups.at[i].block, &p->groups.at[i].lanes);
}

const EmuPolicy emu_policy_dwf = {
    .name = "dwf",
    .purpose = "dynamic warp formation: a workgroup's lanes packed by PC",
    .mixes = emu_policy_mixes,
    .refuses = emu_policy_accept,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .packed = packed,
    .waiting = waiting,
};
