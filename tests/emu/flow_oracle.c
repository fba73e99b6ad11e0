/* SPDX-License-Identifier: Apache-2.0 */
/* flow_oracle: see flow_oracle.h. Loops and places come from construct_order.h; iterations are
 * counted, and keys compared, lane by lane. */
#include "tests/emu/flow_oracle.h"
#include "spv-emu/policy/construct_order.h"

enum { MOST_KEY = 256 };

typedef struct Lane {
  bool lives;
  uint32_t block;
  uint32_t calls[8], call_count; /* calling blocks, outermost first */
  uint32_t *iteration;           /* by loop of the program */
} Lane;

typedef struct Oracle {
  const EmuBlockTable *table;
  const EmuPlaces *places;
  uint32_t lanes, block;
  EmuMask on;
  Lane *lane;
} Oracle;

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  (void)plan;
  (void)counts;
  Oracle *p = SR_NEW(arena, Oracle, 1);
  *p = (Oracle){.table = table, .places = emu_places_build(arena, table), .lanes = lanes};
  p->lane = SR_NEW(arena, Lane, lanes);
  for (uint32_t i = 0; i < lanes; i++)
    p->lane[i].iteration = SR_NEW(arena, uint32_t, p->places->loops.count + 1);
  return p;
}

static void start(void *policy, const EmuMask *on) {
  Oracle *p = policy;
  for (uint32_t i = 0; i < p->lanes; i++) {
    p->lane[i].lives = emu_mask_has(on, i);
    p->lane[i].block = p->table->functions[p->table->entry_function].first;
    p->lane[i].call_count = 0;
  }
}

/* (first place of the loop, iteration) from the outermost loop in, then the block's own place. */
static uint32_t add_key(const Oracle *p, const Lane *lane, uint32_t block, uint32_t *key,
                        uint32_t count) {
  uint32_t chain[MOST_KEY], depth = 0;
  for (uint32_t l = p->places->loop[block]; l != SR_NONE; l = p->places->loops.at[l].parent)
    chain[depth++] = l;
  while (depth-- > 0) {
    key[count++] = p->places->loops.at[chain[depth]].first;
    key[count++] = lane->iteration[chain[depth]];
  }
  key[count++] = p->places->place[block];
  return count;
}

static uint32_t key_of(const Oracle *p, const Lane *lane, uint32_t *key) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < lane->call_count; i++)
    count = add_key(p, lane, lane->calls[i], key, count);
  return add_key(p, lane, lane->block, key, count);
}

/* A loop's first place is also that of a block, its header: the rest of the keys distinguishes the
 * two, since all lanes in a loop have the loop in their keys. */
static int compare(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count) {
  for (uint32_t i = 0; i < a_count && i < b_count; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return a_count == b_count ? 0 : a_count > b_count ? -1 : 1; /* inside a call: before it */
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  Oracle *p = policy;
  uint32_t best[MOST_KEY], key[MOST_KEY], best_count = 0;
  bool any = false;
  for (uint32_t i = 0; i < p->lanes; i++) {
    if (!p->lane[i].lives)
      continue;
    uint32_t count = key_of(p, &p->lane[i], key);
    int order = any ? compare(key, count, best, best_count) : -1;
    if (order < 0) {
      memcpy(best, key, sizeof key);
      best_count = count;
      p->block = p->lane[i].block;
      p->on = (EmuMask){0};
    }
    if (order <= 0)
      emu_mask_set(&p->on, i);
    any = true;
  }
  *block = p->block;
  *on = p->on;
  return any;
}

static bool has(const EmuLoop *l, uint32_t place) {
  return l->first <= place && place <= l->last;
}

/* An edge to a loop's header from inside the loop begins an iteration; one into the loop from
 * outside begins the first. */
static void follow(const Oracle *p, Lane *lane, uint32_t to) {
  for (uint32_t l = p->places->loop[to]; l != SR_NONE; l = p->places->loops.at[l].parent) {
    const EmuLoop *loop = &p->places->loops.at[l];
    if (!has(loop, p->places->place[lane->block]))
      lane->iteration[l] = 0;
    else if (loop->header == to)
      lane->iteration[l]++;
  }
  lane->block = to;
}

static void go(const Oracle *p, Lane *lane, const EmuWent *went, uint32_t to) {
  if (went->kind == EMU_WENT_CALL) {
    lane->calls[lane->call_count++] = lane->block;
    lane->block = to;
    for (uint32_t l = p->places->loop[to]; l != SR_NONE; l = p->places->loops.at[l].parent)
      lane->iteration[l] = 0;
    return;
  }
  if (went->kind == EMU_WENT_RETURN)
    lane->block = lane->calls[--lane->call_count];
  follow(p, lane, to);
}

static void went(void *policy, const EmuWent *w) {
  Oracle *p = policy;
  for (uint32_t i = 0; i < p->lanes; i++) {
    if (!emu_mask_has(&p->on, i))
      continue;
    for (uint32_t t = 0; t < w->count; t++)
      if (emu_mask_has(&w->targets[t].lanes, i))
        go(p, &p->lane[i], w, w->targets[t].block);
    p->lane[i].lives = !emu_mask_has(&w->gone, i);
  }
}

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  (void)table;
  return NULL;
}

const EmuPolicy flow_oracle_maximal = {
    .name = "oracle",
    .refuses = refuses,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
};
