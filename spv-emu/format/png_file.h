/* SPDX-License-Identifier: Apache-2.0 */
/* png_file: PNG files as texels of a format.
 *
 * A file is read with 8 bits for each channel. Grey becomes three equal channels, and a picture
 * without alpha is opaque. Numbers are not linearised: 255 becomes 1 in formats of floats and
 * normalized numbers (also in sRGB formats), and stays 255 in formats of integers. */
#ifndef EMU_PNG_FILE_H
#define EMU_PNG_FILE_H

#include "spv-emu/format/format.h"

typedef struct EmuPng {
  uint32_t width, height;
  uint8_t *rgba; /* row by row; owned */
} EmuPng;

/* Does the name end in ".png"? */
bool emu_png_is_name(const char *name);
/* False: *why says in a few words what is wrong. Free the picture in either case. */
bool emu_png_read(const uint8_t *bytes, size_t size, EmuPng *png, const char **why);
void emu_png_free(EmuPng *png);
/* Writes the pixels as texels of the format, `stride` bytes from one to the next. */
void emu_png_texels(const EmuPng *png, const EmuFormat *format, uint32_t stride, uint8_t *texels);

#endif
