/* SPDX-License-Identifier: Apache-2.0 */
/* policy_barrier: convergence barriers (barrier_program.h).
 *
 * A group of lanes has one place in the program. One group runs; the others are *ready*, or they
 * *wait* at a BSYNC or WARPSYNC. A divergent branch makes a group for each side; a barrier that is
 * released makes one group from the lanes that waited. Groups meet nowhere else, even if they are
 * at the same place.
 *
 *   lifo         ready groups are a stack. The first side of a branch runs first
 *   round-robin  a queue: after each block the running group goes to its end
 *   oldest       a queue: sides of a branch go to its end; else the running group stays
 *
 * A group that yields goes to the end of the queue, or below the stack.
 *
 * A barrier has the lanes that are in it, and those of them that wait. Lanes that have ended or
 * yielded are not waited for. If no group is ready and lanes are left, each waits for others: the
 * policy is stuck (EmuPolicy.stuck).
 *
 * All instructions except bodies and their ends are `added`; there is no stack: `max_depth` is the
 * largest number of groups. */
#include "spv-emu/policy/barrier/barrier_place.h"
#include "spv-emu/policy/barrier/barrier_text.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct Group {
  uint32_t at;
  EmuMask lanes;
} Group;

typedef struct Waiter {
  uint32_t bar; /* SR_NONE: WARPSYNC */
  uint32_t at;  /* place of its BSYNC or WARPSYNC */
  EmuMask lanes;
} Waiter;

typedef struct Bar {
  EmuMask in, blocked;
} Bar;

typedef struct Barrier {
  SrArena *arena;
  const EmuBarriers *program;
  const EmuBlockTable *table;
  EmuPolicyCounts *counts;
  uint32_t words;
  bool running;
  uint32_t last; /* `run.at` at the last call of `returns` */
  Group run;
  SR_VEC(Group) ready;
  uint32_t head; /* ready.at[head …] is the queue; head is 0 under lifo */
  SR_VEC(Waiter) waits;
  Bar *bar;       /* by barrier */
  bool *occupied; /* by barrier: it has had lanes since it was last empty */
  uint32_t live_bars;
  EmuMask live, yielded, escaped; /* escaped: lanes with a depth in `escape` */
  uint32_t *escape;               /* by lane: ESC */
  SR_VEC(uint32_t) by_rank;       /* of a branch, by rank: targets */
} Barrier;

/* ---- the program ----------------------------------------------------------------------------- */

enum { PLACEMENT, SCHEDULING, LISTING };

static const EmuPolicyOption options[] = {
    [PLACEMENT] =
        {"--barrier-placement", "barrier placement", emu_barrier_placements,
         "  --barrier-placement=NAME\n"
         "                       where policy barrier has its instructions: nak (default,\n"
         "                       of structured modules), ipdom (default of others),\n"
         "                       frontier, speculative\n"},
    [SCHEDULING] = {"--barrier-scheduling", "barrier scheduling", emu_barrier_schedulings,
                    "  --barrier-scheduling=NAME\n"
                    "                       which lanes run under policy barrier: lifo (default),\n"
                    "                       round-robin, oldest\n"},
    [LISTING] = {.flag = "--barriers",
                 .help =
                     "  --barriers=FILE      policy barrier runs this listing of --dump-barriers,\n"
                     "                       perhaps edited\n"},
    {0}};

static SrStatus place(const EmuPlacing *from, const void **program, const char **refused) {
  const EmuBlockTable *table = from->table;
  uint32_t placement = emu_policy_choice(options, table, PLACEMENT, EMU_BARRIER_AUTO);
  uint32_t scheduling = emu_policy_choice(options, table, SCHEDULING, EMU_BARRIER_LIFO);
  *program = emu_barriers_place(from->arena, table, (EmuBarrierPlacement)placement,
                                (EmuBarrierScheduling)scheduling, refused);
  return SR_OK;
}

static SrStatus read(const EmuPlacing *from, const char *text, const void **program) {
  const char *why;
  *program = emu_barriers_read(from->arena, from->table, text, &why);
  return *program ? SR_OK : sr_fail(from->diag, SR_BAD_INPUT, SR_NOWHERE, "%s", why);
}

