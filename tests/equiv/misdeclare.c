/* SPDX-License-Identifier: Apache-2.0 */
/* misdeclare: see misdeclare.h. The module becomes a list of instructions, of which some are
 * replaced, inserted, moved or removed. */
#include "tests/equiv/misdeclare.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_CHANGES = 6, MERGE_WORDS = 4, FIRST_CASE = 3 };

const char *const misdeclaration_names[MIS_DECLARATIONS] = {
    "dropped", "added", "merge", "target", "shared", "early", "doubled", "kind", "cases"};

typedef struct Edit {
  Rng *rng;
  const uint32_t **at; /* instructions */
  size_t count;
  uint32_t *room; /* of new instructions */
  size_t used;
  size_t first, last; /* the chosen function: from OpFunction to OpFunctionEnd */
} Edit;

static uint32_t op_of(const Edit *e, size_t i) {
  return e->at[i][0] & 0xffff;
}

static uint32_t length_of(const Edit *e, size_t i) {
  return e->at[i][0] >> 16;
}

static uint32_t *make(Edit *e, uint32_t op, uint32_t length) {
  uint32_t *inst = e->room + e->used;
  e->used += length;
  inst[0] = length << 16 | op;
  return inst;
}

static void insert(Edit *e, size_t i, const uint32_t *inst) {
  memmove(&e->at[i + 1], &e->at[i], (e->count - i) * sizeof *e->at);
  e->at[i] = inst;
  e->count++;
  e->last++;
}

static void take_out(Edit *e, size_t i) {
  memmove(&e->at[i], &e->at[i + 1], (e->count - i - 1) * sizeof *e->at);
  e->count--;
  e->last--;
}

/* ---- places ---- */

typedef bool FitsFn(const Edit *e, size_t i);

/* A random instruction of the function that fits; 0: there is none. */
static size_t choose(Edit *e, FitsFn *fits) {
  uint32_t found = 0;
  size_t chosen = 0;
  for (size_t i = e->first; i < e->last; i++)
    if (fits(e, i) && rng_below(e->rng, ++found) == 0)
      chosen = i;
  return chosen;
}

static bool is_label(const Edit *e, size_t i) {
  return op_of(e, i) == SpvOpLabel;
}

static bool is_merge(const Edit *e, size_t i) {
  return opcode_is_merge(op_of(e, i));
}

static bool is_loop(const Edit *e, size_t i) {
  return op_of(e, i) == SpvOpLoopMerge;
}

static bool is_bare_branch(const Edit *e, size_t i) {
  uint32_t op = op_of(e, i);
  return (op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch) &&
         !is_merge(e, i - 1);
}

static bool is_choice_of_cases(const Edit *e, size_t i) {
  return op_of(e, i) == SpvOpSwitch && length_of(e, i) > FIRST_CASE + 2;
}

static uint32_t any_block(Edit *e) {
  return e->at[choose(e, is_label)][1];
}

/* ---- changes: each returns whether it was made ---- */

static bool add(Edit *e) {
  size_t i = choose(e, is_bare_branch);
  if (i == 0)
    return false;
  bool loop = op_of(e, i) != SpvOpSwitch && rng_percent(e->rng, 40);
  uint32_t *merge = make(e, loop ? SpvOpLoopMerge : SpvOpSelectionMerge, loop ? 4 : 3);
  for (uint32_t k = 1; k < (loop ? 3 : 2); k++)
    merge[k] = any_block(e);
  merge[loop ? 3 : 2] = 0;
  insert(e, i, merge);
  return true;
}

/* Gives the merge instruction's word `k` the value. */
static void set_word(Edit *e, size_t i, uint32_t k, uint32_t value) {
  uint32_t *merge = make(e, op_of(e, i), length_of(e, i));
  memcpy(merge + 1, e->at[i] + 1, (length_of(e, i) - 1) * sizeof *merge);
  merge[k] = value;
  e->at[i] = merge;
}

static bool rename_merge(Edit *e, size_t i) {
  set_word(e, i, 1, any_block(e));
  return true;
}

static bool rename_target(Edit *e) {
  size_t i = choose(e, is_loop);
  if (i)
    set_word(e, i, 2, any_block(e));
  return i;
}

static bool share(Edit *e, size_t i) {
  size_t other = choose(e, is_merge);
  if (e->at[other][1] == e->at[i][1])
    return false;
  set_word(e, i, 1, e->at[other][1]);
  return true;
}

/* Moves it up to a random place after the block's phis and variables. */
static bool move_up(Edit *e, size_t i) {
  size_t top = i;
  while (!is_label(e, top - 1) && op_of(e, top - 1) != SpvOpPhi &&
         op_of(e, top - 1) != SpvOpVariable)
    top--;
  if (top == i)
    return false;
  const uint32_t *merge = e->at[i];
  size_t to = top + rng_below(e->rng, (uint32_t)(i - top));
  memmove(&e->at[to + 1], &e->at[to], (i - to) * sizeof *e->at);
  e->at[to] = merge;
  return true;
}

