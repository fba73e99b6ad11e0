/* SPDX-License-Identifier: Apache-2.0 */
/* decode_workgroup: how workgroup memory is laid out.
 *
 * If its variables are blocks (SPV_KHR_workgroup_memory_explicit_layout), decorations hold as in
 * buffers. Otherwise Vulkan ignores decorations, so a pointer's ArrayStride says nothing about the
 * arrays that it points into. The distance of elements is then that in the arrays of the pointee
 * type in workgroup memory. SPIR-V declares a type after its parts, so one walk backwards over the
 * declarations finds these arrays. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/values/decoder.h"

enum { SEVERAL_STRIDES = 0 }; /* stands for an id in d->shared_array */

/* ---- which types are in workgroup memory ----------------------------------------------------- */

static void note_array(EmuDecode *d, uint32_t array) {
  const EmuType *t = emu_type(d, array);
  uint32_t other = sr_map_get(&d->shared_array, t->element);
  if (other == SR_NONE)
    sr_map_set(&d->shared_array, t->element, array);
  else if (other != SEVERAL_STRIDES && emu_type(d, other)->stride != t->stride)
    sr_map_set(&d->shared_array, t->element, SEVERAL_STRIDES);
}

static void note_parts(EmuDecode *d, SrRef r, SrBits *inside) {
  const uint32_t *w = sr_words(d->m, r);
  switch (sr_inst(d->m, r)->op) {
  case SpvOpTypeArray:
    note_array(d, w[1]);
    sr_bit_set(inside, w[2]);
    break;
  case SpvOpTypeStruct:
    for (uint32_t i = 2; i < sr_word_count(d->m, r); i++)
      sr_bit_set(inside, w[i]);
    break;
  }
}

static bool is_shared(const EmuDecode *d, SrRef r) {
  const SrInst *in = sr_inst(d->m, r);
  return in->op == SpvOpVariable && sr_words(d->m, r)[3] == SpvStorageClassWorkgroup &&
         sr_bit(d->used, in->result);
}

bool emu_workgroup_is_block(const EmuDecode *d, uint32_t variable) {
  uint32_t pointer = sr_inst(d->m, sr_def(d->m, variable))->type;
  return sr_is_decorated(d->m, emu_type(d, pointer)->element, SpvDecorationBlock);
}

void emu_workgroup_layout(EmuDecode *d) {
  SrBits *inside = sr_bits_new(d->scratch, sr_bound(d->m));
  d->shared_array = (SrMap){.arena = d->scratch};
  d->aliased = SR_NONE;
  for (SrRef r = d->m->globals.last; r != SR_NONE; r = sr_inst(d->m, r)->prev) {
    const SrInst *in = sr_inst(d->m, r);
    if (is_shared(d, r)) {
      d->shared_blocks |= emu_workgroup_is_block(d, in->result);
      sr_bit_set(inside, emu_type(d, in->type)->element);
    } else if (in->result && sr_bit(inside, in->result)) {
      note_parts(d, r, inside);
    }
  }
}

/* ---- strides of pointers --------------------------------------------------------------------- */

static uint64_t natural_stride(const EmuType *t) {
  uint64_t align = t->align ? t->align : 1;
  return (t->size + align - 1) / align * align;
}

static bool shared_stride(EmuDecode *d, SrRef r, uint32_t type, uint64_t *stride) {
  uint32_t array = sr_map_get(&d->shared_array, type);
  if (array == SEVERAL_STRIDES)
    return emu_refuse(d, r,
                      "workgroup memory has arrays of this type with several ArrayStrides: which "
                      "of them the pointer points into is unknown");
  *stride = array != SR_NONE ? emu_type(d, array)->stride : natural_stride(emu_type(d, type));
  return true;
}

bool emu_element_stride(EmuDecode *d, SrRef r, const EmuPointer *p, uint32_t pointer,
                        uint64_t *stride) {
  uint32_t type = emu_type_of(d, pointer), declared;
  bool plain = emu_type(d, type)->storage_class == SpvStorageClassWorkgroup && !d->shared_blocks;
  if (p->rows)
    *stride = emu_type(d, p->type)->row_size;
  else if (plain)
    return shared_stride(d, r, p->type, stride);
  else if (sr_decoration_value(d->m, type, SpvDecorationArrayStride, &declared))
    *stride = declared;
  else
    *stride = natural_stride(emu_type(d, p->type));
  return true;
}
