/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_whole: see kernel_whole.h. A walk over the parts of a type with a stack of the types that are open;
 * a depth of more than 16 is left as it is. */
#include "passes/transform/kernel/kernel_whole.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_memory.h"
#include "passes/transform/kernel/kernel_rename.h"

enum { MOST_PARTS = 1024, DEEPEST = 16, WIDEST = 4 /* components of a vector */ };

/* A struct or an array that is open. */
typedef struct Level {
  uint32_t type, count, next; /* its members; the one that the walk is at */
  uint32_t bytes;             /* from the start of the whole */
  uint32_t first;             /* in the values: that of its member 0 */
} Level;

typedef struct Walk {
  SrKernels *k;
  Level level[DEEPEST];
  uint32_t depth, parts;
} Walk;

/* The number of members of a struct or an array; 0: another type, or an array of unknown length. */
static uint32_t member_count(const SrModule *m, uint32_t type) {
  SrRef r = sr_def(m, type);
  SrInteger length;
  if (sr_inst(m, r)->op == SpvOpTypeStruct)
    return sr_word_count(m, r) - 2;
  if (sr_inst(m, r)->op != SpvOpTypeArray || !sr_integer_constant(m, sr_words(m, r)[3], &length))
    return 0;
  return length.bits <= MOST_PARTS ? (uint32_t)length.bits : 0;
}

static void open(Walk *w, uint32_t type, uint32_t bytes, uint32_t first) {
  w->level[w->depth++] =
      (Level){.type = type, .count = member_count(w->k->m, type), .bytes = bytes, .first = first};
}

/* The type of the member that the walk is at, and where it is. */
static uint32_t member(const Walk *w, uint32_t *bytes) {
  const Level *l = &w->level[w->depth - 1];
  SrRef r = sr_def(w->k->m, l->type);
  bool is_struct = sr_inst(w->k->m, r)->op == SpvOpTypeStruct;
  uint32_t type = sr_words(w->k->m, r)[is_struct ? 2 + l->next : 2];
  *bytes = l->bytes + (is_struct ? (uint32_t)sr_kernel_member_offset(w->k, l->type, l->next)
                                 : l->next * sr_kernel_size_of(w->k, type));
  return type;
}

/* The next part that is a number or a vector; `values`: how many there are. False: there is none; a level that
 * has come to its end is on top while there is one. */
static bool next_part(Walk *w, uint32_t values, uint32_t *type, uint32_t *bytes) {
  const SrModule *m = w->k->m;
  while (w->level[w->depth - 1].next < w->level[w->depth - 1].count) {
    *type = member(w, bytes);
    if (!member_count(m, *type))
      return true;
    if (w->depth == DEEPEST)
      return false;
    open(w, *type, *bytes, values);
  }
  return false;
}

/* Are all parts numbers or vectors of up to four, and few enough? */
static bool can_divide(SrKernels *k, uint32_t type) {
  Walk w = {.k = k};
  uint32_t part, bytes;
  if (!member_count(k->m, type) || !sr_kernel_size_of(k, type))
    return false;
  open(&w, type, 0, 0);
  while (w.depth) {
    if (!next_part(&w, 0, &part, &bytes)) {
      if (w.level[w.depth - 1].next < w.level[w.depth - 1].count)
        return false; /* too deep */
      if (--w.depth)
        w.level[w.depth - 1].next++;
      continue;
    }
    if (!sr_kernel_bits(k->m, part) || sr_kernel_components(k->m, part) > WIDEST ||
        ++w.parts > MOST_PARTS)
      return false;
    w.level[w.depth - 1].next++;
  }
  return true;
}

/* ---- one part ---- */

static uint32_t pointer_to(const Walk *w, SrEmit *e, uint32_t whole, uint32_t type) {
  SrKernels *k = w->k;
  uint32_t index[DEEPEST + 1] = {whole};
  for (uint32_t i = 0; i < w->depth; i++)
    index[1 + i] = sr_kernel_u32(k, w->level[i].next);
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(k->m, whole);
  return sr_emit(e, SpvOpInBoundsAccessChain, sr_kernel_pointer(k, class, type), index,
                 w->depth + 1);
}

/* What the access's alignment says of the part. */
static uint32_t align_of(const SrKernelAccess *a, uint32_t bytes) {
  return sr_kernel_memory_low_bit(a->align | bytes);
}

static uint32_t load_part(const Walk *w, SrEmit *e, const SrKernelAccess *a, uint32_t type,
                          uint32_t bytes) {
  uint32_t pointer = pointer_to(w, e, a->pointer, type);
  return sr_emit_load_aligned(e, type, pointer, a->is_volatile, align_of(a, bytes));
}

static void store_part(const Walk *w, SrEmit *e, const SrKernelAccess *a, uint32_t type,
                       uint32_t bytes) {
  uint32_t pointer = pointer_to(w, e, a->pointer, type), index[DEEPEST];
  for (uint32_t i = 0; i < w->depth; i++)
    index[i] = w->level[i].next;
  uint32_t value = sr_emit_extract_at(e, type, a->value, index, w->depth);
  sr_emit_store_aligned(e, pointer, value, a->is_volatile, align_of(a, bytes));
}

/* ---- the whole ---- */

/* `result`: the id of the value that is loaded; 0: it is stored. */
static void divide(SrKernels *k, SrEmit *e, const SrKernelAccess *a, uint32_t result) {
  Walk w = {.k = k};
  SR_VEC(uint32_t) value = {0};
  uint32_t type, bytes;
  open(&w, a->type, 0, 0);
  while (w.depth) {
    if (next_part(&w, value.count, &type, &bytes)) {
      if (result)
        SR_PUSH(k->arena, &value, load_part(&w, e, a, type, bytes));
      else
        store_part(&w, e, a, type, bytes);
      w.level[w.depth - 1].next++;
      continue;
    }
    const Level closed = w.level[--w.depth];
    if (w.depth)
      w.level[w.depth - 1].next++;
    if (!result)
      continue;
    e->result = w.depth ? 0 : result;
    uint32_t all = sr_emit_last(e, SpvOpCompositeConstruct, closed.type, value.at + closed.first,
                                value.count - closed.first);
    value.count = closed.first;
    SR_PUSH(k->arena, &value, all);
  }
}

static SrStatus visit(SrKernels *k, SrBlock *block, uint32_t home, SrRef r) {
  const SrInst in = *sr_inst(k->m, r);
  if (in.op != SpvOpLoad && in.op != SpvOpStore)
    return SR_OK;
  const SrKernelAccess a = sr_kernel_memory_access(k, r);
  if (!can_divide(k, a.type))
    return SR_OK;
  SrEmit e = {k, &block->list, r, home, 0};
  divide(k, &e, &a, in.result);
  sr_kernel_rename_remove(k, &block->list, r);
  return sr_check_bound(k->m);
}

SrStatus sr_kernel_whole(SrKernels *k) {
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    SrBlock *block = &k->f->blocks[b];
    for (SR_EACH_SAFE(k->m, r, block->list))
      SR_CHECK(visit(k, block, b, r));
  }
  return SR_OK;
}
