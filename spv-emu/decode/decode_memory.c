/* SPDX-License-Identifier: Apache-2.0 */
/* decode_memory: loads, stores, atomics, and arithmetic on pointers. If a place in a variable of
 * one invocation is known while decoding, it is a list of registers: a load is a copy, or no code
 * (decode_alias.c), and a store is a copy. All other accesses use the handlers of memory.h. */
#include "passes/ir/memory_operands.h"
#include "spv-emu/decode/decode_image.h"
#include "spv-emu/decode/decode_stage.h"
#include "spv-emu/memory/atomics.h"
#include "spv-emu/memory/memory.h"
#include "spv-emu/memory/memory_length.h"

/* ---- accesses -------------------------------------------------------------------------------- */

typedef struct Leaves {
  EmuDecode *d;
  uint64_t scale; /* offset in the segment / offset in the type */
  bool too_large;
} Leaves;

static void add_leaf(void *user, uint64_t offset, EmuKind kind) {
  Leaves *l = user;
  uint64_t at = offset * l->scale;
  l->too_large = l->too_large || at > UINT32_MAX;
  SR_PUSH(l->d->arena, &l->d->p->leaves, (EmuLeaf){(uint32_t)at, (uint8_t)kind});
}

/* Can handlers find the bytes of the place? */
static bool has_bytes(EmuDecode *d, SrRef r, const EmuPointer *place) {
  if (place->image)
    return emu_refuse(d, r, "images and samplers have no bytes: they can only be loaded");
  return place->segment != SR_NONE || emu_register_real(d, place->dynamic) != EMU_NO_ROW;
}

/* The operand of Aligned of a load or store; 0: it has none. */
static uint32_t promised_alignment(const EmuDecode *d, SrRef r) {
  bool has = sr_memory_has(d->m, r, SpvMemoryAccessAlignedMask);
  return has ? sr_words(d->m, r)[sr_memory_operands(d->m, r) + 1] : 0;
}

/* The access to a value of that type at that place; SR_NONE: refused. */
static uint32_t new_access(EmuDecode *d, SrRef r, const EmuPointer *place, uint32_t type) {
  EmuProgram *p = d->p;
  if (!has_bytes(d, r, place))
    return SR_NONE;
  EmuAccess access = {.segment = place->segment,
                      .offset = place->offset,
                      .leaf = p->leaves.count,
                      .aligned = promised_alignment(d, r),
                      .inst = r};
  Leaves leaves = {d, place->rows ? p->width : 1, false};
  emu_type_leaves(d, type, place->rows, place->matrix, place->component, add_leaf, &leaves);
  access.leaf_count = p->leaves.count - access.leaf;
  if (leaves.too_large &&
      !emu_refuse(d, r, "the value is spread over more than 4 GB: use its parts"))
    return SR_NONE;
  SR_PUSH(d->arena, &p->accesses, access);
  return p->accesses.count - 1;
}

/* The registers of a place in rows, if it is known. */
typedef struct Fixed {
  EmuDecode *d;
  uint64_t base;
  uint32_t *at;
} Fixed;

static void fixed_leaf(void *user, uint64_t offset, EmuKind kind) {
  Fixed *f = user;
  *f->at++ = emu_register_fixed(f->d, kind, f->base + offset);
}

static const uint32_t *fixed_registers(EmuDecode *d, const EmuPointer *place, uint32_t type,
                                       uint32_t count) {
  if (!place->rows || place->segment == SR_NONE || place->dynamic != EMU_NO_ROW)
    return NULL;
  const EmuSegment *segment = &d->p->segments.at[place->segment];
  uint64_t size = d->types[type].row_size * d->p->width;
  if (place->offset > segment->size || size > segment->size - place->offset)
    return NULL; /* a constant index out of bounds */
  uint32_t *registers = SR_NEW_RAW(d->scratch, uint32_t, count);
  uint64_t base = (segment->at + place->offset) / d->p->width;
  emu_type_leaves(d, type, true, (EmuMatrix){0}, 0, fixed_leaf, &(Fixed){d, base, registers});
  return registers;
}

