/* SPDX-License-Identifier: Apache-2.0 */
/* decode_pointer: pointers that are known while decoding, and access chains.
 *
 * Most pointers of a shader are access chains from a variable. For these only the variable part is
 * computed at run time: constant indices are summed to one offset while decoding, the others to one
 * row of offsets. A pointer becomes a value only if one is needed. Under logical addressing the
 * offsets have 32 bits and do not wrap: one that would wrap is past the end of every segment. */
#include "ir/decorations.h"
#include "values/decoder.h"

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

EmuPointer emu_pointer_of(EmuDecode *d, uint32_t pointer) {
  if (d->pointers[pointer] != SR_NONE)
    return d->pointer_list.at[d->pointers[pointer]];
  const EmuType *t = emu_type(d, emu_type_of(d, pointer));
  return (EmuPointer){.segment = SR_NONE,
                      .dynamic = emu_use1(d, pointer),
                      .type = t->element,
                      .rows = emu_class_in_rows(d, t->storage_class)};
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

/* Inside a segment an index is not negative and nothing wraps; whole addresses may decrease. */
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

/* Selects a descriptor of an array; an index past the array's end is out of bounds. */
static bool choose_descriptor(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t id) {
  uint32_t count = p->descriptors;
  uint64_t first = p->image ? p->offset : p->segment;
  p->descriptors = 0;
  int64_t index;
  if (constant_index(d, id, &index)) {
    bool outside = index < 0 || index >= count;
    if (p->image)
      p->offset = outside ? UINT32_MAX : first + (uint64_t)index;
    else
      p->segment = outside ? 0 : (uint32_t)first + (uint32_t)index;
    return true;
  }
  EmuKind kind = emu_type_kind(d, emu_type_of(d, id));
  if (kind != EMU_U32)
    return emu_refuse(d, r, "the index of an array of descriptors must have 32 bits: convert it");
  uint32_t reg = emu_use1(d, id);
  uint32_t inside = emu_temp(d, EMU_BOOL), chosen = emu_temp(d, EMU_U32);
  emu_emit(d, d->isa->alu(SpvOpULessThan, EMU_U32), inside, reg, emu_bits(d, EMU_U32, count),
           EMU_NO_ROW);
  uint32_t sum = emu_temp(d, EMU_U32);
  emu_emit(d, d->isa->alu(SpvOpIAdd, EMU_U32), sum, reg, emu_bits(d, EMU_U32, (uint32_t)first),
           EMU_NO_ROW);
  emu_emit(d, d->isa->alu(SpvOpSelect, EMU_U32), chosen, inside, sum,
           emu_bits(d, EMU_U32, p->image ? UINT32_MAX : 0));
  if (p->image) {
    p->offset = 0;
    p->dynamic = chosen;
    return true;
  }
  p->segment = SR_NONE;
  p->dynamic = emu_address_of_segment(d, chosen);
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

uint64_t emu_element_stride(EmuDecode *d, const EmuPointer *p, uint32_t pointer) {
  const EmuType *t = emu_type(d, p->type);
  uint32_t declared;
  uint64_t align = t->align ? t->align : 1;
  if (p->rows)
    return t->row_size;
  if (sr_decoration_value(d->m, emu_type_of(d, pointer), SpvDecorationArrayStride, &declared))
    return declared;
  return (t->size + align - 1) / align * align;
}

/* The first index of OpPtrAccessChain counts elements of the array that the base points into. */
static bool along(EmuDecode *d, SrRef r, EmuPointer *p, uint32_t base, uint32_t id) {
  uint64_t stride = emu_element_stride(d, p, base);
  if (p->segment != SR_NONE) { /* the index may be negative: takes the whole address */
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
