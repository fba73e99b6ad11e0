/* SPDX-License-Identifier: Apache-2.0 */
/* policy_jip: instruction pointers of lanes, with GOTO and JOIN (Intel, Gen 8 on: Programmer's
 * Reference Manual, volume "EU instruction set", goto and join; the placement by Intel's compiler:
 * jip_place.h).
 *
 * Each lane has an IP, and so has the subgroup; a lane is enabled if its IP is that of the
 * subgroup. GOTO sets the IP of the lanes that take it to its target, the UIP. If no lane continues
 * after the GOTO, the subgroup goes to the JIP, the next JOIN ahead at which lanes may wait. A JOIN
 * enables the lanes whose IP it is; if there are none, the subgroup goes to the JIP of the JOIN. So
 * the subgroup visits the joins ahead in layout order until one has lanes. A JOIN is an issue of
 * its own, with lanes or without.
 *
 * Documented: IPs, JIP and UIP, and which blocks get a JOIN. Assumed: the layout is that of
 * `minpc`; a branch or a switch with any number of targets is one instruction, as under the other
 * policies, and if several are taken the subgroup continues at the least; IF, ELSE, ENDIF and
 * WHILE, which the hardware has for structured code, are GOTOs and JOINs. A branch is a jump only
 * if it is proven uniform or has one target. A call is a region of its own: the lanes of a call run
 * until they have returned or ended.
 *
 * With the JOINs that the compiler places, no lane waits at an earlier place than the subgroup, so
 * apart from joins this issues what `stackless` does. An edited listing may leave lanes behind: if
 * no JIP leads to the remaining lanes, the policy is stuck. */
#include "spv-emu/policy/jip/jip_place.h"
#include "spv-emu/policy/layout.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct Call {
  uint32_t block; /* the block that calls */
  uint32_t first; /* where the groups of its function start */
  bool returned;  /* a lane has returned */
} Call;

typedef struct Jip {
  const EmuBlockTable *table;
  const EmuJips *jips;
  SrArena *arena;
  EmuGroups groups;   /* groups by IP, of which the enabled one runs; one part for each call */
  SR_VEC(Call) calls; /* from the outermost to the innermost */
} Jip;

static SrStatus place(const EmuPlacing *from, const void **program, const char **refused) {
  (void)refused;
  *program = emu_jips_place(from->arena, from->table);
  return SR_OK;
}

static SrStatus read(const EmuPlacing *from, const char *text, const void **program) {
  const char *why;
  *program = emu_jips_read(from->arena, from->table, text, &why);
  return *program ? SR_OK : sr_fail(from->diag, SR_BAD_INPUT, SR_NOWHERE, "%s", why);
}

static void print(const void *program, const EmuBlockTable *table, SrText *text) {
  emu_jips_print(program, table, text);
}

static const EmuPolicyOption options[] = {
    {.flag = "--joins",
     .help = "  --joins=FILE         policy jip runs this listing of --dump-joins, perhaps\n"
             "                       edited\n"},
    {0}};

static const EmuPolicyProgram join_program = {
    .dump = "--dump-joins",
    .dump_help = "  --dump-joins=FILE    policy jip: the same\n",
    .listing = 0,
    .place = place,
    .read = read,
    .print = print,
};

static const void *make_plan(SrArena *arena, const EmuBlockTable *table) {
  const char *why;
  return emu_policy_program(&join_program, arena, table, &why);
}

static bool mixes(SrArena *arena, const EmuBlockTable *table) {
  const EmuJips *jips = table->program;
  return (jips && jips->edited) || emu_layout_mixes(arena, table);
}

static uint32_t count_joins(SrArena *arena, const EmuBlockTable *table) {
  const EmuJips *jips = make_plan(arena, table);
  uint32_t count = 0;
  for (uint32_t b = 0; b < table->count; b++)
    count += jips->join[b];
  return count;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Jip *p = SR_NEW(arena, Jip, 1);
  *p = (Jip){.table = table, .jips = plan, .arena = arena};
  p->groups = (EmuGroups){
      .arena = arena, .counts = counts, .counted = true, .words = emu_mask_words(lanes)};
  SR_RESERVE(arena, &p->groups.wait, lanes);
  return p;
}

static void count_groups(Jip *p) {
  uint32_t count = p->groups.wait.count + 1;
  if (p->groups.counts->max_depth < count)
    p->groups.counts->max_depth = count;
}

/* Moves the subgroup to `block` with these lanes. */
static void run(Jip *p, uint32_t block, const EmuMask *lanes) {
  emu_group_set(&p->groups.run, block, block, lanes, p->groups.words);
  p->groups.running = true;
}

