/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_address: see kernel_address.h. Definitions that are replaced keep their types until the end,
 * because chains of indices are read by the types of pointers. */
#include "passes/transform/kernel/kernel_address.h"

#include "passes/ir/constants.h"
#include "passes/ir/edit.h"
#include "passes/ir/pointer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_layout.h"
#include "passes/transform/kernel/kernel_memory.h"
#include "passes/transform/kernel/kernel_rename.h"

enum { PART = 4 /* components that are accessed together */ };

typedef struct Address {
  SrKernels *k;
  SrModule *m;
  SrIdTable *is;        /* by id of a pointer: it is an address */
  SR_VEC(SrRef) joined; /* phis and selects of addresses */
  uint32_t u64;
} Address;

static uint32_t class_of(const SrModule *m, uint32_t type) {
  return type ? sr_pointer_type_class(m, type) : (uint32_t)SR_NONE;
}

/* ---- which pointers are addresses ---- */

static bool has_address(const Address *a, uint32_t id) {
  return sr_ids_get(a->is, id) != SR_NONE;
}

static bool is_join(uint16_t op) {
  return op == SpvOpPhi || op == SpvOpSelect;
}

/* Null and undefined pointers are what the others are. */
static bool is_any(const SrModule *m, uint32_t id) {
  SpvOp op = sr_def_op(m, id);
  return op == SpvOpConstantNull || op == SpvOpUndef;
}

/* Is it an address, or null or undefined as one? */
static bool may_be(const Address *a, uint32_t id) {
  return has_address(a, id) ||
         (is_any(a->m, id) && sr_pointer_class(a->m, id) == SpvStorageClassCrossWorkgroup);
}

static bool comes_from_address(const Address *a, SrRef r) {
  const SrModule *m = a->m;
  const SrInst *in = sr_inst(m, r);
  const uint32_t *w = sr_words(m, r);
  uint32_t word = sr_kernel_base_operand(in->op), first, step;
  if (word)
    return has_address(a, w[word]);
  if (!is_join(in->op))
    return false;
  sr_kernel_base_joined_words(m, r, &first, &step);
  for (uint32_t i = first; i < sr_word_count(m, r); i += step)
    if (has_address(a, w[i]))
      return true;
  return false;
}

static bool is_address(const Address *a, SrRef r) {
  const SrModule *m = a->m;
  const SrInst *in = sr_inst(m, r);
  switch (class_of(m, in->type)) {
  case SpvStorageClassCrossWorkgroup:
    return true;
  case SpvStorageClassUniformConstant:
    return in->op == SpvOpFunctionParameter || in->op == SpvOpConvertUToPtr ||
           in->op == SpvOpLoad || comes_from_address(a, r);
  case SpvStorageClassGeneric:
    return (in->op == SpvOpLoad && has_address(a, sr_words(m, r)[3])) || comes_from_address(a, r);
  default:
    return false;
  }
}

