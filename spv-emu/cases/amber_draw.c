/* SPDX-License-Identifier: Apache-2.0 */
/* amber_draw: see amber_draw.h. */
#include "spv-emu/cases/amber_draw.h"

#include <stdio.h>
#include <stdlib.h>

enum { RECT_STRIDE = 2 * sizeof(float) };

/* VkPrimitiveTopology */
enum { TRIANGLE_LIST = 3, TRIANGLE_STRIP = 4 };

typedef struct Draw {
  const EmuAmberDraw *of;
  const AmberPipeline *pipeline;
  const AmberCommand *command;
  spv_emu_scene scene;
  spv_emu_attachment *colors;
  spv_emu_vertex_input *inputs;
  float *corners; /* vertices of DRAW_RECT and DRAW_GRID */
  char *message;
  size_t message_size;
} Draw;

static spv_emu_status no_memory(const Draw *d) {
  snprintf(d->message, d->message_size, "out of memory");
  return SPV_EMU_NO_MEMORY;
}

/* ---- attachments ----------------------------------------------------------------------------- */

static spv_emu_attachment color_of(const AmberScript *script, const EmuAmberBuffer *buffers,
                                   const AmberAttachment *from) {
  return emu_amber_attachment(&script->buffers[from->buffer], &buffers[from->buffer],
                              from->base_mip_level, from->location);
}

static spv_emu_attachment depth_of(const AmberScript *script, const EmuAmberBuffer *buffers,
                                   const AmberPipeline *pipeline) {
  uint32_t buffer = pipeline->depth_stencil;
  return buffer == AMBER_NONE
             ? (spv_emu_attachment){0}
             : emu_amber_attachment(&script->buffers[buffer], &buffers[buffer], 0, 0);
}

/* Resolve attachments belong to the multisampled colours, in the order of these. */
static void resolve(const AmberScript *script, const EmuAmberBuffer *buffers,
                    const AmberPipeline *pipeline) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < pipeline->color_count && next < pipeline->resolve_count; i++) {
    spv_emu_attachment from = color_of(script, buffers, &pipeline->colors[i]);
    if (from.samples < 2)
      continue;
    spv_emu_attachment to = color_of(script, buffers, &pipeline->resolves[next++]);
    spv_emu_resolve(&from, &to);
  }
}

void emu_amber_clear(const AmberScript *script, const EmuAmberBuffer *buffers, uint32_t pipeline,
                     const EmuAmberClear *clear) {
  const AmberPipeline *of = &script->pipelines[pipeline];
  for (uint32_t i = 0; i < of->color_count; i++) {
    spv_emu_attachment color = color_of(script, buffers, &of->colors[i]);
    spv_emu_clear_color(&color, clear->color);
  }
  spv_emu_attachment depth = depth_of(script, buffers, of);
  if (depth.format)
    spv_emu_clear_depth_stencil(&depth, clear->depth, clear->stencil);
  resolve(script, buffers, of);
}

static EmuDrawn drawn_of(const spv_emu_attachment *from, bool depth) {
  return (EmuDrawn){.format = from->format,
                    .bytes = from->bytes,
                    .width = from->width,
                    .height = from->height,
                    .samples = from->samples,
                    .location = from->location,
                    .depth = depth};
}

uint32_t emu_amber_attachments(const AmberScript *script, const EmuAmberBuffer *buffers,
                               uint32_t pipeline, EmuDrawn drawn[EMU_AMBER_DRAWN]) {
  const AmberPipeline *of = &script->pipelines[pipeline];
  uint32_t count = 0;
  for (uint32_t i = 0; i < of->color_count && count + 1 < EMU_AMBER_DRAWN; i++) {
    spv_emu_attachment color = color_of(script, buffers, &of->colors[i]);
    drawn[count++] = drawn_of(&color, false);
  }
  spv_emu_attachment depth = depth_of(script, buffers, of);
  if (depth.format)
    drawn[count++] = drawn_of(&depth, true);
  return count;
}

/* ---- vertices -------------------------------------------------------------------------------- */

