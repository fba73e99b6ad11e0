/* SPDX-License-Identifier: Apache-2.0 */
/* profile: see profile.h; and the C API's function that chooses an order from a profile: checks the
 * caller's profile, and lets analysis/graph/priority_profile.h choose. */
#include "passes/driver/profile.h"

#include "passes/analysis/graph/priority_profile.h"

#include <spvreconv/spvreconv.h>
#include <string.h>

static const uint64_t default_budget = 40000000;

/* The caller's profile as this version's struct; false if no version has its size, or if it sets a
 * field that this version lacks. */
static bool take(const spvreconv_profile *given, spvreconv_profile *all) {
  *all = (spvreconv_profile){.size = sizeof *all};
  if (given->size < sizeof given->size || given->size > 4096)
    return false;
  memcpy(all, given, given->size < sizeof *all ? given->size : sizeof *all);
  const char *bytes = (const char *)given;
  for (size_t i = sizeof *all; i < given->size; i++)
    if (bytes[i])
      return false;
  return true;
}

/* Are the ends ascending, and at most `last`? Each part, from one end to the next, has at least
 * `least` elements. */
static bool are_ends(const uint32_t *ends, uint32_t count, uint32_t least, uint32_t last) {
  for (uint32_t i = 0, before = 0; i < count; before = ends[i++])
    if (ends[i] < before || ends[i] - before < least || ends[i] > last)
      return false;
  return true;
}

static bool is_sound(const spvreconv_profile *p) {
  if (!are_ends(p->path_end, p->path_count, 1, UINT32_MAX) ||
      !are_ends(p->subgroup_end, p->subgroup_count, 0, p->path_count))
    return false;
  uint32_t count = p->path_count ? p->path_end[p->path_count - 1] : 0;
  for (uint32_t i = 0; i < count; i++)
    if (p->blocks[i] >= p->block_count)
      return false;
  return true;
}

static SrPaths *make_subgroups(SrArena *arena, const spvreconv_profile *p) {
  SrPath *paths = SR_NEW(arena, SrPath, p->path_count);
  SrPaths *subgroups = SR_NEW(arena, SrPaths, p->subgroup_count);
  for (uint32_t i = 0, at = 0; i < p->path_count; at = p->path_end[i++])
    paths[i] = (SrPath){p->blocks + at, p->path_end[i] - at};
  for (uint32_t i = 0, at = 0; i < p->subgroup_count; at = p->subgroup_end[i++])
    subgroups[i] = (SrPaths){paths + at, p->subgroup_end[i] - at};
  return subgroups;
}

bool sr_profile_take(const spvreconv_profile *given, spvreconv_profile *all) {
  return take(given, all) && is_sound(all);
}

static bool choose_guarded(SrHeap *heap, const spvreconv_profile *p, uint32_t *order) {
  if (setjmp(heap->out_of_memory))
    return false;
  SrArena arena = sr_arena_new(heap);
  const SrProfile profile = {.block_count = p->block_count,
                             .issues = p->issues,
                             .reaches_barrier = p->reaches_barrier,
                             .subgroups = make_subgroups(&arena, p),
                             .subgroup_count = p->subgroup_count};
  const uint32_t *chosen =
      sr_profile_order(&arena, &profile, p->budget ? p->budget : default_budget);
  memcpy(order, chosen, p->block_count * sizeof *order);
  return true;
}

spvreconv_status spvreconv_profile_order(const spvreconv_profile *profile, uint32_t *order) {
  spvreconv_profile p;
  if (!sr_profile_take(profile, &p))
    return SPVRECONV_BAD_OPTION;
  if (p.block_count == 0)
    return SPVRECONV_OK;
  SrHeap heap = {.resize = p.resize, .user = p.resize_user};
  sr_heap_init(&heap);
  bool done = choose_guarded(&heap, &p, order);
  sr_heap_free_all(&heap);
  return done ? SPVRECONV_OK : SPVRECONV_OUT_OF_MEMORY;
}
