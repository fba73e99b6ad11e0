/* SPDX-License-Identifier: Apache-2.0 */
/* regroup: see regroup.h. */
#include "spv-emu/exec/regroup.h"

#include "spv-emu/exec/dispatch_heat.h"

#include "spv-emu/exec/exec_step.h"
#include "spv-emu/policy/packs.h"

#include <stdio.h>

typedef struct Member { /* the policy's state of a subgroup */
  EmuRegroup *of;
  uint32_t word, shift; /* where its lanes begin in a mask of the workgroup */
  EmuMask on;           /* that run the block */
} Member;

struct EmuRegroup {
  const EmuPolicy *policy;
  void *state; /* of the policy */
  EmuExec *execs;
  Member *members;
  uint32_t *subgroup_of;          /* by lane of the workgroup */
  uint32_t *chosen, chosen_count; /* the subgroups that run the block */
  const EmuProgram *program;
  EmuShared *shared;
  uint32_t subgroups, lanes; /* subgroups of a workgroup; lanes of a subgroup */
  uint32_t words, own_words; /* of masks of the workgroup; of a subgroup */
  uint32_t block;            /* that runs */
  EmuMask on;                /* the lanes that run it */
  EmuMask live;
  EmuMask own;  /* all lanes of a subgroup */
  bool aligned; /* the lanes of each subgroup are in one word of a mask of the workgroup */
  bool traced;  /* what is issued is reported */
  EmuPacks packs;
  EmuSeen *seen; /* of the workgroup */
  uint16_t *to;  /* by pack: 1 + the index of the target that its lanes go to */
  EmuWent went;
  SR_VEC(EmuTarget) targets;
};

/* ---- sets of lanes of the workgroup and of a subgroup ---------------------------------------- */

EMU_ASIDE void add_own_words(const Member *m, EmuMask *to, const EmuMask *own) {
  uint32_t shift = m->shift;
  for (uint32_t i = 0, w = m->word; i < m->of->own_words; i++, w++) {
    to->w[w] |= own->w[i] << shift;
    if (shift && w + 1 < EMU_MASK_WORDS)
      to->w[w + 1] |= own->w[i] >> (64 - shift);
  }
}

static inline void add_own(const Member *m, EmuMask *to, const EmuMask *own) {
  if (m->of->aligned)
    to->w[m->word] |= own->w[0] << m->shift;
  else
    add_own_words(m, to, own);
}

EMU_ASIDE void take_own_words(const Member *m, EmuMask *own, const EmuMask *from) {
  uint32_t shift = m->shift;
  for (uint32_t i = 0, w = m->word; i < m->of->own_words; i++, w++) {
    own->w[i] = w < EMU_MASK_WORDS ? from->w[w] >> shift : 0;
    if (shift && w + 1 < EMU_MASK_WORDS)
      own->w[i] |= from->w[w + 1] << (64 - shift);
    own->w[i] &= m->of->own.w[i];
  }
}

static inline void take_own(const Member *m, EmuMask *own, const EmuMask *from) {
  if (m->of->aligned)
    own->w[0] = from->w[m->word] >> m->shift & m->of->own.w[0];
  else
    take_own_words(m, own, from);
}

/* ---- the policy of the subgroups ------------------------------------------------------------- */

static void *member_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                           uint32_t lanes, EmuPolicyCounts *counts) {
  (void)arena, (void)table, (void)plan, (void)lanes, (void)counts;
  return NULL; /* emu_regroup_new makes it */
}

static void member_start(void *policy, const EmuMask *on) {
  (void)policy, (void)on;
}

static bool member_next(void *policy, uint32_t *block, EmuMask *on) {
  const Member *m = policy;
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
  uint32_t i = 0;
  while (i < r->targets.count && r->targets.at[i].block != block)
    i++;
  if (i < r->targets.count)
    return &r->targets.at[i];
  r->targets.count++;
  for (uint32_t rank = i ? rank_of(r, block) : 0;
       i > 0 && rank_of(r, r->targets.at[i - 1].block) > rank; i--)
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
    add_own(m, &target_for(r, w->targets[i].block)->lanes, &w->targets[i].lanes);
  add_own(m, &r->went.gone, &w->gone);
}

