/* SPDX-License-Identifier: Apache-2.0 */
/* bare_draw: see bare_draw.h. */
#include "spv-emu/cases/bare_draw.h"

#include "spv-emu/cases/bare_vertex.h"
#include "spv-emu/script/amber_build.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_LESS_OR_EQUAL = 3 }; /* VkCompareOp */
enum { TRIANGLE_LIST = 3 };         /* VkPrimitiveTopology */
enum { MOST_COLORS = 8 };

struct EmuBareDraw {
  EmuBareDrawOptions options;
  EmuBare *bare; /* the buffers of both shaders */
  EmuVertexData vertices;
  EmuRasterState state;
  spv_emu_attachment colors[MOST_COLORS], depth;
  uint32_t color_count;
  EmuDrawn drawn[MOST_COLORS + 1];
  uint32_t drawn_count;
};

/* ---- attachments ----------------------------------------------------------------------------- */

static bool allocate(EmuBareDraw *d, const char *format, uint32_t location,
                     spv_emu_attachment *attachment) {
  const EmuBareDrawOptions *o = &d->options;
  const EmuFormat *of = emu_format_find(format);
  *attachment = (spv_emu_attachment){.format = of,
                                     .bytes = calloc((size_t)o->width * o->height, of->bytes),
                                     .width = o->width,
                                     .height = o->height,
                                     .samples = 1,
                                     .location = location};
  d->drawn[d->drawn_count++] = (EmuDrawn){.format = of,
                                          .bytes = attachment->bytes,
                                          .width = o->width,
                                          .height = o->height,
                                          .samples = 1,
                                          .location = location,
                                          .depth = attachment == &d->depth};
  return attachment->bytes;
}

static const char *format_of(const spv_emu_port *output) {
  return output->kind == SPV_EMU_FLOAT  ? "R8G8B8A8_UNORM"
         : output->kind == SPV_EMU_SINT ? "R32G32B32A32_SINT"
                                        : "R32G32B32A32_UINT";
}

static bool has_location(const EmuBareDraw *d, uint32_t location) {
  for (uint32_t i = 0; i < d->color_count; i++)
    if (d->colors[i].location == location)
      return true;
  return false;
}

static int by_location(const void *a, const void *b) {
  const EmuDrawn *x = a, *y = b;
  return x->depth != y->depth ? x->depth - y->depth
                              : (x->location > y->location) - (x->location < y->location);
}

/* False: `message` holds one line. */
static bool make_attachments(EmuBareDraw *d, char *message, size_t size) {
  const EmuBareDrawOptions *o = &d->options;
  uint32_t count = 0;
  bool good = true;
  const spv_emu_port *outputs = o->fragment ? spv_emu_outputs(o->fragment, &count) : NULL;
  for (uint32_t i = 0; good && i < count; i++) {
    if (has_location(d, outputs[i].location))
      continue;
    assert(d->color_count < MOST_COLORS); /* loading refuses other locations */
    good = allocate(d, format_of(&outputs[i]), outputs[i].location, &d->colors[d->color_count++]);
  }
  if (good && o->fragment && (!o->built || spv_emu_writes_depth(o->fragment)))
    good = allocate(d, "D32_SFLOAT", 0, &d->depth);
  if (!good)
    snprintf(message, size, "out of memory");
  qsort(d->drawn, d->drawn_count, sizeof *d->drawn, by_location);
  return good;
}

