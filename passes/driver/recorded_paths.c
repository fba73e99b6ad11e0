/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_paths: see recorded_paths.h. SPIR-V has no recursion, so the functions that a lane is in
 * are distinguished by their ids; a block's later parts (`part` > 0) follow the return of a
 * call. */
#include "passes/driver/recorded_paths.h"

#include "passes/base/map.h"
#include "passes/base/sort.h"
#include "passes/driver/profile.h"

/* Where a block of the profile, or a part of one, is in the module. */
typedef struct Place {
  uint32_t function, block; /* indices; block SR_NONE: the place is not the start of a block */
} Place;

/* One call: a lane's path through a function. */
typedef struct Call {
  uint32_t function, subgroup, number; /* number: counts the lane's calls of this function, from
                                          0 */
  SrPath path;
} Call;

typedef struct Frame { /* a call that has not returned */
  uint32_t function;
  SR_VEC(uint32_t) blocks;
} Frame;

/* Where the search for a part of a block is. */
typedef struct Search {
  uint32_t label, block; /* label of the block, and of the block where the search is now */
  uint32_t part, calls; /* the part that begins there, and how many calls follow it in this block */
} Search;

typedef struct Cut {
  SrArena *arena;
  const SrModule *m;
  const spvreconv_profile *profile;
  Place *place;   /* by block of the profile */
  SrMap function; /* by label: index of its function */
  SrMap recorded; /* by label: id of the function that the profile names */
  Search search;
  uint32_t *number; /* by function: calls of the current lane so far */
  SR_VEC(Frame) frame;
  SR_VEC(Call) call;
} Cut;

/* ---- places ---- */

static void note_labels(Cut *c) {
  const spvreconv_profile *p = c->profile;
  const SrModule *m = c->m;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      sr_map_set(&c->function, m->functions[i].blocks[b].id, i);
  for (uint32_t i = 0; i < p->block_count; i++)
    if (p->functions[i] != SR_NONE)
      sr_map_set(&c->recorded, p->labels[i], p->functions[i]);
}

static const SrBlock *block_at(const Cut *c, uint32_t label) {
  return &c->m->functions[sr_map_get(&c->function, label)].blocks[sr_block_of(c->m, label)];
}

static uint32_t count_calls(const Cut *c, uint32_t label) {
  uint32_t calls = 0;
  for (SR_EACH(c->m, r, block_at(c, label)->list))
    calls += sr_inst(c->m, r)->op == SpvOpFunctionCall;
  return calls;
}

/* If the block ends where a call was whose function `inline` has moved here: the label of the code
 * after the call, which is that function's id. Otherwise SR_NONE. */
static uint32_t after_moved(const Cut *c, uint32_t label, uint32_t function) {
  SrRef end = sr_terminator(block_at(c, label));
  if (sr_inst(c->m, end)->op != SpvOpBranch)
    return SR_NONE;
  uint32_t callee = sr_map_get(&c->recorded, sr_words(c->m, end)[1]);
  return callee != function && sr_map_get(&c->function, callee) != SR_NONE ? callee
                                                                           : (uint32_t)SR_NONE;
}

/* Continues to the part of the block, from where the last search ended if that was in the same
 * block: the profile lists the parts of a block in order. False if there is no such part. */
static bool find_part(Cut *c, uint32_t function, uint32_t label, uint32_t part) {
  Search *s = &c->search;
  if (s->label != label || part < s->part)
    *s = (Search){.label = label, .block = label, .calls = count_calls(c, label)};
  while (part > s->part + s->calls) {
    uint32_t next = after_moved(c, s->block, function);
    if (next == SR_NONE)
      return false;
    *s = (Search){label, next, s->part + s->calls + 1, count_calls(c, next)};
  }
  return true;
}

/* Finds a part of a block: the first begins it, each further one follows a call. */
static bool find_place(Cut *c, uint32_t i) {
  uint32_t function = c->profile->functions[i], label = c->profile->labels[i];
  uint32_t part = c->profile->parts[i], at = sr_map_get(&c->function, label);
  bool moved = sr_def_op(c->m, function) == SpvOpLabel;
  if (at == SR_NONE || (!moved && c->m->functions[at].id != function) ||
      !find_part(c, function, label, part))
    return false;
  bool begins = part == c->search.part;
  c->place[i] = (Place){at, begins ? sr_block_of(c->m, c->search.block) : (uint32_t)SR_NONE};
  return true;
}

/* Finds the blocks of the profile in the module; false if one is missing. */
static bool find_places(Cut *c) {
  note_labels(c);
  c->place = SR_NEW(c->arena, Place, c->profile->block_count);
  for (uint32_t i = 0; i < c->profile->block_count; i++)
    if (!find_place(c, i))
      return false;
  return true;
}

/* ---- calls ---- */

static void leave(Cut *c, uint32_t subgroup) {
  const Frame *top = &SR_POP(&c->frame);
  SR_PUSH(c->arena, &c->call,
          (Call){.function = top->function,
                 .subgroup = subgroup,
                 .number = c->number[top->function]++,
                 .path = {top->blocks.at, top->blocks.count}});
}

static uint32_t current(const Cut *c) {
  return c->frame.count ? c->frame.at[c->frame.count - 1].function : SR_NONE;
}

static void step(Cut *c, uint32_t subgroup, uint32_t i) {
  Place at = c->place[i];
  while (c->profile->parts[i] > 0 && c->frame.count && current(c) != at.function)
    leave(c, subgroup);
  if (at.block == SR_NONE)
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
  SrPath *paths = SR_NEW(c->arena, SrPath, c->call.count);
  SrPaths *groups = SR_NEW(c->arena, SrPaths, c->call.count);
  sr_sort(c->arena, c->call.at, c->call.count, sizeof *c->call.at, by_place);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->call.count; i++) {
    const Call *call = &c->call.at[i];
    SrRecorded *to = &by[call->function];
    paths[i] = call->path;
    if (i == 0 || by_place(&c->call.at[i - 1], call) != 0) {
      groups[count] = (SrPaths){&paths[i], 0};
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
             .function = {.arena = arena},
             .recorded = {.arena = arena},
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
