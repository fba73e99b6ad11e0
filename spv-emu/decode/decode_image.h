/* SPDX-License-Identifier: Apache-2.0 */
/* decode_image: what decode_memory.c needs of images: atomics on texels. */
#ifndef EMU_DECODE_IMAGE_H
#define EMU_DECODE_IMAGE_H

#include "decode/decode.h"

/* The operands of an atomic whose pointer is made by OpImageTexelPointer `pointer`: `image` is the
 * register with the index of the image that its Image operand points to. Gives the registers that
 * go into the instruction's list (all of them read; in the scratch arena), and in *x its x. False:
 * refused, at `r`. For handlers of emu_atomic_find_texel. */
bool emu_decode_texel_pointer(EmuDecode *d, SrRef r, SrRef pointer, uint32_t image,
                              const uint32_t **registers, uint32_t *count, uint32_t *x);

#endif
