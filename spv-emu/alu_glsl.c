/* alu_glsl: the instructions of GLSL.std.450 that work on each component by itself. They stand in
 * alu_glsl_int.def and alu_glsl_float.def; the others are made of them in decode_extended.c.
 * GLSL.std.450 version 1.0; Vulkan, Precision and Operation of SPIR-V Instructions. */
#include "alu.h"
#include "alu_sleef.h"

#include <spirv/unified1/GLSL.std.450.h>

#define INT_TABLE "alu_glsl_int.def"
#include "alu_ints.inc"

#define FLOAT_TABLE "alu_glsl_float.def"
#include "alu_floats.inc"

EmuHandler *EMU_NAME(emu_alu_glsl)(uint32_t op, EmuKind kind) {
  switch (kind) {
  case EMU_U8:
    return find_u8(op);
  case EMU_U16:
    return find_u16(op);
  case EMU_U32:
    return find_u32(op);
  case EMU_U64:
    return find_u64(op);
  case EMU_F16:
    return find_f16(op);
  case EMU_F32:
    return find_f32(op);
  case EMU_F64:
    return find_f64(op);
  default:
    return NULL;
  }
}
