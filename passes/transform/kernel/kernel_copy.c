/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_copy: see kernel_copy.h.
 *
 *   copy n * 4 bytes        for (i = 0; i < n * 4 / 4; i++)
 *                             ((uint *)to)[i] = ((uint *)from)[i]; */
#include "passes/transform/kernel/kernel_copy.h"

#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_blocks.h"
#include "passes/transform/kernel/kernel_emit.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_loop.h"
#include "passes/transform/kernel/kernel_memory.h"

enum {
  MOST_UNROLLED = 1024, /* bytes */
  MOST_ELEMENT = 32,    /* bytes: a vector of four numbers of 64 bits */
  MOST_STEPS = 64,      /* that are followed from a length */
};

typedef struct Copy {
  SrKernels *k;
  SrKernelBlocks blocks;
} Copy;

static bool becomes_loop(const SrKernels *k, SrRef r, const SrKernelAccess *a) {
  return a->bytes > MOST_UNROLLED || (!a->bytes && sr_inst(k->m, r)->op == SpvOpCopyMemorySized);
}

/* ---- elements ---- */

static uint32_t smaller(uint64_t a, uint32_t b) {
  return a < b ? (uint32_t)a : b;
}

/* The largest power of two, up to `most`, that divides a constant; 0: the id is none. */
static uint32_t divisor_of_constant(const SrModule *m, uint32_t id, uint32_t most) {
  SrInteger value;
  if (!sr_integer_constant(m, id, &value))
    return 0;
  return value.bits ? smaller(value.bits & (~value.bits + 1), most) : most;
}

/* The largest power of two, up to `most`, that is known to divide an integer. */
static uint32_t divisor_of(const SrModule *m, uint32_t id, uint32_t most) {
  uint32_t factor = 1;
  for (uint32_t step = 0; factor < most && step < MOST_STEPS; step++) {
    uint32_t all = divisor_of_constant(m, id, most), right = 0;
    if (all)
      return smaller((uint64_t)factor * all, most);
    const uint32_t *w = sr_words(m, sr_def(m, id));
    switch (sr_def_op(m, id)) {
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpCopyObject:
      id = w[3];
      continue;
    case SpvOpIMul:
    case SpvOpIAdd:
    case SpvOpBitwiseAnd:
      right = divisor_of_constant(m, w[4], most);
      break;
    case SpvOpShiftLeftLogical: {
      SrInteger shift;
      if (!sr_integer_constant(m, w[4], &shift))
        return factor;
      right = shift.bits < 8 ? 1u << shift.bits : most;
      break;
    }
    default:
      return factor;
    }
    if (!right)
      return factor;
    if (sr_def_op(m, id) == SpvOpIAdd)
      most = smaller((uint64_t)factor * right, most);
    else
      factor = smaller((uint64_t)factor * right, most);
    id = w[3];
  }
  return smaller(factor, most);
}

/* The type of number that the object of a pointer is an array of; 0: it is of other things. */
static uint32_t number_type(const SrModule *m, uint32_t pointer) {
  for (uint32_t word; (word = sr_kernel_base_operand(sr_def_op(m, pointer)));)
    pointer = sr_words(m, sr_def(m, pointer))[word];
  uint32_t type = sr_words(m, sr_def(m, sr_kernel_type_of(m, pointer)))[3];
  while (sr_def_op(m, type) == SpvOpTypeArray)
    type = sr_words(m, sr_def(m, type))[2];
  uint32_t components = sr_kernel_components(m, type);
  if (components == 3 || components > 4) /* with a gap; wider than a shader's */
    type = sr_kernel_scalar_of(m, type);
  return sr_kernel_bits(m, type) >= 32 ? type : 0;
}

static uint32_t size_of(const SrModule *m, uint32_t type) {
  return sr_kernel_bits(m, type) / 8 * sr_kernel_components(m, type);
}

