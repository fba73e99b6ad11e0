/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_bound: see optimum_bound.h. */
#include "spv-emu/policy/optimum/optimum_bound.h"

#include "spv-emu/policy/optimum/optimum_search.h"

enum {
  FOR_FEW = 4,      /* divisor of the work: this part is for bounds from a few paths with all their
                       blocks */
  LATER = 4,        /* number of classes whose unions with all others the work must allow */
  CUBE = 1 << 18,   /* cells of a table for three paths, at most */
  LOOKS = 1 << 15,  /* limit on looks at paths in the search for a class */
  CELLS_A_LOOK = 8, /* table cells that take as long as one look */
};

/* ---- two paths ------------------------------------------------------------------------------- */

/* Fills the table row by row. */
uint64_t emu_optimum_bound_pair(const EmuLanePaths *p, const EmuPath *a, const EmuPath *b) {
  SrMark mark = sr_arena_mark(p->arena);
  uint64_t *row = SR_NEW_RAW(p->arena, uint64_t, (size_t)b->count + 1);
  row[0] = 0;
  for (uint32_t k = 0; k < b->count; k++)
    row[k + 1] = row[k] + p->issues[b->blocks[k]];
  for (uint32_t i = 0; i < a->count; i++) {
    uint64_t slanted = row[0], own = p->issues[a->blocks[i]];
    row[0] += own;
    for (uint32_t k = 0; k < b->count; k++) {
      uint64_t above = row[k + 1], one = above + own, other = row[k] + p->issues[b->blocks[k]];
      row[k + 1] = a->blocks[i] == b->blocks[k] ? slanted + own : one < other ? one : other;
      slanted = above;
    }
  }
  uint64_t cost = row[b->count];
  sr_arena_reset(p->arena, mark);
  return cost;
}

/* ---- three paths ----------------------------------------------------------------------------- */

typedef struct Three { /* rows of the table by the second path, columns by the third */
  const EmuPath *of[3];
  uint64_t *now, *after; /* the planes of the current and of the next position on the first path */
  size_t width;
} Three;

static uint32_t block_at(const EmuPath *path, uint32_t i) {
  return i < path->count ? path->blocks[i] : SR_NONE;
}

/* The cheapest schedule from these positions on. */
static uint64_t three_cell(const EmuLanePaths *p, const Three *t, uint32_t i, uint32_t j,
                           uint32_t k) {
  uint32_t x = block_at(t->of[0], i), y = block_at(t->of[1], j), z = block_at(t->of[2], k);
  size_t row = j * t->width + k, down = row + t->width;
  uint64_t least = UINT64_MAX, cost;
  if (x != SR_NONE)
    least = p->issues[x] + t->after[(x == y ? down : row) + (x == z)];
  if (y != SR_NONE) {
    cost = p->issues[y] + (y == x ? t->after : t->now)[down + (y == z)];
    least = cost < least ? cost : least;
  }
  if (z != SR_NONE) {
    cost = p->issues[z] + (z == x ? t->after : t->now)[(z == y ? down : row) + 1];
    least = cost < least ? cost : least;
  }
  return least == UINT64_MAX ? 0 : least;
}

/* Fills the table plane by plane, from the ends back. */
static uint64_t three_cost(const EmuLanePaths *p, const EmuPath *a, const EmuPath *b,
                           const EmuPath *c) {
  SrMark mark = sr_arena_mark(p->arena);
  Three t = {.of = {a, b, c}, .width = (size_t)c->count + 1};
  size_t cells = ((size_t)b->count + 1) * t.width;
  t.now = SR_NEW_RAW(p->arena, uint64_t, cells);
  t.after = SR_NEW_RAW(p->arena, uint64_t, cells);
  for (uint32_t i = a->count + 1; i-- > 0;) {
    for (uint32_t j = b->count + 1; j-- > 0;)
      for (uint32_t k = c->count + 1; k-- > 0;)
        t.now[j * t.width + k] = three_cell(p, &t, i, j, k);
    uint64_t *old = t.after;
    t.after = t.now;
    t.now = old;
  }
  uint64_t cost = t.after[0];
  sr_arena_reset(p->arena, mark);
  return cost;
}

