/* SPDX-License-Identifier: Apache-2.0 */
/* build: builds instructions on vectors of lanes in LLVM's intermediate representation.
 *
 * A row, or a part of one, is a vector of integers with as many bits as its scalars; floats are
 * converted where an instruction computes with them. Nothing allows LLVM to change a float's bits:
 * no instruction has fast-math flags, and operands of float instructions are never constants that
 * LLVM could compute with at compile time, since it folds x * 1 and similar as if x were no
 * signalling NaN. */
#ifndef EMU_BUILD_H
#define EMU_BUILD_H

#include "spv-emu/engine/lanes.h"
#include "spv-emu/native/llvm_api.h"

typedef LLVMValueRef EmuVector;

typedef struct EmuBuild {
  const EmuLlvm *l;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef at;
  EmuVector function;
  uint32_t lanes; /* of a vector */
  bool rounds;    /* the machine has instructions to round to integers, and fused multiply-adds */
  bool gathers;   /* ... to load and store lanes at any addresses */
} EmuBuild;

LLVMTypeRef emu_build_int(const EmuBuild *b, uint32_t bits);
LLVMTypeRef emu_build_ints(const EmuBuild *b, uint32_t bits);   /* a vector */
LLVMTypeRef emu_build_floats(const EmuBuild *b, uint32_t bits); /* a vector; 32 or 64 bits */
LLVMTypeRef emu_build_pointer(const EmuBuild *b);
/* A vector of integers with the same value in all lanes. */
EmuVector emu_build_splat(const EmuBuild *b, uint32_t bits, uint64_t value);
EmuVector emu_build_splat_float(const EmuBuild *b, uint32_t bits, double value);
EmuVector emu_build_number(const EmuBuild *b, uint32_t bits, uint64_t value);
EmuVector emu_build_address(const EmuBuild *b, const void *address);
/* The width of a lane of a vector of integers, in bits. */
uint32_t emu_build_bits(const EmuBuild *b, EmuVector x);
/* Calls an intrinsic function on vectors of the type of args[0]. */
EmuVector emu_build_intrinsic(const EmuBuild *b, const char *name, EmuVector *args, uint32_t count);
/* The same for an intrinsic that is overloaded by two types. */
EmuVector emu_build_typed(const EmuBuild *b, const char *name, LLVMTypeRef types[2],
                          EmuVector *args, uint32_t count);
/* A vector with a scalar in all lanes. */
EmuVector emu_build_in_all(const EmuBuild *b, EmuVector scalar);
/* The address `bytes` bytes after a pointer. `bytes` has 64 bits, or is a vector of such numbers;
 * the result is then a pointer for each lane. */
EmuVector emu_build_after(const EmuBuild *b, EmuVector pointer, EmuVector bytes);
LLVMBasicBlockRef emu_build_block(const EmuBuild *b);
void emu_build_into(const EmuBuild *b, LLVMBasicBlockRef block);

#define BINARY(name, of)                                                                           \
  static inline EmuVector emu_build_##name(const EmuBuild *b, EmuVector x, EmuVector y) {          \
    return b->l->LLVMBuild##of(b->at, x, y, "");                                                   \
  }
BINARY(add, Add)
BINARY(sub, Sub)
BINARY(mul, Mul)
BINARY(udiv, UDiv)
BINARY(sdiv, SDiv)
BINARY(and, And)
BINARY(or, Or)
BINARY(xor, Xor)
BINARY(shl, Shl)
BINARY(lshr, LShr)
BINARY(ashr, AShr)
BINARY(fadd, FAdd)
BINARY(fsub, FSub)
BINARY(fmul, FMul)
BINARY(fdiv, FDiv)
#undef BINARY

static inline EmuVector emu_build_icmp(const EmuBuild *b, LLVMIntPredicate is, EmuVector x,
                                       EmuVector y) {
  return b->l->LLVMBuildICmp(b->at, is, x, y, "");
}
static inline EmuVector emu_build_fcmp(const EmuBuild *b, LLVMRealPredicate is, EmuVector x,
                                       EmuVector y) {
  return b->l->LLVMBuildFCmp(b->at, is, x, y, "");
}
static inline EmuVector emu_build_select(const EmuBuild *b, EmuVector if_, EmuVector x,
                                         EmuVector y) {
  return b->l->LLVMBuildSelect(b->at, if_, x, y, "");
}
/* Zero-extended, sign-extended or cut to `bits`. */
static inline EmuVector emu_build_zext(const EmuBuild *b, EmuVector x, uint32_t bits) {
  return b->l->LLVMBuildZExt(b->at, x, emu_build_ints(b, bits), "");
}
static inline EmuVector emu_build_sext(const EmuBuild *b, EmuVector x, uint32_t bits) {
  return b->l->LLVMBuildSExt(b->at, x, emu_build_ints(b, bits), "");
}
static inline EmuVector emu_build_trunc(const EmuBuild *b, EmuVector x, uint32_t bits) {
  return b->l->LLVMBuildTrunc(b->at, x, emu_build_ints(b, bits), "");
}
/* The bits as floats, and back. */
static inline EmuVector emu_build_as_floats(const EmuBuild *b, EmuVector x) {
  return b->l->LLVMBuildBitCast(b->at, x, emu_build_floats(b, emu_build_bits(b, x)), "");
}
static inline EmuVector emu_build_as_ints(const EmuBuild *b, EmuVector x, uint32_t bits) {
  return b->l->LLVMBuildBitCast(b->at, x, emu_build_ints(b, bits), "");
}

#endif