/* The type of the elements that a copy copies one by one; `divisor` divides its length. */
static uint32_t element_type(SrKernels *k, const SrKernelAccess *a, uint32_t divisor) {
  uint32_t unit = a->align < divisor ? a->align : divisor;
  const uint32_t pointers[] = {a->source, a->pointer};
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t type = number_type(k->m, pointers[i]);
    uint32_t scalar = type ? sr_kernel_scalar_of(k->m, type) : 0;
    if (type && size_of(k->m, type) <= unit)
      return type;
    if (type && size_of(k->m, scalar) <= unit)
      return scalar;
  }
  return sr_kernel_int(k, 8 * smaller(unit, 4));
}

/* ---- the loop ---- */

static uint32_t element_at(SrEmit *e, uint32_t pointer, uint32_t type, uint32_t index) {
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(e->k->m, pointer);
  uint32_t of_elements = sr_kernel_pointer(e->k, class, type);
  uint32_t first = sr_emit(e, SpvOpBitcast, of_elements, &pointer, 1);
  return sr_emit_element(e, first, index);
}

/* The number of elements of `size` bytes in a length, an id. */
static uint32_t count_of(SrEmit *e, uint32_t length, uint32_t counter, uint32_t size) {
  SrInteger value;
  if (sr_integer_constant(e->k->m, length, &value))
    return sr_kernel_constant(e->k, counter, value.bits / size);
  uint32_t bytes = sr_emit_resized(e, counter, length);
  return sr_emit(e, SpvOpUDiv, counter, SR_IDS(bytes, sr_kernel_constant(e->k, counter, size)));
}

static void write_loop(Copy *c, SrBlock *block, SrRef r, const SrKernelAccess *a) {
  SrKernels *k = c->k;
  SrModule *m = k->m;
  bool sized = sr_inst(m, r)->op == SpvOpCopyMemorySized;
  uint32_t length = sized ? sr_words(m, r)[3] : sr_kernel_u32(k, a->bytes);
  uint32_t type = element_type(k, a, divisor_of(m, length, MOST_ELEMENT));
  /* Offsets have 32 bits, but addresses 64. */
  uint32_t counter = sr_kernel_int(k, k->addresses ? 64 : 32);
  SrKernelLoop l = sr_kernel_loop_begin(&c->blocks, block, r, counter);
  SrEmit e = {k, &l.before.list, SR_NONE, 0, 0};
  uint32_t most = count_of(&e, length, counter, size_of(m, type));
  e.list = &l.body.list;
  uint32_t from = element_at(&e, a->source, type, l.index);
  uint32_t to = element_at(&e, a->pointer, type, l.index);
  sr_emit_store(&e, to, sr_emit_load(&e, type, from, a->is_volatile), a->is_volatile);
  sr_kernel_loop_end(&l, sr_kernel_null(k, counter), most, sr_kernel_constant(k, counter, 1));
}

/* ---- the walk ---- */

static SrStatus visit_block(void *user, SrBlock *block) {
  Copy *c = user;
  SrModule *m = c->k->m;
  for (SR_EACH(m, r, block->list)) {
    const SrKernelAccess a = sr_kernel_memory_copy(c->k, r);
    if (a.kind == SR_ACCESS_NONE || !becomes_loop(c->k, r, &a))
      continue;
    write_loop(c, block, r, &a);
    sr_remove(m, &block->list, r);
    break; /* the rest waits */
  }
  return sr_check_bound(m);
}

static bool has_copies(const SrKernels *k) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list)) {
      const SrKernelAccess a = sr_kernel_memory_copy(k, r);
      if (a.kind != SR_ACCESS_NONE && becomes_loop(k, r, &a))
        return true;
    }
  return false;
}

SrStatus sr_kernel_copy(SrKernels *k) {
  if (!has_copies(k))
    return SR_OK;
  Copy c = {.k = k, .blocks = sr_kernel_blocks_begin(k)};
  SrStatus status = sr_kernel_blocks_visit(&c.blocks, &c, visit_block);
  sr_kernel_blocks_end(&c.blocks);
  sr_kernel_layout_begin(k); /* the elements' type may be new */
  return status;
}
