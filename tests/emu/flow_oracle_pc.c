/* SPDX-License-Identifier: Apache-2.0 */
/* flow_oracle_pc: see flow_oracle_pc.h. */
#include "tests/emu/flow_oracle_pc.h"
#include "spv-emu/policy/jip/jip_place.h"
#include "tests/unit/unit.h"

typedef struct Lane {
  bool lives;
  uint32_t pc, depth;
} Lane;

typedef struct Oracle {
  const EmuBlockTable *table;
  bool deepest; /* lanes of the deepest call run first */
  uint32_t lanes;
  Lane *lane;
  EmuMask on;
  /* Only for jip: */
  const EmuJips *jips;
  EmuPolicyCounts *counts;
  SR_VEC(uint32_t) calls; /* the blocks that called */
  SrArena *arena;
  uint32_t ip;
} Oracle;

static Oracle *create(SrArena *arena, const EmuBlockTable *table, uint32_t lanes, bool deepest) {
  Oracle *p = SR_NEW(arena, Oracle, 1);
  *p = (Oracle){.table = table, .deepest = deepest, .lanes = lanes};
  p->lane = SR_NEW(arena, Lane, lanes);
  return p;
}

static void *create_minpc(SrArena *arena, const EmuBlockTable *table, const void *plan,
                          uint32_t lanes, EmuPolicyCounts *counts) {
  (void)plan;
  (void)counts;
  return create(arena, table, lanes, false);
}

static void *create_stackless(SrArena *arena, const EmuBlockTable *table, const void *plan,
                              uint32_t lanes, EmuPolicyCounts *counts) {
  (void)plan;
  (void)counts;
  return create(arena, table, lanes, true);
}

static void start(void *policy, const EmuMask *on) {
  Oracle *p = policy;
  uint32_t entry = p->table->functions[p->table->entry_function].first;
  for (uint32_t i = 0; i < p->lanes; i++)
    p->lane[i] = (Lane){emu_mask_has(on, i), entry, 0};
}

/* Negative: a runs before b. */
static int64_t compare(const Oracle *p, const Lane *a, const Lane *b) {
  if (p->deepest && a->depth != b->depth)
    return (int64_t)b->depth - (int64_t)a->depth;
  return (int64_t)a->pc - (int64_t)b->pc;
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  Oracle *p = policy;
  const Lane *least = NULL;
  p->on = (EmuMask){0};
  for (uint32_t i = 0; i < p->lanes; i++)
    if (p->lane[i].lives && (!least || compare(p, &p->lane[i], least) < 0))
      least = &p->lane[i];
  for (uint32_t i = 0; least && i < p->lanes; i++)
    if (p->lane[i].lives && compare(p, &p->lane[i], least) == 0)
      emu_mask_set(&p->on, i);
  *block = least ? least->pc : 0;
  *on = p->on;
  return least != NULL;
}

static void went(void *policy, const EmuWent *w) {
  Oracle *p = policy;
  for (uint32_t i = 0; i < p->lanes; i++) {
    if (!emu_mask_has(&p->on, i))
      continue;
    for (uint32_t t = 0; t < w->count; t++)
      if (emu_mask_has(&w->targets[t].lanes, i))
        p->lane[i].pc = w->targets[t].block;
    p->lane[i].lives = !emu_mask_has(&w->gone, i);
    p->lane[i].depth += w->kind == EMU_WENT_CALL;
    p->lane[i].depth -= w->kind == EMU_WENT_RETURN;
  }
}

static const char *refuses(SrArena *arena, const EmuBlockTable *table) {
  (void)arena;
  (void)table;
  return NULL;
}

const EmuPolicy flow_oracle_minpc = {
    .name = "minpc by definition",
    .refuses = refuses,
    .create = create_minpc,
    .start = start,
    .next = next,
    .went = went,
};

const EmuPolicy flow_oracle_stackless = {
    .name = "stackless by definition",
    .refuses = refuses,
    .create = create_stackless,
    .start = start,
    .next = next,
    .went = went,
};

/* ---- jip ------------------------------------------------------------------------------------- */

static void *create_jip(SrArena *arena, const EmuBlockTable *table, const void *plan,
                        uint32_t lanes, EmuPolicyCounts *counts) {
  (void)plan;
  Oracle *p = create(arena, table, lanes, true);
  p->arena = arena;
  p->counts = counts;
  p->jips = emu_jips_place(arena, table);
  return p;
}

static void start_jip(void *policy, const EmuMask *on) {
  Oracle *p = policy;
  start(p, on);
  p->ip = p->table->functions[p->table->entry_function].first;
  p->calls.count = 0;
}

/* Is a lane of the innermost call at `ip`, or anywhere if that is SR_NONE? */
static bool is_there(const Oracle *p, uint32_t ip) {
  for (uint32_t i = 0; i < p->lanes; i++)
    if (p->lane[i].lives && p->lane[i].depth == p->calls.count &&
        (ip == SR_NONE || p->lane[i].pc == ip))
      return true;
  return false;
}

static bool next_jip(void *policy, uint32_t *block, EmuMask *on) {
  Oracle *p = policy;
  p->on = (EmuMask){0};
  for (uint32_t i = 0; i < p->lanes; i++)
    if (p->lane[i].lives && p->lane[i].depth == p->calls.count && p->lane[i].pc == p->ip)
      emu_mask_set(&p->on, i);
  *block = p->ip;
  *on = p->on;
  return emu_mask_any(on, (p->lanes + 63) / 64);
}

/* From JOIN to JOIN. */
static void search(Oracle *p, uint32_t join) {
  for (; !is_there(p, join); join = p->jips->empty[join]) {
    assert_true(join != SR_NONE && p->jips->join[join]);
    p->counts->added++;
  }
  assert_true(p->jips->join[join]);
  p->ip = join;
}

static void went_jip(void *policy, const EmuWent *w) {
  Oracle *p = policy;
  uint32_t from = p->ip, least = SR_NONE;
  went(p, w);
  for (uint32_t i = 0; i < w->count; i++)
    least = w->targets[i].block < least ? w->targets[i].block : least;
  if (w->count && w->kind == EMU_WENT_CALL) {
    SR_PUSH(p->arena, &p->calls, from);
    p->ip = least;
  } else {
    if (w->kind == EMU_WENT_RETURN)
      least = SR_NONE;
    while (!is_there(p, SR_NONE) && p->calls.count) {
      from = SR_POP(&p->calls);
      least = is_there(p, p->table->next[from]) ? p->table->next[from] : SR_NONE;
    }
    if (!is_there(p, SR_NONE))
      return;
    if (least != SR_NONE && (least <= from + 1 || least < p->jips->leave[from]))
      p->ip = least;
    else
      search(p, p->jips->leave[from]);
  }
  p->counts->added += p->jips->join[p->ip];
}

const EmuPolicy flow_oracle_jip = {
    .name = "jip by definition",
    .refuses = refuses,
    .create = create_jip,
    .start = start_jip,
    .next = next_jip,
    .went = went_jip,
};
