/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_several: see kernel_several.h. First pointers get their copies, then accesses and
 * comparisons, which divide blocks. */
#include "passes/transform/kernel/kernel_several.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_blocks.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_memory.h"
#include "passes/transform/kernel/kernel_rename.h"
#include "passes/transform/kernel/kernel_sets.h"

/* What an open pointer became. */
typedef struct Parts {
  uint32_t number;                        /* id of the number */
  uint32_t pointer[SR_KERNEL_MOST_BASES]; /* by member of its set; of null: 0 */
} Parts;

typedef struct Several {
  SrKernels *k;
  SrModule *m;
  SrKernelSets sets;
  SrIdTable *parts_of; /* by id of an open pointer: index of its parts */
  SR_VEC(Parts) parts;
  SrKernelBlocks blocks;
} Several;

/* Is it an image, which is its object itself? */
static bool is_image(const SrModule *m, uint32_t type) {
  return sr_def_op(m, type) == SpvOpTypeImage;
}

static bool is_open(const Several *s, uint32_t id) {
  return sr_ids_get(s->parts_of, id) != SR_NONE;
}

/* ---- pointers ---- */

static void name_parts(Several *s, SrRef r) {
  uint32_t id = sr_inst(s->m, r)->result;
  const uint32_t type = sr_inst(s->m, r)->type;
  if (!sr_kernel_sets_apply(s->m, type) || sr_inst(s->m, r)->op == SpvOpVariable)
    return;
  SrKernelSet set = sr_kernel_sets_of(&s->sets, id);
  bool loaded = sr_inst(s->m, r)->op == SpvOpLoad && set.count;
  if (!sr_kernel_sets_open(&set) && !loaded)
    return;
  Parts parts = {.number = sr_fresh_id(s->m)};
  for (uint32_t i = 0; i < set.count; i++)
    parts.pointer[i] = set.base[i] == SR_KERNEL_NULL_BASE ? 0
                       : is_image(s->m, type)             ? s->sets.object.at[set.base[i]]
                                                          : sr_fresh_id(s->m);
  sr_ids_set(s->parts_of, id, s->parts.count);
  SR_PUSH(s->k->arena, &s->parts, parts);
}

/* The number of a pointer's object: an id. */
static uint32_t number_of(Several *s, uint32_t id) {
  uint32_t parts = sr_ids_get(s->parts_of, id);
  if (parts != SR_NONE)
    return s->parts.at[parts].number;
  SrKernelSet set = sr_kernel_sets_of(&s->sets, id);
  return sr_kernel_u32(s->k, set.count ? set.base[0] : (uint32_t)SR_KERNEL_NULL_BASE);
}

/* The pointer into one object; 0: it never points there. */
static uint32_t pointer_into(const Several *s, uint32_t id, uint32_t base) {
  uint32_t parts = sr_ids_get(s->parts_of, id);
  SrKernelSet set = sr_kernel_sets_of(&s->sets, id);
  for (uint32_t i = 0; i < set.count; i++)
    if (set.base[i] == base)
      return parts == SR_NONE ? id : s->parts.at[parts].pointer[i];
  return 0;
}

/* A phi or a select of numbers, and one of pointers into each object. */
static SrStatus join(Several *s, SrEmit *e, SrRef r, const Parts *parts) {
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  bool phi = in.op == SpvOpPhi;
  uint32_t count = sr_word_count(m, r), step = phi ? 2 : 1;
  uint32_t *operand = SR_NEW(s->k->arena, uint32_t, count);
  SrKernelSet set = sr_kernel_sets_of(&s->sets, in.result);
  for (uint32_t i = phi ? 3 : 4; i < count; i += step) {
    uint32_t id = sr_words(m, r)[i];
    if (!sr_kernel_sets_of(&s->sets, id).count && sr_def_op(m, id) != SpvOpUndef)
      return sr_kernel_refuse(s->k, r, "it is not known where the pointer %%%u points", id);
    operand[i] = number_of(s, id);
  }
  sr_emit_again(e, r, sr_kernel_int(s->k, 32), parts->number, operand);
  if (is_image(m, in.type))
    return SR_OK;
  for (uint32_t j = 0; j < set.count; j++) {
    if (set.base[j] == SR_KERNEL_NULL_BASE)
      continue;
    for (uint32_t i = phi ? 3 : 4; i < count; i += step) {
      uint32_t into = pointer_into(s, sr_words(m, r)[i], set.base[j]);
      operand[i] = into ? into : sr_undef(m, in.type);
    }
    sr_emit_again(e, r, in.type, parts->pointer[j], operand);
  }
  return SR_OK;
}

