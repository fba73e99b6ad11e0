/* SPDX-License-Identifier: Apache-2.0 */
/* isa: the lane engine's arithmetic, compiled once for each instruction set of the host and chosen
 * at run time. All versions give the same bits, NaNs aside (alu.h). */
#ifndef EMU_ISA_H
#define EMU_ISA_H

#include "spv-emu/engine/engine.h"

typedef struct EmuIsa {
  const char *name; /* "baseline", "avx2", "avx512" */
  /* Component-wise core instructions, by opcode and kind of the operands (for OpSelect: kind of the
   * selected values; the condition is row a). Comparisons give EMU_BOOL. NULL: none. */
  EmuHandler *(*alu)(SpvOp op, EmuKind kind);
  /* OpConvertFToU and similar, OpUConvert, OpSConvert, OpFConvert, OpSatConvert…, by the kinds of
   * operand and result. */
  EmuHandler *(*convert)(SpvOp op, EmuKind from, EmuKind to);
  /* Component-wise instructions of GLSL.std.450 and OpenCL.std by number. */
  EmuHandler *(*glsl)(uint32_t op, EmuKind kind);
  EmuHandler *(*opencl)(uint32_t op, EmuKind kind);
  /* Two instructions in one: the first computes one operand of the second from a and b; c is the
   * other operand of the second. `right`: the result of the first is the right operand. NULL: these
   * are not fused. */
  EmuHandler *(*pair)(SpvOp first, SpvOp second, EmuKind kind, bool right);
  /* Computes two products, a * b and c * list[0], and their sum or difference. */
  EmuHandler *(*products)(SpvOp product, SpvOp sum, EmuKind kind);
  /* A variant of an instruction that writes only the lanes of s->on_row. */
  EmuHandler *(*alu_on)(SpvOp op, EmuKind kind);
  EmuHandler *move[9];    /* by bytes per lane: d = a, whole rows */
  EmuHandler *move_on[9]; /* the same, for the lanes of s->on_row */
  /* Offsets: d (EMU_U32) = a + min(b, 2^31 - 1) * x; ~0 if that would wrap, or if b is negative. If
   * a is EMU_NO_ROW, it counts as 0. By the kind of the index b, which is read as signed. */
  EmuHandler *index[EMU_KINDS];
  /* Addresses: d (EMU_U64) = a + b * (int32_t)x, b signed, wrapping. */
  EmuHandler *index_address[EMU_KINDS];
  /* Convert an EMU_BOOL row to bits, and back; `width` lanes. */
  void (*bits)(const uint32_t *row, uint32_t width, uint64_t *bits);
  void (*expand)(const uint64_t *bits, uint32_t width, uint32_t *row);
  /* By bytes per lane: the lanes of a row that hold `value`, as bits. */
  void (*equal[9])(const void *row, uint64_t value, uint32_t width, uint64_t *bits);
} EmuIsa;

/* The largest instruction set that this machine supports; SPV_EMU_ISA=NAME in the environment
 * selects a smaller one. */
const EmuIsa *emu_isa(void);
/* The instruction sets that this machine supports, the baseline first; NULL past the last. */
const EmuIsa *emu_isa_at(uint32_t index);

#endif
