/* SPDX-License-Identifier: Apache-2.0 */
/* decode_image: the part of the image decoder that decode_memory.c uses: atomics on texels. */
#ifndef EMU_DECODE_IMAGE_H
#define EMU_DECODE_IMAGE_H

#include "spv-emu/decode/decode.h"

/* For the handlers of emu_atomic_find_texel: decodes the operands of the atomic `r`, whose pointer
 * is the result of the OpImageTexelPointer `pointer`. `image`: the register with the index of the
 * image that the Image operand points to. Sets *registers, in the scratch arena, to the registers
 * of the instruction's list, which it reads, and *x to its EmuIns.x. False: `r` is refused. */
bool emu_decode_texel_pointer(EmuDecode *d, SrRef r, SrRef pointer, uint32_t image,
                              const uint32_t **registers, uint32_t *count, uint32_t *x);

#endif