/* ---- few paths ------------------------------------------------------------------------------- */

static bool spend(EmuLanePaths *p, uint64_t cells) {
  bool enough = cells <= p->work;
  p->work -= enough ? cells : 0;
  return enough;
}

static uint64_t cells_of(const EmuLanePaths *p, uint32_t i) {
  return (uint64_t)p->at.at[i].count + 1;
}

/* The largest cost of a pair of paths, and of this pair with a third path. Tries as many as the
 * work allows, long paths first. */
static uint64_t few_bound(EmuLanePaths *p) {
  const EmuPath *at = p->at.at;
  uint64_t bound = 0;
  uint32_t a = 0, b = 0;
  for (uint32_t i = 1; i < p->at.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      if (!spend(p, cells_of(p, i) * cells_of(p, k)))
        continue;
      uint64_t cost = emu_optimum_bound_pair(p, &at[i], &at[k]);
      if (cost > bound) {
        bound = cost;
        a = i;
        b = k;
      }
    }
  for (uint32_t i = 0; i < p->at.count && a != b; i++) {
    uint64_t cells = cells_of(p, a) * cells_of(p, b) * cells_of(p, i);
    if (i == a || i == b || cells > CUBE || !spend(p, cells))
      continue;
    uint64_t cost = three_cost(p, &at[a], &at[b], &at[i]);
    bound = cost > bound ? cost : bound;
  }
  return bound;
}

/* ---- classes --------------------------------------------------------------------------------- */

typedef struct Spots { /* positions of a class's blocks on one path, ascending */
  uint32_t *at, count;
} Spots;

typedef struct Class {
  Spots *spots; /* by path */
  uint64_t bound;
} Class;

typedef struct Bound {
  EmuLanePaths *p;
  Class *class;
  uint32_t count;
  uint64_t *united; /* bound of the union of two classes, by i * blocks + k; i > k; 0: not known */
} Bound;

/* The spots of both classes. */
static Spots *merge(SrArena *arena, const EmuLanePaths *p, const Class *a, const Class *b) {
  Spots *out = SR_NEW_RAW(arena, Spots, p->at.count);
  for (uint32_t i = 0; i < p->at.count; i++) {
    const Spots *x = &a->spots[i], *y = &b->spots[i];
    uint32_t *at = SR_NEW_RAW(arena, uint32_t, (size_t)x->count + y->count);
    for (uint32_t j = 0, k = 0; j + k < x->count + y->count;) {
      bool first = k == y->count || (j < x->count && x->at[j] < y->at[k]);
      at[j + k] = first ? x->at[j] : y->at[k];
      j += first;
      k += !first;
    }
    out[i] = (Spots){at, x->count + y->count};
  }
  return out;
}

/* The paths reduced to the blocks at the spots. */
static EmuLanePaths project(SrArena *arena, const EmuLanePaths *p, const Spots *spots) {
  EmuLanePaths part = {.arena = arena, .blocks = p->blocks, .issues = p->issues, .work = p->work};
  SR_RESERVE(arena, &part.at, p->at.count);
  for (uint32_t i = 0; i < p->at.count; i++) {
    uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, spots[i].count);
    for (uint32_t k = 0; k < spots[i].count; k++)
      blocks[k] = p->at.at[i].blocks[spots[i].at[k]];
    part.at.at[i] = (EmuPath){blocks, spots[i].count};
    (void)spend(&part, spots[i].count);
  }
  part.at.count = p->at.count;
  return part;
}

/* Spends at most `share` of the work. */
static uint64_t bound_of(SrArena *arena, EmuLanePaths *p, const Spots *spots, uint64_t share) {
  EmuLanePaths part = project(arena, p, spots);
  uint64_t kept = part.work > share ? part.work - share : 0;
  part.work -= kept;
  uint64_t bound = emu_lane_paths_reduce(&part);
  if (part.at.count) {
    uint64_t few = few_bound(&part), looks = part.work / CELLS_A_LOOK, left;
    looks = left = looks < LOOKS ? looks : LOOKS;
    EmuFound found = emu_optimum_search(&part, UINT64_MAX, &left);
    part.work -= (looks - left) * CELLS_A_LOOK;
    bound += few > found.issues ? few : found.issues;
  }
  p->work = kept + part.work;
  return bound;
}

