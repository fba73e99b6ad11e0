/* SPDX-License-Identifier: Apache-2.0 */
/* walk_draw: see walk_draw.h. If comparisons are computed, three of four integers are drawn from
 * the numbers that occur in the module and their neighbours, because random bits would hardly ever
 * pass `i < 3`. */
#include "passes/walk/walk_draw.h"

#include "passes/base/sort.h"
#include "passes/walk/walk_kind.h"

enum { LARGEST_POOL = 4096, FIRST_ROOM = 64 };

/* ---- the pool ---- */

static void add(SrWalkDraw *d, uint64_t number) {
  SR_PUSH(d->arena, &d->pool, number);
}

static void add_constants(SrWalkDraw *d, const SrModule *m) {
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpConstant && sr_walk_width(m, sr_inst(m, r)->type))
      add(d, w[3] | (w[0] >> 16 > 4 ? (uint64_t)w[4] << 32 : 0));
  }
}

static void add_cases(SrWalkDraw *d, const SrModule *m, SrRef r) {
  uint32_t step = sr_walk_width(m, sr_walk_type_of(m, sr_words(m, r)[1])) > 32 ? 3 : 2;
  for (uint32_t i = 3; i + step <= sr_word_count(m, r); i += step)
    add(d, sr_words(m, r)[i] | (step == 3 ? (uint64_t)sr_words(m, r)[i + 1] << 32 : 0));
}

static void drop_equals(SrWalkDraw *d) {
  uint32_t kept = 0;
  sr_sort(d->arena, d->pool.at, d->pool.count, sizeof *d->pool.at, sr_by_number);
  for (uint32_t i = 0; i < d->pool.count; i++)
    if (kept == 0 || d->pool.at[kept - 1] != d->pool.at[i])
      d->pool.at[kept++] = d->pool.at[i];
  d->pool.count = kept;
}

/* If there are too many numbers, keeps every n-th, so that both small and large ones remain. */
static void thin(SrWalkDraw *d) {
  uint32_t n = d->pool.count / LARGEST_POOL + 1, kept = 0;
  for (uint32_t i = 0; i < d->pool.count; i += n)
    d->pool.at[kept++] = d->pool.at[i];
  d->pool.count = kept;
}

void sr_walk_draw_init(SrArena *arena, const SrModule *m, SrWalkDraw *d) {
  *d = (SrWalkDraw){.arena = arena, .room = FIRST_ROOM};
  d->slot = SR_NEW(arena, SrWalkDrawn, FIRST_ROOM);
  add(d, 1);
  add_constants(d, m);
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++) {
      SrRef end = sr_terminator(&m->functions[f].blocks[b]);
      if (sr_inst(m, end)->op == SpvOpSwitch)
        add_cases(d, m, end);
    }
  drop_equals(d);
  thin(d);
}

/* ---- the table ---- */

void sr_walk_draw_begin(SrWalkDraw *d, uint64_t seed) {
  d->seed = seed;
  d->used = 0;
  d->epoch++;
}

/* The term's slot, or a free one. */
static SrWalkDrawn *find(const SrWalkDraw *d, uint64_t term) {
  uint32_t i = (uint32_t)(term >> 7) & (d->room - 1);
  while (d->slot[i].epoch == d->epoch && d->slot[i].term != term)
    i = (i + 1) & (d->room - 1);
  return &d->slot[i];
}

static void grow(SrWalkDraw *d) {
  SrWalkDrawn *old = d->slot;
  uint32_t room = d->room;
  d->room *= 2;
  d->slot = SR_NEW(d->arena, SrWalkDrawn, d->room);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].epoch == d->epoch)
      *find(d, old[i].term) = old[i];
}

SrWalkDrawn *sr_walk_drawn(const SrWalkDraw *d, uint64_t term) {
  SrWalkDrawn *s = find(d, term);
  return s->epoch == d->epoch ? s : NULL;
}

static uint64_t number(const SrWalkDraw *d, uint64_t term, unsigned width) {
  uint64_t r = sr_walk_mix(d->seed, term);
  if (width == 1)
    return r >> 13 & 1;
  if (d->pool.count && (d->spread ? !(r & 7) : r & 3))
    r = d->pool.at[(r >> 20) % d->pool.count] + (r >> 8) % 3 - 1;
  return r & sr_walk_mask(width);
}

void sr_walk_draw_fix(SrWalkDraw *d, uint64_t term, uint64_t n, uint32_t visit) {
  SrWalkDrawn *s = find(d, term);
  if (s->epoch != d->epoch && ++d->used > d->room / 2) {
    grow(d);
    s = find(d, term);
  }
  *s = (SrWalkDrawn){.term = term, .number = n, .epoch = d->epoch, .visit = visit};
}

uint64_t sr_walk_draw(SrWalkDraw *d, uint64_t term, unsigned width, uint32_t visit) {
  const SrWalkDrawn *s = sr_walk_drawn(d, term);
  if (s)
    return s->number;
  uint64_t n = number(d, term, width);
  sr_walk_draw_fix(d, term, n, visit);
  return n;
}

uint64_t sr_walk_draw_again(const SrWalkDraw *d, uint64_t term, unsigned width) {
  const SrWalkDrawn *s = sr_walk_drawn(d, term);
  return s ? s->number : number(d, term, width);
}