/* The same step from each of the pointers. */
static void derive(Several *s, SrEmit *e, SrRef r, const Parts *parts) {
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t from = sr_words(m, r)[3], *operand = SR_NEW(s->k->arena, uint32_t, sr_word_count(m, r));
  SrKernelSet set = sr_kernel_sets_of(&s->sets, in.result);
  SrKernelSet source = sr_kernel_sets_of(&s->sets, from);
  uint32_t number = number_of(s, from);
  for (uint32_t j = 0; j < set.count; j++) {
    if (set.base[j] == SR_KERNEL_NULL_BASE)
      continue;
    operand[3] = pointer_into(s, from, set.base[j]);
    sr_emit_again(e, r, in.type, parts->pointer[j], operand);
  }
  /* A cast that fails for some objects is null for these. */
  uint32_t u32 = sr_kernel_int(s->k, 32), null = sr_kernel_u32(s->k, SR_KERNEL_NULL_BASE);
  for (uint32_t j = 0; j < source.count; j++) {
    if (sr_kernel_sets_have(&set, source.base[j]))
      continue;
    uint32_t is = sr_emit(e, SpvOpIEqual, sr_kernel_bool(s->k),
                          SR_IDS(number, sr_kernel_u32(s->k, source.base[j])));
    number = sr_emit(e, SpvOpSelect, u32, SR_IDS(is, null, number));
  }
  sr_ids_set(s->k->same, parts->number, number);
}

/* ---- pointers in memory ----
 *
 * In memory, pointers are stored as addresses (kernel_offset.c). These are numbers of 64 bits whose
 * high half identifies the object. */

static uint32_t high_half(SrEmit *e, uint32_t address) {
  uint32_t u64 = sr_kernel_int(e->k, 64);
  return sr_emit(e, SpvOpShiftRightLogical, u64,
                 SR_IDS(address, sr_kernel_constant(e->k, u64, 32)));
}

static uint32_t as_addresses(SrEmit *e, uint32_t pointer) {
  SrKernels *k = e->k;
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(k->m, pointer);
  return sr_emit(e, SpvOpBitcast, sr_kernel_pointer(k, class, sr_kernel_int(k, 64)), &pointer, 1);
}

/* The pointer with this address, which is in the object that begins at `start`. */
static void from_address(SrEmit *e, uint32_t object, uint32_t start, uint32_t address,
                         uint32_t type, uint32_t result) {
  SrKernels *k = e->k;
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(k->m, object);
  uint32_t bytes = sr_kernel_pointer(k, class, sr_kernel_int(k, 8));
  uint32_t offset = sr_emit(e, SpvOpISub, sr_kernel_int(k, 64), SR_IDS(address, start));
  uint32_t first = sr_emit(e, SpvOpBitcast, bytes, &object, 1);
  uint32_t at = sr_emit(e, SpvOpPtrAccessChain, bytes, SR_IDS(first, offset));
  e->result = result;
  (void)sr_emit_last(e, SpvOpBitcast, type, &at, 1);
}

