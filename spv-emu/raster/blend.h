/* SPDX-License-Identifier: Apache-2.0 */
/* blend: the equations of blending and of logic operations. */
#ifndef EMU_BLEND_H
#define EMU_BLEND_H

#include "spv-emu/format/raster_state.h"

enum { EMU_BLEND_ROOM = 64 };

/* Red, green, blue, alpha of samples, in rows by component. */
typedef struct EmuRgbaRows {
  double c[4][EMU_BLEND_ROOM];
} EmuRgbaRows;

/* Does the operation have a number of VK_EXT_blend_operation_advanced? */
bool emu_blend_is_advanced(uint32_t op);
/* Applies the VkBlendFactors and VkBlendOps of `blend` to `count` samples; `second` is the output
 * with index 1. The result replaces `source`. */
void emu_blend(const EmuBlendState *blend, const float constants[4], uint32_t count,
               EmuRgbaRows *source, const EmuRgbaRows *second, const EmuRgbaRows *target);
/* Applies a VkLogicOp; only the bits that a component has matter. */
uint64_t emu_logic_op(uint32_t op, uint64_t source, uint64_t target);

#endif
