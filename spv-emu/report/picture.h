/* SPDX-License-Identifier: Apache-2.0 */
/* picture: attachments as pictures of red, green and blue, 8 bits each, and PNG files of these.
 *
 * Floats and normalised numbers are shown from 0 to 1, integers from the attachment's least (at
 * most 0) to its largest (at least 1); the samples of a pixel are averaged. An attachment with one
 * channel is grey, as is depth. */
#ifndef EMU_PICTURE_H
#define EMU_PICTURE_H

#include "spv-emu/format/format.h"

/* An attachment: texels row by row, the samples of a texel together. */
typedef struct EmuDrawn {
  const EmuFormat *format;
  const uint8_t *bytes;
  uint32_t width, height, samples;
  uint32_t location; /* of a colour */
  bool depth;        /* depth, stencil or both */
} EmuDrawn;

typedef struct EmuPicture {
  uint32_t width, height;
  uint8_t *rgb;      /* row by row; owned */
  uint32_t location; /* of the attachment */
  bool depth;
} EmuPicture;

/* False: out of memory. */
bool emu_picture_make(const EmuDrawn *drawn, EmuPicture *picture);
/* The bytes of a PNG file. The caller frees them. NULL: out of memory. */
uint8_t *emu_picture_png(const uint8_t *rgb, uint32_t width, uint32_t height, size_t *size);

#endif
