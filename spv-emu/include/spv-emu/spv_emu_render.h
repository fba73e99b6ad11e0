/* SPDX-License-Identifier: Apache-2.0 */
/* spv_emu_render: one draw on the emulator: a vertex shader, perhaps a geometry shader, perhaps a
 * fragment shader, and between them what Vulkan's fixed stages do. Formats and fixed
 * state: spv-emu/format. */
#ifndef SPV_EMU_RENDER_H
#define SPV_EMU_RENDER_H

#include "spv-emu/format/raster_state.h"

#include <spv-emu/spv_emu.h>

typedef struct spv_emu_vertex_input {
  uint32_t location;
  bool per_instance;
  const EmuFormat *format;
  const void *bytes; /* from the first vertex, or instance, to the buffer's end: `size` bytes */
  uint64_t size;
  uint32_t stride;
} spv_emu_vertex_input;

/* Texels without gaps, row by row, the samples of a texel together. */
typedef struct spv_emu_attachment {
  const EmuFormat *format; /* NULL: there is none */
  void *bytes;
  uint32_t width, height, samples;
  uint32_t location; /* of a colour */
} spv_emu_attachment;

typedef struct spv_emu_scene {
  const EmuRasterState *state;
  uint32_t subpixel_bits; /* 4 or 8; 0: 8 */
  bool mixed;             /* a subgroup may have quads of several primitives */
  uint32_t topology;      /* VkPrimitiveTopology */
  uint32_t first, count;  /* vertices, or indices */
  uint32_t first_instance, instance_count;
  const void *indices; /* NULL: not indexed */
  uint64_t index_bytes;
  uint32_t index_bits;    /* 8, 16 or 32 */
  uint32_t vertex_offset; /* added to indices */
  const spv_emu_vertex_input *inputs;
  uint32_t input_count;
  const spv_emu_attachment *colors;
  uint32_t color_count;
  spv_emu_attachment depth_stencil;
  const spv_emu_program *geometry;  /* NULL: none */
  spv_emu_result **geometry_result; /* set like the other results; NULL if `geometry` is */
} spv_emu_scene;

/* Draws. `options` apply to all programs, except that priorities, traces, schedules and listings
 * apply to the fragment shader only; `groups` is not used. `fragment` may be NULL; its result may
 * then be NULL, too. SPV_EMU_OK: all results are set, whatever the outcome; if the policy does not
 * apply to one of the programs, no program has run. Else `message` is set. */
spv_emu_status spv_emu_render(const spv_emu_program *vertex, const spv_emu_program *fragment,
                              const spv_emu_run_options *options, const spv_emu_scene *scene,
                              spv_emu_result **vertex_result, spv_emu_result **fragment_result,
                              char *message, size_t message_size);

/* Clear a colour attachment to `rgba` (in an integer format: to `rgba` times 255), or depth and
 * stencil. */
void spv_emu_clear_color(const spv_emu_attachment *attachment, const float rgba[4]);
void spv_emu_clear_depth_stencil(const spv_emu_attachment *attachment, float depth,
                                 uint32_t stencil);
/* Writes the average of the samples (of an integer format: sample 0) to an attachment of the same
 * size and format. */
void spv_emu_resolve(const spv_emu_attachment *from, const spv_emu_attachment *to);

#endif