static void find_addresses(Address *a) {
  SrModule *m = a->m;
  const SrFunction *f = a->k->f;
  for (SR_EACH(m, r, f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter && is_address(a, r))
      sr_ids_set(a->is, sr_inst(m, r)->result, 1);
  for (bool changed = true; changed;) { /* the set grows */
    changed = false;
    for (uint32_t b = 0; b < f->block_count; b++)
      for (SR_EACH(m, r, f->blocks[b].list)) {
        uint32_t id = sr_inst(m, r)->result;
        if (!id || has_address(a, id) || !is_address(a, r))
          continue;
        sr_ids_set(a->is, id, 1);
        changed = true;
      }
  }
}

/* ---- values ---- */

/* The number that a pointer is. */
static uint32_t value_of(const Address *a, uint32_t id) {
  if (sr_def_op(a->m, id) == SpvOpConstantNull)
    return sr_kernel_null(a->k, a->u64);
  if (sr_def_op(a->m, id) == SpvOpUndef)
    return sr_undef(a->m, a->u64);
  return sr_kernel_same(a->k, id);
}

static uint32_t as_u64(const Address *a, SrEmit *e, uint32_t id) {
  id = sr_kernel_same(a->k, id);
  return sr_kernel_bits(a->m, sr_kernel_type_of(a->m, id)) == 64
             ? id
             : sr_emit(e, SpvOpSConvert, a->u64, &id, 1);
}

static uint32_t add_bytes(const Address *a, SrEmit *e, uint32_t address, uint64_t bytes) {
  if (!bytes)
    return address;
  return sr_emit(e, SpvOpIAdd, a->u64, SR_IDS(address, sr_kernel_constant(a->k, a->u64, bytes)));
}

static SrStatus write_chain(const Address *a, SrEmit *e, SrRef r, uint32_t *pointer) {
  SrKernelChain chain = sr_kernel_chain(a->k, r);
  SrKernelStep step;
  uint32_t address = value_of(a, sr_words(a->m, r)[3]);
  uint64_t bytes = 0;
  while (sr_kernel_chain_next(a->k, &chain, &step)) {
    SR_CHECK(sr_kernel_chain_check(a->k, r, &step));
    if (!step.index) {
      bytes += (uint64_t)step.stride;
      continue;
    }
    uint32_t index = as_u64(a, e, step.index);
    if (step.stride != 1)
      index = sr_emit(e, SpvOpIMul, a->u64,
                      SR_IDS(index, sr_kernel_constant(a->k, a->u64, (uint64_t)step.stride)));
    address = sr_emit(e, SpvOpIAdd, a->u64, SR_IDS(address, index));
  }
  *pointer = add_bytes(a, e, address, bytes);
  return SR_OK;
}

static uint32_t pointer_at(const Address *a, SrEmit *e, uint32_t address, uint32_t type) {
  uint32_t pointer = sr_kernel_pointer(a->k, SpvStorageClassPhysicalStorageBuffer, type);
  return sr_emit(e, SpvOpConvertUToPtr, pointer, &address, 1);
}

/* A pointer in other memory, as one to a number. */
static uint32_t as_number(const Address *a, SrEmit *e, uint32_t pointer) {
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(a->m, pointer);
  return sr_emit(e, SpvOpBitcast, sr_kernel_pointer(a->k, class, a->u64), &pointer, 1);
}

/* ---- loads and stores ---- */

void sr_kernel_address_store(SrEmit *e, uint32_t pointer, uint32_t value, uint32_t align) {
  sr_emit_store_aligned(e, pointer, value, false, align);
}

/* Loads (value 0) or stores a scalar or vector, by four components. */
static uint32_t access_value(const Address *a, SrEmit *e, const SrKernelAccess *access,
                             uint32_t address, uint32_t type, uint32_t value) {
  uint32_t scalar = sr_kernel_scalar_of(a->m, type), count = sr_kernel_components(a->m, type);
  uint32_t size = sr_kernel_bits(a->m, scalar) / 8, part[PART], parts = 0;
  if (count <= PART) {
    uint32_t pointer = pointer_at(a, e, address, type);
    if (!value)
      return sr_emit_load_aligned(e, type, pointer, access->is_volatile, access->align);
    sr_emit_store_aligned(e, pointer, value, access->is_volatile, access->align);
    return 0;
  }
  uint32_t align = access->align < PART * size ? access->align : PART * size;
  type = sr_kernel_vector(a->k, scalar, PART);
  for (uint32_t i = 0; i < count; i += PART) {
    uint32_t pointer = pointer_at(a, e, add_bytes(a, e, address, (uint64_t)i * size), type);
    if (value)
      sr_emit_store_aligned(e, pointer, sr_emit_components(e, type, value, i), access->is_volatile,
                            align);
    else
      part[parts++] = sr_emit_load_aligned(e, type, pointer, access->is_volatile, align);
  }
  return value ? 0
               : sr_emit(e, SpvOpCompositeConstruct, sr_kernel_vector(a->k, scalar, count), part,
                         parts);
}

/* The address that vloadn and vstoren access. */
static uint32_t vector_address(const Address *a, SrEmit *e, const SrKernelAccess *access) {
  uint32_t size = sr_kernel_bits(a->m, access->type) / 8 * sr_kernel_components(a->m, access->type);
  uint32_t bytes =
      sr_emit(e, SpvOpIMul, a->u64,
              SR_IDS(as_u64(a, e, access->index), sr_kernel_constant(a->k, a->u64, size)));
  return sr_emit(e, SpvOpIAdd, a->u64, SR_IDS(value_of(a, access->pointer), bytes));
}

/* ---- copies ---- */

/* One side of a copy: of an address, or of another pointer as one to elements. */
typedef struct Side {
  uint32_t address, pointer, type;
} Side;

static Side side(const Address *a, SrEmit *e, uint32_t id, uint32_t element) {
  if (has_address(a, id))
    return (Side){.address = value_of(a, id)};
  SpvStorageClass class = (SpvStorageClass)sr_pointer_class(a->m, id);
  uint32_t type = sr_kernel_pointer(a->k, class, element);
  return (Side){.pointer = sr_emit(e, SpvOpBitcast, type, &id, 1), .type = type};
}

static uint32_t element_at(const Address *a, SrEmit *e, const Side *s, uint32_t element,
                           uint32_t number) {
  if (!s->pointer)
    return pointer_at(
        a, e, add_bytes(a, e, s->address, (uint64_t)number * sr_kernel_bits(a->m, element) / 8),
        element);
  return sr_emit(e, SpvOpPtrAccessChain, s->type,
                 SR_IDS(s->pointer, sr_kernel_constant(a->k, a->u64, number)));
}

static SrStatus copy(const Address *a, SrEmit *e, SrRef r, const SrKernelAccess *access) {
  uint32_t unit = sr_kernel_memory_copy_unit(access);
  if (!unit)
    return sr_kernel_refuse(a->k, r, "memory of a type that has no size");
  uint32_t element = sr_kernel_int(a->k, 8 * unit);
  const Side to = side(a, e, access->pointer, element), from = side(a, e, access->source, element);
  for (uint32_t i = 0; i < access->bytes / unit; i++) {
    uint32_t value = sr_emit_load_aligned(e, element, element_at(a, e, &from, element, i),
                                          access->is_volatile, unit);
    sr_emit_store_aligned(e, element_at(a, e, &to, element, i), value, access->is_volatile, unit);
  }
  return SR_OK;
}

/* ---- accesses ---- */

static bool is_pointer(const SrModule *m, uint32_t type) {
  return class_of(m, type) != (uint32_t)SR_NONE;
}

/* The operand that is the pointer gets one that is made for the access. */
static void replace_operand(const Address *a, SrEmit *e, SrRef r, const SrKernelAccess *access) {
  uint32_t pointer = pointer_at(a, e, value_of(a, access->pointer), access->type);
  for (uint32_t i = sr_inst(a->m, r)->first; i < sr_word_count(a->m, r); i++)
    if (sr_word_is_id(a->m, r, i) && sr_words(a->m, r)[i] == access->pointer)
      sr_words(a->m, r)[i] = pointer;
}

/* Rewrites an access through an address; *gone: the instruction is replaced. */
static SrStatus write_access(Address *a, SrEmit *e, SrRef r, const SrKernelAccess *access,
                             bool *gone) {
  SrModule *m = a->m;
  bool loads = access->kind == SR_ACCESS_LOAD || access->kind == SR_ACCESS_VLOAD;
  bool by_number = access->kind == SR_ACCESS_VLOAD || access->kind == SR_ACCESS_VSTORE;
  bool of_pointer = is_pointer(m, access->type);
  uint32_t type = of_pointer ? a->u64 : access->type;
  if (!sr_kernel_bits(m, type))
    return sr_kernel_refuse(a->k, r, "memory of this type: only numbers, vectors and pointers");
  if (of_pointer && !loads && !has_address(a, access->value) && !is_any(m, access->value))
    return sr_kernel_refuse(a->k, r, "a pointer to other than global memory is stored there");
  if (of_pointer && loads && !has_address(a, sr_inst(m, r)->result))
    return sr_kernel_refuse(a->k, r, "a pointer to other than global memory is loaded from there");
  if (access->align * 8 < sr_kernel_bits(m, type))
    return sr_kernel_refuse(a->k, r, "numbers of %u bits at multiples of %u bytes",
                            sr_kernel_bits(m, type), access->align);
  if (access->kind == SR_ACCESS_ATOMIC || access->kind == SR_ACCESS_OUT) {
    replace_operand(a, e, r, access);
    return SR_OK;
  }
  uint32_t address = by_number ? vector_address(a, e, access) : value_of(a, access->pointer);
  uint32_t value = loads        ? 0
                   : of_pointer ? value_of(a, access->value)
                                : sr_kernel_same(a->k, access->value);
  value = access_value(a, e, access, address, type, value);
  *gone = true;
  if (loads) {
    e->result = sr_inst(m, r)->result;
    (void)sr_emit_is(e, value);
  }
  return SR_OK;
}

/* An address that lies in other memory than global one. */
static void access_address(Address *a, SrEmit *e, SrRef r) {
  SrModule *m = a->m;
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->op == SpvOpStore) {
    const uint32_t value = value_of(a, w[2]);
    sr_emit_store(e, as_number(a, e, sr_words(m, r)[1]), value, false);
    return;
  }
  const uint32_t result = sr_inst(m, r)->result;
  uint32_t value = sr_emit_load(e, a->u64, as_number(a, e, w[3]), false);
  e->result = result;
  (void)sr_emit_is(e, value);
}

