/* SPDX-License-Identifier: Apache-2.0 */
/* decode_shape: describes the types of descriptors and push constants, for callers that make up
 * their contents (spv_emu_shape). */
#ifndef EMU_DECODE_SHAPE_H
#define EMU_DECODE_SHAPE_H

#include "spv-emu/decode/decode.h"

/* Sets program->shapes, by binding, and push_shape, after the bindings have been marked as used. */
void emu_shapes_describe(EmuDecode *d);

#endif