static void print(const void *program, const EmuBlockTable *table, SrText *text) {
  emu_barriers_print(program, table, text);
}

static const EmuPolicyProgram barrier_program = {
    .dump = "--dump-barriers",
    .dump_help = "  --dump-barriers=FILE policy barrier: the program that it runs, - for standard\n"
                 "                       output\n",
    .listing = LISTING,
    .place = place,
    .read = read,
    .print = print,
};

/* ---- the policy ------------------------------------------------------------------------------ */

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  return emu_policy_program(&barrier_program, arena, table, &why) ? NULL : why;
}

/* A barrier is one register for the whole subgroup. If groups take turns, lanes of two iterations
 * of an outer loop may set the barrier of an inner branch before either has waited at it. Then they
 * wait for one another, and continue together. */
static bool mixes(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  const EmuBarriers *barriers = table->program;
  return barriers && (barriers->mixes || barriers->scheduling != EMU_BARRIER_LIFO);
}

static uint32_t count_code(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  const EmuBarriers *barriers = emu_policy_program(&barrier_program, arena, table, &why);
  uint32_t count = 0;
  for (uint32_t i = 0; i < barriers->code.count; i++) {
    uint8_t op = barriers->code.at[i].op;
    bool of_module = op == EMU_BARRIER_BODY || op >= EMU_BARRIER_BRANCH;
    count += of_module ? 0 : op == EMU_BARRIER_TEST ? 2 : 1;
  }
  return count;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Barrier *p = SR_NEW(arena, Barrier, 1);
  *p = (Barrier){.arena = arena,
                 .program = plan,
                 .table = table,
                 .counts = counts,
                 .words = emu_mask_words(lanes),
                 .escape = SR_NEW(arena, uint32_t, lanes)};
  p->bar = SR_NEW(arena, Bar, p->program->all.count);
  p->occupied = SR_NEW(arena, bool, p->program->all.count);
  return p;
}

static const void *make_plan(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  return emu_policy_program(&barrier_program, arena, table, &why);
}

/* ---- ready groups ---------------------------------------------------------------------------- */

static bool is_queue(const Barrier *p) {
  return p->program->scheduling != EMU_BARRIER_LIFO;
}

static void count_groups(Barrier *p) {
  uint32_t count = p->running + p->ready.count - p->head + p->waits.count;
  if (p->counts->max_depth < count)
    p->counts->max_depth = count;
}

static void set_group(Barrier *p, Group *g, uint32_t at, const EmuMask *lanes) {
  g->at = at;
  emu_mask_copy(&g->lanes, lanes, p->words);
}

/* Puts a ready group on top of the stack, or at the end of the queue. */
static void make_ready(Barrier *p, uint32_t at, const EmuMask *lanes) {
  if (p->head > 16 && p->head > p->ready.count / 2) { /* forgets the groups that have run */
    p->ready.count -= p->head;
    memmove(p->ready.at, p->ready.at + p->head, p->ready.count * sizeof *p->ready.at);
    p->head = 0;
  }
  SR_RESERVE(p->arena, &p->ready, 1);
  set_group(p, &p->ready.at[p->ready.count++], at, lanes);
}

static void put_last(Barrier *p, uint32_t at, const EmuMask *lanes) {
  make_ready(p, at, lanes);
  if (is_queue(p))
    return;
  for (uint32_t i = p->ready.count - 1; i > 0; i--)
    p->ready.at[i] = p->ready.at[i - 1];
  set_group(p, &p->ready.at[0], at, lanes);
}

