/* SPDX-License-Identifier: Apache-2.0 */
/* decode_shape: what the types of descriptors and push constants consist of, for callers that make
 * up their contents (spv_emu_shape). */
#ifndef EMU_DECODE_SHAPE_H
#define EMU_DECODE_SHAPE_H

#include "spv-emu/decode/decode.h"

/* After the bindings have been marked as used: sets program->shapes, by binding, and push_shape. */
void emu_shapes_describe(EmuDecode *d);

#endif
