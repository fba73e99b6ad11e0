/* SPDX-License-Identifier: Apache-2.0 */
/* policy_dwf: dynamic warp formation (Fung, Sham, Yuan and Aamodt, Dynamic Warp Formation and
 * Scheduling for Efficient GPU Control Flow, MICRO-40, 2007).
 *
 * There is no stack. A pool holds the lanes of all subgroups of a workgroup, by their PC. The
 * scheduler chooses the next PC; among PCs that it ranks equal, it takes the PC whose first lanes
 * came first. The lanes at that PC are packed into the fewest subgroups, every lane in its column,
 * and these subgroups are issued. With the order `pc` and one subgroup in the workgroup this is
 * `minpc`.
 *
 * Documented: the pool, the columns, the orders. Assumed: a PC changes only where a block ends; all
 * subgroups of a PC are issued before another PC is chosen, so that lanes that arrive meanwhile are
 * packed with those that wait; the packing is perfect. A block with a barrier of the workgroup is
 * chosen only when no other has lanes, since warps wait inside it. */
#include "spv-emu/policy/policy_groups.h"

/* Which PC of the pool is next. The paper has a fifth order, by the post-dominators that lanes have
 * passed. */
typedef enum Order {
  ORDER_MAJORITY,   /* the PC with the most lanes */
  ORDER_MINORITY,   /* the PC with the fewest lanes */
  ORDER_TIME_STAMP, /* the PC whose first lanes came first */
  ORDER_PC,         /* the least PC, in the layout of `minpc` */
} Order;

static const EmuPolicyOption options[] = {
    {"--dwf-order", "order of dwf",
     (const char *const[]){"majority", "minority", "time-stamp", "pc", NULL},
     "  --dwf-order=NAME     which program counter policy dwf issues next: majority\n"
     "                       (default), minority, time-stamp, pc\n"},
    {0}};

/* A group in the heap, with what the scheduler compares. The group with the least `key` runs and,
 * among equal keys, the one with the least `came`. */
typedef struct Rank {
  uint64_t key;
  uint64_t came; /* when the first lanes came */
  uint32_t group;
} Rank;

typedef struct Pool {
  EmuBlockTable const *table;
  EmuPolicyCounts *counts;
  Order order;
  uint32_t words;
  uint32_t count;   /* groups */
  uint32_t *at;     /* by block: its group, or SR_NONE */
  uint64_t clock;   /* groups that have been added */
  EmuGroup *groups; /* `place` of a group: in the heap */
  uint32_t *free;   /* groups that are not in use: those after the first `count` */
  Rank *heap;       /* the first one runs */
} Pool;

static void *create(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                    EmuPolicyCounts *counts) {
  (void)plan;
  Pool *p = SR_NEW(arena, Pool, 1);
  *p = (Pool){.table = table,
              .counts = counts,
              .order = (Order)emu_policy_choice(options, table, 0, ORDER_MAJORITY),
              .words = emu_mask_words(lanes)};
  p->at = sr_new_none(arena, table->count);
  p->groups = SR_NEW(arena, EmuGroup, lanes + 1);
  p->heap = SR_NEW(arena, Rank, lanes + 1);
  p->free = SR_NEW(arena, uint32_t, lanes + 1);
  for (uint32_t i = 0; i <= lanes; i++)
    p->free[i] = i;
  return p;
}

/* ---- the scheduler: a heap of groups --------------------------------------------------------- */

static uint64_t key_of(const Pool *p, const EmuGroup *g) {
  bool stops = p->table->stops && p->table->stops[g->block];
  uint32_t key = 0;
  switch (p->order) {
  case ORDER_MAJORITY:
    key = UINT32_MAX - emu_mask_count(&g->lanes, p->words);
    break;
  case ORDER_MINORITY:
    key = emu_mask_count(&g->lanes, p->words);
    break;
  case ORDER_PC:
    key = g->block;
    break;
  case ORDER_TIME_STAMP:
    break;
  }
  return (uint64_t)stops << 32 | key;
}

static bool is_before(const Rank *a, const Rank *b) {
  return a->key < b->key || (a->key == b->key && a->came < b->came);
}