/* ---- the other instructions ---- */

/* A comparison, a difference or a number of addresses. */
static bool write_number(Address *a, SrEmit *e, SrRef r) {
  SrModule *m = a->m;
  const SrInst in = *sr_inst(m, r);
  const uint32_t x = sr_words(m, r)[3];
  bool equal = in.op == SpvOpPtrEqual || in.op == SpvOpIEqual;
  switch (in.op) {
  case SpvOpPtrEqual:
  case SpvOpPtrNotEqual:
  case SpvOpIEqual:
  case SpvOpINotEqual: {
    const uint32_t y = sr_words(m, r)[4];
    if (!has_address(a, x) && !has_address(a, y))
      return false;
    e->result = in.result;
    (void)sr_emit_last(e, equal ? SpvOpIEqual : SpvOpINotEqual, in.type,
                       SR_IDS(value_of(a, x), value_of(a, y)));
    return true;
  }
  case SpvOpPtrDiff: {
    const uint32_t y = sr_words(m, r)[4];
    if (!has_address(a, x))
      return false;
    uint32_t pointee = sr_words(m, sr_def(m, sr_kernel_type_of(m, x)))[3];
    uint32_t size = sr_kernel_constant(a->k, a->u64, sr_kernel_size_of(a->k, pointee));
    uint32_t bytes = sr_emit(e, SpvOpISub, a->u64, SR_IDS(value_of(a, x), value_of(a, y)));
    uint32_t count = sr_emit(e, SpvOpSDiv, a->u64, SR_IDS(bytes, size));
    e->result = in.result;
    (void)(in.type == a->u64 ? sr_emit_is(e, count)
                             : sr_emit_last(e, SpvOpSConvert, in.type, &count, 1));
    return true;
  }
  case SpvOpConvertPtrToU: {
    if (!has_address(a, x))
      return false;
    uint32_t address = value_of(a, x);
    e->result = in.result;
    (void)(in.type == a->u64 ? sr_emit_is(e, address)
                             : sr_emit_last(e, SpvOpUConvert, in.type, &address, 1));
    return true;
  }
  default:
    return false;
  }
}