static bool run_ready(Barrier *p) {
  while (p->ready.count != p->head) {
    Group *g = is_queue(p) ? &p->ready.at[p->head++] : &SR_POP(&p->ready);
    set_group(p, &p->run, g->at, &g->lanes);
    emu_mask_keep(&p->run.lanes, &p->live, p->words);
    emu_mask_drop(&p->yielded, &p->run.lanes, p->words);
    p->running = emu_mask_any(&p->run.lanes, p->words);
    if (p->running)
      return true;
  }
  return false;
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void set_occupied(Barrier *p, uint32_t bar, bool occupied) {
  p->live_bars += (uint32_t)occupied - p->occupied[bar];
  p->occupied[bar] = occupied;
  if (p->counts->most_barriers < p->live_bars)
    p->counts->most_barriers = p->live_bars;
}

static bool is_complete(const Barrier *p, const Waiter *w) {
  EmuMask left;
  emu_mask_copy(&left, w->bar == SR_NONE ? &p->live : &p->bar[w->bar].in, p->words);
  emu_mask_keep(&left, &p->live, p->words);
  if (w->bar == SR_NONE) {
    emu_mask_drop(&left, &w->lanes, p->words);
  } else {
    emu_mask_drop(&left, &p->bar[w->bar].blocked, p->words);
    emu_mask_drop(&left, &p->yielded, p->words);
  }
  return !emu_mask_any(&left, p->words);
}

/* Makes the lanes ready that wait at the waiter's barrier. */
static void release(Barrier *p, uint32_t waiter) {
  Waiter w = p->waits.at[waiter];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->waits.count; i++) {
    const Waiter *x = &p->waits.at[i];
    bool goes = w.bar == SR_NONE ? i == waiter : x->bar == w.bar;
    if (goes)
      make_ready(p, x->at + 1, &x->lanes);
    else if (kept++ != i)
      p->waits.at[kept - 1] = *x;
  }
  p->waits.count = kept;
  if (w.bar == SR_NONE)
    return;
  emu_mask_clear(&p->bar[w.bar].in, p->words);
  emu_mask_clear(&p->bar[w.bar].blocked, p->words);
  set_occupied(p, w.bar, false);
}

/* Releases each barrier whose lanes have all arrived; only barrier `only`, unless that is
 * SR_NONE. */
static void test_release(Barrier *p, uint32_t only) {
  for (uint32_t i = p->waits.count; i-- > 0;)
    if ((only == SR_NONE || p->waits.at[i].bar == only) && is_complete(p, &p->waits.at[i])) {
      release(p, i);
      i = p->waits.count;
    }
}

