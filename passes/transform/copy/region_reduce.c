/* SPDX-License-Identifier: Apache-2.0 */
/* region_reduce: see region_reduce.h. */
#include "passes/transform/copy/region_reduce.h"

#include "passes/base/map.h"
#include "passes/transform/copy/forward_copy.h"

/* An arm of the current region: the region that it leads to (SR_NONE: it jumps, or ends), and the
 * last region in it so far. */
typedef struct Arm {
  uint32_t target, last;
} Arm;

static bool is_region(uint32_t arm) {
  return arm < SR_ARM_THROUGH;
}

/* ---- where arms meet ---- */

/* Takes the regions to which only this arm leads. */
static void take_own(SrControlTree *t, uint32_t r, uint32_t k, Arm *arm) {
  while (arm->target != SR_NONE && t->region.at[arm->target].refs == 1)
    sr_forward_take(t, r, k, &arm->target, &arm->last);
}

static void begin_arms(SrControlTree *t, uint32_t r, Arm *arms, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    uint32_t *value = &t->arm.at[t->region.at[r].slot + k];
    arms[k] = (Arm){SR_NONE, SR_NONE};
    if (!is_region(*value))
      continue;
    arms[k].target = *value;
    *value = SR_ARM_THROUGH;
    take_own(t, r, k, &arms[k]);
  }
}

/* Arm k, the only other one that leads to the start of arm j, falls through to j. */
static void fall_into(SrControlTree *t, uint32_t r, Arm *arms, uint32_t k, uint32_t j) {
  uint32_t target = arms[k].target;
  t->region.at[target].refs--;
  t->region.at[target].fallen_into = true;
  t->region.at[arms[k].last].next = target;
  arms[k] = (Arm){SR_NONE, SR_NONE};
  take_own(t, r, j, &arms[j]);
}

/* Finds the cases of an OpSwitch that fall through to others. An arm that others fall into gets
 * longer, so arms are visited until nothing changes. Each change leaves one arm fewer. */
static void find_falls(SrControlTree *t, uint32_t r, Arm *arms) {
  uint32_t n = t->region.at[r].arm_count;
  SrArena scratch = sr_arena_new(t->arena->heap);
  SrMap start = {.arena = &scratch}; /* by region: the arm that starts there */
  for (uint32_t k = 0; k < n; k++)
    if (arms[k].target != SR_NONE && arms[k].last == SR_NONE)
      sr_map_set(&start, arms[k].target, k);
  SR_VEC(uint32_t) work = {0};
  for (uint32_t k = n; k-- > 0;)
    SR_PUSH(&scratch, &work, k);
  while (work.count) {
    uint32_t k = SR_POP(&work), target = arms[k].target;
    uint32_t j =
        target == SR_NONE || arms[k].last == SR_NONE ? SR_NONE : sr_map_get(&start, target);
    if (j == SR_NONE || arms[j].target != target || t->region.at[target].refs != 2)
      continue;
    fall_into(t, r, arms, k, j);
    SR_PUSH(&scratch, &work, j);
  }
  sr_arena_free(&scratch);
}

/* ---- the exit ---- */

/* Regions form trees, in which a region's parent is its exit. Among the trees that arms lead to,
 * returns the root of the one whose arms would need the largest copies if each arm copied
 * everything that it leads to. */
static uint32_t choose_root(SrControlTree *t, const Arm *arms, uint32_t count) {
  uint32_t best = SR_NONE;
  for (uint32_t k = 0; k < count; k++)
    if (arms[k].target != SR_NONE)
      t->region.at[t->region.at[arms[k].target].root].stake = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (arms[k].target == SR_NONE)
      continue;
    const SrRegion *target = &t->region.at[arms[k].target];
    SrRegion *root = &t->region.at[target->root];
    root->stake += target->total;
    if (best == SR_NONE || root->stake > t->region.at[best].stake)
      best = target->root;
  }
  return best;
}

/* The exit found so far, how many arms lead to it, and the sum of cost_of_separation of these arms.
 */
typedef struct Meeting {
  uint32_t exit, arms;
  uint64_t separation;
} Meeting;

/* The region where the chains of exits from x and y, which are in one tree, meet. SR_NONE: the
 * regions before it have more than `most` instructions, counting those on x's chain once for each
 * of `arms`. */
