/* SPDX-License-Identifier: Apache-2.0 */
/* decode_pointer: pointers that are known while decoding, and access chains.
 *
 * Most pointers of a shader are access chains from a variable. For these only the variable part is
 * computed at run time: constant indices are summed to one offset while decoding, the others to one
 * row of offsets. A pointer becomes a value only if one is needed. Under logical addressing the
 * offsets have 32 bits and do not wrap: one that would wrap is past the end of every segment.
 *
 * Descriptors are passed to functions by pointers, too. As a value, a pointer to an image or
 * sampler is the number of its entry in their table, and a pointer to an array of descriptors is a
 * pointer to the first of them. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/values/decoder.h"

bool emu_class_in_rows(const EmuDecode *d, uint32_t storage_class) {
  switch (storage_class) {
  case SpvStorageClassInput:
    return true;
  case SpvStorageClassOutput:
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
    return !d->physical;
  }
  return false;
}

void emu_set_pointer(EmuDecode *d, uint32_t id, const EmuPointer *place) {
  SR_PUSH(d->scratch, &d->pointer_list, *place);
  d->pointers[id] = d->pointer_list.count - 1;
}

/* Is it a buffer's type? */
static bool is_block(const EmuDecode *d, uint32_t type) {
  return emu_type(d, type)->op == SpvOpTypeStruct &&
         (sr_is_decorated(d->m, type, SpvDecorationBlock) ||
          sr_is_decorated(d->m, type, SpvDecorationBufferBlock));
}

/* The place of a pointer if only its type is known: the pointer's value gives the address. */
static EmuPointer place_of_value(EmuDecode *d, const EmuType *t, uint32_t value) {
  const EmuType *to = emu_type(d, t->element);
  EmuPointer place = {.segment = SR_NONE,
                      .dynamic = value,
                      .type = t->element,
                      .rows = emu_class_in_rows(d, t->storage_class)};
  uint32_t one = emu_type_is_array(to) ? to->element : t->element;
  place.image = t->storage_class == SpvStorageClassUniformConstant &&
                emu_type_is_descriptor(emu_type(d, one));
  if (emu_type_is_array(to) && (place.image || is_block(d, one)))
    place.descriptors = to->count ? to->count : EMU_RUNTIME_DESCRIPTORS;
  if (place.image)
    place.dynamic = emu_narrow(d, value);
  return place;
}

EmuPointer emu_pointer_of(EmuDecode *d, uint32_t pointer) {
  if (d->pointers[pointer] != SR_NONE)
    return d->pointer_list.at[d->pointers[pointer]];
  return place_of_value(d, emu_type(d, emu_type_of(d, pointer)), emu_use1(d, pointer));
}

/* ---- one index ------------------------------------------------------------------------------- */

/* The signed value of a constant index. */
static bool constant_index(EmuDecode *d, uint32_t id, int64_t *index) {
  uint64_t value;
  if (!emu_constant_value(d, id, &value))
    return false;
  uint32_t unused = 64 - 8 * emu_kind_bytes(emu_type_kind(d, emu_type_of(d, id)));
  *index = (int64_t)(value << unused) >> unused;
  return true;
}

/* Inside a segment, an index is not negative and nothing wraps. Whole addresses may decrease. */
static void add_index(EmuPointer *p, int64_t index, uint64_t stride) {
  uint64_t by;
  if (p->segment == SR_NONE)
    p->offset += (uint64_t)index * stride;
  else if (index < 0 || __builtin_mul_overflow((uint64_t)index, stride, &by) ||
           __builtin_add_overflow(p->offset, by, &p->offset) || p->offset > EMU_OFFSET_MASK)
    p->offset = EMU_OFFSET_MASK;
}

static bool step(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t id, uint64_t stride) {
  int64_t index;
  if (p->rows)
    stride *= d->p->width;
  if (constant_index(d, id, &index)) {
    add_index(p, index, stride);
    return true;
  }
  if (stride > INT32_MAX)
    return emu_refuse(d, r, "an ArrayStride of %llu is too large; 2147483647 is the most",
                      (unsigned long long)stride);
  EmuKind kind = emu_type_kind(d, emu_type_of(d, id));
  bool address = p->segment == SR_NONE;
  uint32_t to = emu_temp(d, address ? EMU_U64 : EMU_U32);
  emu_emit_x(d, address ? d->isa->index_address[kind] : d->isa->index[kind], to, p->dynamic,
             emu_use1(d, id), EMU_NO_ROW, (uint32_t)stride);
  p->dynamic = to;
  return true;
}

/* Where an array of descriptors starts: entry or segment number `first`, to which register `base`
 * is added; EMU_NO_ROW: nothing is. */
typedef struct Descriptors {
  uint32_t first, base;
} Descriptors;

static Descriptors descriptors_at(EmuDecode *d, const EmuPointer *p) {
  if (p->image)
    return (Descriptors){(uint32_t)p->offset, p->dynamic};
  if (p->segment != SR_NONE)
    return (Descriptors){p->segment, EMU_NO_ROW};
  return (Descriptors){0, emu_segment_of_address(d, emu_address_of(d, p))};
}

