/* SPDX-License-Identifier: Apache-2.0 */
/* alu_float: arithmetic, comparison and classification of floats. The instructions are in
 * alu_float.def; alu_floats.inc defines handlers for them. SPIR-V 1.6, sections 3.49.13
 * and 3.49.15; Vulkan, Precision and Operation of SPIR-V Instructions. Rounding is to nearest even,
 * denormals are kept. */
#include "spv-emu/alu/alu.h"

#define FLOAT_TABLE "alu_float.def"
#include "spv-emu/alu/alu_floats.inc"

EmuHandler *EMU_NAME(emu_alu_float)(SpvOp op, EmuKind kind) {
  return find_float(op, kind);
}
