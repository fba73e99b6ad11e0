/* SPDX-License-Identifier: Apache-2.0 */
/* bare_vertex: see bare_vertex.h. */
#include "cases/bare_vertex.h"

#include "cases/random.h"

#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 4, CORNERS = 4, SMALL = 64 };
enum { TRIANGLE_LIST = 3, TRIANGLE_STRIP = 4 }; /* VkPrimitiveTopology */

/* ---- the shader ------------------------------------------------------------------------------ */

/* `%corner` is the rectangle's corner, -1 to 1; `%value…` are the numbers of an input. */
static const char shader_head[] = "OpCapability Shader\n"
                                  "OpMemoryModel Logical GLSL450\n"
                                  "OpEntryPoint Vertex %main \"main\" %corner %position";
static const char shader_types[] = "OpDecorate %corner Location 0\n"
                                   "OpDecorate %position BuiltIn Position\n"
                                   "%void = OpTypeVoid\n"
                                   "%function = OpTypeFunction %void\n"
                                   "%float = OpTypeFloat 32\n"
                                   "%v2 = OpTypeVector %float 2\n"
                                   "%v4 = OpTypeVector %float 4\n"
                                   "%to_v2 = OpTypePointer Input %v2\n"
                                   "%to_v4 = OpTypePointer Output %v4\n"
                                   "%to_float = OpTypePointer Output %float\n"
                                   "%value2 = OpConstant %float 0\n"
                                   "%value3 = OpConstant %float 1\n"
                                   "%half = OpConstant %float 0.5\n"
                                   "%halves = OpConstantComposite %v2 %half %half\n"
                                   "%corner = OpVariable %to_v2 Input\n"
                                   "%position = OpVariable %to_v4 Output\n";
static const char shader_body[] = "%main = OpFunction %void None %function\n"
                                  "%start = OpLabel\n"
                                  "%at = OpLoad %v2 %corner\n"
                                  "%placed = OpCompositeConstruct %v4 %at %value2 %value3\n"
                                  "OpStore %position %placed\n"
                                  "%scaled = OpFMul %v2 %at %halves\n"
                                  "%share = OpFAdd %v2 %scaled %halves\n"
                                  "%value0 = OpCompositeExtract %float %share 0\n"
                                  "%value1 = OpCompositeExtract %float %share 1\n";

static bool is_float(const spv_emu_port *port) {
  return port->kind == SPV_EMU_FLOAT && port->bits == 32;
}

/* Writes the head, the decorations, the variables and the stores; an output is a scalar. */
static void write_shader(FILE *out, const spv_emu_port *ports, uint32_t count) {
  fputs(shader_head, out);
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      fprintf(out, " %%out%u", i);
  fputc('\n', out);
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      fprintf(out, "OpDecorate %%out%u Location %u\nOpDecorate %%out%u Component %u\n", i,
              ports[i].location, i, ports[i].component);
  fputs(shader_types, out);
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      fprintf(out, "%%out%u = OpVariable %%to_float Output\n", i);
  fputs(shader_body, out);
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      fprintf(out, "OpStore %%out%u %%value%u\n", i, ports[i].component);
  fputs("OpReturn\nOpFunctionEnd\n", out);
}

char *emu_vertex_shader(const spv_emu_program *fragment) {
  uint32_t count;
  const spv_emu_port *ports = spv_emu_inputs(fragment, &count);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  write_shader(out, ports, count);
  return fclose(out) == 0 ? text : NULL;
}

/* ---- what inputs get ------------------------------------------------------------------------- */

/* How many ports are at the location of the first. */
static uint32_t ports_here(const spv_emu_port *ports, uint32_t count) {
  uint32_t n = 1;
  while (n < count && ports[n].location == ports[0].location)
    n++;
  return n;
}

/* Prints "vertex input at location 1 (texcoord): WHAT; z is 0, w is 1"; the last two only if it has
 * these components. */
static void tell_location(FILE *out, const char *stage, const spv_emu_port *ports, uint32_t count,
                          const char *what) {
  const char *name = ports->name;
  bool z = false, w = false;
  for (uint32_t i = 0; i < count; i++) {
    z = z || ports[i].component == 2;
    w = w || ports[i].component == 3;
  }
  fprintf(out, "  # %s input at location %u%s%.60s%s: %s%s\n", stage, ports->location,
          name ? " (" : "", name ? name : "", name ? ")" : "", what,
          *what != 't' ? ""
          : z && w     ? "; z is 0, w is 1"
          : z          ? "; z is 0"
                       : "");
}

static const char across[] = "the rectangle's x and y, 0 to 1";

void emu_vertex_tell(const spv_emu_program *fragment, FILE *out) {
  uint32_t count, n;
  const spv_emu_port *ports = spv_emu_inputs(fragment, &count);
  for (uint32_t i = 0; i < count; i += n) {
    n = ports_here(&ports[i], count - i);
    tell_location(out, "fragment", &ports[i], n, is_float(&ports[i]) ? across : "0");
  }
}