/* Lets those of the running lanes that are in `lanes` wait. */
static void wait_at(Barrier *p, uint32_t bar, uint32_t at, const EmuMask *lanes) {
  bool joins = false;
  for (uint32_t i = p->waits.count; i-- > 0 && !joins;)
    if (p->waits.at[i].bar == bar && p->waits.at[i].at == at) {
      emu_mask_add(&p->waits.at[i].lanes, lanes, p->words);
      p->counts->reconvergences++;
      joins = true;
    }
  if (bar != SR_NONE)
    emu_mask_add(&p->bar[bar].blocked, lanes, p->words);
  if (joins)
    return;
  SR_RESERVE(p->arena, &p->waits, 1);
  Waiter *w = &p->waits.at[p->waits.count++];
  w->bar = bar;
  w->at = at;
  emu_mask_copy(&w->lanes, lanes, p->words);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void run_bssy(Barrier *p, uint32_t bar) {
  emu_mask_add(&p->bar[bar].in, &p->run.lanes, p->words);
  set_occupied(p, bar, true);
}

static void run_break(Barrier *p, uint32_t bar) {
  emu_mask_drop(&p->bar[bar].in, &p->run.lanes, p->words);
  if (!emu_mask_any(&p->bar[bar].in, p->words))
    set_occupied(p, bar, false);
  test_release(p, bar);
}

/* Lanes that are not in the barrier continue; the others wait. */
static void run_bsync(Barrier *p, uint32_t bar) {
  Bar *b = &p->bar[bar];
  if (emu_mask_equal(&b->in, &p->run.lanes, p->words)) { /* all lanes of the barrier have arrived at
                                                            once, so none waits */
    emu_mask_clear(&b->in, p->words);
    set_occupied(p, bar, false);
    p->run.at++;
    return;
  }
  EmuMask waits;
  emu_mask_copy(&waits, &p->run.lanes, p->words);
  emu_mask_keep(&waits, &b->in, p->words);
  emu_mask_drop(&p->run.lanes, &waits, p->words);
  p->running = emu_mask_any(&p->run.lanes, p->words);
  p->run.at++;
  if (!emu_mask_any(&waits, p->words))
    return;
  wait_at(p, bar, p->run.at - 1, &waits);
  count_groups(p);
  test_release(p, bar);
}

static void run_warpsync(Barrier *p) {
  p->running = false;
  wait_at(p, SR_NONE, p->run.at, &p->run.lanes);
  count_groups(p);
  test_release(p, SR_NONE);
}

static void run_yield(Barrier *p) {
  EmuMask lanes;
  emu_mask_copy(&lanes, &p->run.lanes, p->words);
  emu_mask_add(&p->yielded, &lanes, p->words);
  p->running = false;
  test_release(p, SR_NONE);
  put_last(p, p->run.at + 1, &lanes);
}

static void run_escape(Barrier *p, uint32_t depth) {
  p->run.at++;
  if (depth == SR_NONE) {
    emu_mask_drop(&p->escaped, &p->run.lanes, p->words);
    return;
  }
  emu_mask_add(&p->escaped, &p->run.lanes, p->words);
  for (EMU_EACH_LANE(lane, &p->run.lanes, p->words))
    p->escape[lane] = depth;
}

static void run_test(Barrier *p, const EmuBarrierInst *i) {
  EmuMask away = {0};
  p->run.at++;
  for (EMU_EACH_LANE(lane, &p->run.lanes, p->words))
    if (emu_mask_has(&p->escaped, lane) && p->escape[lane] < i->bar)
      emu_mask_set(&away, lane);
  if (!emu_mask_any(&away, p->words))
    return;
  emu_mask_drop(&p->run.lanes, &away, p->words);
  if (emu_mask_any(&p->run.lanes, p->words)) {
    make_ready(p, i->to, &away);
    count_groups(p);
    return;
  }
  set_group(p, &p->run, i->to, &away);
}

static void run_inst(Barrier *p, const EmuBarrierInst *i) {
  p->counts->added += i->op != EMU_BARRIER_GO;
  switch ((EmuBarrierOp)i->op) {
  case EMU_BARRIER_BSSY:
    run_bssy(p, i->bar);
    p->run.at++;
    break;
  case EMU_BARRIER_BSYNC:
    run_bsync(p, i->bar);
    break;
  case EMU_BARRIER_BREAK:
    p->run.at++;
    run_break(p, i->bar);
    break;
  case EMU_BARRIER_YIELD:
    run_yield(p);
    break;
  case EMU_BARRIER_WARPSYNC:
    run_warpsync(p);
    break;
  case EMU_BARRIER_BMOV:
    p->counts->barrier_spills++;
    p->run.at++;
    break;
  case EMU_BARRIER_ESCAPE:
    run_escape(p, i->bar);
    break;
  case EMU_BARRIER_TEST:
    p->counts->added++; /* a comparison and a branch */
    run_test(p, i);
    break;
  default: /* GO */
    p->run.at = i->to;
    break;
  }
}

/* Runs to the next body; every cycle has one. */
static void settle(Barrier *p) {
  while (p->running || run_ready(p)) {
    const EmuBarrierInst *i = &p->program->code.at[p->run.at];
    if (i->op == EMU_BARRIER_BODY)
      return;
    run_inst(p, i);
  }
}

/* ---- the ends of blocks ---------------------------------------------------------------------- */

static const EmuBarrierArm *arm_for(const Barrier *p, const EmuBarrierInst *i, uint32_t block) {
  const EmuBarrierArm *arms = &p->program->arms.at[i->arm];
  uint32_t low = 0, high = i->arms;
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (arms[middle].block <= block)
      low = middle;
    else
      high = middle;
  }
  return &arms[low];
}