/* A pointer that is computed; false: it is none, or is joined at the end. */
static SrStatus write_pointer(Address *a, SrEmit *e, SrRef r, bool *gone) {
  SrModule *m = a->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t address;
  if (is_join(in.op)) {
    SR_PUSH(a->k->arena, &a->joined, r);
    return SR_OK;
  }
  if (in.op == SpvOpUndef)
    return SR_OK;
  if (in.op == SpvOpConvertUToPtr) {
    uint32_t number = sr_kernel_same(a->k, sr_words(m, r)[3]);
    address = sr_kernel_bits(m, sr_kernel_type_of(m, number)) == 64
                  ? number
                  : sr_emit(e, SpvOpUConvert, a->u64, &number, 1);
  } else if (sr_kernel_base_operand(in.op) &&
             (has_address(a, sr_words(m, r)[3]) || is_any(m, sr_words(m, r)[3]))) {
    SR_CHECK(write_chain(a, e, r, &address));
  } else {
    return sr_kernel_refuse(a->k, r, "a pointer to global memory is made of something else");
  }
  *gone = true;
  e->result = in.result;
  (void)sr_emit_is(e, address);
  return SR_OK;
}

static SrStatus visit(Address *a, SrEmit *e, SrRef r, bool *gone) {
  const SrModule *m = a->m;
  const SrInst in = *sr_inst(m, r);
  SrKernelAccess access = sr_kernel_memory_access(a->k, r);
  bool copies = access.kind == SR_ACCESS_COPY;
  if (access.kind != SR_ACCESS_NONE &&
      (has_address(a, access.pointer) || (copies && has_address(a, access.source)))) {
    *gone = copies;
    return copies ? copy(a, e, r, &access) : write_access(a, e, r, &access, gone);
  }
  if ((in.op == SpvOpLoad && has_address(a, in.result)) ||
      (in.op == SpvOpStore && may_be(a, sr_words(m, r)[2]))) {
    *gone = true;
    access_address(a, e, r);
    return SR_OK;
  }
  if (in.result && has_address(a, in.result))
    return write_pointer(a, e, r, gone);
  if (class_of(m, in.type) != (uint32_t)SR_NONE && comes_from_address(a, r))
    return sr_kernel_refuse(a->k, r, "an address becomes a pointer to other than global memory");
  *gone = write_number(a, e, r);
  return SR_OK;
}