static void set(Pool *p, uint32_t place, const Rank *rank) {
  p->heap[place] = *rank;
  p->groups[rank->group].place = place;
}

/* Puts the group where it belongs between `place`, which is free, and the top. */
static void rise(Pool *p, uint32_t place, Rank rank) {
  while (place && is_before(&rank, &p->heap[(place - 1) / 2])) {
    set(p, place, &p->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  set(p, place, &rank);
}

/* Puts the group where it belongs between `place`, which is free, and the leaves. */
static void sink(Pool *p, uint32_t place, Rank rank) {
  for (uint32_t next; (next = 2 * place + 1) < p->count; place = next) {
    next += next + 1 < p->count && is_before(&p->heap[next + 1], &p->heap[next]);
    if (!is_before(&p->heap[next], &rank))
      break;
    set(p, place, &p->heap[next]);
  }
  set(p, place, &rank);
}

/* ---- the pool -------------------------------------------------------------------------------- */

static void join(Pool *p, uint32_t i, const EmuMask *lanes) {
  EmuGroup *g = &p->groups[i];
  Rank rank = p->heap[g->place];
  uint64_t before = rank.key;
  emu_mask_add(&g->lanes, lanes, p->words);
  rank.key = key_of(p, g);
  if (rank.key > before)
    sink(p, g->place, rank);
  else
    rise(p, g->place, rank);
  p->counts->reconvergences++;
}

static void put(Pool *p, uint32_t block, const EmuMask *lanes) {
  uint32_t i = p->at[block];
  if (i != SR_NONE) {
    join(p, i, lanes);
    return;
  }
  i = p->at[block] = p->free[p->count];
  emu_group_set(&p->groups[i], block, 0, lanes, p->words);
  rise(p, p->count++, (Rank){key_of(p, &p->groups[i]), p->clock++, i});
  if (p->counts->max_depth < p->count)
    p->counts->max_depth = p->count;
}

static void take_first(Pool *p) {
  uint32_t i = p->heap[0].group;
  p->at[p->groups[i].block] = SR_NONE;
  p->free[--p->count] = i;
  if (p->count)
    sink(p, 0, p->heap[p->count]);
}

static void start(void *policy, const EmuMask *on) {
  Pool *p = policy;
  while (p->count)
    take_first(p);
  if (emu_mask_any(on, p->words))
    put(p, p->table->functions[p->table->entry_function].first, on);
}

static bool next(void *policy, uint32_t *block, EmuMask *on) {
  const Pool *p = policy;
  if (!p->count)
    return false;
  const EmuGroup *g = &p->groups[p->heap[0].group];
  *block = g->block;
  emu_mask_copy(on, &g->lanes, p->words);
  return true;
}

static void went(void *policy, const EmuWent *w) {
  Pool *p = policy;
  take_first(p);
  for (uint32_t i = 0; i < w->count; i++)
    put(p, w->targets[i].block, &w->targets[i].lanes);
}

static bool packed(const void *policy) {
  (void)policy;
  return true;
}

static void waiting(const void *policy,
                    void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user) {
  const Pool *p = policy;
  uint64_t from = 0;
  for (uint32_t told = 0; told < p->count; told++) {
    uint32_t next = 0; /* index in the heap: the group that came first since `from` */
    while (p->heap[next].came < from)
      next++;
    for (uint32_t i = next + 1; i < p->count; i++)
      if (p->heap[i].came >= from && p->heap[i].came < p->heap[next].came)
        next = i;
    from = p->heap[next].came + 1;
    const EmuGroup *g = &p->groups[p->heap[next].group];
    if (next)
      tell(user, g->block, &g->lanes);
  }
}

const EmuPolicy emu_policy_dwf = {
    .name = "dwf",
    .purpose = "dynamic warp formation: a workgroup's lanes packed by PC",
    .options = options,
    .mixes = emu_policy_mixes,
    .refuses = emu_policy_accept,
    .create = create,
    .start = start,
    .next = next,
    .went = went,
    .packed = packed,
    .waiting = waiting,
    .rule = "another block of the workgroup runs",
};
