/* SPDX-License-Identifier: Apache-2.0 */
/* bare_vertex: see bare_vertex.h. */
#include "spv-emu/cases/bare_vertex.h"

#include "spv-emu/cases/random.h"

#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 4, CORNERS = 3, SMALL = 64 };

/* ---- the shader ------------------------------------------------------------------------------ */

/* `%corner` is the triangle's corner, -1 or 3; `%x`, `%y`, `%zero` and `%one` are the numbers of an
 * input, by component. */
static const char shader_head[] = "OpCapability Shader\n"
                                  "OpMemoryModel Logical GLSL450\n"
                                  "OpEntryPoint Vertex %main \"main\" %corner %position";
static const char shader_places[] = "OpDecorate %corner Location 0\n"
                                    "OpDecorate %position BuiltIn Position\n";
static const char shader_types[] = "%void = OpTypeVoid\n"
                                   "%function = OpTypeFunction %void\n"
                                   "%to_corner = OpTypePointer Input %float_2\n"
                                   "%to_position = OpTypePointer Output %float_4\n"
                                   "%zero = OpConstant %float 0\n"
                                   "%one = OpConstant %float 1\n"
                                   "%half = OpConstant %float 0.5\n"
                                   "%halves = OpConstantComposite %float_2 %half %half\n"
                                   "%corner = OpVariable %to_corner Input\n"
                                   "%position = OpVariable %to_position Output\n";
static const char shader_body[] = "%main = OpFunction %void None %function\n"
                                  "%start = OpLabel\n"
                                  "%at = OpLoad %float_2 %corner\n"
                                  "%placed = OpCompositeConstruct %float_4 %at %zero %one\n"
                                  "OpStore %position %placed\n"
                                  "%scaled = OpFMul %float_2 %at %halves\n"
                                  "%share = OpFAdd %float_2 %scaled %halves\n"
                                  "%x = OpCompositeExtract %float %share 0\n"
                                  "%y = OpCompositeExtract %float %share 1\n";
static const char *const component_values[COMPONENTS] = {"%x", "%y", "%zero", "%one"};

/* By spv_emu_number. */
static const struct {
  const char *name, *declared;
} scalars[] = {
    [SPV_EMU_UINT] = {"uint", "OpTypeInt 32 0"},
    [SPV_EMU_SINT] = {"int", "OpTypeInt 32 1"},
    [SPV_EMU_FLOAT] = {"float", "OpTypeFloat 32"},
};
enum { SCALARS = sizeof scalars / sizeof *scalars };

/* A scalar or vector that serves `numbers` ports of one variable, beginning with `port`. */
typedef struct Output {
  const spv_emu_port *port;
  uint32_t numbers;
} Output;

static bool is_float(const spv_emu_port *port) {
  return port->kind == SPV_EMU_FLOAT && port->bits == 32;
}

static bool is_same_variable(const spv_emu_port *a, const spv_emu_port *b) {
  return a->name && b->name ? strcmp(a->name, b->name) == 0 : a->name == b->name;
}

/* Does the port extend the output by a component? */
static bool extends(const Output *o, const spv_emu_port *port) {
  return o->numbers && port->location == o->port->location && port->kind == o->port->kind &&
         port->component == o->port->component + o->numbers && is_same_variable(o->port, port);
}

/* Sets `outputs`, which has room for `count`; returns how many there are. */
static uint32_t find_outputs(const spv_emu_port *ports, uint32_t count, Output *outputs) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    /* A number that is interpolated in two ways, or that is one of each vertex, has several ports.
     */
    bool again = i && ports[i].location == ports[i - 1].location &&
                 ports[i].component == ports[i - 1].component;
    if (ports[i].bits != 32 || again)
      continue;
    if (n && extends(&outputs[n - 1], &ports[i]))
      outputs[n - 1].numbers++;
    else
      outputs[n++] = (Output){&ports[i], 1};
  }
  return n;
}

