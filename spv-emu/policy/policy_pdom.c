/* SPDX-License-Identifier: Apache-2.0 */
/* policy_pdom: reconvergence at immediate post-dominators, by a stack (Fung, Sham, Yuan and Aamodt,
 * Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow, MICRO-40, 2007).
 *
 * A stack entry is a set of lanes, the block they run next and the block at which they reconverge;
 * the top entry runs. A divergent branch makes its immediate post-dominator the entry's next block
 * and pushes an entry for each side, that of the first target on top. An entry that reaches its
 * reconvergence block is dropped.
 *
 * Two things differ from the paper, with the same effect:
 *
 *   - A waiting entry holds the lanes that have reached it so far, not those that it expects. So
 *     lanes that end need not be removed from the entries below, and a union of groups is counted
 *     when it happens. `home` is the entry that an entry's lanes will join.
 *   - If the post-dominator is also the reconvergence block of the branching entry, that entry
 *     would be dropped immediately, so one side takes its place. So the depth does not grow in
 *     loops.
 *
 * A call is a region of its own: the caller's entry waits at the block after the call until all
 * lanes have returned or ended. Post-dominators are those of the function, with a virtual exit
 * after leaves and infinite loops (SR_NONE here), at which no entry waits.
 *
 * Thread block compaction (policy_tbc.c) uses the same stack for a workgroup, and may give an entry
 * a second, earlier reconvergence block, its likely one: lanes that reach it join the entry that
 * waits there. If no lanes have come, such an entry has none and is dropped.
 *
 * A push or pop is counted where the depth changes; the base entry is neither pushed nor popped.
 *
 * Steps are logged as on machines where SSY prepares a branch: it pops the running entry and pushes
 * one for the reconvergence block and one for the blocks before it; the branch pops the latter, and
 * pushes an entry for each side; SYNC pops a side (J. Criswell's lecture notes "divergent flow part
 * two", docs/tokens.md). */
#include "spv-emu/policy/policy_pdom.h"
#include "passes/analysis/graph/dom.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct Entry {
  uint32_t block;  /* the block that the lanes run next */
  uint32_t rejoin; /* reconvergence block, or SR_NONE */
  uint32_t home;   /* index of the entry that waits at `rejoin`; SR_NONE: none */
  uint32_t caller; /* for an entry that waits for a call: the entry that waits for the outer call */
  uint32_t likely; /* likely reconvergence block, or SR_NONE */
  uint32_t point;  /* index of the entry that waits at `likely` */
  bool packed;     /* it began at a divergent branch rather than with the workgroup */
  EmuMask lanes;
} Entry;

typedef struct Pdom {
  SrArena *arena;
  const EmuBlockTable *table;
  EmuPolicyCounts *counts;
  uint32_t words;
  const uint32_t *ipdom;  /* by block: block, or SR_NONE */
  const uint32_t *likely; /* by block: its likely reconvergence block, or SR_NONE; NULL: none */
  uint32_t caller;        /* index of the entry that waits for the innermost call, or SR_NONE */
  SR_VEC(Entry) stack;
} Pdom;

const void *emu_pdom_plan(SrArena *arena, const EmuBlockTable *table) {
  EmuPdomPlan *plan = SR_NEW(arena, EmuPdomPlan, 1);
  uint32_t *ipdom = sr_new_none(arena, table->count);
  for (uint32_t f = 0; f < table->function_count; f++) {
    const EmuFunctionBlocks *fn = &table->functions[f];
    SrArena scratch = sr_arena_new(arena->heap);
    const SrGraph *back = emu_block_table_backwards(&scratch, table, fn);
    const SrDom *dom = sr_dom_build(&scratch, back, fn->count);
    for (uint32_t b = 0; b < fn->count; b++)
      if (dom->idom[b] < fn->count) /* neither the virtual exit nor SR_NONE */
        ipdom[fn->first + b] = fn->first + dom->idom[b];
    sr_arena_free(&scratch);
  }
  plan->ipdom = ipdom;
  return plan;
}

void *emu_pdom_create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                      EmuPolicyCounts *counts) {
  const EmuPdomPlan *blocks = plan;
  Pdom *p = SR_NEW(arena, Pdom, 1);
  *p = (Pdom){.arena = arena,
              .table = table,
              .counts = counts,
              .words = emu_mask_words(lanes),
              .ipdom = blocks->ipdom,
              .likely = blocks->likely};
  return p;
}

/* ---- logging --------------------------------------------------------------------------------- */

static void tell_step(Pdom *p, const char *name, uint32_t popped, uint32_t pushed,
                      const EmuStackEntry *entries) {
  const EmuStackStep step = {.name = name, .popped = popped, .pushed = pushed, .entries = entries};
  emu_log_step(p->counts, &step);
}

