/* SPDX-License-Identifier: Apache-2.0 */
/* build: see build.h. */
#include "spv-emu/native/build.h"

#include <string.h>

LLVMTypeRef emu_build_int(const EmuBuild *b, uint32_t bits) {
  return b->l->LLVMIntTypeInContext(b->context, bits);
}

LLVMTypeRef emu_build_ints(const EmuBuild *b, uint32_t bits) {
  return b->l->LLVMVectorType(emu_build_int(b, bits), b->lanes);
}

static LLVMTypeRef float_type(const EmuBuild *b, uint32_t bits) {
  return bits == 64 ? b->l->LLVMDoubleTypeInContext(b->context)
                    : b->l->LLVMFloatTypeInContext(b->context);
}

LLVMTypeRef emu_build_floats(const EmuBuild *b, uint32_t bits) {
  return b->l->LLVMVectorType(float_type(b, bits), b->lanes);
}

LLVMTypeRef emu_build_pointer(const EmuBuild *b) {
  return b->l->LLVMPointerTypeInContext(b->context, 0);
}

EmuVector emu_build_number(const EmuBuild *b, uint32_t bits, uint64_t value) {
  return b->l->LLVMConstInt(emu_build_int(b, bits), value, false);
}

static EmuVector in_all_lanes(const EmuBuild *b, EmuVector scalar) {
  EmuVector all[EMU_MAX_LANES];
  for (uint32_t i = 0; i < b->lanes; i++)
    all[i] = scalar;
  return b->l->LLVMConstVector(all, b->lanes);
}

EmuVector emu_build_splat(const EmuBuild *b, uint32_t bits, uint64_t value) {
  return in_all_lanes(b, emu_build_number(b, bits, value));
}

EmuVector emu_build_splat_float(const EmuBuild *b, uint32_t bits, double value) {
  return in_all_lanes(b, b->l->LLVMConstReal(float_type(b, bits), value));
}

EmuVector emu_build_address(const EmuBuild *b, const void *address) {
  return b->l->LLVMConstIntToPtr(emu_build_number(b, 64, (uintptr_t)address), emu_build_pointer(b));
}

uint32_t emu_build_bits(const EmuBuild *b, EmuVector x) {
  return b->l->LLVMGetIntTypeWidth(b->l->LLVMGetElementType(b->l->LLVMTypeOf(x)));
}

static EmuVector call_intrinsic(const EmuBuild *b, const char *name, LLVMTypeRef *types,
                                size_t type_count, EmuVector *args, uint32_t count) {
  unsigned id = b->l->LLVMLookupIntrinsicID(name, strlen(name));
  EmuVector function = b->l->LLVMGetIntrinsicDeclaration(b->module, id, types, type_count);
  LLVMTypeRef of = b->l->LLVMIntrinsicGetType(b->context, id, types, type_count);
  return b->l->LLVMBuildCall2(b->at, of, function, args, count, "");
}

EmuVector emu_build_intrinsic(const EmuBuild *b, const char *name, EmuVector *args,
                              uint32_t count) {
  LLVMTypeRef type = b->l->LLVMTypeOf(args[0]);
  return call_intrinsic(b, name, &type, 1, args, count);
}

EmuVector emu_build_typed(const EmuBuild *b, const char *name, LLVMTypeRef types[2],
                          EmuVector *args, uint32_t count) {
  return call_intrinsic(b, name, types, 2, args, count);
}

EmuVector emu_build_in_all(const EmuBuild *b, EmuVector scalar) {
  LLVMTypeRef type = b->l->LLVMVectorType(b->l->LLVMTypeOf(scalar), b->lanes);
  EmuVector none = b->l->LLVMGetUndef(type), zero = emu_build_number(b, 32, 0);
  EmuVector first = b->l->LLVMBuildInsertElement(b->at, none, scalar, zero, "");
  return b->l->LLVMBuildShuffleVector(b->at, first, none, emu_build_splat(b, 32, 0), "");
}

EmuVector emu_build_after(const EmuBuild *b, EmuVector pointer, EmuVector bytes) {
  return b->l->LLVMBuildGEP2(b->at, emu_build_int(b, 8), pointer, &bytes, 1, "");
}

LLVMBasicBlockRef emu_build_block(const EmuBuild *b) {
  return b->l->LLVMAppendBasicBlockInContext(b->context, b->function, "");
}

void emu_build_into(const EmuBuild *b, LLVMBasicBlockRef block) {
  b->l->LLVMPositionBuilderAtEnd(b->at, block);
}
