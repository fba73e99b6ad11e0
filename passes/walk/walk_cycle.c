/* SPDX-License-Identifier: Apache-2.0 */
/* walk_cycle: see walk_cycle.h. */
#include "passes/walk/walk_cycle.h"

typedef struct Frame {
  uint32_t block, word; /* word: in its terminator, of the edge followed last; 0: none yet */
} Frame;

typedef struct Search {
  SrArena *arena;
  const SrModule *m;
  const SrFunction *f;
  uint32_t *number, count; /* by block: when it was found, from 1 */
  uint32_t *low;           /* by block: the lowest number of an open block that it reaches */
  SrBits *closed, *found;
  SR_VEC(Frame) path;
  SR_VEC(uint32_t) open; /* found blocks whose component is not complete */
} Search;

static void enter(Search *k, uint32_t block) {
  k->number[block] = k->low[block] = ++k->count;
  SR_PUSH(k->arena, &k->open, block);
  SR_PUSH(k->arena, &k->path, (Frame){block, 0});
}

/* Ends the component whose first block was this one. */
static void close(Search *k, uint32_t block) {
  bool several = SR_LAST(&k->open) != block;
  for (uint32_t b = SR_NONE; b != block;) {
    b = SR_POP(&k->open);
    sr_bit_set(k->closed, b);
    if (several)
      sr_bit_set(k->found, b);
  }
}

static void lower(Search *k, uint32_t block, uint32_t to) {
  if (to < k->low[block])
    k->low[block] = to;
}

static void leave(Search *k, uint32_t block) {
  if (k->low[block] == k->number[block])
    close(k, block);
  k->path.count--;
  if (k->path.count)
    lower(k, SR_LAST(&k->path).block, k->low[block]);
}

/* Follows the next edge of the last block on the path. */
static void step(Search *k) {
  Frame *at = &SR_LAST(&k->path);
  SrRef end = sr_terminator(&k->f->blocks[at->block]);
  at->word = sr_next_target(k->m, end, at->word);
  if (!at->word) {
    leave(k, at->block);
    return;
  }
  uint32_t to = sr_block_of(k->m, sr_words(k->m, end)[at->word]);
  if (to == at->block)
    sr_bit_set(k->found, to);
  if (!k->number[to])
    enter(k, to);
  else if (!sr_bit(k->closed, to))
    lower(k, at->block, k->number[to]);
}

SrBits *sr_walk_cycles(SrArena *arena, const SrModule *m, const SrFunction *f) {
  Search k = {.arena = arena, .m = m, .f = f};
  k.number = SR_NEW(arena, uint32_t, f->block_count);
  k.low = SR_NEW(arena, uint32_t, f->block_count);
  k.closed = sr_bits_new(arena, f->block_count);
  k.found = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    if (!k.number[b])
      enter(&k, b);
    while (k.path.count)
      step(&k);
  }
  return k.found;
}
