/* SPDX-License-Identifier: Apache-2.0 */
/* policy_structured: the mask stack of hardware for structured programs, driven by merge
 * instructions: IF / ELSE / ENDIF, LOOP / BREAK / CONTINUE / ENDLOOP (Pixar's CHAP, Levinthal and
 * Porter 1984; AMD's IL; Intel's Gen5). Its tangles are those of SPV_KHR_maximal_reconvergence.
 *
 * A frame is a construct with lanes inside: pushed at the header's branch, popped when no lane is
 * left in it. It holds
 *
 *   done    lanes that have reached the merge block (ENDIF; BREAK): they continue after the pop
 *   conts   lanes that have reached the continue target from inner constructs (CONTINUE)
 *   again   lanes that have taken the back edge: they wait for the others of their iteration
 *   arms    the waiting groups of the construct itself (a part of `groups`): the sides of the
 *           branch and cases that others may still fall through into, run by place (construct_order.h)
 *
 * An edge to the merge block, continue target or header of an open construct leaves all constructs
 * above it on the stack, which keep their other lanes. Any other edge stays inside its construct,
 * whether or not its branch declares a merge.
 *
 * A call opens a frame too; lanes that return are its `done`. Lanes that end are in no mask of any
 * frame: masks hold lanes that wait there, never lanes that have yet to arrive. */
#include "spv-emu/policy/construct_order.h"
#include "spv-emu/policy/hammock.h"
#include "spv-emu/policy/policy_groups.h"

typedef enum Waits { DONE = 1, CONTS = 2, AGAIN = 4 } Waits;

typedef struct Frame {
  uint32_t header; /* block that declares the construct; of a call and of the program: SR_NONE */
  uint32_t first;  /* where its arms start among the groups */
  uint32_t after;  /* merge block; block after the call */
  uint32_t outer;  /* of a call: the frame of the call around it */
  uint32_t waits;  /* the masks that hold lanes, as bits of Waits */
  EmuMask done, conts, again;
} Frame;

/* The roles of a block. Fields are the headers of the constructs whose merge block, continue target
 * or header it is, or SR_NONE. */
typedef struct Role {
  uint32_t merge_of, cont_of, head_of;
  bool declares; /* it declares a construct */
  bool plain;    /* it has no role */
} Role;

/* All arrays are by block. */
typedef struct Plan {
  const uint32_t *place, *first_part;
  const Role *role;
  const EmuHammock **hammock; /* the hammock of its construct, or NULL */
} Plan;

typedef struct Structured {
  SrArena *arena;
  const EmuBlockTable *table;
  EmuPolicyCounts *counts;
  Plan of;
  uint32_t *open; /* by header: the place of its frame, if it has one; see is_open */
  uint32_t body;  /* the frame of the innermost call */
  uint32_t words;
  uint32_t depth, least; /* frames at the last call of `returns`, and the least number since */
  EmuGroups groups;
  SR_VEC(Frame) frames;
} Structured;

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  for (uint32_t f = 0; f < table->function_count; f++)
    if (!table->functions[f].structured) {
      SrText text = {.arena = arena};
      emu_function_name(&table->functions[f], &text);
      sr_text_add(&text, " is not structured: run --transform=structurize");
      return sr_text_end(&text);
    }
  return NULL;
}

static Role *find_roles(SrArena *arena, const EmuBlockTable *table, const uint32_t *first_part) {
  Role *role = SR_NEW_RAW(arena, Role, table->count);
  for (uint32_t b = 0; b < table->count; b++)
    role[b] = (Role){SR_NONE, SR_NONE, SR_NONE, table->merge[b] != SR_NONE, true};
  for (uint32_t b = 0; b < table->count; b++) {
    if (!role[b].declares)
      continue;
    role[table->merge[b]].merge_of = b;
    role[table->merge[b]].plain = false;
    if (table->cont[b] == SR_NONE)
      continue;
    role[table->cont[b]].cont_of = b;
    role[table->cont[b]].plain = false;
    role[first_part[b]].head_of = b;
    role[first_part[b]].plain = false;
  }
  return role;
}

