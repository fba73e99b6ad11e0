/* SPDX-License-Identifier: Apache-2.0 */
/* blend: the equations of blending and of logic operations, for one sample. */
#ifndef EMU_BLEND_H
#define EMU_BLEND_H

#include "script/script.h"

/* Red, green, blue, alpha. */
typedef struct EmuRgba {
  double c[4];
} EmuRgba;

/* Has the operation a number of VK_EXT_blend_operation_advanced? */
bool emu_blend_is_advanced(uint32_t op);
/* VkBlendFactor and VkBlendOp as `blend` has them; `second` is the output of index 1. */
EmuRgba emu_blend(const AmberBlendState *blend, const float constants[4], EmuRgba source,
                  EmuRgba second, EmuRgba target);
/* VkLogicOp; only the bits that a component has are of interest. */
uint64_t emu_logic_op(uint32_t op, uint64_t source, uint64_t target);

#endif
