/* SPDX-License-Identifier: Apache-2.0 */
/* alu_glsl: the component-wise instructions of GLSL.std.450. They are in alu_glsl_int.def and
 * alu_glsl_float.def; decode_glsl.c composes all other instructions from these. GLSL.std.450
 * version 1.0; Vulkan, Precision and Operation of SPIR-V Instructions. */
#include "spv-emu/alu/alu.h"
#include "spv-emu/alu/alu_sleef.h"

#include <spirv/unified1/GLSL.std.450.h>

#define INT_TABLE "alu_glsl_int.def"
#include "spv-emu/alu/alu_ints.inc"

#define FLOAT_TABLE "alu_glsl_float.def"
#include "spv-emu/alu/alu_floats.inc"

EmuHandler *EMU_NAME(emu_alu_glsl)(uint32_t op, EmuKind kind) {
  EmuHandler *found = find_int(op, kind);
  return found ? found : find_float(op, kind);
}