static void load_pointer(Several *s, SrEmit *e, SrRef r, const Parts *parts) {
  SrKernels *k = s->k;
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t u64 = sr_kernel_int(k, 64), number = 0;
  SrKernelSet set = sr_kernel_sets_of(&s->sets, in.result);
  uint32_t address = sr_emit_load(e, u64, as_addresses(e, sr_words(m, r)[3]), false);
  for (uint32_t i = 0; i < set.count; i++) {
    uint32_t base = set.base[i], object = s->sets.object.at[base], is;
    uint32_t own = sr_kernel_u32(k, base), start = sr_kernel_null(k, u64);
    if (base != SR_KERNEL_NULL_BASE) {
      start = sr_emit(e, SpvOpConvertPtrToU, u64, &object, 1);
      from_address(e, object, start, address, in.type, parts->pointer[i]);
    }
    if (number) {
      is = sr_emit(e, SpvOpIEqual, sr_kernel_bool(k),
                   SR_IDS(high_half(e, address), high_half(e, start)));
      own = sr_emit(e, SpvOpSelect, sr_kernel_int(k, 32), SR_IDS(is, own, number));
    }
    number = own;
  }
  sr_ids_set(k->same, parts->number, number);
  if (!sr_kernel_sets_open(&set)) /* what is computed of it is not divided */
    sr_ids_set(k->same, in.result, parts->pointer[0]);
}

static SrStatus divide_pointers(Several *s) {
  SrModule *m = s->m;
  const SrFunction *f = s->k->f;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      name_parts(s, r);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list)) {
      uint32_t i = sr_ids_get(s->parts_of, sr_inst(m, r)->result);
      if (!sr_inst(m, r)->result || i == SR_NONE)
        continue;
      const Parts parts = s->parts.at[i];
      SrEmit e = {s->k, &f->blocks[b].list, r, b, 0};
      uint16_t op = sr_inst(m, r)->op;
      if (op == SpvOpPhi || op == SpvOpSelect)
        SR_CHECK(join(s, &e, r, &parts));
      else if (op == SpvOpLoad)
        load_pointer(s, &e, r, &parts);
      else
        derive(s, &e, r, &parts);
    }
  return SR_OK;
}

/* ---- comparisons ---- */

static bool is_comparison(uint16_t op) {
  return op == SpvOpPtrEqual || op == SpvOpPtrNotEqual || op == SpvOpIEqual || op == SpvOpINotEqual;
}

static uint32_t is_number(SrEmit *e, uint32_t number, uint32_t base) {
  return sr_emit(e, SpvOpIEqual, sr_kernel_bool(e->k), SR_IDS(number, sr_kernel_u32(e->k, base)));
}

/* Two pointers are equal if they point into one object, at one place. */
static void compare(Several *s, SrEmit *e, SrRef r) {
  SrModule *m = s->m;
  SrKernels *k = s->k;
  const uint32_t a = sr_words(m, r)[3], b = sr_words(m, r)[4], type = sr_kernel_bool(k);
  bool equal = sr_inst(m, r)->op == SpvOpPtrEqual || sr_inst(m, r)->op == SpvOpIEqual;
  uint32_t result = e->result, all = sr_kernel_boolean(k, false);
  SrKernelSet set = sr_kernel_sets_of(&s->sets, a);
  e->result = 0;
  for (uint32_t i = 0; i < set.count; i++) {
    uint32_t base = set.base[i], x = pointer_into(s, a, base), y = pointer_into(s, b, base);
    SrKernelSet other = sr_kernel_sets_of(&s->sets, b);
    if (!sr_kernel_sets_have(&other, base))
      continue;
    uint32_t both =
        sr_emit(e, SpvOpLogicalAnd, type,
                SR_IDS(is_number(e, number_of(s, a), base), is_number(e, number_of(s, b), base)));
    if (base != SR_KERNEL_NULL_BASE)
      both = sr_emit(e, SpvOpLogicalAnd, type,
                     SR_IDS(both, sr_emit(e, SpvOpIEqual, type, SR_IDS(x, y))));
    all = sr_emit(e, SpvOpLogicalOr, type, SR_IDS(all, both));
  }
  e->result = result;
  if (equal)
    (void)sr_emit_is(e, all);
  else
    (void)sr_emit_last(e, SpvOpLogicalNot, type, &all, 1);
}

/* The address of a pointer; of null: 0. */
static uint32_t address_of(Several *s, SrEmit *e, uint32_t pointer, uint32_t type) {
  uint32_t all = sr_kernel_null(s->k, type);
  SrKernelSet set = sr_kernel_sets_of(&s->sets, pointer);
  for (uint32_t i = 0; i < set.count; i++) {
    uint32_t into = pointer_into(s, pointer, set.base[i]);
    if (set.base[i] == SR_KERNEL_NULL_BASE)
      continue;
    into = sr_emit(e, SpvOpConvertPtrToU, type, &into, 1);
    all = sr_emit(e, SpvOpSelect, type,
                  SR_IDS(is_number(e, number_of(s, pointer), set.base[i]), into, all));
  }
  return all;
}

