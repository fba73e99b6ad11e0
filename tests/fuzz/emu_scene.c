/* SPDX-License-Identifier: Apache-2.0 */
/* emu_scene: see emu_scene.h. */
#include "tests/fuzz/emu_scene.h"

#include "tests/equiv/gen/emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 40, MOST_VERTICES = 24, VERTEX = 16 };

/* Vulkan's enumerations: how many values from 0 on each has. */
enum { TOPOLOGIES = 11, COMPARES = 8, STENCIL_OPS = 8, FACTORS = 19, BLENDS = 5, LOGICS = 16 };

static void *block(EmuScene *s, size_t size) {
  void *bytes = emit_resize(NULL, size ? size : 1);
  memset(bytes, 0, size ? size : 1);
  s->blocks[s->block_count++] = bytes;
  return bytes;
}

static void fill(Rng *rng, void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((uint8_t *)bytes)[i] = (uint8_t)rng_next(rng);
}

static bool coin(Rng *rng, uint32_t percent) {
  return rng_percent(rng, percent);
}

/* ---- fixed state ----------------------------------------------------------------------------- */

static EmuStencilFace random_face(Rng *rng) {
  return (EmuStencilFace){.fail_op = rng_below(rng, STENCIL_OPS),
                          .pass_op = rng_below(rng, STENCIL_OPS),
                          .depth_fail_op = rng_below(rng, STENCIL_OPS),
                          .compare_op = rng_below(rng, COMPARES),
                          .compare_mask = rng_below(rng, 256),
                          .write_mask = rng_below(rng, 256),
                          .reference = rng_below(rng, 300)};
}

static EmuBlendState random_blend(Rng *rng) {
  return (EmuBlendState){.enabled = coin(rng, 30),
                         .src_color_factor = rng_below(rng, FACTORS),
                         .dst_color_factor = rng_below(rng, FACTORS),
                         .color_op = rng_below(rng, BLENDS),
                         .src_alpha_factor = rng_below(rng, FACTORS),
                         .dst_alpha_factor = rng_below(rng, FACTORS),
                         .alpha_op = rng_below(rng, BLENDS)};
}

static EmuDepthState random_depth(Rng *rng) {
  return (EmuDepthState){.test = coin(rng, 40),
                         .write = coin(rng, 60),
                         .clamp = coin(rng, 20),
                         .compare_op = rng_below(rng, COMPARES),
                         .bounds_test = coin(rng, 15),
                         .bias = coin(rng, 15),
                         .min_bounds = 0.25f,
                         .max_bounds = 0.75f,
                         .bias_constant = (float)rng_below(rng, 100) - 50,
                         .bias_clamp = coin(rng, 50) ? 0.0f : 0.01f,
                         .bias_slope = (float)rng_below(rng, 5) - 2};
}

static void random_state(EmuRasterState *p, Rng *rng) {
  p->width = 1 + rng_below(rng, MOST_PIXELS);
  p->height = 1 + rng_below(rng, MOST_PIXELS);
  p->viewport = (EmuViewport){0, 0, (float)p->width, (float)p->height, 0, 1};
  if (coin(rng, 20)) {
    p->viewport.x = (float)rng_below(rng, 60) - 30;
    p->viewport.height = (float)rng_below(rng, 100) - 50;
    p->viewport.min_depth = 1;
    p->viewport.max_depth = (float)rng_below(rng, 3) / 2;
  }
  p->polygon_mode = coin(rng, 80) ? 0 : rng_below(rng, 3);
  p->depth = random_depth(rng);
  p->stencil_test = coin(rng, 30);
  p->front = random_face(rng);
  p->back = random_face(rng);
  p->blend = random_blend(rng);
  p->color_write_mask = coin(rng, 80) ? 15 : rng_below(rng, 16);
  p->cull_mode = coin(rng, 70) ? 0 : rng_below(rng, 4);
  p->front_face = rng_below(rng, 2);
  p->line_width = coin(rng, 70) ? 1 : (float)rng_below(rng, 9);
  p->primitive_restart = coin(rng, 30);
  p->rasterizer_discard = coin(rng, 3);
  p->logic_op_enabled = coin(rng, 10);
  p->logic_op = rng_below(rng, LOGICS);
}

/* ---- attachments ----------------------------------------------------------------------------- */

static spv_emu_attachment attachment(EmuScene *s, Rng *rng, const char *format, uint32_t samples) {
  spv_emu_attachment a = {.format = emu_format_find(format),
                          .width = s->state.width,
                          .height = s->state.height,
                          .samples = coin(rng, 98) ? samples : 2};
  size_t size = (size_t)a.width * a.height * a.samples * a.format->bytes;
  a.bytes = block(s, size);
  fill(rng, a.bytes, size);
  return a;
}

