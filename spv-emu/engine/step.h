/* SPDX-License-Identifier: Apache-2.0 */
/* step: handlers that are not SPIR-V instructions; the decoder composes some instructions from
 * them. Their numbers come after all opcodes and are looked up in the same way. */
#ifndef EMU_STEP_H
#define EMU_STEP_H

#include "spv-emu/engine/lanes.h"

/* The kind of integers with the same number of bits. */
static inline EmuKind emu_integer_kind(EmuKind kind) {
  static const uint8_t of[EMU_KINDS] = {EMU_U32, EMU_U8,  EMU_U16, EMU_U32,
                                        EMU_U64, EMU_U16, EMU_U32, EMU_U64};
  return (EmuKind)of[kind];
}

enum {
  EMU_STEP_FIRST = 0x10000, /* after all opcodes, which have 16 bits */

  /* EmuIsa.alu */
  EMU_STEP_BIT_MASK, /* integers: b ones, the lowest at bit a */
  EMU_STEP_CARRY,    /* integers: the carry of a + b, 0 or 1 */
  EMU_STEP_BORROW,   /* integers: the borrow of a - b, 0 or 1 */
  EMU_STEP_MUL_ADD,  /* a * b + c; floats are rounded twice */
  EMU_STEP_MUL_SUB,  /* a * b - c, likewise */
  EMU_STEP_TAKE,     /* all kinds: b (EMU_U32) == x ? a : c */

  /* EmuIsa.convert */
  EMU_STEP_PART,        /* integers, to shorter ones: a >> x */
  EMU_STEP_JOIN,        /* integers, to longer ones: b | a << x */
  EMU_STEP_SATURATE_S,  /* signed integers to signed ones */
  EMU_STEP_SATURATE_U,  /* unsigned integers to unsigned ones */
  EMU_STEP_TOWARD_ZERO, /* rounded toward 0: floats to shorter ones, unsigned integers to floats */
  EMU_STEP_UP,
  EMU_STEP_DOWN,
  EMU_STEP_S_TOWARD_ZERO, /* signed integers to floats */
  EMU_STEP_S_UP,
  EMU_STEP_S_DOWN,
  EMU_STEP_QUANTIZE,   /* EMU_F32 to itself: OpQuantizeToF16 */
  EMU_STEP_TO_SNORM,   /* EMU_F32 to integers of 8 or 16 bits: [-1, 1] to the range of int */
  EMU_STEP_TO_UNORM,   /* [0, 1] to the range of uint */
  EMU_STEP_FROM_SNORM, /* the reverse */
  EMU_STEP_FROM_UNORM,

  /* EmuIsa.glsl */
  EMU_STEP_MODF,           /* the fraction of a, with its sign */
  EMU_STEP_FREXP_MANTISSA, /* frexp(a): the mantissa */
  EMU_STEP_FREXP_EXPONENT, /* frexp(a): the exponent, to EMU_U32 */

  /* EmuIsa.opencl */
  EMU_STEP_FRACT,         /* OpenCL's fract: below 1 even if the subtraction rounds to 1 */
  EMU_STEP_REMQUO,        /* the low bits of the quotient of remquo(a, b), to EMU_U32 */
  EMU_STEP_LGAMMA_SIGN,   /* the sign of gamma(a): 1, -1 or 0, to EMU_U32 */
  EMU_STEP_VECTOR_SELECT, /* the highest bit of c ? b : a */
};

#endif