/* The running group has split into several groups, or has become one at a different place. */
static void split(Barrier *p, const EmuWent *w, const EmuBarrierInst *branch) {
  p->by_rank.count = 0;
  for (uint32_t k = 0; k < w->count; k++) {
    uint32_t at = p->by_rank.count, rank = k;
    SR_PUSH(p->arena, &p->by_rank, k);
    if (branch)
      rank = arm_for(p, branch, w->targets[k].block)->rank;
    for (; branch && at && arm_for(p, branch, w->targets[p->by_rank.at[at - 1]].block)->rank > rank;
         at--)
      p->by_rank.at[at] = p->by_rank.at[at - 1];
    p->by_rank.at[at] = k;
  }
  p->running = false;
  for (uint32_t k = 0; k < w->count; k++) {
    const EmuTarget *t = &w->targets[p->by_rank.at[is_queue(p) ? k : w->count - 1 - k]];
    make_ready(p, branch ? arm_for(p, branch, t->block)->to : p->program->comes[t->block],
               &t->lanes);
  }
  count_groups(p);
}

static void go_together(Barrier *p, uint32_t at, const EmuMask *lanes) {
  set_group(p, &p->run, at, lanes);
  if (p->program->scheduling == EMU_BARRIER_ROUND_ROBIN && p->ready.count != p->head) {
    make_ready(p, at, lanes);
    p->running = false;
  }
}

static void end_lanes(Barrier *p, const EmuMask *gone) {
  if (!emu_mask_any(gone, p->words))
    return;
  emu_mask_drop(&p->live, gone, p->words);
  for (uint32_t i = 0; i < p->waits.count; i++)
    emu_mask_keep(&p->waits.at[i].lanes, &p->live, p->words);
  test_release(p, SR_NONE);
}

/* ---- the policy ------------------------------------------------------------------------------ */