static bool change_kind(Edit *e, size_t i) {
  if (op_of(e, i + 1) == SpvOpSwitch)
    return false;
  bool loop = is_loop(e, i);
  uint32_t *merge = make(e, loop ? SpvOpSelectionMerge : SpvOpLoopMerge, loop ? 3 : 4);
  merge[1] = e->at[i][1];
  if (!loop)
    merge[2] = any_block(e);
  merge[loop ? 2 : 3] = 0;
  e->at[i] = merge;
  return true;
}

/* Words of a case: its literal, of 64 bits or less, and its label. */
static uint32_t case_words(const Edit *e, size_t i) {
  uint32_t type = 0;
  for (size_t k = 0; k < e->last && type == 0; k++)
    if (opcode_has_result(op_of(e, k)) && length_of(e, k) > 2 && e->at[k][2] == e->at[i][1])
      type = e->at[k][1];
  for (size_t k = 0; k < e->first; k++)
    if (op_of(e, k) == SpvOpTypeInt && e->at[k][1] == type)
      return e->at[k][2] > 32 ? 3 : 2;
  return 0;
}

/* Rotates the cases. */
static bool reorder(Edit *e) {
  size_t i = choose(e, is_choice_of_cases);
  uint32_t size = i ? case_words(e, i) : 0;
  if (size == 0)
    return false;
  uint32_t length = length_of(e, i), cases = (length - FIRST_CASE) / size;
  if (cases < 2)
    return false;
  uint32_t *sw = make(e, SpvOpSwitch, length);
  uint32_t by = size * rng_range(e->rng, 1, cases - 1), all = size * cases;
  memcpy(sw + 1, e->at[i] + 1, 2 * sizeof *sw);
  for (uint32_t k = 0; k < all; k++)
    sw[FIRST_CASE + (k + by) % all] = e->at[i][FIRST_CASE + k];
  e->at[i] = sw;
  return true;
}

static bool change_merge(Edit *e, Misdeclaration kind) {
  size_t i = choose(e, is_merge);
  if (i == 0)
    return false;
  switch (kind) {
  case MIS_DROPPED:
    take_out(e, i);
    return true;
  case MIS_MERGE:
    return rename_merge(e, i);
  case MIS_SHARED:
    return share(e, i);
  case MIS_EARLY:
    return move_up(e, i);
  case MIS_DOUBLED:
    insert(e, i, e->at[i]);
    return rename_merge(e, i);
  default:
    return change_kind(e, i);
  }
}

static bool change(Edit *e, Misdeclaration kind) {
  switch (kind) {
  case MIS_ADDED:
    return add(e);
  case MIS_TARGET:
    return rename_target(e);
  case MIS_CASES:
    return reorder(e);
  default:
    return change_merge(e, kind);
  }
}

/* ---- the module ---- */

static void list_instructions(Edit *e, const uint32_t *words, size_t count) {
  for (size_t at = HEADER; at < count; at += words[at] >> 16)
    e->at[e->count++] = words + at;
}

/* Chooses a function with several blocks. */
static bool choose_function(Edit *e) {
  uint32_t found = 0, labels = 0;
  size_t first = 0;
  bool any = false;
  for (size_t i = 0; i < e->count; i++) {
    labels += is_label(e, i);
    if (op_of(e, i) == SpvOpFunction) {
      first = i;
      labels = 0;
    }
    if (op_of(e, i) == SpvOpFunctionEnd && labels > 1 && rng_below(e->rng, ++found) == 0) {
      e->first = first;
      e->last = i;
      any = true;
    }
  }
  return any;
}

static uint32_t *join(const Edit *e, const uint32_t *words, size_t *count) {
  EmitWords out = {0};
  emit_append(&out, words, HEADER);
  for (size_t i = 0; i < e->count; i++)
    emit_append(&out, e->at[i], length_of(e, i));
  *count = out.count;
  return out.data;
}

bool misdeclare(Rng *rng, const uint32_t *words, size_t count, uint32_t **out, size_t *out_count,
                uint64_t made[MIS_DECLARATIONS]) {
  Edit e = {.rng = rng,
            .at = emit_resize(NULL, (count + MOST_CHANGES) * sizeof *e.at),
            .room = emit_resize(NULL, 2 * MOST_CHANGES * (count + MERGE_WORDS) * sizeof *e.room)};
  uint32_t changes = rng_range(rng, 1, MOST_CHANGES), done = 0;
  list_instructions(&e, words, count);
  *out = NULL;
  for (uint32_t tries = 4 * MOST_CHANGES; tries > 0 && done < changes; tries--) {
    Misdeclaration kind = (Misdeclaration)rng_below(rng, MIS_DECLARATIONS);
    if (!choose_function(&e) || !change(&e, kind))
      continue;
    made[kind]++;
    done++;
  }
  if (done)
    *out = join(&e, words, out_count);
  free(e.at);
  free(e.room);
  return done;
}
