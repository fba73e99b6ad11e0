/* SPDX-License-Identifier: Apache-2.0 */
/* recorded: see recorded.h. SPIR-V has no recursion, so the functions that a lane is in are told
 * apart by their ids; a block's later parts (`part` > 0) follow the return of a call. */
#include "driver/recorded.h"

#include "base/map.h"
#include "base/sort.h"
#include "driver/profile.h"

typedef struct Place {
  uint32_t function, block; /* indices */
} Place;

/* One call: a lane's path through a function. */
typedef struct Call {
  uint32_t function, subgroup, number; /* the lane's how many-th of this function, from 0 */
  SrTrail trail;
} Call;

typedef struct Frame { /* a call that has not returned */
  uint32_t function;
  SR_VEC(uint32_t) blocks;
} Frame;

typedef struct Cut {
  SrArena *arena;
  const SrModule *m;
  const spvreconv_profile *profile;
  Place *place;     /* by block of the profile */
  uint32_t *number; /* by function: calls of the current lane so far */
  SR_VEC(Frame) frame;
  SR_VEC(Call) call;
} Cut;

/* ---- places ---- */

/* Finds the blocks of the profile in the module; false if one is missing. */
static bool find_places(Cut *c) {
  const spvreconv_profile *p = c->profile;
  const SrModule *m = c->m;
  SrMap by_id = {.arena = c->arena};
  for (uint32_t i = 0; i < m->function_count; i++)
    sr_map_set(&by_id, m->functions[i].id, i);
  c->place = SR_NEW(c->arena, Place, p->block_count);
  for (uint32_t i = 0; i < p->block_count; i++) {
    uint32_t f = sr_map_get(&by_id, p->functions[i]), label = p->labels[i];
    if (f == SR_NONE || sr_def_op(m, label) != SpvOpLabel)
      return false;
    uint32_t b = sr_block_of(m, label);
    if (b >= m->functions[f].block_count || m->functions[f].blocks[b].id != label)
      return false;
    c->place[i] = (Place){f, b};
  }
  return true;
}

/* ---- calls ---- */

static void leave(Cut *c, uint32_t subgroup) {
  const Frame *top = &SR_POP(&c->frame);
  SR_PUSH(c->arena, &c->call,
          (Call){.function = top->function,
                 .subgroup = subgroup,
                 .number = c->number[top->function]++,
                 .trail = {top->blocks.at, top->blocks.count}});
}

static uint32_t current(const Cut *c) {
  return c->frame.count ? c->frame.at[c->frame.count - 1].function : SR_NONE;
}

static void step(Cut *c, uint32_t subgroup, uint32_t i) {
  Place at = c->place[i];
  bool returned = c->profile->parts[i] > 0;
  while (returned && c->frame.count && current(c) != at.function)
    leave(c, subgroup);
  if (returned)
    return;
  if (current(c) != at.function)
    SR_PUSH(c->arena, &c->frame, (Frame){.function = at.function});
  SR_PUSH(c->arena, &c->frame.at[c->frame.count - 1].blocks, at.block);
}

static void cut_paths(Cut *c) {
  const spvreconv_profile *p = c->profile;
  uint32_t path = 0, at = 0;
  for (uint32_t s = 0; s < p->subgroup_count; s++)
    for (; path < p->subgroup_end[s]; path++) {
      memset(c->number, 0, c->m->function_count * sizeof *c->number);
      for (; at < p->path_end[path]; at++)
        step(c, s, p->blocks[at]);
      while (c->frame.count)
        leave(c, s);
    }
}

/* ---- by function ---- */

static int by_place(const void *a, const void *b) {
  const Call *x = a, *y = b;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  if (x->subgroup != y->subgroup)
    return x->subgroup < y->subgroup ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static SrRecorded *group(Cut *c) {
  SrRecorded *by = SR_NEW(c->arena, SrRecorded, c->m->function_count);
  SrTrail *trails = SR_NEW(c->arena, SrTrail, c->call.count);
  SrTrails *groups = SR_NEW(c->arena, SrTrails, c->call.count);
  sr_sort(c->arena, c->call.at, c->call.count, sizeof *c->call.at, by_place);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->call.count; i++) {
    const Call *call = &c->call.at[i];
    SrRecorded *to = &by[call->function];
    trails[i] = call->trail;
    if (i == 0 || by_place(&c->call.at[i - 1], call) != 0) {
      groups[count] = (SrTrails){&trails[i], 0};
      if (to->subgroup_count++ == 0)
        to->subgroups = &groups[count];
      count++;
    }
    groups[count - 1].count++;
  }
  return by;
}

SrStatus sr_recorded_find(SrArena *arena, const SrModule *m,
                          const spvreconv_profile *const *profiles, uint32_t count,
                          const SrRecorded **out) {
  for (uint32_t i = 0; i < count; i++) {
    spvreconv_profile p;
    if (!profiles[i] || !sr_profile_take(profiles[i], &p) ||
        (p.block_count && !(p.functions && p.labels && p.parts)))
      return sr_fail(m->diag, SR_BAD_OPTION, SR_NOWHERE,
                     "transform best: the profile lacks the places of its blocks, or has a number "
                     "that is out of range");
    Cut c = {.arena = arena,
             .m = m,
             .profile = &p,
             .number = SR_NEW(arena, uint32_t, m->function_count)};
    if (!find_places(&c))
      continue;
    cut_paths(&c);
    *out = group(&c);
    return SR_OK;
  }
  return sr_fail(m->diag, SR_BAD_INPUT, SR_NOWHERE,
                 "the profile holds no program with these blocks; spv-emu --profile records one of "
                 "this module");
}
