/* SPDX-License-Identifier: Apache-2.0 */
/* compile_repair: see compile_repair.h. The words are those of a module that llvm-spirv wrote, in
 * the host's order; lengths are checked nevertheless. */
#include "passes/tool/compile/compile_repair.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5 };

typedef struct Repair {
  const uint32_t *from;
  size_t count;
  uint32_t *to;
  size_t made;
} Repair;

static SpvOp op_at(const Repair *r, size_t at) {
  return at < r->count ? (SpvOp)(r->from[at] & 0xffff) : SpvOpNop;
}

static size_t next(const Repair *r, size_t at) {
  return at + (r->from[at] >> 16);
}

static bool are_whole(const Repair *r) {
  size_t at = HEADER;
  while (at < r->count && r->from[at] >> 16)
    at = next(r, at);
  return at == r->count;
}

static void take(Repair *r, size_t at) {
  memcpy(&r->to[r->made], &r->from[at], (r->from[at] >> 16) * sizeof *r->to);
  r->made += r->from[at] >> 16;
}

/* A phi with one operand for each predecessor: the first that names it. */
static void take_phi(Repair *r, size_t at) {
  const uint32_t *from = &r->from[at];
  uint32_t *to = &r->to[r->made], words = from[0] >> 16, count = 3;
  if (words < 3) {
    take(r, at);
    return;
  }
  memcpy(to, from, 3 * sizeof *to);
  for (uint32_t i = 3; i + 1 < words; i += 2) {
    uint32_t k = 3;
    while (k < count && to[k + 1] != from[i + 1])
      k += 2;
    if (k < count)
      continue;
    to[count++] = from[i];
    to[count++] = from[i + 1];
  }
  to[0] = count << 16 | SpvOpPhi;
  r->made += count;
}

/* The first instruction from `at` on with this opcode, or the end of the module. */
static size_t find(const Repair *r, size_t at, SpvOp op) {
  while (at < r->count && op_at(r, at) != op)
    at = next(r, at);
  return at;
}

/* ---- loop merges ---- */

static bool is_misplaced(const Repair *r, size_t merge) {
  SpvOp after = op_at(r, next(r, merge));
  bool empty = r->from[merge] >> 16 > 2 && r->from[merge + 1] == r->from[merge + 2];
  return empty || (after != SpvOpBranch && after != SpvOpBranchConditional);
}

static bool has_misplaced(const Repair *r, size_t at, size_t end) {
  for (; at < end; at = next(r, at))
    if (op_at(r, at) == SpvOpLoopMerge && is_misplaced(r, at))
      return true;
  return false;
}

/* ---- variables ---- */

/* The first instruction from `at` on that no OpVariable may follow. */
static size_t after_variables(const Repair *r, size_t at, size_t end) {
  while (at < end && (op_at(r, at) == SpvOpVariable || op_at(r, at) == SpvOpLine ||
                      op_at(r, at) == SpvOpNoLine))
    at = next(r, at);
  return at;
}

/* Moves the variables of the first block, and what may be between them, to the place after its
 * label, which is at `label`. Returns where the rest of the block begins. */
static size_t take_first_block(Repair *r, size_t label, size_t end) {
  size_t begin = next(r, label), rest = after_variables(r, begin, end);
  size_t last = find(r, begin, SpvOpLabel);
  last = last < end ? last : end;
  for (size_t at = begin; at < rest; at = next(r, at))
    take(r, at);
  for (size_t at = rest; at < last; at = next(r, at))
    if (op_at(r, at) == SpvOpVariable)
      take(r, at);
  return rest;
}

/* ---- functions ---- */

static void take_function(Repair *r, size_t at, size_t end) {
  bool drops = has_misplaced(r, at, end);
  size_t label = find(r, at, SpvOpLabel), first = end;
  if (label < end) {
    for (; at <= label; at = next(r, at))
      take(r, at);
    at = take_first_block(r, label, end);
    first = find(r, at, SpvOpLabel);
  }
  for (; at < end; at = next(r, at))
    if (op_at(r, at) == SpvOpPhi)
      take_phi(r, at);
    else if (!(op_at(r, at) == SpvOpVariable && at < first) &&
             !(op_at(r, at) == SpvOpLoopMerge && drops))
      take(r, at);
}

void compile_repair(CompileResult *result) {
  Repair r = {.from = result->words, .count = result->count, .made = HEADER};
  if (r.count < HEADER || !are_whole(&r) || !(r.to = malloc(r.count * sizeof *r.to)))
    return;
  memcpy(r.to, r.from, HEADER * sizeof *r.to);
  size_t at = HEADER, function = find(&r, at, SpvOpFunction);
  for (; at < function; at = next(&r, at))
    take(&r, at);
  while (at < r.count) {
    size_t end = find(&r, next(&r, at), SpvOpFunction);
    take_function(&r, at, end);
    at = end;
  }
  free(result->words);
  result->words = r.to;
  result->count = r.made;
}