static uint32_t add(EmuDecode *d, uint32_t a, uint32_t b) {
  uint32_t sum = emu_temp(d, EMU_U32);
  emu_emit(d, d->isa->alu(SpvOpIAdd, EMU_U32), sum, a, b, EMU_NO_ROW);
  return sum;
}

/* The descriptor is entry or segment `number`. */
static void point_to_known(EmuPointer *p, uint32_t number) {
  p->dynamic = EMU_NO_ROW;
  p->offset = p->image ? number : 0;
  if (!p->image)
    p->segment = number;
}

/* The same for a number in a register. */
static void point_to(EmuDecode *d, EmuPointer *p, uint32_t number) {
  p->segment = SR_NONE;
  p->offset = 0;
  p->dynamic = p->image ? number : emu_address_of_segment(d, number);
}

/* Selects a descriptor of an array. An index past the array's end is out of bounds, so it selects
 * an entry or segment that does not exist. */
static bool choose_descriptor(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t id) {
  uint32_t count = p->descriptors, nothing = p->image ? UINT32_MAX : 0;
  Descriptors array = descriptors_at(d, p);
  int64_t index;
  p->descriptors = 0;
  if (constant_index(d, id, &index)) {
    bool inside = index >= 0 && index < count;
    if (!inside || array.base == EMU_NO_ROW)
      point_to_known(p, inside ? array.first + (uint32_t)index : nothing);
    else
      point_to(d, p, add(d, array.base, emu_bits(d, EMU_U32, array.first + (uint32_t)index)));
    return true;
  }
  if (emu_type_kind(d, emu_type_of(d, id)) != EMU_U32)
    return emu_refuse(d, r, "the index of an array of descriptors must have 32 bits: convert it");
  uint32_t reg = emu_use1(d, id);
  uint32_t inside = emu_temp(d, EMU_BOOL), chosen = emu_temp(d, EMU_U32);
  emu_emit(d, d->isa->alu(SpvOpULessThan, EMU_U32), inside, reg, emu_bits(d, EMU_U32, count),
           EMU_NO_ROW);
  uint32_t sum = add(d, reg, emu_bits(d, EMU_U32, array.first));
  if (array.base != EMU_NO_ROW)
    sum = add(d, sum, array.base);
  emu_emit(d, d->isa->alu(SpvOpSelect, EMU_U32), chosen, inside, sum,
           emu_bits(d, EMU_U32, nothing));
  point_to(d, p, chosen);
  return true;
}

static bool into_struct(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t id) {
  const EmuType *t = emu_type(d, p->type);
  uint64_t index;
  if (!emu_constant_value(d, id, &index) || index >= t->count)
    return emu_refuse(d, r, "the struct has no member %%%u", id);
  const EmuMember *m = &d->members.at[t->member + index];
  p->offset += p->rows ? (uint64_t)m->row_offset * d->p->width : m->offset;
  p->matrix = (EmuMatrix){m->matrix_stride, m->row_major};
  p->type = sr_words(d->m, sr_def(d->m, p->type))[2 + index];
  return true;
}

static bool into(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t id) {
  const EmuType *t = emu_type(d, p->type);
  const EmuType *e = emu_type(d, t->element);
  if (p->descriptors) {
    p->type = t->element;
    return choose_descriptor(d, r, p, id);
  }
  uint64_t stride = t->stride;
  switch (t->op) {
  case SpvOpTypeStruct:
    return into_struct(d, r, p, id);
  case SpvOpTypeVector:
    stride = p->component ? p->component : stride;
    p->component = 0;
    break;
  case SpvOpTypeMatrix: {
    uint64_t declared = p->matrix.stride ? p->matrix.stride : t->stride;
    stride = p->matrix.row_major ? e->stride : declared;
    p->component = p->matrix.row_major ? declared : 0;
    break;
  }
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
    break;
  default:
    return emu_refuse(d, r, "there are more indices than the type has levels");
  }
  if (p->rows) {
    stride = e->row_size;
    p->component = 0;
  }
  p->type = t->element;
  return step(d, r, p, id, stride);
}

/* The first index of OpPtrAccessChain counts elements of the array that the base points into. */
static bool along(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t base, uint32_t id) {
  if (p->image || p->descriptors)
    return emu_refuse(d, r,
                      "a step from one descriptor to the next is not supported: index their "
                      "array");
  uint64_t stride;
  if (!emu_element_stride(d, r, p, base, &stride))
    return false;
  if (p->segment != SR_NONE) { /* the index may be negative, so the whole address is needed */
    p->dynamic = emu_address_of(d, p);
    p->segment = SR_NONE;
    p->offset = 0;
  }
  return step(d, r, p, id, stride);
}

bool emu_decode_chain(EmuDecode *d, SrRef r) {
  uint16_t op = sr_inst(d->m, r)->op;
  uint32_t base = emu_operand(d, r, 0), i = 1, count = emu_operand_count(d, r);
  EmuPointer place = emu_pointer_of(d, base);
  if (op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain)
    if (!along(d, r, &place, base, emu_operand(d, r, i++)))
      return false;
  for (; i < count; i++)
    if (!into(d, r, &place, emu_operand(d, r, i)))
      return false;
  emu_set_pointer(d, sr_inst(d->m, r)->result, &place);
  return true;
}
