/* SPDX-License-Identifier: Apache-2.0 */
/* policy_jip: instruction pointers of lanes, with GOTO and JOIN (Intel, Gen 8 on: Programmer's
 * Reference Manual, volume "EU instruction set", goto and join; the placement by Intel's compiler:
 * jip_place.h).
 *
 * Each lane has an IP, and so has the subgroup; a lane is enabled if its IP is that of the
 * subgroup. GOTO gives the lanes that take it its target, the UIP. If no lane continues behind it,
 * the subgroup goes to the JIP, the next JOIN ahead at which lanes may wait. A JOIN enables the
 * lanes whose IP it is; if there are none, the subgroup goes to the JIP of the JOIN. So the
 * subgroup visits the joins ahead in layout order until one has lanes. A JOIN is an issue of its
 * own, with lanes or without.
 *
 * Documented: IPs, JIP and UIP, and which blocks get a JOIN. Assumed: the layout is that of
 * `minpc`; a branch or a switch with any number of targets is one instruction, as under the other
 * policies, and if several are taken the subgroup continues at the least; IF, ELSE, ENDIF and
 * WHILE, which the hardware has for structured code, are GOTOs and JOINs. A branch is a jump only
 * if it is proven uniform or has one target. A call is a region of its own: the lanes of a call run
 * until they have returned or ended.
 *
 * No lane waits behind the subgroup, so apart from joins this issues what `stackless` does, and
 * only the joins on the way are counted here. */
#include "policy/jip_place.h"
#include "policy/layout.h"
#include "policy/policy_groups.h"
#include "policy/policy_stackless.h"

#include <assert.h>

typedef struct Call {
  uint32_t block; /* that calls */
  bool returned;  /* a lane has */
} Call;

typedef struct Jip {
  SrArena *arena;
  const EmuBlockTable *table;
  const EmuJips *jips;
  EmuPolicyCounts *counts;
  void *lanes;        /* state of `stackless`: where they are, which run */
  SR_VEC(Call) calls; /* from the outermost to the one that runs */
  uint32_t block;     /* that runs */
} Jip;

static const void *place_joins(SrArena *arena, const EmuBlockTable *table) {
  return emu_jips_place(arena, table);
}

static uint32_t count_joins(SrArena *arena, const EmuBlockTable *table) {
  const EmuJips *jips = emu_jips_place(arena, table);
  uint32_t count = 0;
  for (uint32_t b = 0; b < table->count; b++)
    count += jips->join[b];
  return count;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Jip *p = SR_NEW(arena, Jip, 1);
  *p = (Jip){.arena = arena, .table = table, .jips = plan, .counts = counts};
  p->lanes = emu_stackless_create(arena, table, NULL, lanes, counts);
  return p;
}

static void start(void *policy, const EmuMask *on) {
  Jip *p = policy;
  p->calls.count = 0;
  p->block = p->table->functions[p->table->entry_function].first;
  emu_stackless_start(p->lanes, on);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_stackless_next(((const Jip *)policy)->lanes, block, on);
}

/* ---- joins on the way ------------------------------------------------------------------------ */

#ifndef NDEBUG
static bool leads_to(const EmuJips *jips, uint32_t join, uint32_t to) {
  while (join < to)
    join = jips->empty[join];
  return join == to && jips->join[to];
}
#endif

/* Counts those without lanes: from the JIP of `from` up to `to`. */
static void search(Jip *p, uint32_t from, uint32_t to) {
  uint32_t join = p->jips->leave[from];
  assert(leads_to(p->jips, join, to));
  p->counts->added += p->jips->ahead[join] - p->jips->ahead[to];
}

/* The subgroup leaves block `from` for `to`. `least`: the least block that its lanes go to;
 * SR_NONE: they have ended. */
static void leave(Jip *p, uint32_t from, uint32_t least, uint32_t to) {
  bool jumps = least != SR_NONE && (least <= from + 1 || least < p->jips->leave[from]);
  assert(!jumps || to == least);
  if (!jumps)
    search(p, from, to);
}

/* The lanes of the innermost calls have returned or ended; there is no recursion, so the functions
 * of the calls differ. */
static void leave_calls(Jip *p, uint32_t to) {
  Call call;
  do
    call = SR_POP(&p->calls);
  while (p->table->function[call.block] != p->table->function[to]);
  leave(p, call.block, call.returned ? p->table->next[call.block] : SR_NONE, to);
}

/* The subgroup goes to `to`, where it has the most urgent lanes. */
static void go(Jip *p, const EmuWent *w, uint32_t to) {
  uint32_t least = SR_NONE;
  for (uint32_t i = 0; i < w->count; i++)
    least = w->targets[i].block < least ? w->targets[i].block : least;
  if (w->count && w->kind == EMU_WENT_RETURN)
    SR_LAST(&p->calls).returned = true;
  if (w->count && w->kind == EMU_WENT_CALL)
    SR_PUSH(p->arena, &p->calls, ((Call){.block = p->block}));
  else if (p->table->function[to] != p->table->function[p->block])
    leave_calls(p, to);
  else
    leave(p, p->block, w->kind == EMU_WENT_BRANCH ? least : SR_NONE, to);
  p->counts->added += p->jips->join[to];
  p->block = to;
}

static void went(void *policy, const EmuWent *w) {
  Jip *p = policy;
  EmuMask on;
  uint32_t to;
  emu_stackless_went(p->lanes, w);
  if (emu_stackless_next(p->lanes, &to, &on))
    go(p, w, to);
}

static bool stays(void *policy, uint32_t to, bool *joined) {
  Jip *p = policy;
  if (p->jips->join[to] || !emu_stackless_stays(p->lanes, to, joined))
    return false;
  p->block = to;
  return true;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  emu_stackless_waiting(((const Jip *)policy)->lanes, tell, user);
}

const EmuPolicy emu_policy_jip = {
    .name = "jip",
    .purpose = "instruction pointers of lanes; GOTO and JOIN with JIP and UIP",
    .mixes = emu_layout_mixes,
    .refuses = emu_policy_accept,
    .plan = place_joins,
    .code = count_joins,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .waiting = waiting,
};
