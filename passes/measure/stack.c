/* SPDX-License-Identifier: Apache-2.0 */
/* stack: see stack.h. */
#include "passes/measure/stack.h"

#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"

/* Lanes that run from a block on together, until they reach block `until`. */
typedef struct Entry {
  uint32_t next, until;
  uint32_t
      lanes; /* where they begin in the stack of lanes; they end where the next entry's begin */
} Entry;

typedef struct Stack {
  SrArena *arena;
  const SrProfile *profile;
  const SrDom *post;
  const SrPaths *lanes; /* of the current subgroup */
  uint32_t *done;       /* by lane: how many blocks of its path it has run */
  uint32_t *group;      /* by block: the entry that was pushed for it last */
  SR_VEC(Entry) entry;
  SR_VEC(uint32_t) lane;
} Stack;

/* The block that the lane runs next; SR_NONE: it has ended. */
static uint32_t place(const Stack *s, uint32_t lane) {
  const SrPath *t = &s->lanes->at[lane];
  return s->done[lane] < t->count ? t->blocks[s->done[lane]] : SR_NONE;
}

/* Runs the block for the lanes of the topmost entry, whose lanes begin at `from`. Returns where all
 * of them go; SR_NONE: they separate, or all have ended. */
static uint32_t run_block(Stack *s, uint32_t block, uint32_t from, bool *separate) {
  uint32_t to = SR_NONE;
  *separate = false;
  for (uint32_t i = from; i < s->lane.count; i++) {
    uint32_t lane = s->lane.at[i];
    if (place(s, lane) != block)
      continue;
    s->done[lane]++;
    uint32_t next = place(s, lane);
    if (next == SR_NONE)
      continue;
    *separate = *separate || (to != SR_NONE && to != next);
    to = next;
  }
  return *separate ? SR_NONE : to;
}

/* Pushes an entry for each block to which the lanes from..to - 1 go, unless it is `until`. */
static void push_sides(Stack *s, uint32_t from, uint32_t to, uint32_t until) {
  for (uint32_t i = from; i < to; i++) {
    uint32_t next = place(s, s->lane.at[i]);
    if (next == SR_NONE || next == until || s->group[next] != SR_NONE)
      continue;
    s->group[next] = s->entry.count;
    SR_PUSH(s->arena, &s->entry, (Entry){next, until, s->lane.count});
    for (uint32_t k = i; k < to; k++)
      if (place(s, s->lane.at[k]) == next) {
        uint32_t lane = s->lane.at[k];
        SR_PUSH(s->arena, &s->lane, lane);
      }
  }
  for (uint32_t i = from; i < to; i++)
    if (place(s, s->lane.at[i]) != SR_NONE)
      s->group[place(s, s->lane.at[i])] = SR_NONE;
}

static bool any_at(const Stack *s, uint32_t from, uint32_t block) {
  for (uint32_t i = from; i < s->lane.count; i++)
    if (place(s, s->lane.at[i]) == block)
      return true;
  return false;
}

static uint64_t run_subgroup(Stack *s, const SrPaths *lanes) {
  uint64_t issues = 0;
  s->lanes = lanes;
  s->entry.count = s->lane.count = 0;
  for (uint32_t i = 0; i < lanes->count; i++) {
    s->done[i] = 0;
    SR_PUSH(s->arena, &s->lane, i);
  }
  if (lanes->count)
    SR_PUSH(s->arena, &s->entry, (Entry){lanes->at[0].blocks[0], SR_NONE, 0});
  while (s->entry.count) {
    Entry *top = &s->entry.at[s->entry.count - 1];
    uint32_t from = top->lanes, block = top->next, end = s->lane.count;
    if (block == SR_NONE || block == top->until || !any_at(s, from, block)) {
      s->lane.count = from;
      s->entry.count--;
      continue;
    }
    bool separate;
    issues += s->profile->issues[block];
    top->next = run_block(s, block, from, &separate);
    if (separate) {
      uint32_t join = s->post->idom[block];
      top->next = join;
      push_sides(s, from, end, join);
    }
  }
  return issues;
}

uint64_t sr_stack_issues(SrArena *arena, const SrProfile *profile, const SrGraph *g) {
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < profile->subgroup_count; i++)
    if (profile->subgroups[i].count > lanes)
      lanes = profile->subgroups[i].count;
  Stack s = {.arena = arena,
             .profile = profile,
             .post = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, g), g->count),
             .done = SR_NEW(arena, uint32_t, lanes),
             .group = sr_new_none(arena, g->count)};
  uint64_t issues = 0;
  for (uint32_t i = 0; i < profile->subgroup_count; i++)
    issues += run_subgroup(&s, &profile->subgroups[i]);
  return issues;
}