static void store_pointer(Several *s, SrEmit *e, SrRef r) {
  const uint32_t into = sr_words(s->m, r)[1], pointer = sr_words(s->m, r)[2];
  uint32_t address = address_of(s, e, pointer, sr_kernel_int(s->k, 64));
  sr_emit_store(e, as_addresses(e, into), address, false);
}

/* ---- accesses ---- */

/* The first operand of an access that is an open pointer: the index of its word; 0: none is. */
static uint32_t open_operand(const Several *s, SrRef r) {
  const SrModule *m = s->m;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && is_open(s, sr_words(m, r)[i]))
      return i;
  return 0;
}

/* Ends a block with a branch to one of `count` blocks, by the number. */
static void choose(Several *s, SrBlock *from, uint32_t number, const uint32_t *base,
                   const SrBlock *to, uint32_t count) {
  SrModule *m = s->m;
  if (count == 2) {
    SrEmit e = {s->k, &from->list, SR_NONE, m->home[from->id], 0};
    uint32_t first = is_number(&e, number, base[0]);
    sr_kernel_blocks_branch_if(&s->blocks, from, first, to[0].id, to[1].id);
    return;
  }
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, number);
  sr_put_id(m, to[count - 1].id);
  for (uint32_t i = 0; i + 1 < count; i++) {
    sr_put_literal(m, base[i]);
    sr_put_id(m, to[i].id);
  }
  sr_append(m, &from->list, sr_end(m));
}

static void put_phi(Several *s, SrBlock *at, SrRef r, const uint32_t *value, const SrBlock *from,
                    uint32_t count) {
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  sr_begin(m, SpvOpPhi, in.type, in.result);
  for (uint32_t i = 0; i < count; i++) {
    sr_put_id(m, value[i]);
    sr_put_id(m, from[i].id);
  }
  sr_append(m, &at->list, sr_end(m));
}

/* An access through null alone may do anything: it does nothing. */
static void drop_access(Several *s, SrBlock *block, SrRef r) {
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  if (in.result && in.type)
    sr_ids_set(s->k->same, in.result, sr_undef(m, in.type));
  sr_kernel_rename_remove(s->k, &block->list, r);
}

/* Divides the block before the access into a block for each object, and one for the rest. */
static void divide(Several *s, SrBlock *block, SrRef r, uint32_t word, const SrKernelSet *set) {
  SrModule *m = s->m;
  uint32_t id = sr_words(m, r)[word], count = 0, value[SR_KERNEL_MOST_BASES];
  uint32_t base[SR_KERNEL_MOST_BASES];
  SrBlock part[SR_KERNEL_MOST_BASES], rest = sr_kernel_blocks_new(&s->blocks, true);
  for (uint32_t i = 0; i < set->count; i++) {
    if (set->base[i] == SR_KERNEL_NULL_BASE)
      continue;
    SrRef copy = sr_clone(m, r);
    sr_words(m, copy)[word] = pointer_into(s, id, set->base[i]);
    part[count] = sr_kernel_blocks_new(&s->blocks, false);
    sr_append(m, &part[count].list, copy);
    if ((value[count] = sr_inst(m, copy)->result))
      sr_copy_decorations(m, sr_inst(m, r)->result, value[count]);
    sr_kernel_blocks_branch(&s->blocks, &part[count], rest.id);
    base[count++] = set->base[i];
  }
  if (sr_inst(m, r)->result)
    put_phi(s, &rest, r, value, part, count);
  sr_kernel_blocks_move(&s->blocks, block, r, &rest);
  sr_remove(m, &block->list, r);
  choose(s, block, number_of(s, id), base, part, count);
  SR_PUSH(s->k->arena, &s->blocks.waiting, rest);
  while (count)
    SR_PUSH(s->k->arena, &s->blocks.waiting, part[--count]);
}

