/* SPDX-License-Identifier: Apache-2.0 */
/* policy_groups: the running group of lanes and the sorted waiting groups; shared by the policies
 * that choose by the place of blocks in an order.
 *
 * A group is a set of lanes that are at one block. The waiting groups form a stack of *parts*, one
 * for each construct that the policy has open; only the last part, which begins at `first`, decides
 * what runs next. Every part is sorted by descending place, so that its last group runs next. A
 * part has at most one group for each block.
 *
 * Only the words of a mask that are in use are copied. */
#ifndef EMU_POLICY_GROUPS_H
#define EMU_POLICY_GROUPS_H

#include "passes/base/vec.h"
#include "spv-emu/policy/policy.h"

typedef struct EmuGroup {
  uint32_t block, place;
  EmuMask lanes;
} EmuGroup;

typedef struct EmuGroups {
  SrArena *arena;
  EmuPolicyCounts *counts;
  bool counted;   /* the groups are the policy's stack: pushes, pops and depth are counted */
  uint32_t words; /* of masks */
  uint32_t first; /* where the last part starts */
  uint32_t aside; /* number of groups that the policy keeps elsewhere; the depth includes them */
  bool running;   /* `run` is valid */
  EmuGroup run;
  SR_VEC(EmuGroup) wait;
} EmuGroups;

static inline void emu_group_copy(EmuGroup *to, const EmuGroup *from, uint32_t words) {
  to->block = from->block;
  to->place = from->place;
  emu_mask_copy(&to->lanes, &from->lanes, words);
}

static inline void emu_group_set(EmuGroup *to, uint32_t block, uint32_t place, const EmuMask *lanes,
                                 uint32_t words) {
  to->block = block;
  to->place = place;
  emu_mask_copy(&to->lanes, lanes, words);
}

/* Makes lanes wait in the part wait.at[first .. end - 1]. True: a group was added; false: the lanes
 * have joined one. */
static inline bool emu_groups_put(EmuGroups *g, uint32_t first, uint32_t end, uint32_t block,
                                  uint32_t place, const EmuMask *lanes) {
  uint32_t i = end;
  while (i > first && g->wait.at[i - 1].place < place)
    i--;
  if (g->counted)
    emu_log_insertion(g->counts, end - i + (i > first));
  if (i > first && g->wait.at[i - 1].place == place) {
    emu_mask_add(&g->wait.at[i - 1].lanes, lanes, g->words);
    g->counts->reconvergences++;
    return false;
  }
  SR_RESERVE(g->arena, &g->wait, 1);
  for (uint32_t k = g->wait.count++; k > i; k--)
    emu_group_copy(&g->wait.at[k], &g->wait.at[k - 1], g->words);
  emu_group_set(&g->wait.at[i], block, place, lanes, g->words);
  if (g->counted)
    emu_count_pushes(g->counts, 1);
  return true;
}

/* Adds lanes that reach a block of the last part: they run if the block's place comes first, else
 * they wait. */
static inline void emu_groups_offer(EmuGroups *g, uint32_t block, uint32_t place,
                                    const EmuMask *lanes) {
  if (g->running && place > g->run.place) {
    emu_groups_put(g, g->first, g->wait.count, block, place, lanes);
    return;
  }
  if (g->running)
    emu_groups_put(g, g->first, g->wait.count, g->run.block, g->run.place, &g->run.lanes);
  emu_group_set(&g->run, block, place, lanes, g->words);
  g->running = true;
}

/* Makes the next group of the last part run: together with the running group if that is at the same
 * place, else before it. */
static inline void emu_groups_take(EmuGroups *g) {
  const EmuGroup *last = &g->wait.at[--g->wait.count];
  if (g->counted)
    emu_count_pops(g->counts, 1);
  if (!g->running) {
    emu_group_copy(&g->run, last, g->words);
    g->running = true;
  } else if (g->run.place == last->place) {
    emu_mask_add(&g->run.lanes, &last->lanes, g->words);
    g->counts->reconvergences++;
  } else {
    EmuGroup late;
    emu_group_copy(&late, &g->run, g->words);
    emu_group_copy(&g->run, last, g->words);
    emu_groups_put(g, g->first, g->wait.count, late.block, late.place, &late.lanes);
  }
}

/* Runs the group of the last part whose place comes first. False: the part has no group. */
static inline bool emu_groups_settle(EmuGroups *g) {
  if (g->wait.count != g->first &&
      (!g->running || g->wait.at[g->wait.count - 1].place <= g->run.place))
    emu_groups_take(g);
  uint32_t size = g->wait.count + g->aside + 1;
  if (g->running && g->counted && g->counts->max_depth < size)
    g->counts->max_depth = size;
  return g->running;
}

/* The most frequent step: moves the running group to a block of the last part. False: a group of
 * the part waits there or at an earlier place; nothing was done. */
static inline bool emu_groups_move(EmuGroups *g, uint32_t block, uint32_t place) {
  if (g->wait.count != g->first && g->wait.at[g->wait.count - 1].place <= place)
    return false;
  g->run.block = block;
  g->run.place = place;
  return true;
}

/* EmuPolicy.next for the group in `run`. */
static inline bool emu_groups_next(const EmuGroups *g, uint32_t *block, EmuMask *on) {
  *block = g->run.block;
  emu_mask_copy(on, &g->run.lanes, g->words);
  return g->running;
}

/* EmuPolicy.waiting for the groups that wait. */
static inline void emu_groups_tell(const EmuGroups *g,
                                   void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                                   void *user) {
  for (uint32_t i = 0; i < g->wait.count; i++)
    tell(user, g->wait.at[i].block, &g->wait.at[i].lanes);
}

/* EmuPolicy.held for the running group, and for the waiting groups from `end` down to `first`. */
static inline void emu_groups_held_run(const EmuGroups *g, const char *what, EmuTellHeld *tell,
                                       void *user) {
  const EmuHeld held = {.what = what,
                        .number = SR_NONE,
                        .block = g->run.block,
                        .rejoin = SR_NONE,
                        .lanes = &g->run.lanes};
  if (g->running)
    tell(user, &held);
}

static inline void emu_groups_held(const EmuGroups *g, uint32_t first, uint32_t end,
                                   const char *what, const char *why, EmuTellHeld *tell,
                                   void *user) {
  for (uint32_t i = end; i-- > first;) {
    const EmuHeld held = {.what = what,
                          .number = SR_NONE,
                          .block = g->wait.at[i].block,
                          .rejoin = SR_NONE,
                          .lanes = &g->wait.at[i].lanes,
                          .why = why};
    tell(user, &held);
  }
}

static inline uint32_t emu_mask_words(uint32_t lanes) {
  return (lanes + 63) / 64;
}

/* EmuPolicy.refuses for policies that apply to every program. */
static inline const char *emu_policy_accept(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  (void)table;
  return NULL;
}

/* EmuPolicy.mixes for policies under which lanes of different iterations may meet in any
 * program. */
static inline bool emu_policy_mixes(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  (void)table;
  return true;
}

#endif
