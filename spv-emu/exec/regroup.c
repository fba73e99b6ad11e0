/* SPDX-License-Identifier: Apache-2.0 */
/* regroup: see regroup.h. */
#include "exec/regroup.h"

#include "exec/exec_step.h"
#include "policy/packs.h"

#include <stdio.h>

typedef struct Member { /* the policy's state of a subgroup */
  EmuRegroup *of;
  uint32_t first; /* its first lane's number in the workgroup */
  bool ready;     /* `on` is to run the block */
  EmuMask on;
} Member;

struct EmuRegroup {
  const EmuPolicy *policy;
  void *state; /* of the policy */
  EmuExec *execs;
  const EmuProgram *program;
  EmuShared *shared;
  uint32_t subgroups, lanes; /* subgroups of a workgroup; lanes of a subgroup */
  uint32_t words, own_words; /* of masks of the workgroup; of a subgroup */
  uint32_t block;            /* that runs */
  EmuMask on;                /* the lanes that run it */
  EmuMask live;
  EmuPacks packs;
  uint16_t *to; /* by pack: 1 + the index of the target that its lanes go to */
  EmuWent went;
  SR_VEC(EmuTarget) targets;
};

/* The set of places is that of the workgroup. The first subgroup owns it, except while another
 * runs. */
static EmuSeen *seen_of(const EmuRegroup *r) {
  return &r->execs->lanes.seen;
}

/* ---- sets of lanes of the workgroup and of a subgroup ---------------------------------------- */

static void add_own(EmuMask *to, const EmuMask *own, uint32_t first, uint32_t own_words) {
  for (uint32_t i = 0; i < own_words; i++) {
    uint32_t at = first + i * 64, w = at / 64, shift = at % 64;
    to->w[w] |= own->w[i] << shift;
    if (shift && w + 1 < EMU_MASK_WORDS)
      to->w[w + 1] |= own->w[i] >> (64 - shift);
  }
}

static void take_own(EmuMask *own, const EmuMask *from, uint32_t first, uint32_t lanes,
                     uint32_t own_words) {
  EmuMask all;
  emu_mask_first(&all, lanes, own_words);
  for (uint32_t i = 0; i < own_words; i++) {
    uint32_t at = first + i * 64, w = at / 64, shift = at % 64;
    own->w[i] = w < EMU_MASK_WORDS ? from->w[w] >> shift : 0;
    if (shift && w + 1 < EMU_MASK_WORDS)
      own->w[i] |= from->w[w + 1] << (64 - shift);
    own->w[i] &= all.w[i];
  }
}

/* ---- the policy of the subgroups ------------------------------------------------------------- */

static void *member_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                           uint32_t lanes, EmuPolicyCounts *counts) {
  (void)table, (void)plan, (void)lanes, (void)counts;
  return SR_NEW(arena, Member, 1); /* emu_regroup_new fills it in */
}

static void member_start(void *policy, const EmuMask *on) {
  (void)on;
  ((Member *)policy)->ready = false;
}

static bool member_next(void *policy, uint32_t *block, EmuMask *on) {
  Member *m = policy;
  if (!m->ready)
    return false;
  m->ready = false;
  *block = m->of->block;
  emu_mask_copy(on, &m->on, m->of->own_words);
  return true;
}

/* The place of a target among those of the block, in the order that EmuWent has. */
static uint32_t rank_of(const EmuRegroup *r, uint32_t target) {
  const EmuBlock *b = &r->program->blocks.at[r->block];
  uint32_t i = 0;
  if (r->went.kind != EMU_WENT_BRANCH)
    return target;
  while (i < b->edges && r->program->edges.at[b->edge + i].to != target)
    i++;
  return i;
}

/* The target for that block, made if needed. */
static EmuTarget *target_for(EmuRegroup *r, uint32_t block) {
  uint32_t i = 0, rank = rank_of(r, block);
  while (i < r->targets.count && r->targets.at[i].block != block)
    i++;
  if (i < r->targets.count)
    return &r->targets.at[i];
  for (r->targets.count++; i > 0 && rank_of(r, r->targets.at[i - 1].block) > rank; i--)
    r->targets.at[i] = r->targets.at[i - 1];
  r->targets.at[i].block = block;
  emu_mask_clear(&r->targets.at[i].lanes, r->words);
  return &r->targets.at[i];
}