/* ---- loads and stores ------------------------------------------------------------------------ */

static void move(EmuDecode *d, uint32_t to, uint32_t from) {
  uint32_t bytes = emu_kind_bytes(emu_register_kind(d, to));
  emu_emit(d, d->isa->move[bytes], to, from, EMU_NO_ROW, EMU_NO_ROW);
}

static bool load_handle(EmuDecode *d, const EmuPointer *place, const uint32_t *registers,
                        uint32_t count) {
  uint32_t index = emu_bits(d, EMU_U32, place->offset);
  if (place->dynamic != EMU_NO_ROW) {
    uint32_t sum = emu_temp(d, EMU_U32);
    emu_emit(d, d->isa->alu(SpvOpIAdd, EMU_U32), sum, index, place->dynamic, EMU_NO_ROW);
    index = sum;
  }
  for (uint32_t i = 0; i < count; i++)
    move(d, registers[i], index);
  return true;
}

bool emu_load_from(EmuDecode *d, SrRef r, const EmuPointer *place, uint32_t type,
                   const uint32_t *registers, uint32_t count) {
  if (place->image)
    return load_handle(d, place, registers, count);
  const uint32_t *from = fixed_registers(d, place, type, count);
  for (uint32_t i = 0; from && i < count; i++)
    move(d, registers[i], from[i]);
  if (from || count == 0)
    return true;
  uint32_t access = new_access(d, r, place, type);
  if (access == SR_NONE)
    return false;
  emu_emit_masked(d,
                  &(EmuIns){.run = emu_load,
                            .d = EMU_NO_ROW,
                            .a = place->dynamic,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = emu_list(d, registers, count),
                            .x = access},
                  count, count);
  return true;
}

bool emu_load_registers(EmuDecode *d, SrRef r, uint32_t pointer, uint32_t type,
                        const uint32_t *registers, uint32_t count) {
  EmuPointer place = emu_pointer_of(d, pointer);
  return emu_load_from(d, r, &place, type, registers, count);
}

bool emu_store_to(EmuDecode *d, SrRef r, const EmuPointer *place, const uint32_t *registers,
                  uint32_t count) {
  const uint32_t *to = fixed_registers(d, place, place->type, count);
  for (uint32_t i = 0; to && i < count; i++)
    move(d, to[i], registers[i]);
  if (to || count == 0)
    return true;
  uint32_t access = new_access(d, r, place, place->type);
  if (access == SR_NONE)
    return false;
  if (!place->rows)
    emu_stage_hide(d);
  emu_emit_masked(d,
                  &(EmuIns){.run = emu_store,
                            .d = EMU_NO_ROW,
                            .a = place->dynamic,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = emu_list(d, registers, count),
                            .x = access},
                  0, count);
  if (!place->rows)
    emu_stage_show(d, EMU_NO_ROW);
  return true;
}

bool emu_store_registers(EmuDecode *d, SrRef r, uint32_t pointer, const uint32_t *registers,
                         uint32_t count) {
  EmuPointer place = emu_pointer_of(d, pointer);
  return emu_store_to(d, r, &place, registers, count);
}

static bool load(EmuDecode *d, SrRef r) {
  EmuPointer place = emu_pointer_of(d, emu_operand(d, r, 0));
  uint32_t type = sr_inst(d->m, r)->type, count = d->types[type].components;
  if (!emu_type_has_value(d, r, type))
    return false;
  if (emu_stage_is_helper(d, &place))
    return emu_stage_load_helper(d, r);
  if (sr_bit(d->alias_loads, sr_inst(d->m, r)->result)) {
    const uint32_t *registers = fixed_registers(d, &place, type, count);
    if (registers) {
      emu_alias(d, r, registers, count);
      return true;
    }
  }
  const uint32_t *registers = emu_define(d, r, &count);
  return emu_load_from(d, r, &place, type, registers, count);
}