static void start(void *policy, const EmuMask *on) {
  Barrier *p = policy;
  p->ready.count = p->head = p->waits.count = 0;
  memset(p->bar, 0, p->program->all.count * sizeof *p->bar);
  memset(p->occupied, 0, p->program->all.count * sizeof *p->occupied);
  p->live_bars = 0;
  emu_mask_copy(&p->live, on, p->words);
  emu_mask_clear(&p->yielded, p->words);
  emu_mask_clear(&p->escaped, p->words);
  p->running = emu_mask_any(on, p->words);
  set_group(p, &p->run, p->program->start, on);
  if (p->running)
    count_groups(p);
  settle(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  const Barrier *p = policy;
  if (!p->running)
    return false;
  *block = p->program->code.at[p->run.at].block;
  emu_mask_copy(on, &p->run.lanes, p->words);
  return true;
}

static bool stuck(const void *policy) {
  const Barrier *p = policy;
  return !p->running && emu_mask_any(&p->live, p->words);
}

/* Runs the instructions before the end of a block. In an edited listing, lanes may yield there.
 * This has no effect, as if they yielded before the block's last instruction. */
static const EmuBarrierInst *run_to_end(Barrier *p) {
  const EmuBarrierInst *i;
  while (i = &p->program->code.at[++p->run.at],
         i->op != EMU_BARRIER_BRANCH && i->op != EMU_BARRIER_CALL && i->op != EMU_BARRIER_END) {
    p->counts->added++;
    if (i->op == EMU_BARRIER_BSSY)
      run_bssy(p, i->bar);
    else if (i->op == EMU_BARRIER_BREAK)
      run_break(p, i->bar);
    else
      p->counts->barrier_spills++;
  }
  return i;
}

static void went(void *policy, const EmuWent *w) {
  Barrier *p = policy;
  end_lanes(p, &w->gone);
  emu_mask_keep(&p->run.lanes, &p->live, p->words);
  const EmuBarrierInst *end = run_to_end(p);
  if (!w->count)
    p->running = false;
  else if (w->kind == EMU_WENT_CALL) {
    go_together(p, end->to, &w->targets->lanes);
  } else if (w->count > 1) {
    split(p, w, w->kind == EMU_WENT_BRANCH ? end : NULL);
  } else {
    uint32_t block = w->targets->block;
    go_together(p,
                w->kind == EMU_WENT_BRANCH ? arm_for(p, end, block)->to : p->program->comes[block],
                &w->targets->lanes);
  }
  settle(p);
}

static bool stays(void *policy, uint32_t to, bool *joined) {
  (void)joined;
  Barrier *p = policy;
  const EmuBarrierInst *i = &p->program->code.at[p->run.at + 1];
  if (i->op != EMU_BARRIER_BRANCH ||
      (p->program->scheduling == EMU_BARRIER_ROUND_ROBIN && p->ready.count != p->head))
    return false;
  uint32_t place = arm_for(p, i, to)->to;
  if (p->program->code.at[place].op != EMU_BARRIER_BODY)
    return false;
  p->run.at = place;
  return true;
}

static bool returns(void *policy) {
  Barrier *p = policy;
  bool same = p->run.at == p->last;
  p->last = p->run.at;
  return same;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Barrier *p = policy;
  for (uint32_t i = p->head; i < p->ready.count; i++)
    tell(user, emu_barriers_block(p->program, p->ready.at[i].at), &p->ready.at[i].lanes);
  for (uint32_t i = 0; i < p->waits.count; i++)
    if (emu_mask_any(&p->waits.at[i].lanes, p->words))
      tell(user, emu_barriers_block(p->program, p->waits.at[i].at), &p->waits.at[i].lanes);
}

static void tell_group(const Barrier *p, const char *what, uint32_t number, uint32_t at,
                       const EmuMask *lanes, const char *why, EmuTellHeld *tell, void *user) {
  const EmuHeld held = {.what = what,
                        .number = number,
                        .block = emu_barriers_block(p->program, at),
                        .rejoin = SR_NONE,
                        .lanes = lanes,
                        .why = why};
  tell(user, &held);
}

/* The running group, the ready ones in their order, those that wait, and the barriers. */
static void held(const void *policy, EmuTellHeld *tell, void *user) {
  const Barrier *p = policy;
  bool lifo = p->program->scheduling == EMU_BARRIER_LIFO;
  uint32_t count = p->ready.count - p->head;
  if (p->running)
    tell_group(p, "runs", SR_NONE, p->run.at, &p->run.lanes, NULL, tell, user);
  for (uint32_t i = 0; i < count; i++) {
    const Group *g = &p->ready.at[lifo ? p->ready.count - 1 - i : p->head + i];
    tell_group(p, "ready", SR_NONE, g->at, &g->lanes,
               lifo ? "a side of a later branch runs until it waits or ends"
                    : "it is not their group's turn",
               tell, user);
  }
  for (uint32_t i = 0; i < p->waits.count; i++) {
    const Waiter *w = &p->waits.at[i];
    bool warp = w->bar == SR_NONE;
    if (emu_mask_any(&w->lanes, p->words))
      tell_group(p, warp ? "WARPSYNC" : "BSYNC B",
                 warp ? (uint32_t)SR_NONE : p->program->all.at[w->bar].reg, w->at, &w->lanes,
                 "lanes that are in the barrier have not reached its BSYNC", tell, user);
  }
  for (uint32_t i = 0; i < p->program->all.count; i++) {
    const EmuHeld barrier = {.what = "barrier B",
                             .number = p->program->all.at[i].reg,
                             .block = SR_NONE,
                             .rejoin = SR_NONE,
                             .lanes = &p->bar[i].in};
    if (emu_mask_any(&p->bar[i].in, p->words))
      tell(user, &barrier);
  }
}

static void registers(const void *policy,
                      void (*tell)(void *user, uint32_t number, const EmuMask *lanes), void *user) {
  const Barrier *p = policy;
  for (uint32_t i = 0; i < p->program->all.count; i++)
    if (emu_mask_any(&p->bar[i].in, p->words))
      tell(user, p->program->all.at[i].reg, &p->bar[i].in);
}

const EmuPolicy emu_policy_barrier = {
    .name = "barrier",
    .purpose = "convergence barriers: BSSY, BSYNC, BREAK, as placed by a compiler",
    .meets_in_place = true,
    .options = options,
    .program = &barrier_program,
    .mixes = mixes,
    .refuses = refuses,
    .plan = make_plan,
    .code = count_code,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .returns = returns,
    .stuck = stuck,
    .waiting = waiting,
    .held = held,
    .registers = registers,
};