static void member_went(void *policy, const EmuWent *w) {
  Member *m = policy;
  EmuRegroup *r = m->of;
  r->went.kind = w->kind;
  for (uint32_t i = 0; i < w->count; i++)
    add_own(&target_for(r, w->targets[i].block)->lanes, &w->targets[i].lanes, m->first,
            r->own_words);
  add_own(&r->went.gone, &w->gone, m->first, r->own_words);
}

typedef struct Teller {
  const Member *member;
  void (*tell)(void *user, uint32_t block, const EmuMask *lanes);
  void *user;
} Teller;

static void tell_own(void *user, uint32_t block, const EmuMask *lanes) {
  const Teller *t = user;
  const EmuRegroup *r = t->member->of;
  EmuMask own;
  take_own(&own, lanes, t->member->first, r->lanes, r->own_words);
  if (emu_mask_any(&own, r->own_words))
    t->tell(t->user, block, &own);
}

static void member_waiting(const void *policy,
                           void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                           void *user) {
  Teller t = {policy, tell, user};
  t.member->of->policy->waiting(t.member->of->state, tell_own, &t);
}

const EmuPolicy emu_policy_member = {
    .name = "member",
    .create = member_create,
    .start = member_start,
    .next = member_next,
    .went = member_went,
    .waiting = member_waiting,
};

/* ---- counting by pack ------------------------------------------------------------------------ */

/* How many packs' lanes go to several targets. */
static uint32_t count_divergent(EmuRegroup *r) {
  uint32_t count = 0;
  if (r->targets.count < 2 || r->went.kind != EMU_WENT_BRANCH)
    return 0;
  memset(r->to, 0, r->packs.count * sizeof *r->to);
  for (uint32_t i = 0; i < r->targets.count; i++)
    for (EMU_EACH_LANE(lane, &r->targets.at[i].lanes, r->words)) {
      uint16_t *to = &r->to[r->packs.pack[lane]];
      count += *to && *to != i + 1 && *to != UINT16_MAX;
      *to = *to && *to != i + 1 ? UINT16_MAX : (uint16_t)(i + 1);
    }
  return count;
}

/* Reports the packs as what the subgroups issue. */
static void tell_schedule(EmuRegroup *r, uint32_t issues) {
  for (uint32_t pack = 0; pack < r->packs.count; pack++) {
    EmuExec *e = &r->execs[pack];
    EmuMask columns = {{0}};
    if (!e->schedule.to)
      continue;
    for (EMU_EACH_LANE(lane, &r->on, r->words))
      if (r->packs.pack[lane] == pack)
        emu_mask_set(&columns, lane % r->lanes);
    emu_schedule_block(&e->schedule, &e->counts, r->block, issues, &columns);
  }
}

/* ---- a block --------------------------------------------------------------------------------- */

/* Runs the block for the subgroup, up to its end or its next barrier. `first`: the stamp before its
 * memory instructions. */
static EmuExecEnd run_own(EmuRegroup *r, uint32_t subgroup, uint64_t first) {
  EmuExec *e = &r->execs[subgroup];
  EmuSeen seen = *seen_of(r);
  *seen_of(r) = (EmuSeen){0};
  seen.first = first;
  seen.pack = r->packs.pack + (size_t)subgroup * r->lanes;
  e->lanes.seen = seen;
  EmuExecEnd end = emu_exec_run(e);
  seen = e->lanes.seen;
  e->lanes.seen = (EmuSeen){0};
  *seen_of(r) = seen;
  return end;
}

static EmuExecEnd say_deadlock(EmuRegroup *r) {
  const EmuBlock *b = &r->program->blocks.at[r->block];
  snprintf(r->shared->deadlock, sizeof r->shared->deadlock,
           "function %s, block %%%u: %u lanes at the barrier while %u others of the workgroup wait "
           "at other blocks",
           r->program->functions.at[b->function].name, b->id, emu_mask_count(&r->on, r->words),
           emu_mask_count(&r->live, r->words) - emu_mask_count(&r->on, r->words));
  return EMU_EXEC_DEADLOCK;
}

static bool choose_lanes(EmuRegroup *r, uint32_t subgroup) {
  Member *m = r->execs[subgroup].policy;
  take_own(&m->on, &r->on, m->first, r->lanes, r->own_words);
  return m->ready = emu_mask_any(&m->on, r->own_words);
}

