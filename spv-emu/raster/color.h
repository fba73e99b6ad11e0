/* SPDX-License-Identifier: Apache-2.0 */
/* color: writes the outputs of fragments to a colour attachment: blending, logic operations, write
 * masks, conversion to the format. */
#ifndef EMU_COLOR_H
#define EMU_COLOR_H

#include "spv-emu/raster/attachment.h"

typedef struct EmuColorTarget {
  EmuAttachment attachment;
  EmuBlendState blend;
  float constants[4];  /* of blend factors CONSTANT_… */
  uint32_t write_mask; /* VkColorComponentFlags */
  bool logic_op_enabled;
  uint32_t logic_op; /* VkLogicOp */
} EmuColorTarget;

/* Can the target be written? If not, `text` names in one line what is not modelled: the format, or
 * a blend operation. */
bool emu_color_check(const EmuColorTarget *target, char *text, size_t text_size);

/* Outputs of fragments, by component, then by lane: bits of floats, or integers. NULL: 0. */
typedef struct EmuColors {
  const uint32_t *rows[4];
  const uint32_t *second[4]; /* the output with index 1: blend factors SRC1_… */
} EmuColors;

/* Writes the samples in masks[quad][lane], quad after quad; component c of a lane's output is
 * rows[c][4 * quad + lane]. */
void emu_color_write(const EmuColorTarget *target, const EmuQuad *quads, const uint16_t (*masks)[4],
                     uint32_t count, const EmuColors *colors);

#endif