static spv_emu_status own_vertices(Draw *d) {
  uint32_t count;
  if (!amber_rect_count(d->command, &count)) {
    snprintf(d->message, d->message_size, "line %u: the grid has more than %u vertices",
             d->command->line, AMBER_MOST_RECT_VERTICES);
    return SPV_EMU_BAD_INPUT;
  }
  d->corners = calloc(count + 1u, RECT_STRIDE);
  d->inputs = calloc(1, sizeof *d->inputs);
  if (!d->corners || !d->inputs)
    return no_memory(d);
  amber_rect_vertices(d->command, d->pipeline, d->corners);
  d->inputs[0] = (spv_emu_vertex_input){.format = emu_format_find("R32G32_SFLOAT"),
                                        .bytes = d->corners,
                                        .size = (uint64_t)count * RECT_STRIDE,
                                        .stride = RECT_STRIDE};
  d->scene.input_count = 1;
  d->scene.topology = d->command->kind == AMBER_DRAW_RECT ? TRIANGLE_STRIP : TRIANGLE_LIST;
  d->scene.count = count;
  d->scene.instance_count = 1;
  return SPV_EMU_OK;
}

static spv_emu_status buffer_vertices(Draw *d) {
  const AmberDrawArray *array = &d->command->array;
  const AmberPipeline *p = d->pipeline;
  d->inputs = calloc(p->vertex_input_count + 1u, sizeof *d->inputs);
  if (!d->inputs)
    return no_memory(d);
  for (uint32_t i = 0; i < p->vertex_input_count; i++) {
    const AmberVertexInput *from = &p->vertex_inputs[i];
    const EmuAmberBuffer *buffer = &d->of->buffers[from->buffer];
    uint64_t offset = from->offset < buffer->size ? from->offset : buffer->size;
    d->inputs[i] = (spv_emu_vertex_input){.location = from->location,
                                          .per_instance = from->per_instance,
                                          .format = from->format,
                                          .bytes = buffer->bytes + offset,
                                          .size = buffer->size - offset,
                                          .stride = from->stride};
  }
  d->scene.input_count = p->vertex_input_count;
  d->scene.topology = array->topology;
  d->scene.first = array->first;
  d->scene.count = array->count;
  d->scene.first_instance = array->first_instance;
  d->scene.instance_count = array->instance_count;
  if (array->indexed) {
    d->scene.indices = d->of->buffers[p->index_buffer].bytes;
    d->scene.index_bytes = d->of->buffers[p->index_buffer].size;
    d->scene.index_bits = d->of->script->buffers[p->index_buffer].layout.fields[0].bits;
    d->scene.vertex_offset = array->vertex_offset;
  }
  return SPV_EMU_OK;
}

/* ---- the draw -------------------------------------------------------------------------------- */

static spv_emu_status describe(Draw *d) {
  const AmberScript *script = d->of->script;
  d->colors = calloc(d->pipeline->color_count + 1u, sizeof *d->colors);
  if (!d->colors)
    return no_memory(d);
  for (uint32_t i = 0; i < d->pipeline->color_count; i++)
    d->colors[i] = color_of(script, d->of->buffers, &d->pipeline->colors[i]);
  d->scene.state = &d->pipeline->raster;
  d->scene.mixed = d->of->mixed;
  d->scene.colors = d->colors;
  d->scene.color_count = d->pipeline->color_count;
  d->scene.depth_stencil = depth_of(script, d->of->buffers, d->pipeline);
  return d->command->kind == AMBER_DRAW_ARRAY ? buffer_vertices(d) : own_vertices(d);
}

spv_emu_status emu_amber_draw(const EmuAmberDraw *draw, const AmberCommand *command,
                              spv_emu_result **vertex, spv_emu_result **geometry,
                              spv_emu_result **fragment, char *message, size_t message_size) {
  Draw d = {.of = draw,
            .pipeline = &draw->script->pipelines[command->pipeline],
            .command = command,
            .message = message,
            .message_size = message_size};
  spv_emu_status status = describe(&d);
  d.scene.inputs = d.inputs;
  d.scene.geometry = draw->geometry;
  d.scene.geometry_result = geometry;
  if (status == SPV_EMU_OK)
    status = spv_emu_render(draw->vertex, draw->fragment, draw->options, &d.scene, vertex, fragment,
                            message, message_size);
  if (status == SPV_EMU_OK)
    resolve(draw->script, draw->buffers, d.pipeline);
  free(d.colors);
  free(d.inputs);
  free(d.corners);
  return status;
}