/* The location that has the position: the first of floats. */
static uint32_t position_of(const spv_emu_port *ports, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      return ports[i].location;
  return UINT32_MAX;
}

/* What an input of a vertex shader gets: of a rectangle, or of random vertices. */
static const char *attribute_text(const spv_emu_port *port, bool position, bool rectangle) {
  if (port->bits != 32)
    return "0";
  if (position)
    return rectangle ? "the rectangle's corners, -1 to 1" : "random, -1 to 1; z 0 to 1, w is 1";
  if (is_float(port))
    return rectangle ? across : "random, 0 to 1";
  return rectangle ? "number of the vertex" : "random, below 64";
}

void emu_vertex_data_tell(const spv_emu_program *shader, uint32_t count, FILE *out) {
  uint32_t all, n;
  const spv_emu_port *ports = spv_emu_inputs(shader, &all);
  uint32_t position = position_of(ports, all);
  for (uint32_t i = 0; i < all; i += n) {
    n = ports_here(&ports[i], all - i);
    tell_location(out, "vertex", &ports[i], n,
                  attribute_text(&ports[i], ports[i].location == position, !count));
  }
}

/* ---- attributes ------------------------------------------------------------------------------ */

typedef struct Filler {
  uint32_t position; /* location */
  bool rectangle;
  uint64_t random; /* state */
} Filler;

static float random_share(Filler *f) {
  return (float)(emu_random(&f->random) % 1000) / 1000;
}

/* The corners of a strip, as those of DRAW_RECT: bottom left, top left, bottom right, top right. */
static float corner_share(uint32_t vertex, uint32_t component) {
  const float shares[] = {(float)(vertex >> 1), (float)(~vertex & 1), 0, 1};
  return shares[component];
}

static float float_of(Filler *f, uint32_t location, uint32_t vertex, uint32_t component) {
  bool position = location == f->position, plane = component < 2;
  float share = f->rectangle ? corner_share(vertex, component) : random_share(f);
  if (position && component == 3)
    return 1;
  return position && plane ? 2 * share - 1 : share;
}

static void fill(Filler *f, const spv_emu_port *port, uint32_t count, uint32_t *words) {
  for (uint32_t v = 0; v < count; v++)
    for (uint32_t c = 0; c < COMPONENTS; c++) {
      uint32_t *to = &words[(size_t)v * COMPONENTS + c];
      float value = is_float(port) ? float_of(f, port->location, v, c) : 0;
      if (is_float(port))
        memcpy(to, &value, sizeof value);
      else
        *to = f->rectangle ? v : (uint32_t)(emu_random(&f->random) % SMALL);
    }
}

static const char *format_of(const spv_emu_port *port) {
  return port->kind == SPV_EMU_FLOAT  ? "R32G32B32A32_SFLOAT"
         : port->kind == SPV_EMU_SINT ? "R32G32B32A32_SINT"
                                      : "R32G32B32A32_UINT";
}

static bool add_input(Filler *f, const spv_emu_port *port, EmuVertexData *data) {
  uint32_t stride = COMPONENTS * sizeof(uint32_t);
  uint32_t *words = calloc(data->count, stride);
  if (!words)
    return false;
  fill(f, port, data->count, words);
  data->inputs[data->input_count++] =
      (spv_emu_vertex_input){.location = port->location,
                             .format = amber_format_find(format_of(port)),
                             .bytes = words,
                             .size = (uint64_t)data->count * stride,
                             .stride = stride};
  return true;
}

bool emu_vertex_data(const spv_emu_program *shader, uint32_t count, uint64_t seed,
                     EmuVertexData *data) {
  static const spv_emu_port corner = {.kind = SPV_EMU_FLOAT, .bits = 32};
  uint32_t all = 1;
  const spv_emu_port *ports = shader ? spv_emu_inputs(shader, &all) : &corner;
  Filler f = {.position = position_of(ports, all), .rectangle = !count, .random = seed};
  *data = (EmuVertexData){.count = count ? count : CORNERS,
                          .topology = count ? TRIANGLE_LIST : TRIANGLE_STRIP,
                          .inputs = calloc(all + 1u, sizeof *data->inputs)};
  bool good = data->inputs;
  for (uint32_t i = 0; good && i < all; i += ports_here(&ports[i], all - i))
    if (ports[i].bits == 32)
      good = add_input(&f, &ports[i], data);
  return good;
}

void emu_vertex_data_free(EmuVertexData *data) {
  for (uint32_t i = 0; data->inputs && i < data->input_count; i++)
    free((void *)data->inputs[i].bytes);
  free(data->inputs);
  *data = (EmuVertexData){0};
}