/* Logs that the top entry's lanes diverge, to reconverge at `rejoin`. */
static void tell_split(Pdom *p, const EmuWent *w, uint32_t rejoin) {
  const Entry *e = &SR_LAST(&p->stack);
  const EmuStackEntry ready[] = {{&e->lanes, e->block, e->rejoin},
                                 {&e->lanes, rejoin, e->rejoin},
                                 {&e->lanes, e->block, rejoin}};
  if (rejoin != e->rejoin)
    tell_step(p, "SSY", 1, 2, ready);
  uint32_t count = 0;
  EmuStackEntry *sides = SR_NEW_RAW(p->arena, EmuStackEntry, w->count + 1);
  sides[count++] = ready[2];
  for (uint32_t i = w->count; i-- > 0;)
    if (w->targets[i].block != rejoin)
      sides[count++] = (EmuStackEntry){&w->targets[i].lanes, w->targets[i].block, rejoin};
  tell_step(p, "BRA", 1, count - 1, sides);
}

static void tell_pop(Pdom *p, const char *name, const Entry *e) {
  if (p->counts->log)
    tell_step(p, name, 1, 0, &(EmuStackEntry){&e->lanes, e->block, e->rejoin});
}

/* ---- the stack ------------------------------------------------------------------------------- */

/* A new top entry; the caller fills its lanes. */
static Entry *push(Pdom *p, uint32_t block, uint32_t rejoin, uint32_t home) {
  SR_RESERVE(p->arena, &p->stack, 1);
  Entry *e = &p->stack.at[p->stack.count++];
  e->block = block;
  e->rejoin = rejoin;
  e->home = home;
  e->caller = SR_NONE;
  e->likely = e->point = SR_NONE;
  e->packed = true;
  if (p->counts->max_depth < p->stack.count)
    p->counts->max_depth = p->stack.count;
  return e;
}

void emu_pdom_start(void *policy, const EmuMask *on) {
  Pdom *p = policy;
  p->stack.count = 0;
  p->caller = SR_NONE;
  if (emu_mask_any(on, p->words)) {
    Entry *base = push(p, p->table->functions[p->table->entry_function].first, SR_NONE, SR_NONE);
    base->packed = false;
    emu_mask_copy(&base->lanes, on, p->words);
  }
}

bool emu_pdom_next(void *policy, uint32_t *block, EmuMask *on) {
  const Pdom *p = policy;
  if (!p->stack.count)
    return false;
  *block = SR_LAST(&p->stack).block;
  emu_mask_copy(on, &SR_LAST(&p->stack).lanes, p->words);
  return true;
}

/* Lanes reach the block at which an entry waits. */
static void come(Pdom *p, uint32_t entry, const EmuMask *lanes) {
  EmuMask *there = &p->stack.at[entry].lanes;
  p->counts->reconvergences += emu_mask_any(there, p->words);
  emu_mask_add(there, lanes, p->words);
}

static bool waits(const Entry *e) {
  return e->block == e->rejoin || (e->likely != SR_NONE && e->block == e->likely);
}

/* Drops entries from the top until one has lanes to run. `why`: the step by which the top entry
 * lost its lanes. */
static void settle(Pdom *p, const char *why) {
  while (p->stack.count) {
    uint32_t top = p->stack.count - 1;
    Entry *e = &p->stack.at[top];
    const char *name = why;
    if (top == p->caller) /* all lanes of the call have returned */
      p->caller = e->caller;
    if (emu_mask_any(&e->lanes, p->words)) {
      if (!waits(e))
        return;
      come(p, e->block == e->rejoin ? e->home : e->point, &e->lanes);
      name = "SYNC";
    }
    p->stack.count--;
    emu_count_pops(p->counts, top > 0);
    if (top)
      tell_pop(p, name, e);
  }
}

/* Returns the entry at which the sides of the branch of `block` likely meet: a new one, or that of
 * the entry `before`, which the sides replace; SR_NONE: there is none. */
static uint32_t likely_entry(Pdom *p, uint32_t block, uint32_t rejoin, uint32_t home,
                             const Entry *before) {
  uint32_t likely = p->likely ? p->likely[block] : SR_NONE;
  if (likely == SR_NONE || likely == before->likely || likely == rejoin)
    return before->point;
  Entry *e = push(p, likely, rejoin, home);
  e->likely = before->likely;
  e->point = before->point;
  emu_mask_clear(&e->lanes, p->words);
  return p->stack.count - 1;
}