const EmuDrawn *emu_bare_draw_attachments(const EmuBareDraw *draw, uint32_t *count) {
  *count = draw->drawn_count;
  return draw->drawn;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void set_state(EmuBareDraw *d) {
  EmuRasterState *state = &d->state;
  float width = (float)d->options.width, height = (float)d->options.height;
  *state = amber_build_plain(0).raster;
  state->width = d->options.width;
  state->height = d->options.height;
  state->viewport = (EmuViewport){.width = width, .height = height, .max_depth = 1};
  state->rasterizer_discard = !d->options.fragment;
  state->depth.test = state->depth.write = d->depth.format != NULL;
  state->depth.compare_op = COMPARE_LESS_OR_EQUAL;
}

static spv_emu_status fill(EmuBareDraw *d, const EmuBareOptions *contents, char *message,
                           size_t size) {
  const EmuBareDrawOptions *o = &d->options;
  if (!make_attachments(d, message, size))
    return SPV_EMU_BAD_INPUT;
  set_state(d);
  snprintf(message, size, "out of memory");
  if (!emu_vertex_data(o->built ? NULL : o->vertex, o->vertices, o->seed, &d->vertices))
    return SPV_EMU_NO_MEMORY;
  const spv_emu_program *first = o->fragment ? o->fragment : o->vertex;
  return emu_bare_open_draw(first, o->fragment && !o->built ? o->vertex : NULL, contents, &d->bare,
                            message, size);
}

spv_emu_status emu_bare_draw_open(const EmuBareDrawOptions *options, const EmuBareOptions *contents,
                                  EmuBareDraw **draw, char *message, size_t message_size) {
  EmuBareDraw *d = *draw = calloc(1, sizeof *d);
  if (!d) {
    snprintf(message, message_size, "out of memory");
    return SPV_EMU_NO_MEMORY;
  }
  d->options = *options;
  spv_emu_status status = fill(d, contents, message, message_size);
  if (status != SPV_EMU_OK) {
    emu_bare_draw_close(d);
    *draw = NULL;
  }
  return status;
}

void emu_bare_draw_close(EmuBareDraw *draw) {
  if (!draw)
    return;
  for (uint32_t i = 0; i < draw->color_count; i++)
    free(draw->colors[i].bytes);
  free(draw->depth.bytes);
  emu_vertex_data_free(&draw->vertices);
  emu_bare_close(draw->bare);
  free(draw);
}

/* ---- running --------------------------------------------------------------------------------- */

static void clear(const EmuBareDraw *d) {
  static const float black[4];
  for (uint32_t i = 0; i < d->color_count; i++)
    spv_emu_clear_color(&d->colors[i], black);
  if (d->depth.format)
    spv_emu_clear_depth_stencil(&d->depth, 1, 0);
}

static spv_emu_scene scene_of(const EmuBareDraw *d) {
  return (spv_emu_scene){.state = &d->state,
                         .mixed = d->options.mixed,
                         .topology = TRIANGLE_LIST,
                         .count = d->vertices.count,
                         .instance_count = 1,
                         .inputs = d->vertices.inputs,
                         .input_count = d->vertices.input_count,
                         .colors = d->colors,
                         .color_count = d->color_count,
                         .depth_stencil = d->depth};
}

/* The fragment shader comes first. */
static void add_results(const EmuBareDraw *d, EmuRow *row, spv_emu_result *vertex,
                        spv_emu_result *fragment) {
  const EmuBareDrawOptions *o = &d->options;
  if (fragment)
    emu_row_add(row, 0, o->fragment, fragment);
  if (o->built)
    spv_emu_result_free(vertex);
  else if (!fragment)
    emu_row_add(row, 0, o->vertex, vertex);
  else {
    emu_row_add_stage(row, 1, o->vertex, vertex);
    row->parts[1].earlier = true;
  }
}

spv_emu_status emu_bare_draw_run(EmuBareDraw *draw, const spv_emu_run_options *how, EmuRow *row,
                                 char *message, size_t message_size) {
  const EmuBareDrawOptions *o = &draw->options;
  const spv_emu_scene scene = scene_of(draw);
  spv_emu_run_options options = *how;
  spv_emu_result *vertex, *fragment = NULL;
  emu_bare_start(draw->bare, &options);
  clear(draw);
  snprintf(message, message_size, "out of memory");
  if (!emu_row_start(row, how->policy, o->fragment && !o->built ? 2 : 1))
    return SPV_EMU_NO_MEMORY;
  spv_emu_status status = spv_emu_render(o->vertex, o->fragment, &options, &scene, &vertex,
                                         &fragment, message, message_size);
  if (status != SPV_EMU_OK)
    return status;
  add_results(draw, row, vertex, fragment);
  return emu_bare_end(draw->bare, row) ? SPV_EMU_OK : SPV_EMU_NO_MEMORY;
}
