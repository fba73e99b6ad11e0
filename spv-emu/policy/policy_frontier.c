/* SPDX-License-Identifier: Apache-2.0 */
/* policy_frontier: reconvergence at thread frontiers (Diamos et al., SIMD Re-convergence at Thread
 * Frontiers, MICRO-44, 2011).
 *
 * Blocks have priorities; of the blocks that have lanes, the one of highest priority runs, with all
 * lanes that are there. Calls and returns are edges like any other, so lanes from different calls
 * may meet in a shared callee.
 *
 * tf-stack   The sorted stack (section 5.2): waiting groups by priority.
 *
 * tf-sandy   Per-thread program counters (section 5.1, after Intel's Sandybridge): hardware that
 *            cannot find the waiting block of highest priority. Each lane has a PC, and so has
 *            the subgroup; the block at the subgroup's PC runs with the lanes that are there, or,
 *            if there are none, as no-ops. Then the subgroup's PC goes
 *              - if no lane was active: to the next block of the layout, which is by priority; or
 *                with --sandy-empty=frontier to the first block of the block's own frontier;
 *              - if all lanes that have not ended were active and go to one target: there (not with
 *                --sandy-branch=static, where the compiler alone sets the target);
 *              - if lanes took an edge to a block of no lower priority than the block itself (a
 *                back edge): to the target of highest priority;
 *              - else to the first block where lanes may wait (a conservative branch): the block of
 *                highest priority among those of the block's thread frontier and successors that
 *                come after it in the layout.
 *            No waiting lane has a higher priority than the subgroup's PC: while a block runs,
 *            lanes wait only in its frontier and after it. So the waiting group of highest priority
 *            shows whether lanes are at the PC, the set of tf-stack serves as the lanes' PCs, and
 *            except for no-ops tf-sandy runs the same as tf-stack. */
#include "spv-emu/policy/policy_frontier.h"
#include "passes/analysis/graph/priority.h"
#include "passes/base/text.h"
#include "spv-emu/policy/layout.h"
#include "spv-emu/policy/policy_groups.h"
#include "spv-emu/policy/policy_program.h"

#include <assert.h>

/* The frontier sets take memory quadratic in the number of blocks. */
#define MOST_BLOCKS 20000u

typedef struct Frontier {
  const EmuBlockTable *table;
  const uint32_t *place; /* by block */
  EmuGroups groups;      /* groups in the order of `place`; one part */
  /* Only for tf-sandy: */
  uint32_t pc; /* block */
  bool skips;  /* --sandy-empty=frontier */
  bool fixed;  /* --sandy-branch=static */
  const struct Conservative *conservative;
} Frontier;

void *emu_frontier_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                          uint32_t lanes, EmuPolicyCounts *counts) {
  Frontier *p = SR_NEW(arena, Frontier, 1);
  p->table = table;
  p->place = plan ? plan : table->priority;
  p->groups = (EmuGroups){
      .arena = arena, .counts = counts, .counted = true, .words = emu_mask_words(lanes)};
  SR_RESERVE(arena, &p->groups.wait, lanes);
  return p;
}

void emu_frontier_start(void *policy, const EmuMask *on) {
  Frontier *p = policy;
  uint32_t entry = p->table->functions[p->table->entry_function].first;
  p->groups.wait.count = 0;
  p->groups.running = false;
  p->pc = entry;
  if (emu_mask_any(on, p->groups.words)) {
    emu_groups_offer(&p->groups, entry, p->place[entry], on);
    emu_groups_settle(&p->groups);
  }
}

bool emu_frontier_next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_groups_next(&((const Frontier *)policy)->groups, block, on);
}

void emu_frontier_went(void *policy, const EmuWent *w) {
  Frontier *p = policy;
  const EmuTarget *t = w->targets;
  p->groups.running = false;
  for (uint32_t i = 0; i < w->count; i++, t++)
    emu_groups_offer(&p->groups, t->block, p->place[t->block], &t->lanes);
  emu_groups_settle(&p->groups);
}

bool emu_frontier_stays(void *policy, uint32_t to, bool *joined) {
  (void)joined;
  Frontier *p = policy;
  return emu_groups_move(&p->groups, to, p->place[to]);
}

void emu_frontier_waiting(const void *policy,
                          void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                          void *user) {
  emu_groups_tell(&((const Frontier *)policy)->groups, tell, user);
}

void emu_frontier_held(const void *policy, EmuTellHeld *tell, void *user) {
  const EmuGroups *g = &((const Frontier *)policy)->groups;
  emu_groups_held_run(g, "runs", tell, user);
  emu_groups_held(g, 0, g->wait.count, "frontier",
                  "a block of higher priority has lanes, and runs first", tell, user);
}

const EmuPolicy emu_policy_tf_stack = {
    .name = "tf-stack",
    .purpose = "thread frontiers: waiting groups sorted by priority",
    .stacked = true,
    .mixes = emu_priority_mixes,
    .refuses = emu_policy_accept,
    .create = emu_frontier_create,
    .start = emu_frontier_start,
    .next = emu_frontier_next,
    .went = emu_frontier_went,
    .stays = emu_frontier_stays,
    .waiting = emu_frontier_waiting,
    .held = emu_frontier_held,
};

/* ---- tf-sandy -------------------------------------------------------------------------------- */

enum { EMPTY_NEXT, EMPTY_FRONTIER };
enum { BRANCH_CHECKED, BRANCH_STATIC };