/* Writes the types of numbers and vectors, and of pointers to outputs, that occur. */
static void write_types(FILE *out, const Output *outputs, uint32_t count) {
  bool used[SCALARS][COMPONENTS + 1] = {{false}};
  for (uint32_t i = 0; i < count; i++)
    used[outputs[i].port->kind][outputs[i].numbers] = used[outputs[i].port->kind][0] = true;
  for (int k = 0; k < SCALARS; k++) {
    bool always = k == SPV_EMU_FLOAT;
    const char *name = scalars[k].name;
    if (always || used[k][0])
      fprintf(out, "%%%s = %s\n", name, scalars[k].declared);
    for (int n = 2; n <= COMPONENTS; n++)
      if (used[k][n] || (always && n != 3))
        fprintf(out, "%%%s_%d = OpTypeVector %%%s %d\n", name, n, name, n);
    for (int n = 1; n <= COMPONENTS; n++)
      if (used[k][n])
        fprintf(out,
                n > 1 ? "%%to_%s_%d = OpTypePointer Output %%%s_%d\n"
                      : "%%to_%s_%d = OpTypePointer Output %%%s\n",
                name, n, name, n);
  }
  fputs(shader_types, out);
}

static void write_variable(FILE *out, const Output *o, uint32_t number) {
  const char *scalar = scalars[o->port->kind].name;
  if (!is_float(o->port)) {
    fprintf(out, "%%null%u = OpConstantNull %%%s", number, scalar);
    fprintf(out, o->numbers > 1 ? "_%u\n" : "\n", o->numbers);
  }
  fprintf(out, "%%out%u = OpVariable %%to_%s_%u Output\n", number, scalar, o->numbers);
}

static void write_store(FILE *out, const Output *o, uint32_t number) {
  if (!is_float(o->port)) {
    fprintf(out, "OpStore %%out%u %%null%u\n", number, number);
    return;
  }
  if (o->numbers == 1) {
    fprintf(out, "OpStore %%out%u %s\n", number, component_values[o->port->component]);
    return;
  }
  fprintf(out, "%%value%u = OpCompositeConstruct %%float_%u", number, o->numbers);
  for (uint32_t c = 0; c < o->numbers; c++)
    fprintf(out, " %s", component_values[o->port->component + c]);
  fprintf(out, "\nOpStore %%out%u %%value%u\n", number, number);
}

static void write_shader(FILE *out, const Output *outputs, uint32_t count) {
  fputs(shader_head, out);
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, " %%out%u", i);
  fputc('\n', out);
  fputs(shader_places, out);
  for (uint32_t i = 0; i < count; i++) {
    fprintf(out, "OpDecorate %%out%u Location %u\n", i, outputs[i].port->location);
    if (outputs[i].port->component)
      fprintf(out, "OpDecorate %%out%u Component %u\n", i, outputs[i].port->component);
  }
  write_types(out, outputs, count);
  for (uint32_t i = 0; i < count; i++)
    write_variable(out, &outputs[i], i);
  fputs(shader_body, out);
  for (uint32_t i = 0; i < count; i++)
    write_store(out, &outputs[i], i);
  fputs("OpReturn\nOpFunctionEnd\n", out);
}

char *emu_vertex_shader(const spv_emu_program *fragment) {
  uint32_t count;
  const spv_emu_port *ports = spv_emu_inputs(fragment, &count);
  Output *outputs = calloc(count + 1u, sizeof *outputs);
  char *text = NULL;
  size_t size;
  FILE *out = outputs ? open_memstream(&text, &size) : NULL;
  bool good = false;
  if (out) {
    write_shader(out, outputs, find_outputs(ports, count, outputs));
    good = fclose(out) == 0;
  }
  free(outputs);
  if (!good)
    free(text);
  return good ? text : NULL;
}

/* ---- what inputs get ------------------------------------------------------------------------- */

/* The number of ports at the location of the first one. */
static uint32_t ports_here(const spv_emu_port *ports, uint32_t count) {
  uint32_t n = 1;
  while (n < count && ports[n].location == ports[0].location)
    n++;
  return n;
}