static uint32_t meet(const SrControlTree *t, uint32_t x, uint32_t arms, uint32_t y, uint64_t most) {
  const SrRegion *region = t->region.at;
  uint64_t before = 0;
  while (x != y && before <= most) {
    bool first = region[x].depth >= region[y].depth;
    uint32_t *deeper = first ? &x : &y;
    before += (first ? arms : 1) * region[*deeper].size;
    *deeper = region[*deeper].exit;
  }
  return before <= most ? x : SR_NONE;
}

/* The penalty, in instructions, if an arm gets its own copy of everything that follows: its lanes
 * then never meet the others again. It is higher for an arm without code, a short circuit such as a
 * || b, whose lanes would meet the others soon. */
static uint32_t cost_of_separation(const Arm *arm) {
  return arm->last == SR_NONE ? 400 : 100;
}

/* Adds one more arm to those that lead to the exit found so far. Takes the cheapest of three
 * solutions: all arms meet at a place after both that exit and the new arm's target, and everything
 * before this place is copied; the new arm gets its own copy of everything that follows; each of
 * the other arms gets one. */
static void join(const SrControlTree *t, Meeting *at, const Arm *arm) {
  const Meeting alone = {arm->target, 1, cost_of_separation(arm)};
  if (at->exit == SR_NONE) {
    *at = alone;
    return;
  }
  if (t->rule != SR_COPY_LEAST) {
    *at = (Meeting){meet(t, at->exit, at->arms, arm->target, UINT64_MAX), at->arms + 1, 0};
    return;
  }
  uint64_t cost = t->region.at[arm->target].total + alone.separation;
  uint64_t others = at->arms * t->region.at[at->exit].total + at->separation;
  uint32_t after = meet(t, at->exit, at->arms, arm->target, cost < others ? cost : others);
  if (after != SR_NONE)
    *at = (Meeting){after, at->arms + 1, at->separation + alone.separation};
  else if (others < cost)
    *at = alone;
}

/* Is the exit on the arm's chain of exits? */
static bool leads_to(const SrControlTree *t, uint32_t target, uint32_t exit) {
  while (t->region.at[target].depth > t->region.at[exit].depth)
    target = t->region.at[target].exit;
  return target == exit;
}

static void finish(SrControlTree *t, uint32_t r, uint32_t exit) {
  SrRegion *n = &t->region.at[r];
  n->exit = exit;
  n->root = exit == SR_NONE ? r : t->region.at[exit].root;
  n->depth = exit == SR_NONE ? 0 : t->region.at[exit].depth + 1;
  n->total = n->size + (exit == SR_NONE ? 0 : t->region.at[exit].total);
}

static SrStatus join_arms(SrControlTree *t, uint32_t r, Arm *arms, uint32_t count) {
  uint32_t root = choose_root(t, arms, count), joining = 0;
  Meeting at = {.exit = SR_NONE};
  for (uint32_t k = 0; k < count; k++)
    if (arms[k].target != SR_NONE && t->region.at[arms[k].target].root == root)
      join(t, &at, &arms[k]);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t target = arms[k].target;
    if (target == SR_NONE)
      continue;
    bool joins = t->region.at[target].root == root && leads_to(t, target, at.exit);
    SR_CHECK(sr_forward_copy(t, r, k, joins ? at.exit : SR_NONE, &arms[k].target, &arms[k].last));
    joining += joins;
  }
  if (joining > 1) /* `refs` now counts the region instead of its arms */
    t->region.at[at.exit].refs -= joining - 1;
  finish(t, r, at.exit);
  return SR_OK;
}

SrStatus sr_region_reduce(SrControlTree *t, uint32_t r) {
  uint32_t n = t->region.at[r].arm_count;
  Arm two[2], *arms = two;
  SrArena scratch = sr_arena_new(t->arena->heap);
  if (n > 2)
    arms = SR_NEW_RAW(&scratch, Arm, n);
  begin_arms(t, r, arms, n);
  if (n > 2)
    find_falls(t, r, arms);
  SrStatus status = join_arms(t, r, arms, n);
  sr_arena_free(&scratch);
  return status;
}