static uint64_t *united(const Bound *b, uint32_t i, uint32_t k) {
  return &b->united[i > k ? (size_t)i * b->p->blocks + k : (size_t)k * b->p->blocks + i];
}

static void try_union(Bound *b, uint32_t i, uint32_t k, uint64_t share) {
  *united(b, i, k) = 0;
  if (!b->p->work)
    return;
  SrArena arena = sr_arena_new(b->p->arena->heap);
  const Spots *spots = merge(&arena, b->p, b->class + i, b->class + k);
  *united(b, i, k) = bound_of(&arena, b->p, spots, share);
  sr_arena_free(&arena);
}

/* Unites the two classes whose union gains most; false: no union gains. */
static bool unite(Bound *b) {
  uint64_t most = 0;
  uint32_t to = 0, from = 0;
  for (uint32_t i = 1; i < b->count; i++)
    for (uint32_t k = 0; k < i; k++) {
      uint64_t sum = b->class[i].bound + b->class[k].bound, whole = *united(b, i, k);
      if (whole > sum + most) {
        most = whole - sum;
        to = k;
        from = i;
      }
    }
  if (!most)
    return false;
  b->class[to] =
      (Class){merge(b->p->arena, b->p, b->class + to, b->class + from), *united(b, to, from)};
  uint32_t last = --b->count;
  for (uint32_t k = 0; k < last; k++)
    if (k != from)
      *united(b, from, k) = *united(b, last, k);
  b->class[from] = b->class[last];
  uint64_t share = b->p->work / b->count / LATER;
  for (uint32_t k = 0; k < b->count; k++)
    if (k != to)
      try_union(b, to, k, share);
  return true;
}

/* Begins with one class for each block. */
static void begin(Bound *b) {
  const EmuLanePaths *p = b->p;
  for (uint32_t i = 0; i < b->count; i++)
    b->class[i].spots = SR_NEW(p->arena, Spots, p->at.count);
  for (uint32_t i = 0; i < p->at.count; i++) {
    const EmuPath *path = &p->at.at[i];
    for (uint32_t k = 0; k < path->count; k++)
      b->class[path->blocks[k]].spots[i].count++;
    for (uint32_t x = 0; x < b->count; x++) {
      Spots *spots = &b->class[x].spots[i];
      spots->at = SR_NEW_RAW(p->arena, uint32_t, spots->count);
      spots->count = 0;
    }
    for (uint32_t k = 0; k < path->count; k++) {
      Spots *spots = &b->class[path->blocks[k]].spots[i];
      spots->at[spots->count++] = k;
    }
  }
  for (uint32_t x = 0; x < b->count; x++) { /* bound of a class of one block: the largest number of
                                               times that a path holds it */
    uint32_t most = 0;
    for (uint32_t i = 0; i < p->at.count; i++)
      most = b->class[x].spots[i].count > most ? b->class[x].spots[i].count : most;
    b->class[x].bound = (uint64_t)most * p->issues[x];
  }
}

uint64_t emu_optimum_bound(EmuLanePaths *p) {
  if (!p->blocks)
    return 0;
  SrArena *outer = p->arena, arena = sr_arena_new(outer->heap);
  uint64_t bound = 0, kept = p->work - p->work / FOR_FEW, few;
  p->work -= kept;
  few = few_bound(p);
  p->work += kept;
  p->arena = &arena;
  Bound b = {.p = p,
             .class = SR_NEW(&arena, Class, p->blocks),
             .count = p->blocks,
             .united = SR_NEW(&arena, uint64_t, (size_t)p->blocks * p->blocks)};
  begin(&b);
  uint64_t share = p->work / b.count / b.count;
  for (uint32_t i = 0; i < b.count; i++)
    for (uint32_t k = 0; k < i; k++)
      try_union(&b, i, k, share);
  while (p->work && unite(&b))
    ;
  for (uint32_t i = 0; i < b.count; i++)
    bound += b.class[i].bound;
  p->arena = outer;
  sr_arena_free(&arena);
  return bound > few ? bound : few;
}