/* What an input gets. `plane`: coordinates in x and y, with 0 in z and 1 in w. */
typedef struct Given {
  const char *what;
  bool plane;
} Given;

static const Given none_given = {"0", false};
static const Given across = {"x and y across the framebuffer, 0 to 1", true};

/* Prints "vertex input at location 1 (texcoord): WHAT; z is 0, w is 1"; the last two only if it has
 * these components. */
static void tell_location(FILE *out, const char *stage, const spv_emu_port *ports, uint32_t count,
                          Given given) {
  const char *name = ports->name;
  bool z = false, w = false;
  for (uint32_t i = 0; i < count; i++) {
    z = z || ports[i].component == 2;
    w = w || ports[i].component == 3;
  }
  fprintf(out, "  # %s input at location %u%s%.60s%s: %s%s\n", stage, ports->location,
          name ? " (" : "", name ? name : "", name ? ")" : "", given.what,
          !given.plane ? ""
          : z && w     ? "; z is 0, w is 1"
          : z          ? "; z is 0"
                       : "");
}

void emu_vertex_tell(const spv_emu_program *fragment, FILE *out) {
  uint32_t count, n;
  const spv_emu_port *ports = spv_emu_inputs(fragment, &count);
  for (uint32_t i = 0; i < count; i += n) {
    n = ports_here(&ports[i], count - i);
    tell_location(out, "fragment", &ports[i], n, is_float(&ports[i]) ? across : none_given);
  }
}

/* The location of the position: the first location with floats. */
static uint32_t position_of(const spv_emu_port *ports, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_float(&ports[i]))
      return ports[i].location;
  return UINT32_MAX;
}

/* What an input of a vertex shader gets, for the triangle over the framebuffer or for random
 * vertices. */
static Given attribute_of(const spv_emu_port *port, bool position, bool over_all) {
  static const Given corners = {"corners of a triangle over the framebuffer, -1 or 3", true};
  static const Given shares = {"x and y of these corners across the framebuffer, 0 or 2", true};
  static const Given numbers = {"number of the vertex", false};
  static const Given places = {"random, -1 to 1; z 0 to 1, w is 1", false};
  static const Given any = {"random, 0 to 1", false}, small = {"random, below 64", false};
  if (port->bits != 32)
    return none_given;
  if (position)
    return over_all ? corners : places;
  if (is_float(port))
    return over_all ? shares : any;
  return over_all ? numbers : small;
}

void emu_vertex_data_tell(const spv_emu_program *shader, uint32_t count, FILE *out) {
  uint32_t all, n;
  const spv_emu_port *ports = spv_emu_inputs(shader, &all);
  uint32_t position = position_of(ports, all);
  for (uint32_t i = 0; i < all; i += n) {
    n = ports_here(&ports[i], all - i);
    tell_location(out, "vertex", &ports[i], n,
                  attribute_of(&ports[i], ports[i].location == position, !count));
  }
}

/* ---- attributes ------------------------------------------------------------------------------ */

typedef struct Filler {
  uint32_t position; /* location */
  bool over_all;     /* the triangle over the framebuffer */
  uint64_t random;   /* state */
} Filler;

static float random_share(Filler *f) {
  return (float)(emu_random(&f->random) % 1000) / 1000;
}

/* The top left corner of the framebuffer, then one width to the right of it, then one height below
 * it. */
static float corner_share(uint32_t vertex, uint32_t component) {
  const float shares[] = {vertex == 1 ? 2 : 0, vertex == 2 ? 2 : 0, 0, 1};
  return shares[component];
}

static float float_of(Filler *f, uint32_t location, uint32_t vertex, uint32_t component) {
  bool position = location == f->position, plane = component < 2;
  float share = f->over_all ? corner_share(vertex, component) : random_share(f);
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
        *to = f->over_all ? v : (uint32_t)(emu_random(&f->random) % SMALL);
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
                             .format = emu_format_find(format_of(port)),
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
  Filler f = {.position = position_of(ports, all), .over_all = !count, .random = seed};
  *data = (EmuVertexData){.count = count ? count : CORNERS,
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