static bool store(EmuDecode *d, SrRef r) {
  uint32_t count;
  const uint32_t *registers = emu_use(d, emu_operand(d, r, 1), &count);
  return emu_store_registers(d, r, emu_operand(d, r, 0), registers, count);
}

static bool copy(EmuDecode *d, SrRef r) {
  EmuPointer to = emu_pointer_of(d, emu_operand(d, r, 0)),
             from = emu_pointer_of(d, emu_operand(d, r, 1));
  if (!emu_type_has_value(d, r, from.type))
    return false;
  uint32_t count;
  const uint32_t *registers = emu_registers_new(d, from.type, EMU_REGISTER_UNUSED, &count);
  return emu_load_from(d, r, &from, from.type, registers, count) &&
         emu_store_to(d, r, &to, registers, count);
}

static bool copy_sized(EmuDecode *d, SrRef r) {
  EmuPointer to = emu_pointer_of(d, emu_operand(d, r, 0)),
             from = emu_pointer_of(d, emu_operand(d, r, 1));
  uint32_t size = emu_use_u64(d, emu_operand(d, r, 2));
  if (to.rows || from.rows)
    return emu_refuse(d, r, "one of the variables has no address: use OpCopyMemory");
  uint32_t target = emu_address_of(d, &to), source = emu_address_of(d, &from);
  emu_emit_masked(
      d, &(EmuIns){.run = emu_copy, .d = EMU_NO_ROW, .a = target, .b = source, .c = size, .x = r},
      0, 0);
  return true;
}

/* ---- atomics --------------------------------------------------------------------------------- */

static uint32_t result_register(EmuDecode *d, SrRef r) {
  uint32_t count;
  return sr_inst(d->m, r)->result ? emu_define(d, r, &count)[0] : EMU_NO_ROW;
}

static bool texel_atomic(EmuDecode *d, SrRef r, EmuKind kind, uint32_t b, uint32_t c) {
  SrRef texel = sr_def(d->m, emu_operand(d, r, 0));
  EmuHandler *run = emu_atomic_find_texel((SpvOp)sr_inst(d->m, r)->op, kind);
  EmuPointer image = emu_pointer_of(d, emu_operand(d, texel, 0));
  uint32_t index = emu_temp(d, EMU_U32), count, x;
  const uint32_t *registers;
  if (!load_handle(d, &image, &index, 1) ||
      !emu_decode_texel_pointer(d, r, texel, index, &registers, &count, &x))
    return false;
  uint32_t result = result_register(d, r);
  d->p->blocks.at[d->block].unhashed = true;
  emu_stage_hide(d);
  emu_emit_masked(d,
                  &(EmuIns){.run = run,
                            .d = result,
                            .a = EMU_NO_ROW,
                            .b = b,
                            .c = c,
                            .list = emu_list(d, registers, count),
                            .x = x},
                  0, count);
  emu_stage_show(d, result);
  return true;
}

/* After pointer, scope and semantics, a compare-exchange has the semantics for unequal values, a
 * value and a comparator; other atomics have at most a value. */
static bool atomic(EmuDecode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  uint32_t pointer = emu_operand(d, r, 0);
  bool exchange = op == SpvOpAtomicCompareExchange || op == SpvOpAtomicCompareExchangeWeak;
  uint32_t value = emu_operand(d, r, exchange ? 4 : 3);
  uint32_t comparator = exchange ? emu_operand(d, r, 5) : 0;
  uint32_t b = value ? emu_use1(d, value) : EMU_NO_ROW;
  uint32_t c = comparator ? emu_use1(d, comparator) : EMU_NO_ROW;
  uint32_t type = emu_type(d, emu_type_of(d, pointer))->element;
  EmuKind kind = emu_type_kind(d, type);
  /* The handlers for texels exist for the same opcodes and kinds. */
  EmuHandler *run = emu_atomic_find((SpvOp)op, kind);
  if (!run)
    return emu_refuse(d, r, "this atomic operation is not supported on operands of this type");
  if (sr_def_op(d->m, pointer) == SpvOpImageTexelPointer)
    return texel_atomic(d, r, kind, b, c);
  EmuPointer place = emu_pointer_of(d, pointer);
  uint32_t access = new_access(d, r, &place, type);
  if (access == SR_NONE)
    return false;
  uint32_t result = result_register(d, r);
  emu_stage_hide(d);
  emu_emit_masked(
      d, &(EmuIns){.run = run, .d = result, .a = place.dynamic, .b = b, .c = c, .x = access}, 0, 0);
  emu_stage_show(d, result);
  return true;
}

