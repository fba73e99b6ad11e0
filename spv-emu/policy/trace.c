/* SPDX-License-Identifier: Apache-2.0 */
/* trace: see trace.h.
 *
 * The executor reports a block when the block is done. All its issues except the terminator are
 * traced first, with the stack's depth at that time. The policy's steps follow in order. Some steps
 * are issues themselves: an SSY comes before the terminator, a carrier after it. A policy without
 * steps has executed the terminator when it returns. */
#include "spv-emu/policy/trace.h"

typedef struct Traced {
  EmuStackLog log; /* must be the first member; receives the steps */
  const EmuBlockTable *table;
  const EmuPolicy *policy;
  void *state;
  const EmuPolicyCounts *counts;
  spv_emu_trace *to;
  uint64_t subgroup, issue, step;
  uint64_t base;  /* pushes minus pops when the stack had its first entries */
  uint32_t first; /* number of first entries */
  uint32_t block; /* the current block */
  bool ends;      /* its terminator has not been traced yet */
} Traced;

static void on_count(EmuStackLog *log, uint32_t entries) {
  (void)log;
  (void)entries;
}

static void tell_issues(Traced *p, uint32_t count) {
  uint32_t depth = p->first + (uint32_t)(p->counts->pushes - p->counts->pops - p->base);
  if (p->to->issued && p->policy->stacked && count)
    p->to->issued(p->to->user, p->subgroup, p->issue, count, p->table->id[p->block], depth);
  p->issue += count;
}

static void tell_end(Traced *p) {
  if (p->ends)
    tell_issues(p, 1);
  p->ends = false;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static uint32_t id_of(const Traced *p, uint32_t block) {
  return block == SR_NONE ? 0 : p->table->id[block];
}

static void tell_step(const Traced *p, const EmuStackStep *step) {
  if (p->to->step)
    p->to->step(p->to->user, p->subgroup, step->name);
  for (uint32_t i = 0; p->to->entry && i < step->popped + step->pushed; i++) {
    const EmuStackEntry *e = &step->entries[i];
    p->to->entry(p->to->user, i >= step->popped, e->lanes->w, id_of(p, e->next),
                 id_of(p, e->rejoin));
  }
}

static void on_step(EmuStackLog *log, const EmuStackStep *step) {
  Traced *p = (Traced *)log;
  bool before = step->added && step->pushed; /* SSY or similar */
  if (step->ends || (step->added && (!before || !p->ends)))
    tell_end(p);
  if (step->added)
    tell_issues(p, 1);
  if (step->popped + step->pushed)
    tell_step(p, step);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void tell_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  const Traced *p = user;
  p->to->group(p->to->user, p->subgroup, p->step, SPV_EMU_GROUP_WAITS, p->table->id[block],
               lanes->w);
}

static void tell_register(void *user, uint32_t number, const EmuMask *lanes) {
  const Traced *p = user;
  p->to->group(p->to->user, p->subgroup, p->step, SPV_EMU_GROUP_REGISTER, number, lanes->w);
}

static void tell_groups(Traced *p, uint32_t block, const EmuMask *on) {
  p->to->group(p->to->user, p->subgroup, p->step, SPV_EMU_GROUP_RUNS, p->table->id[block], on->w);
  p->policy->waiting(p->state, tell_waiting, p);
  if (p->policy->registers)
    p->policy->registers(p->state, tell_register, p);
  p->step++;
}

/* ---- the policy ------------------------------------------------------------------------------ */

static const void *plan_traced(SrArena *arena, const EmuBlockTable *table) {
  return emu_policy_plan(table->trace->policy, arena, table);
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Traced *p = SR_NEW(arena, Traced, 1);
  *p = (Traced){
      .log = {.pushed = on_count, .popped = on_count, .diverged = on_count, .did = on_step},
      .table = table,
      .policy = table->trace->policy,
      .counts = counts,
      .to = table->trace->to,
      .first = !table->trace->policy->starts_empty};
  p->to->policy = p->policy->name;
  p->to->lanes = lanes;
  p->log.next = counts->log;
  counts->log = &p->log;
  p->state = p->policy->create(arena, table, plan, lanes, counts);
  return p;
}

static void start(void *policy, const EmuMask *on) {
  Traced *p = policy;
  p->subgroup = p->to->subgroups++;
  p->issue = p->step = 0;
  p->ends = false;
  p->base = p->counts->pushes - p->counts->pops;
  p->policy->start(p->state, on);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  Traced *p = policy;
  bool any = p->policy->next(p->state, block, on);
  p->block = *block;
  if (any && p->to->group)
    tell_groups(p, *block, on);
  return any;
}

static void went(void *policy, const EmuWent *went) {
  Traced *p = policy;
  tell_issues(p, p->table->issues[p->block] - 1);
  p->ends = true;
  p->policy->went(p->state, went);
  tell_end(p);
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Traced *p = policy;
  p->policy->waiting(p->state, tell, user);
}

static void held(const void *policy, EmuTellHeld *tell, void *user) {
  const Traced *p = policy;
  p->policy->held(p->state, tell, user);
}

static bool packed(const void *policy) {
  const Traced *p = policy;
  return p->policy->packed(p->state);
}

static bool stuck(const void *policy) {
  const Traced *p = policy;
  return p->policy->stuck(p->state);
}

EmuPolicy emu_policy_trace(const EmuPolicy *policy) {
  return (EmuPolicy){.name = policy->name,
                     .purpose = policy->purpose,
                     .stacked = policy->stacked,
                     .scalar_code = policy->scalar_code,
                     .tangles = policy->tangles,
                     .logs_divergence = policy->logs_divergence,
                     .plan = plan_traced,
                     .create = create,
                     .start = start,
                     .next = next,
                     .went = went,
                     .packed = policy->packed ? packed : NULL,
                     .stuck = policy->stuck ? stuck : NULL,
                     .waiting = waiting,
                     .rule = policy->rule,
                     .held = policy->held ? held : NULL};
}