static const EmuPolicyOption sandy_options[] = {
    {"--sandy-empty", "target of empty blocks", (const char *const[]){"next", "frontier", NULL},
     "  --sandy-empty=NAME   where policy tf-sandy goes from a block without lanes: to\n"
     "                       the next block of the layout (next, default), or the\n"
     "                       first block of its own thread frontier (frontier)\n"},
    {"--sandy-branch", "rule of conservative branches",
     (const char *const[]){"checked", "static", NULL},
     "  --sandy-branch=NAME  when policy tf-sandy goes to the first block where lanes\n"
     "                       may wait: unless all lanes go together to one target\n"
     "                       (checked, default), or always (static)\n"},
    {0}};

/* By block, SR_NONE if there is none: the first block after it, by priority, of its frontier and its
 * successors; and of its frontier alone. */
typedef struct Conservative {
  uint32_t *from_active, *from_empty;
} Conservative;

/* The blocks that the entry reaches, by priority. Other blocks never have lanes. */
static uint32_t *living_order(SrArena *arena, const EmuBlockTable *table, uint32_t *count) {
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, table->count);
  const SrBits *living =
      sr_graph_reachable(arena, table->graph, table->functions[table->entry_function].first);
  *count = 0;
  for (uint32_t i = 0; i < table->count; i++)
    if (sr_bit(living, table->order[i]))
      order[(*count)++] = table->order[i];
  return order;
}

static const void *find_conservative(SrArena *arena, const EmuBlockTable *table) {
  Conservative *c = SR_NEW(arena, Conservative, 1);
  c->from_active = sr_new_none(arena, table->count);
  c->from_empty = sr_new_none(arena, table->count);
  SrArena scratch = sr_arena_new(arena->heap);
  uint32_t count;
  const uint32_t *order = living_order(&scratch, table, &count);
  SrFrontiers f = sr_frontier_sets(&scratch, table->graph, order, count);
  for (uint32_t r = 0; r < count; r++) {
    uint32_t b = order[r], first = r + 1, best = table->count;
    while (first < count && !sr_in_frontier(&f, b, order[first]))
      first++;
    if (first < count) {
      c->from_empty[b] = order[first];
      best = table->priority[order[first]];
    }
    for (SR_SUCCS(t, table->graph, b))
      if (table->priority[*t] > table->priority[b] && table->priority[*t] < best)
        best = table->priority[*t];
    if (best < table->count)
      c->from_active[b] = table->order[best];
  }
  sr_arena_free(&scratch);
  return c;
}

static const char *sandy_refuses(SrArena *arena, const EmuBlockTable *table) {
  if (table->count <= MOST_BLOCKS)
    return NULL;
  SrText text = {.arena = arena};
  sr_text_add(&text,
              "the program has %u blocks; tf-sandy takes %u at most, since the thread "
              "frontiers' memory is quadratic",
              table->count, MOST_BLOCKS);
  return sr_text_end(&text);
}

static void *sandy_create(SrArena *arena, const EmuBlockTable *table, const void *plan,
                          uint32_t lanes, EmuPolicyCounts *counts) {
  Frontier *p = emu_frontier_create(arena, table, NULL, lanes, counts);
  p->conservative = plan;
  p->skips = emu_policy_choice(sandy_options, table, 0, EMPTY_NEXT) == EMPTY_FRONTIER;
  p->fixed = emu_policy_choice(sandy_options, table, 1, BRANCH_CHECKED) == BRANCH_STATIC;
  return p;
}

static bool sandy_next(void *policy, uint32_t *block, EmuMask *on) {
  const Frontier *p = policy;
  const EmuGroup *run = &p->groups.run;
  *block = p->pc;
  if (p->pc == run->block)
    emu_mask_copy(on, &run->lanes, p->groups.words);
  else
    emu_mask_clear(on, p->groups.words);
  return p->groups.running;
}

/* The subgroup's next PC after a block with active lanes. `all`: all lanes that have not ended were
 * active. */
static uint32_t sandy_target(const Frontier *p, const EmuWent *w, bool all) {
  const uint32_t *priority = p->table->priority;
  if (all && w->count == 1 && !p->fixed)
    return w->targets->block;
  uint32_t back = SR_NONE;
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t t = w->targets[i].block;
    if (priority[t] <= priority[p->pc] && (back == SR_NONE || priority[t] < priority[back]))
      back = t;
  }
  return back != SR_NONE ? back : p->conservative->from_active[p->pc];
}

static void sandy_went(void *policy, const EmuWent *w) {
  Frontier *p = policy;
  if (p->pc != p->groups.run.block) {
    p->pc = p->skips ? p->conservative->from_empty[p->pc]
                     : p->table->order[p->table->priority[p->pc] + 1];
    assert(p->pc != SR_NONE && p->table->priority[p->pc] <= p->groups.run.place);
    return;
  }
  bool all = p->groups.wait.count == 0;
  emu_frontier_went(p, w);
  if (!p->groups.running)
    return;
  p->pc = sandy_target(p, w, all);
  assert(p->pc != SR_NONE && p->table->priority[p->pc] <= p->groups.run.place);
}

/* While no-ops are issued, the running group waits at another block. */
static void sandy_waiting(const void *policy,
                          void (*tell)(void *user, uint32_t block, const EmuMask *lanes),
                          void *user) {
  const Frontier *p = policy;
  emu_frontier_waiting(p, tell, user);
  if (p->groups.running && p->pc != p->groups.run.block)
    tell(user, p->groups.run.block, &p->groups.run.lanes);
}

const EmuPolicy emu_policy_tf_sandy = {
    .name = "tf-sandy",
    .purpose = "thread frontiers by program counters; conservative branches",
    .options = sandy_options,
    .mixes = emu_priority_mixes,
    .refuses = sandy_refuses,
    .plan = find_conservative,
    .create = sandy_create,
    .start = emu_frontier_start,
    .next = sandy_next,
    .went = sandy_went,
    .waiting = sandy_waiting,
    .rule = "the subgroup's program counter has not reached their block",
};
