/* SPDX-License-Identifier: Apache-2.0 */
/* policy_maximal: maximal reconvergence on any graph (after SPV_KHR_maximal_reconvergence).
 *
 * Each lane has a key: (place, iteration, place, iteration, …) for the loops around it from the
 * outermost to the innermost, with the places of construct_order.h. The lanes with the least key run
 * first, those with equal keys together. So lanes finish an iteration before any of them begins the
 * next.
 *
 * Such keys need not be built. The lanes with the least key are inside some loops; lanes inside the
 * same loop, in the same iterations of all loops around it, have lower keys than all lanes outside,
 * since a loop's blocks are contiguous. So each loop around the running lanes, from the outermost
 * to the innermost, has one frame, which holds
 *
 *   its part of `groups`   lanes of the running iteration: they are directly in the loop, or at
 *                          blocks of inner loops that have not begun
 *   later                  lanes of the next iteration: all at the header, since an iteration
 *                          begins only with an edge to it
 *
 * Later iterations have no lanes, since none can start before the next has run. Lanes that leave a
 * loop go to the frame of the innermost open loop around their target. A loop with lanes in a part
 * is opened when one of them has the least key of the part: the loop's lanes, which are the last of
 * the part, become the part of its frame, without moving. These are then all lanes that will be in
 * the loop in these outer iterations, since all blocks that lead into the loop come before it.
 *
 * A call is a region inside its block: it has a frame like that of a loop, which also holds the
 * lanes that have returned. */
#include "spv-emu/policy/construct_order.h"
#include "spv-emu/policy/policy_groups.h"

typedef struct Frame {
  uint32_t loop;  /* SR_NONE: the body of a called function, or the program's */
  uint32_t first; /* where its part of the groups starts */
  uint32_t after; /* the block of `later`: the loop's header, or the block after the call */
  uint32_t outer; /* for a body: the frame of the body around it */
  bool any;       /* `later` holds lanes */
  EmuMask later;  /* for a loop: lanes of the next iteration; for a body: lanes that have
                     returned */
} Frame;

typedef struct Maximal {
  SrArena *arena;
  const EmuBlockTable *table;
  const EmuPlaces *places;
  uint32_t body; /* the frame of the innermost call */
  uint32_t words;
  EmuGroups groups;
  SR_VEC(Frame) frames;
} Maximal;

static const void *find_places(SrArena *arena, const EmuBlockTable *table) {
  return emu_places_build(arena, table);
}

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  Maximal *p = SR_NEW(arena, Maximal, 1);
  *p = (Maximal){.arena = arena, .table = table, .places = plan, .words = emu_mask_words(lanes)};
  p->groups = (EmuGroups){.arena = arena, .counts = counts, .counted = true, .words = p->words};
  return p;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void set_frame(Frame *f, uint32_t loop, uint32_t first, uint32_t after, uint32_t outer) {
  f->loop = loop;
  f->first = first;
  f->after = after;
  f->outer = outer;
  f->any = false;
}

static void push_body(Maximal *p, uint32_t after) {
  SR_RESERVE(p->arena, &p->frames, 1);
  p->groups.first = p->groups.wait.count;
  set_frame(&p->frames.at[p->frames.count], SR_NONE, p->groups.first, after, p->body);
  p->body = p->frames.count++;
}

/* Opens the loops around the running block that are not open. The block's lanes have the least key
 * of their part. */
static void open_loops(Maximal *p) {
  uint32_t inner = p->places->loop[p->groups.run.block], top = SR_LAST(&p->frames).loop;
  if (inner == top)
    return;
  const EmuLoop *loops = p->places->loops.at;
  uint32_t more = loops[inner].depth - (top == SR_NONE ? 0 : loops[top].depth);
  SR_RESERVE(p->arena, &p->frames, more);
  p->frames.count += more;
  uint32_t part = p->groups.first, first = p->groups.wait.count;
  for (uint32_t l = inner, i = p->frames.count; l != top; l = loops[l].parent) {
    while (first > part && p->groups.wait.at[first - 1].place <= loops[l].last)
      first--;
    set_frame(&p->frames.at[--i], l, first, loops[l].header, SR_NONE);
  }
  p->groups.first = SR_LAST(&p->frames).first;
}

static void wait_in(Maximal *p, Frame *f, const EmuMask *lanes) {
  if (f->any) {
    emu_mask_add(&f->later, lanes, p->words);
    p->groups.counts->reconvergences++;
    return;
  }
  emu_mask_copy(&f->later, lanes, p->words);
  f->any = true;
  p->groups.aside++;
  emu_count_pushes(p->groups.counts, 1);
}

static bool is_inside(const Maximal *p, const Frame *f, uint32_t place) {
  if (f->loop == SR_NONE)
    return true;
  const EmuLoop *l = &p->places->loops.at[f->loop];
  return l->first <= place && place <= l->last;
}