static void start(void *policy, const EmuMask *on) {
  Jip *p = policy;
  p->calls.count = p->groups.wait.count = p->groups.first = 0;
  p->groups.running = false;
  if (!emu_mask_any(on, p->groups.words))
    return;
  run(p, p->table->functions[p->table->entry_function].first, on);
  count_groups(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_groups_next(&((const Jip *)policy)->groups, block, on);
}

/* ---- joins ----------------------------------------------------------------------------------- */

/* Enables the lanes of a waiting group in addition to those that run. */
static void enable(Jip *p, uint32_t group) {
  EmuGroups *g = &p->groups;
  const EmuGroup *from = &g->wait.at[group];
  if (g->running)
    g->counts->reconvergences++;
  else
    emu_group_set(&g->run, from->block, from->place, &(EmuMask){0}, g->words);
  emu_mask_add(&g->run.lanes, &from->lanes, g->words);
  g->running = true;
  for (uint32_t i = group + 1; i < g->wait.count; i++)
    emu_group_copy(&g->wait.at[i - 1], &g->wait.at[i], g->words);
  g->wait.count--;
  emu_count_pops(g->counts, 1);
}

/* The waiting group at `block` or the next one ahead of it, counted from 1; if there is none,
 * `first`. The search begins at group `from`. */
static uint32_t group_from(const Jip *p, uint32_t from, uint32_t block) {
  const EmuGroups *g = &p->groups;
  while (from > g->first && g->wait.at[from - 1].block < block)
    from--;
  return from;
}

/* Executes the JOIN at a block to which lanes have jumped. */
static void join(Jip *p, uint32_t block) {
  if (!p->jips->join[block])
    return;
  p->groups.counts->added++;
  uint32_t group = group_from(p, p->groups.wait.count, block);
  if (group > p->groups.first && p->groups.wait.at[group - 1].block == block)
    enable(p, group - 1);
}

/* Goes from JOIN to JOIN until one enables lanes. */
static void search(Jip *p, uint32_t jip) {
  uint32_t group = p->groups.wait.count;
  if (group == p->groups.first) /* the call ends with its last lane */
    return;
  for (; jip != SR_NONE; jip = p->jips->empty[jip]) {
    p->groups.counts->added++;
    group = group_from(p, group, jip);
    if (group > p->groups.first && p->groups.wait.at[group - 1].block == jip) {
      enable(p, group - 1);
      return;
    }
  }
}

/* ---- where lanes go -------------------------------------------------------------------------- */

/* Does the subgroup continue at `least`, the least block that its lanes go to? */
static bool continues(const Jip *p, uint32_t from, uint32_t least) {
  return p->jips->jump[from] || least <= from + 1 || least < p->jips->leave[from];
}

static void wait_at(Jip *p, const EmuTarget *t) {
  emu_groups_put(&p->groups, p->groups.first, p->groups.wait.count, t->block, t->block, &t->lanes);
}

static void branch(Jip *p, uint32_t from, const EmuWent *w) {
  const EmuTarget *least = w->count ? &w->targets[0] : NULL;
  for (uint32_t i = 1; i < w->count; i++)
    if (w->targets[i].block < least->block)
      least = &w->targets[i];
  if (least && !continues(p, from, least->block))
    least = NULL;
  for (uint32_t i = 0; i < w->count; i++)
    if (&w->targets[i] != least)
      wait_at(p, &w->targets[i]);
  if (!least) {
    search(p, p->jips->leave[from]);
    return;
  }
  run(p, least->block, &least->lanes);
  join(p, least->block);
}

static void call(Jip *p, uint32_t from, const EmuTarget *t) {
  SR_PUSH(p->arena, &p->calls, ((Call){.block = from, .first = p->groups.first}));
  p->groups.first = p->groups.wait.count;
  run(p, t->block, &t->lanes);
  join(p, t->block);
}

/* Lanes return and wait after the call, among the groups of the caller. */
static void come_back(Jip *p, const EmuTarget *t) {
  Call *c = &SR_LAST(&p->calls);
  if (emu_groups_put(&p->groups, c->first, p->groups.first, t->block, t->block, &t->lanes))
    p->groups.first++;
  c->returned = true;
}

/* The innermost call is over: all its lanes have returned or ended. */
static void end_call(Jip *p) {
  Call c = SR_POP(&p->calls);
  uint32_t after = p->table->next[c.block];
  p->groups.first = c.first;
  if (!c.returned || !continues(p, c.block, after)) {
    search(p, p->jips->leave[c.block]);
    return;
  }
  p->groups.counts->added += p->jips->join[after];
  enable(p, group_from(p, p->groups.wait.count, after) - 1);
}

static void went(void *policy, const EmuWent *w) {
  Jip *p = policy;
  uint32_t from = p->groups.run.block;
  p->groups.running = false;
  if (w->count && w->kind == EMU_WENT_CALL) {
    call(p, from, &w->targets[0]);
  } else if (w->count && w->kind == EMU_WENT_RETURN) {
    for (uint32_t i = 0; i < w->count; i++)
      come_back(p, &w->targets[i]);
    search(p, p->jips->leave[from]);
  } else {
    branch(p, from, w);
  }
  while (!p->groups.running && p->groups.wait.count == p->groups.first && p->calls.count)
    end_call(p);
  if (p->groups.running)
    count_groups(p);
}

static bool stays(void *policy, uint32_t to, bool *joined) {
  Jip *p = policy;
  (void)joined;
  if (p->jips->join[to] || !continues(p, p->groups.run.block, to))
    return false;
  p->groups.run.block = p->groups.run.place = to;
  return true;
}

static bool stuck(const void *policy) {
  return ((const Jip *)policy)->groups.wait.count != 0;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  emu_groups_tell(&((const Jip *)policy)->groups, tell, user);
}

const EmuPolicy emu_policy_jip = {
    .name = "jip",
    .purpose = "instruction pointers of lanes; GOTO and JOIN with JIP and UIP",
    .options = options,
    .program = &join_program,
    .mixes = mixes,
    .refuses = emu_policy_accept,
    .plan = make_plan,
    .code = count_joins,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .stuck = stuck,
    .waiting = waiting,
    .rule = "their instruction pointer is not the one that runs",
};