static void add_attachments(EmuScene *s, Rng *rng) {
  static const char *const colors[] = {"R8G8B8A8_UNORM",
                                       "B8G8R8A8_UNORM",
                                       "R32_UINT",
                                       "R32G32B32A32_SFLOAT",
                                       "R16G16B16A16_SFLOAT",
                                       "R8G8B8A8_SRGB",
                                       "R8_SINT",
                                       "R32G32B32A32_UINT",
                                       "R5G6B5_UNORM_PACK16",
                                       "R8G8B8A8_SNORM",
                                       "R16G16_UINT",
                                       "A2B10G10R10_UNORM_PACK32",
                                       "R16G16B16A16_UNORM",
                                       "R32G32_SFLOAT",
                                       "B10G11R11_UFLOAT_PACK32"};
  static const char *const depths[] = {"D16_UNORM",  "X8_D24_UNORM_PACK32", "D24_UNORM_S8_UINT",
                                       "D32_SFLOAT", "D32_SFLOAT_S8_UINT",  "S8_UINT"};
  uint32_t samples = coin(rng, 70) ? 1 : 1u << rng_below(rng, 5);
  s->scene.color_count = coin(rng, 90) ? 1 + rng_below(rng, SCENE_COLORS) : 0;
  for (uint32_t i = 0; i < s->scene.color_count; i++) {
    const char *format = colors[rng_below(rng, sizeof colors / sizeof *colors)];
    if (emu_format_find(format))
      s->colors[i] = attachment(s, rng, format, samples);
    else
      s->colors[i] = attachment(s, rng, "R8G8B8A8_UNORM", samples);
    s->colors[i].location = i;
  }
  s->scene.colors = s->colors;
  if (coin(rng, 60))
    s->scene.depth_stencil =
        attachment(s, rng, depths[rng_below(rng, sizeof depths / sizeof *depths)], samples);
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* Mostly in the view volume, sometimes behind the eye, far away, or not a number. */
static float coordinate(Rng *rng) {
  static const float odd[] = {0, -0.0f, 1, -1, 1e30f, -1e-30f, INFINITY, NAN, 4096, -70000};
  if (coin(rng, 8))
    return odd[rng_below(rng, sizeof odd / sizeof *odd)];
  return ((float)rng_below(rng, 2049) - 1024) / (coin(rng, 80) ? 1024.0f : 300.0f);
}

static void add_inputs(EmuScene *s, Rng *rng) {
  static const char *const formats[] = {"R32G32B32A32_SFLOAT", "R32G32_SFLOAT", "R8G8B8A8_UINT",
                                        "R16G16B16A16_SINT",   "R32_UINT",      "R64G64_SFLOAT"};
  s->scene.input_count = coin(rng, 95) ? 1 + rng_below(rng, SCENE_INPUTS) : 0;
  for (uint32_t i = 0; i < s->scene.input_count; i++) {
    uint32_t vertices = coin(rng, 90) ? MOST_VERTICES : rng_below(rng, 4);
    float *values = block(s, (size_t)vertices * VERTEX);
    for (uint32_t k = 0; k < vertices * 4; k++)
      values[k] = k % 4 == 3 && coin(rng, 70) ? 1 : coordinate(rng);
    s->inputs[i] = (spv_emu_vertex_input){
        .location = i,
        .per_instance = i && coin(rng, 30),
        .format = emu_format_find(
            formats[i && coin(rng, 60) ? rng_below(rng, sizeof formats / sizeof *formats) : 0]),
        .bytes = values,
        .size = (uint64_t)vertices * VERTEX,
        .stride = coin(rng, 90) ? VERTEX : rng_below(rng, 40)};
  }
  s->scene.inputs = s->inputs;
}

static void add_indices(EmuScene *s, Rng *rng) {
  uint32_t bytes = 1u << rng_below(rng, 3), count = rng_below(rng, 2 * MOST_VERTICES);
  uint8_t *indices = block(s, (size_t)bytes * count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = coin(rng, 90) ? rng_below(rng, MOST_VERTICES) : UINT32_MAX;
    memcpy(indices + (size_t)i * bytes, &index, bytes); /* the low bytes */
  }
  s->scene.indices = indices;
  s->scene.index_bytes = (uint64_t)bytes * count;
  s->scene.index_bits = 8 * bytes;
  s->scene.vertex_offset = coin(rng, 80) ? 0 : (uint32_t)rng_next(rng);
}

void emu_scene_make(EmuScene *s, Rng *rng) {
  *s = (EmuScene){.block_count = 0};
  random_state(&s->state, rng);
  s->scene.state = &s->state;
  s->scene.subpixel_bits = coin(rng, 20) ? 4 : 0;
  s->scene.mixed = coin(rng, 40);
  s->scene.topology = rng_below(rng, coin(rng, 90) ? 6 : TOPOLOGIES);
  s->scene.first = coin(rng, 80) ? 0 : rng_below(rng, 9);
  s->scene.count = rng_below(rng, MOST_VERTICES);
  s->scene.first_instance = coin(rng, 80) ? 0 : rng_below(rng, 5);
  s->scene.instance_count = coin(rng, 80) ? 1 : rng_below(rng, 4);
  add_attachments(s, rng);
  add_inputs(s, rng);
  if (coin(rng, 40))
    add_indices(s, rng);
}

void emu_scene_free(EmuScene *s) {
  for (uint32_t i = 0; i < s->block_count; i++)
    free(s->blocks[i]);
}
