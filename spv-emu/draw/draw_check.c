/* SPDX-License-Identifier: Apache-2.0 */
/* draw_check: refuses draws that exceed limits or whose numbers do not fit. If a shader's input or
 * output has a different type of numbers than the format that it meets, Vulkan leaves the result
 * undefined, and the emulator refuses the draw. */
#include "spv-emu/draw/draw.h"

#include <stdio.h>

/* ---- numbers --------------------------------------------------------------------------------- */

typedef enum Numbers { FLOATS, SIGNED, UNSIGNED } Numbers;

static const char *name_of(Numbers numbers) {
  static const char *const names[] = {"floats", "signed integers", "unsigned integers"};
  return names[numbers];
}

static Numbers numbers_of_format(const EmuFormat *format) {
  uint8_t kind = format->fields[0].kind;
  return kind == EMU_FORMAT_UINT ? UNSIGNED : kind == EMU_FORMAT_SINT ? SIGNED : FLOATS;
}

static Numbers numbers_of_port(const EmuPort *port) {
  if (port->kind == EMU_F16 || port->kind == EMU_F32 || port->kind == EMU_F64)
    return FLOATS;
  return port->sign ? SIGNED : UNSIGNED;
}

static bool check_outputs(const EmuDraw *draw, const EmuDrawColor *color, char *text,
                          size_t text_size) {
  const EmuProgram *p = draw->fragment.program;
  const EmuFormat *format = color->target.attachment.format;
  for (uint32_t i = 0; p && i < p->outputs.count; i++) {
    Numbers numbers = numbers_of_port(&p->outputs.at[i]);
    if (p->outputs.at[i].location != color->location || numbers == numbers_of_format(format))
      continue;
    snprintf(text, text_size,
             "the fragment shader writes %s to location %u, where an attachment %s has %s",
             name_of(numbers), color->location, format->name, name_of(numbers_of_format(format)));
    return false;
  }
  return true;
}

/* Signed and unsigned attributes have the same bits. */
static bool check_inputs(const EmuDraw *draw, char *text, size_t text_size) {
  const EmuProgram *p = draw->vertex.program;
  for (uint32_t i = 0; i < p->inputs.count; i++)
    for (uint32_t k = 0; k < draw->input_count; k++) {
      const EmuDrawInput *input = &draw->inputs[k];
      Numbers read = numbers_of_port(&p->inputs.at[i]);
      Numbers there = numbers_of_format(input->from.format);
      if (p->inputs.at[i].location != input->location || (read == FLOATS) == (there == FLOATS))
        continue;
      snprintf(text, text_size,
               "the vertex shader reads %s at location %u, where the format %s has %s",
               name_of(read), input->location, input->from.format->name, name_of(there));
      return false;
    }
  return true;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* The number of clip and cull distances together. */
static uint32_t count_distances(const EmuProgram *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; p && i < p->results.count; i++) {
    const EmuBuiltin *b = &p->results.at[i];
    if (b->builtin == SpvBuiltInClipDistance || b->builtin == SpvBuiltInCullDistance)
      count += b->components;
  }
  return count;
}

static bool check_colors(const EmuDraw *draw, char *text, size_t text_size) {
  if (draw->color_count > EMU_MAX_ATTACHMENTS) {
    snprintf(text, text_size, "%u colour attachments; at most %u are possible", draw->color_count,
             EMU_MAX_ATTACHMENTS);
    return false;
  }
  for (uint32_t i = 0; i < draw->color_count; i++) {
    const EmuColorTarget *target = &draw->colors[i].target;
    if (!emu_color_check(target, text, text_size) ||
        !emu_attachment_check(&target->attachment, &draw->raster, text, text_size) ||
        !check_outputs(draw, &draw->colors[i], text, text_size))
      return false;
  }
  return true;
}

static bool check_instances(const EmuDraw *draw, char *text, size_t text_size) {
  if ((uint64_t)draw->instances * draw->assembly.count <= EMU_MAX_DRAWN)
    return true;
  snprintf(text, text_size,
           "a draw of %u instances of %u vertices; at most %u vertices are possible together",
           draw->instances, draw->assembly.count, EMU_MAX_DRAWN);
  return false;
}

bool emu_draw_check(const EmuDraw *draw, char *text, size_t text_size) {
  uint32_t distances = count_distances(draw->vertex.program);
  uint32_t emitted = count_distances(draw->geometry.program);
  distances = emitted > distances ? emitted : distances;
  if (distances > EMU_MAX_DISTANCES) {
    snprintf(text, text_size, "%u clip and cull distances; at most %u are possible", distances,
             EMU_MAX_DISTANCES);
    return false;
  }
  return check_instances(draw, text, text_size) &&
         emu_raster_check(&draw->raster, text, text_size) && check_inputs(draw, text, text_size) &&
         check_colors(draw, text, text_size) &&
         emu_attachment_check(&draw->depth_stencil.attachment, &draw->raster, text, text_size);
}

bool emu_draw_check_shape(const EmuDraw *draw, EmuShape shape, char *text, size_t text_size) {
  static const char *const names[] = {"", "points", "lines", "triangles"};
  const EmuProgram *p = draw->geometry.program;
  if (!p || p->geometry.corners == (uint32_t)shape)
    return true;
  snprintf(text, text_size, "the geometry shader takes %s, and the draw has %s",
           names[p->geometry.corners], names[shape]);
  return false;
}
