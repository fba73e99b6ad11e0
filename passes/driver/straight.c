/* SPDX-License-Identifier: Apache-2.0 */
/* straight: see straight.h. */
#include "passes/driver/straight.h"

#include "passes/ir/parse.h"

#include <string.h>

enum { UNDEF_WORDS = 3 };

typedef struct Line {
  uint32_t *words;
  size_t count;
  bool open; /* a block has begun */
} Line;

static void put(Line *l, uint32_t word) {
  l->words[l->count++] = word;
}

static void begin(Line *l, SpvOp op, uint32_t words) {
  put(l, words << SpvWordCountShift | (uint32_t)op);
}

/* Replaces a terminator. The result has no more words than the shortest terminator and the label
 * together. */
static void end_block(Line *l, uint32_t next) {
  if (l->open && next) {
    begin(l, SpvOpBranch, 2);
    put(l, next);
  } else if (l->open) {
    begin(l, SpvOpUnreachable, 1);
  }
  l->open = next != 0;
}

static void copy(Line *l, const uint32_t *inst) {
  uint32_t count = inst[0] >> SpvWordCountShift;
  memcpy(&l->words[l->count], inst, count * sizeof *inst);
  l->count += count;
}

static void add(Line *l, const uint32_t *inst) {
  SpvOp op = inst[0] & SpvOpCodeMask;
  if (sr_is_terminator(op) || op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
    return;
  if (op == SpvOpPhi) {
    begin(l, SpvOpUndef, UNDEF_WORDS);
    put(l, inst[1]);
    put(l, inst[2]);
    return;
  }
  if (op == SpvOpLabel)
    end_block(l, inst[1]);
  else if (op == SpvOpFunctionEnd)
    end_block(l, 0);
  copy(l, inst);
}

uint32_t *sr_straight(SrArena *arena, const uint32_t *words, size_t count, size_t *out) {
  Line l = {.words = SR_NEW_RAW(arena, uint32_t, 2 * count)};
  memcpy(l.words, words, SR_HEADER_WORDS * sizeof *words);
  l.count = SR_HEADER_WORDS;
  for (size_t at = SR_HEADER_WORDS; at < count; at += words[at] >> SpvWordCountShift)
    add(&l, &words[at]);
  *out = l.count;
  return l.words;
}
