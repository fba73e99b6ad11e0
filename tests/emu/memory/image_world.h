/* SPDX-License-Identifier: Apache-2.0 */
/* image_world: a subgroup with images and samplers, and hand-made image instructions. */
#ifndef IMAGE_WORLD_H
#define IMAGE_WORLD_H

#include "spv-emu/memory/image.h"
#include "tests/emu/memory/memory_world.h"

typedef struct ImageWorld {
  World w;
  EmuImages images;
  uint32_t next; /* register */
} ImageWorld;

void image_world_make(ImageWorld *w, uint32_t lanes, EmuImages images);
/* An instruction without arguments, with registers for its result. */
EmuImageOp image_op(ImageWorld *w, SpvOp op, SpvDim dim, EmuKind kind, uint32_t components);
/* The next `count` registers as an argument. */
EmuArgument image_argument(ImageWorld *w, EmuKind kind, uint32_t count);
/* Completes the instruction; no more arguments may follow. */
EmuIns image_ins(ImageWorld *w, EmuImageOp op);

/* Component n of an argument; of the result. */
void image_set(ImageWorld *w, EmuArgument argument, uint32_t n, uint32_t lane, double value);
void image_set_bits(ImageWorld *w, EmuArgument argument, uint32_t n, uint32_t lane, uint64_t bits);
double image_got(const ImageWorld *w, const EmuImageOp *op, uint32_t n, uint32_t lane);
uint64_t image_got_bits(const ImageWorld *w, const EmuImageOp *op, uint32_t n, uint32_t lane);

typedef struct ImageSize {
  uint32_t width, height, depth, layers, levels, samples;
} ImageSize;

/* An image with random texels, whose floats are small numbers; bytes from malloc. */
EmuImage image_random(const char *format, ImageSize size, uint64_t *seed);

#endif
