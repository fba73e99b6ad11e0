/* SPDX-License-Identifier: Apache-2.0 */
/* loop_visit: see loop_visit.h. */
#include "passes/transform/iterations/loop_visit.h"

#include "passes/base/sort.h"
#include "passes/base/text.h"
#include "passes/base/vec.h"

const char *sr_loop_no_gain(SrArena *arena, const SrLoopIssues *issues) {
  SrText t = {.arena = arena};
  sr_text_add(&t, "on the profile's paths it would issue %llu instead of %llu",
              (unsigned long long)issues->after, (unsigned long long)issues->before);
  return sr_text_end(&t);
}

/* A lane's entry into a loop. */
typedef struct Entry {
  uint32_t loop, number;
  SrLoopLane lane;
} Entry;

typedef struct Walk {
  SrArena *arena;
  const SrLoopVisits *visits;
  uint32_t *entries; /* by loop: entries of the current lane */
  SR_VEC(Entry) entry;
  SR_VEC(SrLoopLane) lane;
} Walk;

static void find_entries(Walk *k, const SrPath *path) {
  memset(k->entries, 0, k->visits->count * sizeof *k->entries);
  for (uint32_t i = 0, before = SR_NONE; i < path->count; i++) {
    uint32_t loop = k->visits->loop_of[path->blocks[i]];
    if (loop != SR_NONE && loop != before)
      SR_PUSH(k->arena, &k->entry,
              (Entry){.loop = loop, .number = k->entries[loop]++, .lane = {path, i}});
    before = loop;
  }
}

static int by_visit(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->loop != y->loop)
    return x->loop < y->loop ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static void visit_all(Walk *k) {
  sr_sort(k->arena, k->entry.at, k->entry.count, sizeof *k->entry.at, by_visit);
  for (uint32_t i = 0, j; i < k->entry.count; i = j) {
    const Entry *e = &k->entry.at[i];
    k->lane.count = 0;
    for (j = i; j < k->entry.count && by_visit(e, &k->entry.at[j]) == 0; j++)
      SR_PUSH(k->arena, &k->lane, k->entry.at[j].lane);
    k->visits->visit(k->visits->user, e->loop, k->lane.at, k->lane.count);
  }
}

void sr_loop_visits(SrArena *arena, const SrLoopVisits *visits, const SrLoopPaths *paths) {
  Walk k = {.arena = arena, .visits = visits};
  k.entries = SR_NEW(arena, uint32_t, visits->count);
  for (uint32_t s = 0; s < paths->subgroup_count; s++) {
    k.entry.count = 0;
    for (uint32_t i = 0; i < paths->subgroups[s].count; i++)
      find_entries(&k, &paths->subgroups[s].at[i]);
    visit_all(&k);
  }
}