static void split(Pdom *p, const EmuWent *w) {
  uint32_t top = p->stack.count - 1, home = top;
  Entry *e = &p->stack.at[top];
  uint32_t block = e->block, rejoin = p->ipdom[block];
  Entry before = {.likely = SR_NONE, .point = SR_NONE};
  if (p->counts->log)
    tell_split(p, w, rejoin);
  if (rejoin == e->rejoin) {
    home = e->home;
    before.likely = e->likely;
    before.point = e->point;
    p->stack.count--;
  } else {
    e->block = rejoin;
    emu_mask_clear(&e->lanes, p->words);
  }
  uint32_t point = likely_entry(p, block, rejoin, home, &before);
  uint32_t likely = point == SR_NONE ? SR_NONE : p->stack.at[point].block;
  for (uint32_t i = w->count; i-- > 0;) {
    const EmuTarget *t = &w->targets[i];
    if (t->block == rejoin || t->block == likely) {
      come(p, t->block == rejoin ? home : point, &t->lanes);
      continue;
    }
    Entry *side = push(p, t->block, rejoin, home);
    side->likely = likely;
    side->point = point;
    emu_mask_copy(&side->lanes, &t->lanes, p->words);
  }
  if (p->stack.count > top)
    emu_count_pushes(p->counts, p->stack.count - (top + 1));
  else /* no side is left, because their lanes have joined others */
    emu_count_pops(p->counts, 1);
  if (p->likely)
    settle(p, "SYNC");
}

static void call(Pdom *p, const EmuTarget *t) {
  Entry *e = &SR_LAST(&p->stack);
  e->block = p->table->next[e->block];
  e->caller = p->caller;
  emu_mask_clear(&e->lanes, p->words);
  p->caller = p->stack.count - 1;
  bool packed = e->packed;
  Entry *callee = push(p, t->block, SR_NONE, SR_NONE);
  callee->packed = packed;
  emu_mask_copy(&callee->lanes, &t->lanes, p->words);
  emu_count_pushes(p->counts, 1);
}

void emu_pdom_went(void *policy, const EmuWent *w) {
  Pdom *p = policy;
  Entry *e = &SR_LAST(&p->stack);
  if (w->count == 1 && w->kind == EMU_WENT_BRANCH) {
    e->block = w->targets->block;
    emu_mask_copy(&e->lanes, &w->targets->lanes, p->words);
    if (waits(e))
      settle(p, "SYNC");
    return;
  }
  if (w->count && w->kind == EMU_WENT_BRANCH) {
    split(p, w);
    return;
  }
  if (w->count && w->kind == EMU_WENT_CALL) {
    call(p, w->targets);
    return;
  }
  if (w->count) /* all lanes in a call's region return to one block */
    come(p, p->caller, &w->targets->lanes);
  emu_mask_clear(&e->lanes, p->words);
  settle(p, w->count ? "RET" : "EXIT");
}

bool emu_pdom_packed(const void *policy) {
  const Pdom *p = policy;
  return p->stack.count && SR_LAST(&p->stack).packed;
}

void emu_pdom_waiting(const void *policy,
                      void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Pdom *p = policy;
  for (uint32_t i = 0; i + 1 < p->stack.count; i++)
    if (emu_mask_any(&p->stack.at[i].lanes, p->words))
      tell(user, p->stack.at[i].block, &p->stack.at[i].lanes);
}

/* Why the lanes of entry `i` wait. */
static const char *why_waits(const Pdom *p, uint32_t i) {
  for (uint32_t c = p->caller; c != SR_NONE; c = p->stack.at[c].caller)
    if (c == i)
      return "the call returns for all its lanes together, and others have not returned";
  for (uint32_t k = i + 1; k < p->stack.count; k++)
    if (p->stack.at[k].home == i)
      return "it is the immediate post-dominator of the branch where they diverged, and lanes of "
             "the "
             "entries above have not reached it";
  return "a side of the branch that is above on the stack runs first";
}

void emu_pdom_held(const void *policy, EmuTellHeld *tell, void *user) {
  const Pdom *p = policy;
  for (uint32_t i = p->stack.count; i-- > 0;) {
    const Entry *e = &p->stack.at[i];
    const EmuHeld held = {.what = "stack entry",
                          .number = i,
                          .block = e->block,
                          .rejoin = e->rejoin,
                          .lanes = &e->lanes,
                          .why = i + 1 == p->stack.count ? NULL : why_waits(p, i)};
    tell(user, &held);
  }
}

const EmuPolicy emu_policy_pdom = {
    .name = "pdom",
    .purpose = "a stack that reconverges at immediate post-dominators",
    .stacked = true,
    .meets_in_place = true,
    .refuses = emu_policy_accept,
    .plan = emu_pdom_plan,
    .create = emu_pdom_create,
    .start = emu_pdom_start,
    .next = emu_pdom_next,
    .went = emu_pdom_went,
    .waiting = emu_pdom_waiting,
    .held = emu_pdom_held,
};
