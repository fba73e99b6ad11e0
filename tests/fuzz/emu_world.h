/* SPDX-License-Identifier: Apache-2.0 */
/* emu_world: buffers and images for a program without a case: few, small, and some not bound. A
 * descriptor's contents depend only on the seed, set, binding and element, so that two forms of a
 * module get the same. */
#ifndef FUZZ_EMU_WORLD_H
#define FUZZ_EMU_WORLD_H

#include "tests/equiv/gen/rng.h"

#include <spv-emu/spv_emu.h>

enum { WORLD_MAX_BOUND = 16 };

typedef struct EmuWorld {
  spv_emu_buffer buffers[WORLD_MAX_BOUND];
  spv_emu_image images[WORLD_MAX_BOUND];
  spv_emu_sampler samplers[WORLD_MAX_BOUND];
  uint32_t buffer_count, image_count;
  void *push;
  uint32_t push_bytes;
} EmuWorld;

void emu_world_make(EmuWorld *w, uint64_t seed, const spv_emu_program *program);
void emu_world_free(EmuWorld *w);
/* Binds all buffers and images. */
void emu_world_bind(const EmuWorld *w, spv_emu_run_options *options);
/* Are the contents equal, of the buffers and images that both worlds have? With `any_nan` all
 * 16-bit NaNs in a buffer are equal. */
bool emu_world_equal(const EmuWorld *a, const EmuWorld *b, bool any_nan);

#endif
