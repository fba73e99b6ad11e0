/* emu_world: buffers and images for a program that nothing wrote a case for: few, small, not all
 * bound. What a descriptor holds depends on the seed and its place alone, so that two forms of a
 * module get the same. */
#ifndef FUZZ_EMU_WORLD_H
#define FUZZ_EMU_WORLD_H

#include "rng.h"

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
/* Binds it all. */
void emu_world_bind(const EmuWorld *w, spv_emu_run_options *options);
/* Do buffers and images that both have hold the same? With any_nan one NaN of 16 bits in a buffer
 * is as good as another. */
bool emu_world_equal(const EmuWorld *a, const EmuWorld *b, bool any_nan);

#endif