/* Rewrites one instruction; *ends: the block ends before it, and the rest waits. */
static SrStatus visit(Several *s, SrBlock *block, SrRef r, bool *ends) {
  SrModule *m = s->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t word = in.result && is_open(s, in.result) ? 0 : open_operand(s, r);
  if (in.result && is_open(s, in.result)) {
    sr_remove(m, &block->list, r); /* its type is still needed */
    SR_PUSH(s->k->arena, &s->k->replaced, r);
    return SR_OK;
  }
  if (in.op == SpvOpStore && sr_kernel_sets_in_memory(&s->sets, r) &&
      !is_open(s, sr_words(m, r)[1])) {
    SrEmit e = {s->k, &block->list, r, 0, 0};
    store_pointer(s, &e, r);
    sr_kernel_rename_remove(s->k, &block->list, r);
    return SR_OK;
  }
  if (!word)
    return SR_OK;
  if (is_comparison(in.op)) {
    for (int i = 3; i < 5; i++)
      if (!sr_kernel_sets_of(&s->sets, sr_words(m, r)[i]).count)
        return sr_kernel_refuse(s->k, r, "it is not known where the pointer %%%u points",
                                sr_words(m, r)[i]);
    SrEmit e = {s->k, &block->list, r, 0, in.result};
    compare(s, &e, r);
    sr_kernel_rename_remove(s->k, &block->list, r);
    return SR_OK;
  }
  if (in.op == SpvOpConvertPtrToU) {
    SrEmit e = {s->k, &block->list, r, 0, in.result};
    uint32_t address = address_of(s, &e, sr_words(m, r)[3], in.type);
    (void)sr_emit_is(&e, address);
    sr_kernel_rename_remove(s->k, &block->list, r);
    return SR_OK;
  }
  SrKernelSet set = sr_kernel_sets_of(&s->sets, sr_words(m, r)[word]);
  if (in.nonsemantic || in.op == SpvOpLifetimeStart || in.op == SpvOpLifetimeStop) {
    sr_kernel_rename_remove(s->k, &block->list, r);
    return SR_OK;
  }
  SrKernelAccess a = sr_kernel_memory_access(s->k, r);
  bool of_image = in.op >= SpvOpImageSampleImplicitLod && in.op <= SpvOpImageQuerySamples;
  bool of_memory = a.kind != SR_ACCESS_NONE &&
                   (a.pointer == sr_words(m, r)[word] || a.source == sr_words(m, r)[word]);
  if (!of_image && !of_memory)
    return sr_kernel_refuse(s->k, r, "the pointer %%%u may point into several objects",
                            sr_words(m, r)[word]);
  if (sr_kernel_sets_objects(&set) == 0) {
    drop_access(s, block, r);
  } else if (sr_kernel_sets_objects(&set) == 1) {
    sr_words(m, r)[word] = pointer_into(s, sr_words(m, r)[word], set.base[set.count - 1]);
    return visit(s, block, r, ends);
  } else {
    divide(s, block, r, word, &set);
    *ends = true;
  }
  return SR_OK;
}

static SrStatus visit_block(void *user, SrBlock *block) {
  Several *s = user;
  bool ends = false;
  for (SR_EACH_SAFE(s->m, r, block->list)) {
    SR_CHECK(visit(s, block, r, &ends));
    if (ends)
      break;
  }
  return sr_check_bound(s->m);
}

SrStatus sr_kernel_several(SrKernels *k) {
  SrModule *m = k->m;
  Several s = {.k = k, .m = m};
  SrStatus status = sr_kernel_sets_find(k, &s.sets);
  if (status == SR_OK && s.sets.needed) {
    s.parts_of = sr_ids_take(m);
    status = divide_pointers(&s);
    if (status == SR_OK) {
      s.blocks = sr_kernel_blocks_begin(k);
      status = sr_kernel_blocks_visit(&s.blocks, &s, visit_block);
      sr_kernel_blocks_end(&s.blocks);
      sr_kernel_rename(k);
      sr_kernel_rename_forget(k);
    }
    sr_ids_give(m, s.parts_of);
  }
  sr_kernel_sets_end(&s.sets);
  return status;
}