/* Phis, selects and arguments become numbers. */
static SrStatus retype(Address *a) {
  SrModule *m = a->m;
  while (a->joined.count) {
    SrRef r = SR_POP(&a->joined);
    uint32_t first, step;
    sr_kernel_base_joined_words(m, r, &first, &step);
    for (uint32_t i = first; i < sr_word_count(m, r); i += step) {
      uint32_t id = sr_words(m, r)[i];
      if (!has_address(a, id) && !is_any(m, id))
        return sr_kernel_refuse(a->k, r,
                                "the pointer %%%u, which has no address, meets one that has", id);
      id = value_of(a, id);
      sr_words(m, r)[i] = id;
    }
    sr_words(m, r)[1] = sr_inst(m, r)->type = a->u64;
  }
  for (SR_EACH(m, r, a->k->f->head)) {
    uint32_t id = sr_inst(m, r)->result;
    if (sr_inst(m, r)->op != SpvOpFunctionParameter || !has_address(a, id))
      continue;
    sr_words(m, r)[1] = sr_inst(m, r)->type = a->u64;
    sr_ids_set(a->k->address, id, 1);
  }
  return SR_OK;
}

static SrStatus rewrite(Address *a) {
  SrKernels *k = a->k;
  SrModule *m = a->m;
  for (uint32_t b = 0; b < k->f->block_count; b++) {
    SrBlock *block = &k->f->blocks[b];
    for (SR_EACH_SAFE(m, r, block->list)) {
      SrEmit e = {k, &block->list, r, b, 0};
      bool gone = false;
      SR_CHECK(visit(a, &e, r, &gone));
      if (!gone)
        continue;
      sr_remove(m, &block->list, r); /* its type is still needed */
      SR_PUSH(k->arena, &k->replaced, r);
    }
    SR_CHECK(sr_check_bound(m));
  }
  return retype(a);
}

SrStatus sr_kernel_address(SrKernels *k) {
  SrModule *m = k->m;
  if (!k->addresses)
    return SR_OK;
  Address a = {.k = k, .m = m, .is = sr_ids_take(m), .u64 = sr_kernel_int(k, 64)};
  find_addresses(&a);
  SrStatus status = rewrite(&a);
  if (status == SR_OK) {
    sr_kernel_rename(k);
    sr_kernel_rename_forget(k);
  }
  sr_ids_give(m, a.is);
  return status;
}
