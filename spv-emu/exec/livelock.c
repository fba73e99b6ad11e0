/* SPDX-License-Identifier: Apache-2.0 */
/* livelock: see livelock.h. */
#include "spv-emu/exec/livelock.h"

#include "spv-emu/exec/exec.h"

#include <string.h>

#include <xxhash.h>

/* Blocks that a subgroup runs in a period before its state is hashed: most subgroups are short, and
 * the state may have all buffers. */
enum { PATIENCE = 256 };

typedef struct Hash {
  uint64_t value, bytes;
} Hash;

static void add_bytes(Hash *h, const void *bytes, size_t size) {
  h->value = XXH3_64bits_withSeed(bytes, size, h->value);
  h->bytes += size;
}

typedef struct Waiting {
  Hash *hash;
  uint32_t words;
  bool any;
} Waiting;

static void add_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  Waiting *w = user;
  add_bytes(w->hash, &block, sizeof block);
  add_bytes(w->hash, lanes->w, w->words * sizeof *lanes->w);
  w->any = true;
}

static Waiting look_at_waiting(const EmuExec *e, Hash *hash) {
  Waiting w = {.hash = hash, .words = e->lanes.words};
  e->shared->policy->waiting(e->policy, add_waiting, &w);
  return w;
}

/* A word of every row: the first lane's, mostly. Loops that get on change it, which is seen without
 * a hash of all. */
static uint64_t sample_state(const EmuExec *e) {
  const EmuLanes *s = &e->lanes;
  const size_t row = s->width * sizeof(uint32_t);
  const uint8_t *file = (const uint8_t *)s->file;
  uint64_t sum = 0;
  uint32_t word;
  for (size_t at = emu_mask_next(&s->on, 0, s->words) * sizeof word;
       at + sizeof word <= e->shared->program->file_bytes; at += row) {
    memcpy(&word, file + at, sizeof word);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
  }
  return sum;
}

static Hash hash_state(const EmuExec *e) {
  const EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  Hash h = {0};
  look_at_waiting(e, &h);
  add_bytes(&h, s->file, p->file_bytes);
  for (uint32_t i = 0; i < p->segments.count; i++) {
    const EmuSegment *m = &s->segments[i];
    if (m->space == EMU_SPACE_BUFFER && m->writable && m->bytes)
      add_bytes(&h, m->bytes, m->size);
    if (m->space == EMU_SPACE_WORKGROUP)
      add_bytes(&h, s->shared + m->at, m->size);
  }
  return h;
}

static void pay(EmuExec *e, const Hash *h) {
  uint64_t *budget = &e->shared->look_bytes;
  *budget -= *budget < h->bytes ? *budget : h->bytes;
}

static void keep_state(EmuExec *e, EmuLivelock *l) {
  const Hash h = hash_state(e);
  l->steps = 0;
  l->most *= 2;
  pay(e, &h);
  l->block = e->lanes.block;
  emu_mask_copy(&l->on, &e->lanes.on, e->lanes.words);
  l->sample = sample_state(e);
  l->hash = h.value;
  memset(l->seen, 0, (e->shared->program->blocks.count + 63) / 64 * sizeof *l->seen);
}

static bool are_hashed(const EmuProgram *p, const SrBits *blocks) {
  for (uint32_t b = 0; b < p->blocks.count; b++)
    if (sr_bit(blocks, b) && p->blocks.at[b].unhashed)
      return false;
  return true;
}

/* Is the state that of the last look, and does a lane wait? The hash of all comes last: in a loop
 * in which nothing changes and no lane waits it would be made after each block. What such a loop
 * costs instead, a cache line of each row, is paid for, too: it may run for long. */
static bool is_repeated(EmuExec *e, EmuLivelock *l) {
  enum { LINE = 64 };
  Hash h = {0};
  if (l->block != e->lanes.block || !emu_mask_equal(&l->on, &e->lanes.on, e->lanes.words))
    return false;
  if (sample_state(e) != l->sample)
    return false;
  if (look_at_waiting(e, &h).any)
    h = hash_state(e);
  else
    h = (Hash){~l->hash, LINE * (e->shared->program->file_bytes / (e->lanes.width * 4 + 1) + 1)};
  pay(e, &h);
  return h.value == l->hash && are_hashed(e->shared->program, l->seen);
}

void emu_livelock_begin(EmuExec *e) {
  e->livelock.started = false;
  e->livelock.steps = 0;
}

bool emu_livelock_found(EmuExec *e, uint32_t *loop) {
  EmuLivelock *l = &e->livelock;
  if (!e->shared->look_bytes || (!l->started && ++l->steps < PATIENCE))
    return false;
  if (!l->started) {
    l->started = true;
    l->most = 1;
    keep_state(e, l);
  } else if (is_repeated(e, l)) {
    for (*loop = 0; !sr_bit(l->seen, *loop);)
      ++*loop;
    return true;
  } else if (++l->steps >= l->most) {
    keep_state(e, l);
  }
  sr_bit_set(l->seen, e->lanes.block);
  return false;
}