/* ---- pointers as values ---------------------------------------------------------------------- */

static bool convert_pointer(EmuDecode *d, SrRef r) {
  uint32_t count, from = emu_use1(d, emu_operand(d, r, 0));
  uint32_t to = emu_define(d, r, &count)[0];
  EmuKind a = emu_register_kind(d, from), b = emu_register_kind(d, to);
  if (a == b)
    move(d, to, from);
  else
    emu_emit(d, d->isa->convert(SpvOpUConvert, a, b), to, from, EMU_NO_ROW, EMU_NO_ROW);
  return true;
}

static bool compare_pointers(EmuDecode *d, SrRef r) {
  uint32_t count, a = emu_use1(d, emu_operand(d, r, 0)), b = emu_use1(d, emu_operand(d, r, 1));
  SpvOp op = sr_inst(d->m, r)->op == SpvOpPtrEqual ? SpvOpIEqual : SpvOpINotEqual;
  uint32_t to = emu_define(d, r, &count)[0];
  emu_emit(d, d->isa->alu(op, EMU_U64), to, a, b, EMU_NO_ROW);
  return true;
}

/* (a - b) / stride, in the result's width. */
static bool pointer_difference(EmuDecode *d, SrRef r) {
  uint32_t count, pointer = emu_operand(d, r, 0);
  uint32_t a = emu_use1(d, pointer), b = emu_use1(d, emu_operand(d, r, 1));
  uint32_t bytes = emu_temp(d, EMU_U64), elements = emu_temp(d, EMU_U64);
  emu_emit(d, d->isa->alu(SpvOpISub, EMU_U64), bytes, a, b, EMU_NO_ROW);
  EmuPointer place = emu_pointer_of(d, pointer);
  uint64_t stride;
  if (!emu_element_stride(d, r, &place, pointer, &stride))
    return false;
  emu_emit(d, d->isa->alu(SpvOpSDiv, EMU_U64), elements, bytes,
           emu_bits(d, EMU_U64, stride ? stride : 1), EMU_NO_ROW);
  uint32_t to = emu_define(d, r, &count)[0];
  EmuKind kind = emu_register_kind(d, to);
  if (kind == EMU_U64)
    move(d, to, elements);
  else
    emu_emit(d, d->isa->convert(SpvOpUConvert, EMU_U64, kind), to, elements, EMU_NO_ROW,
             EMU_NO_ROW);
  return true;
}

/* A copy of a pointer, perhaps to another storage class, points to the same place. */
static bool copy_pointer(EmuDecode *d, SrRef r) {
  uint32_t from = emu_operand(d, r, 0), count;
  if (d->pointers[from] != SR_NONE) {
    EmuPointer place = emu_pointer_of(d, from);
    place.type = emu_type(d, sr_inst(d->m, r)->type)->element;
    emu_set_pointer(d, sr_inst(d->m, r)->result, &place);
    return true;
  }
  const uint32_t *registers = emu_use(d, from, &count);
  emu_alias(d, r, registers, count);
  return true;
}

