/* SPDX-License-Identifier: Apache-2.0 */
/* mutate: each kind of damage is one function on a buffer of words. Damage of single words affects
 * header, counts, ids and literals; damage of instructions keeps the module parseable, so that it
 * passes the first check and tests the later ones. */
#include "tests/fuzz/mutate.h"

#include <string.h>

enum { HEADER_WORDS = 5 };

typedef struct Buffer {
  uint32_t *w;
  size_t count, room;
  Rng *rng;
} Buffer;

static size_t any_word(Buffer *b) {
  return b->count ? rng_below(b->rng, (uint32_t)b->count) : 0;
}

static void truncate_words(Buffer *b) {
  b->count = rng_below(b->rng, (uint32_t)b->count + 1);
}

static void flip_bits(Buffer *b) {
  for (uint32_t k = 1 + rng_below(b->rng, 4); k > 0 && b->count; k--)
    b->w[any_word(b)] ^= 1u << rng_below(b->rng, 32);
}

static void swap_words(Buffer *b) {
  if (b->count == 0)
    return;
  size_t i = any_word(b), j = any_word(b);
  uint32_t t = b->w[i];
  b->w[i] = b->w[j];
  b->w[j] = t;
}

/* Numbers for which careless arithmetic overflows. */
static uint32_t hostile(Buffer *b) {
  static const uint32_t numbers[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff,
                                     0xfffffffe, 0x00ffffff, 0xffff0000, 0x0000ffff, 0x00400000};
  return numbers[rng_below(b->rng, sizeof numbers / sizeof *numbers)];
}

static void hostile_word(Buffer *b) {
  if (b->count)
    b->w[any_word(b)] = hostile(b);
}

static void hostile_bound(Buffer *b) {
  if (b->count > 3)
    b->w[3] =
        rng_percent(b->rng, 50) ? hostile(b) : rng_below(b->rng, b->w[3] + 1 ? b->w[3] + 1 : 1);
}

/* The start of a random instruction; 0: there is none. */
static size_t any_instruction(Buffer *b) {
  size_t target = any_word(b), at = HEADER_WORDS;
  while (at < b->count) {
    size_t length = b->w[at] >> 16;
    if (length == 0 || at + length > b->count)
      return 0;
    if (at + length > target)
      return at;
    at += length;
  }
  return 0;
}

static void hostile_count(Buffer *b) {
  size_t at = any_instruction(b);
  if (at)
    b->w[at] = (b->w[at] & 0xffff) |
               (rng_percent(b->rng, 50) ? hostile(b) & 0xffff0000u : rng_below(b->rng, 12) << 16);
}

static void other_opcode(Buffer *b) {
  size_t at = any_instruction(b);
  if (at)
    b->w[at] = (b->w[at] & 0xffff0000u) | rng_below(b->rng, 420);
}

/* An operand becomes another id, usually one that exists. */
static void other_operand(Buffer *b) {
  size_t at = any_instruction(b);
  size_t length = at ? b->w[at] >> 16 : 0;
  if (length > 1 && b->w[3])
    b->w[at + 1 + rng_below(b->rng, (uint32_t)length - 1)] = rng_below(b->rng, b->w[3]);
}

static void delete_instruction(Buffer *b) {
  size_t at = any_instruction(b);
  if (!at)
    return;
  size_t length = b->w[at] >> 16;
  memmove(b->w + at, b->w + at + length, (b->count - at - length) * sizeof *b->w);
  b->count -= length;
}

/* Copies an instruction and inserts the copy before another one. */
static void duplicate_instruction(Buffer *b) {
  size_t from = any_instruction(b), to = any_instruction(b);
  size_t length = from ? b->w[from] >> 16 : 0;
  if (!from || !to || b->count + length > b->room)
    return;
  memmove(b->w + to + length, b->w + to, (b->count - to) * sizeof *b->w);
  if (from >= to)
    from += length;
  memmove(b->w + to, b->w + from, length * sizeof *b->w);
  b->count += length;
}

static void reverse_range(uint32_t *from, uint32_t *to) {
  while (from + 1 < to) {
    uint32_t t = *from;
    *from++ = *--to;
    *to = t;
  }
}

/* Swaps two neighbours: the words of both are reversed together, then those of each separately. */
static void swap_instructions(Buffer *b) {
  size_t at = any_instruction(b);
  if (!at)
    return;
  size_t middle = at + (b->w[at] >> 16);
  size_t end = middle < b->count ? middle + (b->w[middle] >> 16) : 0;
  if (end <= middle || end > b->count)
    return;
  size_t second = end - middle;
  reverse_range(b->w + at, b->w + end);
  reverse_range(b->w + at, b->w + at + second);
  reverse_range(b->w + at + second, b->w + end);
}

static void (*const kinds[])(Buffer *) = {
    truncate_words,     flip_bits,
    flip_bits,          swap_words,
    hostile_word,       hostile_bound,
    hostile_count,      other_opcode,
    other_operand,      other_operand,
    other_operand,      delete_instruction,
    delete_instruction, duplicate_instruction,
    swap_instructions,
};

size_t mutate(Rng *rng, const uint32_t *words, size_t count, uint32_t *out) {
  Buffer b = {out, count, 2 * count + 64, rng};
  memcpy(out, words, count * sizeof *words);
  for (uint32_t k = 1 + rng_geometric(rng, 40, 5); k > 0; k--)
    kinds[rng_below(rng, sizeof kinds / sizeof *kinds)](&b);
  return b.count;
}