/* The hammocks of the selections whose merge block has no other role, by header. */
static const EmuHammock **find_hammocks(SrArena *arena, const EmuBlockTable *table,
                                        const uint32_t *place, const Role *role) {
  const EmuHammock **hammocks = SR_NEW(arena, const EmuHammock *, table->count);
  SrBits *special = sr_bits_new(arena, table->count);
  for (uint32_t b = 0; b < table->count; b++)
    if (!role[b].plain || role[b].declares)
      sr_bit_set(special, b);
  for (uint32_t b = 0; b < table->count; b++) {
    if (!role[b].declares || table->cont[b] != SR_NONE)
      continue;
    const Role *join = &role[table->merge[b]];
    if (join->merge_of == b && join->head_of == SR_NONE && join->cont_of == SR_NONE)
      hammocks[b] = emu_hammock_find(arena, table, place, special, b);
  }
  return hammocks;
}

static const void *make_plan(SrArena *arena, const EmuBlockTable *table) {
  Plan *of = SR_NEW(arena, Plan, 1);
  of->place = emu_places_build(arena, table)->place;
  of->first_part = emu_first_parts(arena, table);
  of->role = find_roles(arena, table, of->first_part);
  of->hammock = find_hammocks(arena, table, of->place, of->role);
  return of;
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Structured *p = SR_NEW(arena, Structured, 1);
  *p = (Structured){.arena = arena,
                    .table = table,
                    .counts = counts,
                    .of = *(const Plan *)plan,
                    .open = sr_new_none(arena, table->count),
                    .words = emu_mask_words(lanes)};
  p->groups = (EmuGroups){.arena = arena, .counts = counts, .words = p->words};
  return p;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Entries of popped frames stay in `open`. They are recognized by a different header of the frame
 * at that place. */
static bool is_open(const Structured *p, uint32_t header) {
  uint32_t f = p->open[header];
  return f < p->frames.count && p->frames.at[f].header == header;
}

static void push(Structured *p, uint32_t header, uint32_t after) {
  SR_RESERVE(p->arena, &p->frames, 1);
  Frame *f = &p->frames.at[p->frames.count++];
  f->header = header;
  f->first = p->groups.first = p->groups.wait.count;
  f->after = after;
  f->outer = p->body;
  f->waits = 0;
  if (header != SR_NONE)
    p->open[header] = p->frames.count - 1;
  else
    p->body = p->frames.count - 1;
  if (p->counts->max_depth < p->frames.count)
    p->counts->max_depth = p->frames.count;
}

static void wait_in(Structured *p, Frame *f, Waits what, EmuMask *mask, const EmuMask *lanes) {
  if (f->waits & what) {
    emu_mask_add(mask, lanes, p->words);
    p->counts->reconvergences++;
    return;
  }
  emu_mask_copy(mask, lanes, p->words);
  f->waits |= what;
}

/* Lanes reach a block, by an edge from the top frame or from one that was popped. */
static void arrive(Structured *p, uint32_t block, const EmuMask *lanes) {
  const Role *r = &p->of.role[block];
  if (r->head_of != SR_NONE && is_open(p, r->head_of)) {
    Frame *f = &p->frames.at[p->open[r->head_of]];
    wait_in(p, f, AGAIN, &f->again, lanes);
  } else if (r->merge_of != SR_NONE && is_open(p, r->merge_of)) {
    Frame *f = &p->frames.at[p->open[r->merge_of]];
    wait_in(p, f, DONE, &f->done, lanes);
  } else if (r->cont_of != SR_NONE && is_open(p, r->cont_of) &&
             p->open[r->cont_of] + 1 < p->frames.count) {
    Frame *f = &p->frames.at[p->open[r->cont_of]];
    wait_in(p, f, CONTS, &f->conts, lanes);
  } else
    emu_groups_offer(&p->groups, block, p->of.place[block], lanes);
}

/* Pops the top frame, in which no lane is left; its `done` lanes continue in the next frame. */
static void pop(Structured *p) {
  const Frame *f = &p->frames.at[--p->frames.count];
  if (f->header == SR_NONE)
    p->body = f->outer;
  if (!p->frames.count)
    return;
  emu_count_pops(p->counts, 1);
  p->groups.first = SR_LAST(&p->frames).first;
  if (f->waits & DONE)
    arrive(p, f->after, &f->done);
}

/* Finds what runs next: an arm of the top frame, or its continue target; otherwise its next
 * iteration; otherwise the merge block. */
static void settle(Structured *p) {
  while (p->frames.count) {
    Frame *f = &SR_LAST(&p->frames);
    if (f->waits & CONTS) {
      uint32_t cont = p->table->cont[f->header];
      f->waits &= ~(uint32_t)CONTS;
      emu_groups_offer(&p->groups, cont, p->of.place[cont], &f->conts);
    }
    if (emu_groups_settle(&p->groups))
      return;
    if (f->waits & AGAIN) {
      uint32_t head = p->of.first_part[f->header];
      f->waits &= ~(uint32_t)AGAIN;
      emu_groups_offer(&p->groups, head, p->of.place[head], &f->again);
      return;
    }
    pop(p);
  }
}

/* ---- the policy ------------------------------------------------------------------------------ */

static void start(void *policy, const EmuMask *on) {
  Structured *p = policy;
  p->groups.wait.count = 0;
  p->groups.running = false;
  p->frames.count = 0;
  p->body = SR_NONE;
  push(p, SR_NONE, SR_NONE);
  if (emu_mask_any(on, p->words)) {
    uint32_t entry = p->table->functions[p->table->entry_function].first;
    emu_groups_offer(&p->groups, entry, p->of.place[entry], on);
  }
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_groups_next(&((const Structured *)policy)->groups, block, on);
}

static void call(Structured *p, uint32_t block) {
  push(p, SR_NONE, p->table->next[block]);
  emu_count_pushes(p->counts, 1);
}

/* Opens the construct that the block declares. Does nothing for a loop header that begins another
 * iteration, because its loop is already open. */
static void open_construct(Structured *p, uint32_t block) {
  if (p->table->cont[block] != SR_NONE && is_open(p, block))
    return;
  push(p, block, p->table->merge[block]);
  emu_count_pushes(p->counts, 1);
}

static void went(void *policy, const EmuWent *w) {
  Structured *p = policy;
  uint32_t block = p->groups.run.block;
  const EmuTarget *t = w->targets;
  p->groups.running = false;
  if (w->kind == EMU_WENT_BRANCH && w->count && p->of.role[block].declares)
    open_construct(p, block);
  else if (w->kind == EMU_WENT_CALL && w->count)
    call(p, block);
  for (uint32_t i = 0; i < w->count; i++, t++)
    if (w->kind == EMU_WENT_RETURN) {
      Frame *f = &p->frames.at[p->body];
      wait_in(p, f, DONE, &f->done, &t->lanes);
    } else
      arrive(p, t->block, &t->lanes);
  settle(p);
}

/* ---- lanes that stay together ---------------------------------------------------------------- */

/* Below are shortcuts for open_construct, arrive and settle if all lanes take one edge and no other
 * lanes of their construct are left to run. */

static bool is_open_at(const Structured *p, uint32_t header) {
  return header != SR_NONE && is_open(p, header);
}

/* Handles edges to the header or continue target of the innermost construct. */
static bool goes_round(const Structured *p, const Role *r) {
  const Frame *f = &SR_LAST(&p->frames);
  bool head = r->head_of == f->header,
       cont = r->cont_of == f->header && !is_open_at(p, r->head_of) && !is_open_at(p, r->merge_of);
  return f->header != SR_NONE && (head || cont) && !(f->waits & ~(uint32_t)DONE);
}

/* Handles edges to the header of a loop that is not open. */
static bool goes_into(const Structured *p, const Role *r) {
  return r->head_of != SR_NONE && !is_open(p, r->head_of) && !is_open_at(p, r->merge_of) &&
         !is_open_at(p, r->cont_of);
}

/* Handles edges to the merge block of the innermost construct, which closes. */
static bool goes_to_merge(Structured *p, const Role *r, uint32_t to, bool *joined) {
  const Frame *f = &SR_LAST(&p->frames), *outer = f - 1;
  EmuGroups *g = &p->groups;
  if (f->header == SR_NONE || r->merge_of != f->header || f->waits & ~(uint32_t)DONE ||
      outer->waits & CONTS || is_open_at(p, r->head_of) || is_open_at(p, r->cont_of))
    return false;
  g->first = outer->first;
  if (!emu_groups_move(g, to, p->of.place[to])) {
    g->first = f->first;
    return false;
  }
  if (f->waits & DONE) {
    emu_mask_add(&g->run.lanes, &f->done, p->words);
    p->counts->reconvergences++;
    *joined = true;
  }
  p->frames.count--;
  if (p->least > p->frames.count)
    p->least = p->frames.count;
  emu_count_pops(p->counts, 1);
  return true;
}

static void open_and_close(Structured *p) {
  emu_count_pushes(p->counts, 1);
  if (p->counts->max_depth < p->frames.count + 1)
    p->counts->max_depth = p->frames.count + 1;
  emu_count_pops(p->counts, 1);
}

/* Handles edges from the header of a selection to its merge block: the construct opens and closes
 * immediately. */
static bool goes_past(Structured *p, const Role *r, uint32_t to) {
  uint32_t block = p->groups.run.block;
  if (r->merge_of != block || p->table->cont[block] != SR_NONE || r->head_of != SR_NONE ||
      r->cont_of != SR_NONE || !emu_groups_move(&p->groups, to, p->of.place[to]))
    return false;
  open_and_close(p);
  return true;
}

/* EmuPolicy.stays at edges where a construct opens, closes or begins another iteration. */
static __attribute__((noinline)) bool stays_at_edge(Structured *p, uint32_t to, bool *joined) {
  EmuGroups *g = &p->groups;
  const Role *r = &p->of.role[to];
  bool declares = p->of.role[g->run.block].declares;
  if (declares && !r->plain)
    return goes_past(p, r, to);
  if (declares)
    open_construct(p, g->run.block);
  else if (goes_into(p, r))
    return emu_groups_move(g, to, p->of.place[to]);
  else if (g->wait.count != g->first)
    return false;
  else if (!goes_round(p, r))
    return goes_to_merge(p, r, to, joined);
  return emu_groups_move(g, to, p->of.place[to]);
}

static bool stays(void *policy, uint32_t to, bool *joined) {
  Structured *p = policy;
  if (!p->of.role[to].plain || p->of.role[p->groups.run.block].declares)
    return stays_at_edge(p, to, joined);
  return emu_groups_move(&p->groups, to, p->of.place[to]);
}

/* Lanes that stay together change a frame only by closing it. */
static bool returns(void *policy) {
  Structured *p = policy;
  bool same = p->frames.count == p->depth && p->least == p->depth;
  p->depth = p->least = p->frames.count;
  return same;
}

/* The header's branch opens the construct whatever edges it takes. The frame is new: no lane waits in it
 * that `stays` would find on the path. */
static bool enters(void *policy, uint32_t header) {
  Structured *p = policy;
  if (p->of.role[header].head_of != header || is_open(p, header))
    return false;
  open_construct(p, header);
  p->depth = p->least = p->frames.count;
  return true;
}

/* The frame of a selection holds the lanes of its header; nothing else runs until it is popped,
 * even if lanes wait outside. Then its lanes run the merge block, unless others wait at that block
 * or at one before it. */
static const EmuHammock *hammock(void *policy, uint64_t most) {
  Structured *p = policy;
  const EmuHammock *h = p->of.hammock[p->groups.run.block];
  if (!h || h->issues > most || !emu_groups_move(&p->groups, h->join, p->of.place[h->join]))
    return NULL;
  open_and_close(p);
  return h;
}

static const EmuHammock *hammock_at(const void *policy, uint32_t block) {
  return ((const Structured *)policy)->of.hammock[block];
}

/* Lanes leave a construct that is open around the whole path: they wait in its frame. If they run a
 * block on their way, it is the only arm of a selection, at whose merge block the others wait. */
static bool lets_part(const void *policy, const EmuParting *of) {
  const Structured *p = policy;
  const Role *r = &p->of.role[of->to];
  if (!is_open_at(p, r->merge_of) || is_open_at(p, r->head_of))
    return false;
  if (of->via == SR_NONE)
    return true;
  const Role *via = &p->of.role[of->via];
  return via->plain && !via->declares && p->of.role[of->block].declares &&
         p->table->cont[of->block] == SR_NONE && p->table->merge[of->block] == of->stay;
}

static void part(void *policy, uint32_t to, const EmuMask *lanes, uint64_t times) {
  Structured *p = policy;
  Frame *f = &p->frames.at[p->open[p->of.role[to].merge_of]];
  wait_in(p, f, DONE, &f->done, lanes);
  p->counts->reconvergences += times - 1;
  emu_mask_drop(&p->groups.run.lanes, lanes, p->words);
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Structured *p = policy;
  emu_groups_tell(&p->groups, tell, user);
  for (uint32_t i = 0; i < p->frames.count; i++) {
    const Frame *f = &p->frames.at[i];
    if (f->waits & DONE)
      tell(user, f->after, &f->done);
    if (f->waits & CONTS)
      tell(user, p->table->cont[f->header], &f->conts);
    if (f->waits & AGAIN)
      tell(user, p->of.first_part[f->header], &f->again);
  }
}

static void tell_frame(const Structured *p, uint32_t i, EmuTellHeld *tell, void *user) {
  const Frame *f = &p->frames.at[i];
  bool body = f->header == SR_NONE;
  EmuHeld held = {.number = i, .rejoin = f->after};
  if (f->waits & CONTS) {
    held.what = "continue target, frame";
    held.block = p->table->cont[f->header];
    held.lanes = &f->conts;
    held.why = "lanes of their iteration have not reached the continue target";
    tell(user, &held);
  }
  if (f->waits & AGAIN) {
    held.what = "next iteration, frame";
    held.block = p->of.first_part[f->header];
    held.lanes = &f->again;
    held.why = "lanes of the iteration before have not ended it";
    tell(user, &held);
  }
  if (f->waits & DONE) {
    held.what = body ? "after the call, frame" : "merge block, frame";
    held.block = f->after;
    held.lanes = &f->done;
    held.why = body ? "lanes of the call have not returned"
                    : "lanes are left in the construct that the merge block ends";
    tell(user, &held);
  }
}

/* The frames from the innermost construct out. */
static void held(const void *policy, EmuTellHeld *tell, void *user) {
  const Structured *p = policy;
  uint32_t end = p->groups.wait.count;
  emu_groups_held_run(&p->groups, "runs", tell, user);
  for (uint32_t i = p->frames.count; i-- > 0;) {
    emu_groups_held(&p->groups, p->frames.at[i].first, end, "arm",
                    "another arm of the construct, or one of a construct inside it, runs first",
                    tell, user);
    end = p->frames.at[i].first;
    tell_frame(p, i, tell, user);
  }
}

const EmuPolicy emu_policy_structured = {
    .name = "structured",
    .purpose = "a mask stack driven by merge instructions",
    .stacked = true,
    .tangles = true,
    .meets_in_place = true,
    .refuses = refuses,
    .plan = make_plan,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .returns = returns,
    .enters = enters,
    .hammock = hammock,
    .hammock_at = hammock_at,
    .lets_part = lets_part,
    .part = part,
    .waiting = waiting,
    .held = held,
};
