/* SPDX-License-Identifier: Apache-2.0 */
/* spv_emu_render: one draw on the emulator: a vertex shader, optionally a geometry and a fragment
 * shader, and Vulkan's fixed stages between them. spv-emu/format defines formats and
 * fixed state. */
#ifndef SPV_EMU_RENDER_H
#define SPV_EMU_RENDER_H

#include "spv-emu/format/raster_state.h"

#include <spv-emu/spv_emu.h>

typedef struct spv_emu_vertex_input {
  uint32_t location;
  bool per_instance;
  const EmuFormat *format;
  /* The first vertex, or instance. There are `size` bytes from here to the end of the buffer. */
  const void *bytes;
  uint64_t size;
  uint32_t stride;
} spv_emu_vertex_input;

/* Texels without gaps, row by row. The samples of a texel are next to each other. */
typedef struct spv_emu_attachment {
  /* NULL: there is no attachment. */
  const EmuFormat *format;
  void *bytes;
  uint32_t width, height, samples;
  /* For a colour attachment. */
  uint32_t location;
} spv_emu_attachment;

typedef struct spv_emu_scene {
  const EmuRasterState *state;
  /* 4 or 8. 0: 8. */
  uint32_t subpixel_bits;
  /* A subgroup may have quads of several primitives. */
  bool mixed;
  /* A VkPrimitiveTopology. */
  uint32_t topology;
  /* Of vertices, or of indices. */
  uint32_t first, count;
  uint32_t first_instance, instance_count;
  /* NULL: the draw is not indexed. */
  const void *indices;
  uint64_t index_bytes;
  /* 8, 16 or 32. */
  uint32_t index_bits;
  /* Added to each index. */
  uint32_t vertex_offset;
  const spv_emu_vertex_input *inputs;
  uint32_t input_count;
  const spv_emu_attachment *colors;
  uint32_t color_count;
  spv_emu_attachment depth_stencil;
  /* NULL: there is no geometry shader. */
  const spv_emu_program *geometry;
  /* Set like the other results. NULL if `geometry` is. */
  spv_emu_result **geometry_result;
} spv_emu_scene;

/* Draws. `options` apply to all programs, except that priorities, traces, schedules and listings
 * apply only to the fragment shader; `groups` is not used. If `fragment` is NULL, `fragment_result`
 * may be NULL, too. If it returns SPV_EMU_OK, all results are set, whatever the outcome; else
 * `message` is. If the policy does not apply to one of the programs, no program runs. */
spv_emu_status spv_emu_render(const spv_emu_program *vertex, const spv_emu_program *fragment,
                              const spv_emu_run_options *options, const spv_emu_scene *scene,
                              spv_emu_result **vertex_result, spv_emu_result **fragment_result,
                              char *message, size_t message_size);

/* Clears a colour attachment to `rgba`; in an integer format, to `rgba` times 255. */
void spv_emu_clear_color(const spv_emu_attachment *attachment, const float rgba[4]);
/* Clears depth and stencil. */
void spv_emu_clear_depth_stencil(const spv_emu_attachment *attachment, float depth,
                                 uint32_t stencil);
/* Writes the average of each texel's samples (in an integer format, sample 0) to an attachment of
 * the same size and format. */
void spv_emu_resolve(const spv_emu_attachment *from, const spv_emu_attachment *to);

#endif
