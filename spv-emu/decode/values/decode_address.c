/* SPDX-License-Identifier: Apache-2.0 */
/* decode_address: emits the instructions that compute the address of a place at run time. */
#include "spv-emu/decode/values/decoder.h"

static uint32_t compute(EmuDecode *d, SpvOp op, EmuKind kind, uint32_t a, uint32_t b) {
  uint32_t to = emu_temp(d, kind);
  emu_emit(d, d->isa->alu(op, kind), to, a, b, EMU_NO_ROW);
  return to;
}

static uint32_t widen(EmuDecode *d, uint32_t reg) {
  uint32_t to = emu_temp(d, EMU_U64);
  emu_emit(d, d->isa->convert(SpvOpUConvert, EMU_U32, EMU_U64), to, reg, EMU_NO_ROW, EMU_NO_ROW);
  return to;
}

uint32_t emu_narrow(EmuDecode *d, uint32_t reg) {
  uint32_t to = emu_temp(d, EMU_U32);
  emu_emit(d, d->isa->convert(SpvOpUConvert, EMU_U64, EMU_U32), to, reg, EMU_NO_ROW, EMU_NO_ROW);
  return to;
}

/* The number of an entry in the table of images and samplers. */
static uint32_t entry_of(EmuDecode *d, const EmuPointer *place) {
  uint32_t first = emu_bits(d, EMU_U64, place->offset);
  return place->dynamic == EMU_NO_ROW
             ? first
             : compute(d, SpvOpIAdd, EMU_U64, first, widen(d, place->dynamic));
}

uint32_t emu_address_of(EmuDecode *d, const EmuPointer *place) {
  uint64_t offset = place->offset, most = EMU_OFFSET_MASK - UINT32_MAX;
  if (place->image)
    return entry_of(d, place);
  if (place->segment == SR_NONE) {
    uint32_t address = emu_register_real(d, place->dynamic);
    return offset ? compute(d, SpvOpIAdd, EMU_U64, address, emu_bits(d, EMU_U64, offset)) : address;
  }
  uint32_t base =
      emu_bits(d, EMU_U64,
               ((uint64_t)place->segment << EMU_SEGMENT_SHIFT) + (offset < most ? offset : most));
  if (place->dynamic == EMU_NO_ROW)
    return base;
  return compute(d, SpvOpIAdd, EMU_U64, base, widen(d, place->dynamic));
}

uint32_t emu_address_of_segment(EmuDecode *d, uint32_t segment) {
  return compute(d, SpvOpShiftLeftLogical, EMU_U64, widen(d, segment),
                 emu_bits(d, EMU_U64, EMU_SEGMENT_SHIFT));
}

uint32_t emu_segment_of_address(EmuDecode *d, uint32_t address) {
  return emu_narrow(d, compute(d, SpvOpShiftRightLogical, EMU_U64, address,
                               emu_bits(d, EMU_U64, EMU_SEGMENT_SHIFT)));
}
