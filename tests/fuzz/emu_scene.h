/* SPDX-License-Identifier: Apache-2.0 */
/* emu_scene: a random draw: framebuffer, attachments, topology, vertices, indices, fixed state.
 * Enumerations have values that Vulkan defines, and sizes are small; all else is random, so that a
 * draw may also be one that the emulator refuses. */
#ifndef FUZZ_EMU_SCENE_H
#define FUZZ_EMU_SCENE_H

#include "tests/equiv/gen/rng.h"

#include <spv-emu/spv_emu_render.h>

enum { SCENE_COLORS = 3, SCENE_INPUTS = 3 };

typedef struct EmuScene {
  spv_emu_scene scene; /* points to what follows */
  EmuRasterState state;
  spv_emu_attachment colors[SCENE_COLORS];
  spv_emu_vertex_input inputs[SCENE_INPUTS];
  void *blocks[SCENE_COLORS + SCENE_INPUTS + 2];
  uint32_t block_count;
} EmuScene;

void emu_scene_make(EmuScene *s, Rng *rng);
void emu_scene_free(EmuScene *s);

#endif