/* OpArrayLength: the number of elements of the last member that fit in the buffer. */
static bool array_length(EmuDecode *d, SrRef r) {
  EmuPointer place = emu_pointer_of(d, emu_operand(d, r, 0));
  const EmuType *t = emu_type(d, place.type);
  uint32_t index = emu_operand(d, r, 1), count;
  if (t->op != SpvOpTypeStruct || index >= t->count)
    return emu_refuse(d, r, "it is not about a struct with such a member");
  if (!has_bytes(d, r, &place))
    return false;
  uint32_t member = sr_words(d->m, sr_def(d->m, place.type))[2 + index];
  uint64_t stride = emu_type(d, member)->stride;
  EmuAccess access = {.segment = place.segment,
                      .offset = place.offset + d->members.at[t->member + index].offset,
                      .inst = r};
  SR_PUSH(d->arena, &d->p->accesses, access);
  uint32_t to = emu_define(d, r, &count)[0];
  emu_emit_masked(d,
                  &(EmuIns){.run = emu_array_length,
                            .d = to,
                            .a = place.dynamic,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = (uint32_t)(stride ? stride : 1),
                            .x = d->p->accesses.count - 1},
                  0, 0);
  return true;
}

/* ---- barriers -------------------------------------------------------------------------------- */

bool emu_decode_barrier(EmuDecode *d, SrRef r) {
  uint64_t scope;
  if (!emu_constant_value(d, emu_operand(d, r, 0), &scope))
    return emu_refuse(d, r, "the execution scope is not a constant");
  d->p->subgroup_barriers |= scope == SpvScopeSubgroup;
  if (scope == SpvScopeSubgroup || scope == SpvScopeInvocation)
    return true; /* the active lanes are already together */
  d->p->barriers = true;
  SR_PUSH(d->scratch, &d->emitted,
          (EmuEmitted){.ins = {
                           .d = EMU_NO_ROW,
                           .a = EMU_NO_ROW,
                           .b = EMU_NO_ROW,
                           .c = EMU_NO_ROW,
                           .x = r,
                       }});
  return true;
}

bool emu_decode_memory(EmuDecode *d, SrRef r, bool *mine) {
  uint16_t op = sr_inst(d->m, r)->op;
  switch (op) {
  case SpvOpLoad:
    return load(d, r);
  case SpvOpStore:
    return store(d, r);
  case SpvOpCopyMemory:
    return copy(d, r);
  case SpvOpCopyMemorySized:
    return copy_sized(d, r);
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain:
  case SpvOpInBoundsPtrAccessChain:
    return emu_decode_chain(d, r);
  case SpvOpArrayLength:
    return array_length(d, r);
  case SpvOpConvertPtrToU:
  case SpvOpConvertUToPtr:
    return convert_pointer(d, r);
  case SpvOpPtrCastToGeneric:
  case SpvOpGenericCastToPtr:
    return copy_pointer(d, r);
  case SpvOpPtrEqual:
  case SpvOpPtrNotEqual:
    return compare_pointers(d, r);
  case SpvOpPtrDiff:
    return pointer_difference(d, r);
  case SpvOpControlBarrier:
    return emu_decode_barrier(d, r);
  case SpvOpMemoryBarrier: /* memory is sequentially consistent */
  case SpvOpLifetimeStart:
  case SpvOpLifetimeStop:
  case SpvOpAssumeTrueKHR:
    return true;
  }
  bool pointer =
      sr_inst(d->m, r)->type && emu_type(d, sr_inst(d->m, r)->type)->op == SpvOpTypePointer;
  if (pointer && (op == SpvOpCopyObject || op == SpvOpBitcast))
    if (emu_type(d, emu_type_of(d, emu_operand(d, r, 0)))->op == SpvOpTypePointer)
      return copy_pointer(d, r);
  if ((op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFlagTestAndSet ||
      op == SpvOpAtomicFlagClear || op == SpvOpAtomicFAddEXT || op == SpvOpAtomicFMinEXT ||
      op == SpvOpAtomicFMaxEXT)
    return atomic(d, r);
  *mine = false;
  return true;
}