/* Runs the block from barrier to barrier, each part by all chosen subgroups. */
static EmuExecEnd run_parts(EmuRegroup *r, bool whole, bool backwards, uint32_t *failed) {
  bool stopped = true;
  uint64_t first = seen_of(r)->oldest - r->packs.count;
  for (bool begins = true; stopped; begins = false) {
    stopped = false;
    for (uint32_t i = 0; i < r->subgroups; i++) {
      uint32_t subgroup = backwards ? r->subgroups - 1 - i : i;
      const Member *m = r->execs[subgroup].policy;
      if (begins ? !choose_lanes(r, subgroup) : !emu_mask_any(&m->on, r->own_words))
        continue;
      EmuExecEnd end = run_own(r, subgroup, first);
      *failed = subgroup;
      if (end != EMU_EXEC_DONE && end != EMU_EXEC_BARRIER)
        return end;
      if (end == EMU_EXEC_BARRIER && !whole)
        return say_deadlock(r);
      stopped |= end == EMU_EXEC_BARRIER;
    }
    first = seen_of(r)->first;
  }
  return EMU_EXEC_DONE;
}

/* Forgets the places of the last block: stamps only grow. */
static void begin_seen(EmuRegroup *r) {
  EmuSeen *seen = seen_of(r);
  seen->oldest = seen->first + r->packs.count + EMU_MAX_LANES;
  seen->packs = r->packs.count;
  seen->used = 0;
}

static EmuExecEnd run_block(EmuRegroup *r, bool backwards, uint32_t *failed) {
  EmuShared *shared = r->shared;
  EmuBlockCount *count = &shared->blocks[r->block];
  EmuBlockCount before = *count;
  uint64_t issued = shared->issued, divergent = shared->divergent_branches;
  uint32_t issues = r->program->blocks.at[r->block].issues;
  bool whole = emu_mask_equal(&r->on, &r->live, r->words);
  emu_packs_make(&r->packs, &r->on, r->words, r->policy->packed(r->state));
  begin_seen(r);
  r->targets.count = 0;
  emu_mask_clear(&r->went.gone, r->words);
  EmuExecEnd end = run_parts(r, whole, backwards, failed);
  count->executions = before.executions + r->packs.count;
  count->apart = before.apart + (whole ? 0 : r->packs.count);
  shared->issued = issued + (uint64_t)issues * r->packs.count;
  if (end != EMU_EXEC_DONE)
    return end;
  shared->divergent_branches = divergent + count_divergent(r);
  tell_schedule(r, issues);
  emu_mask_drop(&r->live, &r->went.gone, r->words);
  r->went.count = r->targets.count;
  r->went.targets = r->targets.at;
  r->policy->went(r->state, &r->went);
  return EMU_EXEC_DONE;
}

/* ---- a workgroup ----------------------------------------------------------------------------- */

EmuRegroup *emu_regroup_new(SrArena *arena, EmuExec *execs, uint32_t subgroups,
                            const EmuPolicy *policy, const EmuBlockTable *table) {
  EmuRegroup *r = SR_NEW(arena, EmuRegroup, 1);
  uint32_t lanes = execs->lanes.size, all = subgroups * lanes;
  *r = (EmuRegroup){.policy = policy,
                    .execs = execs,
                    .program = execs->lanes.program,
                    .shared = execs->shared,
                    .subgroups = subgroups,
                    .lanes = lanes,
                    .words = (all + 63) / 64,
                    .own_words = execs->lanes.words};
  r->state =
      policy->create(arena, table, emu_policy_plan(policy, arena, table), all, &execs->counts);
  r->packs = (EmuPacks){
      .lanes = lanes, .pack = SR_NEW(arena, uint16_t, all), .fill = SR_NEW(arena, uint16_t, lanes)};
  r->to = SR_NEW(arena, uint16_t, all);
  SR_RESERVE(arena, &r->targets, all);
  for (uint32_t i = 0; i < subgroups; i++)
    *(Member *)execs[i].policy = (Member){.of = r, .first = i * lanes};
  return r;
}

EmuExecEnd emu_regroup_run(EmuRegroup *r, bool backwards, uint32_t *failed) {
  EmuExecEnd end = EMU_EXEC_DONE;
  emu_mask_clear(&r->live, r->words);
  for (uint32_t i = 0; i < r->subgroups; i++) {
    r->execs[i].watched = false; /* the packs are reported */
    add_own(&r->live, &r->execs[i].lanes.exist, i * r->lanes, r->own_words);
  }
  r->policy->start(r->state, &r->live);
  while (end == EMU_EXEC_DONE && r->policy->next(r->state, &r->block, &r->on))
    end = run_block(r, backwards, failed);
  return end;
}