/* Lanes reach a block of the running function, by an edge or by a return. */
static void arrive(Maximal *p, uint32_t block, const EmuMask *lanes) {
  uint32_t place = p->places->place[block], top = p->frames.count - 1, f = top;
  while (!is_inside(p, &p->frames.at[f], place))
    f--;
  Frame *at = &p->frames.at[f];
  if (at->loop != SR_NONE && at->after == block) {
    wait_in(p, at, lanes);
    return;
  }
  if (f == top) {
    emu_groups_offer(&p->groups, block, place, lanes);
    return;
  }
  if (emu_groups_put(&p->groups, at->first, at[1].first, block, place, lanes)) {
    for (uint32_t above = f + 1; above <= top; above++)
      p->frames.at[above].first++;
    p->groups.first++;
  }
}

/* Takes the lanes that `wait_in` set aside. */
static const EmuMask *take_up(Maximal *p, Frame *f) {
  f->any = false;
  p->groups.aside--;
  emu_count_pops(p->groups.counts, 1);
  return &f->later;
}

/* Finds the lanes with the least key: lanes in the top frame's part, otherwise lanes of its loop's
 * next iteration, otherwise lanes of the frame below. */
static void settle(Maximal *p) {
  while (p->frames.count) {
    if (emu_groups_settle(&p->groups)) {
      open_loops(p);
      return;
    }
    Frame *f = &SR_LAST(&p->frames);
    if (f->loop != SR_NONE && f->any) {
      emu_groups_offer(&p->groups, f->after, p->places->place[f->after], take_up(p, f));
      return;
    }
    p->frames.count--;
    if (f->loop == SR_NONE)
      p->body = f->outer;
    if (!p->frames.count)
      return;
    p->groups.first = SR_LAST(&p->frames).first;
    if (f->any)
      arrive(p, f->after, take_up(p, f));
  }
}

/* ---- the policy ------------------------------------------------------------------------------ */

static void start(void *policy, const EmuMask *on) {
  Maximal *p = policy;
  p->groups.wait.count = p->groups.aside = 0;
  p->groups.running = false;
  p->frames.count = 0;
  p->body = SR_NONE;
  push_body(p, SR_NONE);
  if (emu_mask_any(on, p->words))
    arrive(p, p->table->functions[p->table->entry_function].first, on);
  settle(p);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  return emu_groups_next(&((const Maximal *)policy)->groups, block, on);
}

static void went(void *policy, const EmuWent *w) {
  Maximal *p = policy;
  const EmuTarget *t = w->targets;
  uint32_t block = p->groups.run.block;
  p->groups.running = false;
  if (w->kind == EMU_WENT_CALL && w->count)
    push_body(p, p->table->next[block]);
  for (uint32_t i = 0; i < w->count; i++, t++)
    if (w->kind == EMU_WENT_RETURN)
      wait_in(p, &p->frames.at[p->body], &t->lanes);
    else
      arrive(p, t->block, &t->lanes);
  settle(p);
}

/* Handles only edges inside the innermost loop that are not back edges. */
static bool stays(void *policy, uint32_t to, bool *joined) {
  (void)joined;
  Maximal *p = policy;
  uint32_t loop = SR_LAST(&p->frames).loop;
  return p->places->loop[to] == loop &&
         (loop == SR_NONE || p->places->loops.at[loop].header != to) &&
         emu_groups_move(&p->groups, to, p->places->place[to]);
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Maximal *p = policy;
  emu_groups_tell(&p->groups, tell, user);
  for (uint32_t i = 0; i < p->frames.count; i++)
    if (p->frames.at[i].any)
      tell(user, p->frames.at[i].after, &p->frames.at[i].later);
}

/* The frames from the innermost loop out. */
static void held(const void *policy, EmuTellHeld *tell, void *user) {
  const Maximal *p = policy;
  uint32_t end = p->groups.wait.count;
  emu_groups_held_run(&p->groups, "runs", tell, user);
  for (uint32_t i = p->frames.count; i-- > 0;) {
    const Frame *f = &p->frames.at[i];
    bool body = f->loop == SR_NONE;
    emu_groups_held(&p->groups, f->first, end, "waits",
                    "lanes that may still reach their block run first", tell, user);
    end = f->first;
    const EmuHeld later = {.what = body ? "after the call, frame" : "next iteration, frame",
                           .number = i,
                           .block = f->after,
                           .rejoin = f->after,
                           .lanes = &f->later,
                           .why = body ? "lanes of the call have not returned"
                                       : "lanes of the iteration before have not ended it"};
    if (f->any)
      tell(user, &later);
  }
}

const EmuPolicy emu_policy_maximal = {
    .name = "maximal",
    .purpose = "maximal reconvergence on any graph: by place and iteration",
    .stacked = true,
    .tangles = true,
    .meets_in_place = true,
    .refuses = emu_policy_accept,
    .plan = find_places,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .stays = stays,
    .waiting = waiting,
    .held = held,
};