/* The same for lanes that all go to one block: the subgroup runs no other block then. */
static bool member_stays(void *policy, uint32_t to, bool *joined) {
  Member *m = policy;
  EmuRegroup *r = m->of;
  r->went.kind = EMU_WENT_BRANCH;
  add_own(m, &target_for(r, to)->lanes, &m->on);
  return *joined = true;
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
  take_own(t->member, &own, lanes);
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
    .stays = member_stays,
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

/* A pack's issues count for the lanes in it, each in its own subgroup. */
static void tell_heat(EmuRegroup *r, uint32_t issues) {
  uint64_t lanes = 0;
  if (!r->execs[0].heat)
    return;
  for (EMU_EACH_LANE(lane, &r->on, r->words)) {
    r->execs[lane / r->lanes].heat->used[lane % r->lanes] += issues;
    lanes++;
  }
  r->execs[0].heat->unused += ((uint64_t)r->packs.count * r->lanes - lanes) * issues;
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
  r->seen->first = first;
  r->seen->pack = r->packs.pack + (size_t)subgroup * r->lanes;
  return emu_exec_run_block(e);
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

/* Finds the subgroups that have lanes which run the block. */
static void choose(EmuRegroup *r) {
  r->chosen_count = 0;
  for (uint32_t lane = 0; (lane = emu_mask_next(&r->on, lane, r->words)) < EMU_MAX_LANES;) {
    uint32_t subgroup = r->subgroup_of[lane];
    Member *m = &r->members[subgroup];
    take_own(m, &m->on, &r->on);
    r->chosen[r->chosen_count++] = subgroup;
    lane = (subgroup + 1) * r->lanes;
  }
}

/* Runs the block from barrier to barrier, each part by all chosen subgroups. */
static EmuExecEnd run_parts(EmuRegroup *r, bool whole, bool backwards, uint32_t *failed) {
  bool stopped = true;
  uint64_t first = r->seen->oldest - r->packs.count;
  choose(r);
  while (stopped) {
    stopped = false;
    for (uint32_t i = 0; i < r->chosen_count; i++) {
      uint32_t subgroup = r->chosen[backwards ? r->chosen_count - 1 - i : i];
      EmuExecEnd end = run_own(r, subgroup, first);
      *failed = subgroup;
      if (end != EMU_EXEC_DONE && end != EMU_EXEC_BARRIER)
        return end;
      if (end == EMU_EXEC_BARRIER && !whole)
        return say_deadlock(r);
      stopped |= end == EMU_EXEC_BARRIER;
    }
    first = r->seen->first;
  }
  return EMU_EXEC_DONE;
}

/* Forgets the places of the last block: stamps only grow. */
static void begin_seen(EmuRegroup *r) {
  EmuSeen *seen = r->seen;
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
  uint32_t diverged = count_divergent(r);
  shared->divergent_branches = divergent + diverged;
  count->diverged = before.diverged + diverged;
  if (r->traced)
    tell_schedule(r, issues);
  tell_heat(r, issues);
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
                    .seen = execs->lanes.seen,
                    .subgroups = subgroups,
                    .lanes = lanes,
                    .words = (all + 63) / 64,
                    .own_words = execs->lanes.words};
  r->state =
      policy->create(arena, table, emu_policy_plan(policy, arena, table), all, &execs->counts);
  r->aligned = r->own_words == 1 && 64 % lanes == 0;
  emu_mask_first(&r->own, lanes, r->own_words);
  r->packs = emu_packs_new(arena, subgroups, lanes);
  r->to = SR_NEW(arena, uint16_t, all);
  SR_RESERVE(arena, &r->targets, all);
  r->members = SR_NEW(arena, Member, subgroups);
  for (uint32_t i = 0; i < subgroups; i++) {
    r->members[i] = (Member){.of = r, .word = i * lanes / 64, .shift = i * lanes % 64};
    execs[i].policy = &r->members[i];
    execs[i].lanes.seen = r->seen;
  }
  r->chosen = SR_NEW(arena, uint32_t, subgroups);
  r->subgroup_of = SR_NEW(arena, uint32_t, all);
  for (uint32_t lane = 0; lane < all; lane++)
    r->subgroup_of[lane] = lane / lanes;
  return r;
}

EmuExecEnd emu_regroup_run(EmuRegroup *r, bool backwards, uint32_t *failed) {
  EmuExecEnd end = EMU_EXEC_DONE;
  emu_mask_clear(&r->live, r->words);
  r->traced = false;
  for (uint32_t i = 0; i < r->subgroups; i++) {
    r->execs[i].watched = false; /* the packs are reported */
    r->traced |= r->execs[i].schedule.to != NULL;
    add_own(&r->members[i], &r->live, &r->execs[i].lanes.exist);
  }
  r->policy->start(r->state, &r->live);
  while (end == EMU_EXEC_DONE && r->policy->next(r->state, &r->block, &r->on))
    end = run_block(r, backwards, failed);
  return end;
}
