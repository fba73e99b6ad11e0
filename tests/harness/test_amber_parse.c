/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations and commands of scripts; the messages for bad ones. */
#include "tests/unit/unit.h"

#include "tests/harness/amber_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- good scripts ---------------------------------------------------------------------------- */

static AmberScript *load(const char *path) {
  size_t size;
  char *text = amber_text_file(path, &size);
  AmberScript *script;
  AmberMessage message;
  assert_non_null(text);
  if (amber_parse(text, size, NULL, &script, &message) != AMBER_OK)
    fail_msg("%s: %s", path, message.text);
  free(text);
  return script;
}

static const AmberBuffer *buffer(const AmberScript *script, const char *name) {
  for (uint32_t i = 0; i < script->buffer_count; i++)
    if (strcmp(script->buffers[i].name, name) == 0)
      return &script->buffers[i];
  fail_msg("no buffer %s", name);
  return NULL;
}

static void expect_bytes(const AmberScript *script, const char *name, const void *bytes,
                         size_t size) {
  const AmberBuffer *found = buffer(script, name);
  assert_int_equal(found->size, size);
  assert_memory_equal(found->bytes, bytes, size);
}

static void contents(void **state) {
  (void)state;
  AmberScript *script = load("tests/harness/amber/compute.amber");
  expect_bytes(script, "out", (uint32_t[64]){0}, 256);
  expect_bytes(script, "series", (int16_t[]){-3, -1, 1, 3, 5, 7, 9, 11}, 16);
  expect_bytes(script, "half", (uint16_t[]){0x2e66, 0x7bff}, 4);
  expect_bytes(script, "wide", (uint64_t[]){UINT64_MAX, 0}, 16);
  expect_bytes(script, "matrix", (double[]){1, 2, 3, 4, 5, 6}, 48);
  expect_bytes(script, "texels",
               (int16_t[]){-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768}, 16);
  const AmberBuffer *array = buffer(script, "array");
  assert_int_equal(array->layout.stride, 16);
  assert_int_equal((int8_t)array->bytes[0], -128);
  assert_int_equal((int8_t)array->bytes[32], -1);
  float data[8];
  memcpy(data, buffer(script, "data")->bytes, sizeof data);
  assert_true(data[1] == 2.5f && data[2] == -3 && isinf(data[4]) && isnan(data[5]));
  assert_true(data[3] == 0 && data[6] == 16);
  const AmberBuffer *volume = buffer(script, "volume");
  assert_int_equal(volume->element_count, 8);
  assert_int_equal(volume->dimensions, 3);
  memcpy(data, volume->bytes + 124, 4);
  assert_true(data[0] == 15.5f);
  amber_destroy(script);
}

/* A series of floats is added in floats. */
static void series_of_floats(void **state) {
  (void)state;
  float series[64] = {0};
  for (int i = 1; i < 64; i++)
    series[i] = series[i - 1] + 0.1f;
  AmberScript *script =
      amber_text_good("BUFFER f DATA_TYPE float SIZE 64 SERIES_FROM 0 INC_BY 0.1");
  expect_bytes(script, "f", series, sizeof series);
  amber_destroy(script);
}

static void declarations(void **state) {
  (void)state;
  AmberScript *script = load("tests/harness/amber/compute.amber");
  assert_int_equal(script->features.count, 2);
  assert_string_equal(script->features.items[1].name,
                      "Storage16BitFeatures.storageBuffer16BitAccess");
  assert_int_equal(script->features.items[1].line, 4);
  assert_int_equal(script->properties.count, 1);
  assert_int_equal(script->device_extensions.count, 1);
  assert_int_equal(script->instance_extensions.count, 1);
  assert_int_equal(script->fence_timeout_ms, 10000);
  const AmberShader *sum = &script->shaders[script->pipelines[0].shaders[0].shader];
  assert_int_equal(script->shaders[0].option_count, 0);
  assert_string_equal(sum->path, "sum.comp");
  assert_string_equal(sum->target_env, "spv1.3");
  assert_int_equal(sum->source_line, 11);
  assert_memory_equal(sum->source, "#version 450\n", 13);
  assert_string_equal(sum->options[0], "-DSCALE=2");
  assert_int_equal(script->shaders[1].source_line, 20);
  assert_int_equal(script->shaders[2].stage, AMBER_MULTI);
  const EmuSamplerState *sampler = &script->samplers[0];
  assert_true(sampler->mag_filter == 1 && sampler->address_mode_u == 3 &&
              sampler->address_mode_v == 1 && sampler->border_color == 4 && sampler->compare &&
              sampler->compare_op == 1 && sampler->max_lod == 3.5f);
  amber_destroy(script);
}

static void pipelines(void **state) {
  (void)state;
  AmberScript *script = load("tests/harness/amber/compute.amber");
  const AmberPipeline *first = &script->pipelines[0], *second = &script->pipelines[1];
  assert_true(first->shaders[0].fully_populated && !first->shaders[0].varying_size);
  assert_int_equal(first->shaders[0].subgroup_size, 16);
  assert_int_equal(first->binding_count, 7);
  assert_int_equal(first->bindings[1].descriptors[0].range, 16);
  assert_int_equal(first->bindings[2].kind, AMBER_BIND_STORAGE_DYNAMIC);
  assert_int_equal(first->bindings[2].descriptors[1].dynamic_offset, 8);
  assert_int_equal(first->bindings[3].descriptors[0].sampler, 0);
  assert_int_equal(first->bindings[4].descriptors[0].base_mip_level, 1);
  assert_int_equal(first->bindings[6].descriptors[0].buffer, AMBER_NONE);
  assert_string_equal(script->buffers[first->push_constant].name, "half");
  /* The derived pipeline replaces the shader and one binding; the parent keeps its own. */
  assert_int_equal(second->shader_count, 1);
  assert_int_equal(second->shaders[0].shader, 1);
  assert_int_equal(second->shaders[0].specializations[1].bits, 0xbfc00000);
  assert_int_equal(second->binding_count, 7);
  assert_string_equal(script->buffers[second->bindings[0].descriptors[0].buffer].name, "record");
  assert_string_equal(script->buffers[first->bindings[0].descriptors[0].buffer].name, "out");
  assert_string_equal(script->pipelines[2].shaders[0].entry_point, "entry");
  assert_int_equal(script->pipelines[2].shaders[0].stage, AMBER_COMPUTE);
  assert_int_equal(buffer(script, "half")->uses, AMBER_USE_PUSH_CONSTANT);
  assert_int_equal(buffer(script, "volume")->uses, AMBER_USE_STORAGE_IMAGE);
  amber_destroy(script);
}

/* One sampler for all images of an array, or one for each. */
static void samplers_of_arrays(void **state) {
  (void)state;
  static const char head[] =
      "SHADER compute s GLSL\nvoid main() {}\nEND\n"
      "IMAGE i FORMAT R32_UINT DIM_2D WIDTH 1 HEIGHT 1\nSAMPLER a\nSAMPLER b\n"
      "PIPELINE compute p\nATTACH s\nBIND BUFFER_ARRAY i i i AS "
      "combined_image_sampler SAMPLER %s DESCRIPTOR_SET 0 BINDING 0\nEND\n";
  static const struct {
    const char *words;
    uint32_t samplers[3];
  } cases[] = {{"b", {1, 1, 1}}, {"b a b", {1, 0, 1}}};
  for (size_t i = 0; i < 2; i++) {
    char text[512];
    snprintf(text, sizeof text, head, cases[i].words);
    AmberScript *script = amber_text_good(text);
    for (uint32_t k = 0; k < 3; k++)
      assert_int_equal(script->pipelines[0].bindings[0].descriptors[k].sampler,
                       cases[i].samplers[k]);
    amber_destroy(script);
  }
}

/* Both triangles of a cell begin at its bottom right corner; the second cell of two. */
static void corners_of_grids(void **state) {
  (void)state;
  static const float wanted[12] = {1, 1, 0, 1, 0, -1, 1, 1, 0, -1, 1, -1};
  AmberScript *script = amber_text_good("SHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\n"
                                        "void main() {}\nEND\nPIPELINE graphics p\nATTACH v\n"
                                        "ATTACH f\nFRAMEBUFFER_SIZE 8 4\nEND\n"
                                        "RUN p DRAW_GRID POS 0 0 SIZE 8 4 CELLS 2 1\n");
  float xy[24];
  uint32_t count;
  assert_true(amber_rect_count(&script->commands[0], &count) && count == 12);
  amber_rect_vertices(&script->commands[0], &script->pipelines[0], xy);
  for (uint32_t i = 0; i < 12; i++)
    assert_true(xy[12 + i] == wanted[i]);
  amber_destroy(script);
}

static void commands(void **state) {
  (void)state;
  AmberScript *script = load("tests/harness/amber/compute.amber");
  static const AmberCommandKind kinds[] = {
      AMBER_RUN_COMPUTE, AMBER_REPEAT, AMBER_RUN_COMPUTE, AMBER_REPEAT, AMBER_EXPECT,
      AMBER_RUN_COMPUTE, AMBER_EXPECT, AMBER_EXPECT,      AMBER_EXPECT, AMBER_EXPECT,
      AMBER_EXPECT,      AMBER_EXPECT, AMBER_EXPECT,      AMBER_EXPECT, AMBER_EXPECT};
  assert_int_equal(script->command_count, sizeof kinds / sizeof *kinds);
  for (size_t i = 0; i < script->command_count; i++)
    assert_int_equal(script->commands[i].kind, kinds[i]);
  assert_int_equal(script->commands[1].repeat.times, 3);
  assert_int_equal(script->commands[1].repeat.length, 3);
  assert_int_equal(script->commands[3].repeat.length, 1);
  assert_int_equal(script->commands[6].expect.first, 2);
  assert_int_equal(script->commands[6].expect.value_count, 3);
  const AmberExpect *tolerant = &script->commands[9].expect;
  assert_int_equal(tolerant->tolerance_count, 2);
  assert_true(tolerant->tolerances[1].percent && tolerant->tolerances[1].value == 1);
  assert_true(isinf(tolerant->values[3].d));
  amber_destroy(script);
}

static void graphics(void **state) {
  (void)state;
  AmberScript *script = load("tests/harness/amber/graphics.amber");
  const AmberPipeline *full = &script->pipelines[1], *tested = &script->pipelines[2];
  assert_int_equal(buffer(script, "image")->width, 64);
  assert_int_equal(buffer(script, "copied")->size, 64 * 32 * 4);
  assert_int_equal(buffer(script, "deep")->layout.stride, 5);
  assert_int_equal(full->vertex_inputs[0].stride, 2);
  assert_true(full->raster.viewport.max_depth == 0.9f && full->raster.polygon_mode == 1);
  assert_true(full->raster.depth.bias && full->raster.depth.bias_slope == -2.5f &&
              full->raster.depth.compare_op == 3);
  assert_true(full->raster.stencil_test && full->raster.front.pass_op == 3 &&
              full->raster.back.write_mask == 15);
  assert_true(full->raster.blend.enabled && full->raster.blend.dst_color_factor == 7 &&
              full->raster.blend.alpha_op == 4);
  assert_true(full->color_count == 1 && full->resolve_count == 1);
  /* A depth test without an attachment gets one; the parent has none. */
  assert_int_equal(script->pipelines[0].depth_stencil, AMBER_NONE);
  assert_string_equal(script->buffers[tested->depth_stencil].format->name, "D32_SFLOAT_S8_UINT");
  /* google/amber's default, and that of VkScript's pipelines in test_vkscript.c, differ. */
  assert_int_equal(script->pipelines[0].raster.depth.compare_op, 7);
  assert_false(full->raster.depth.unrestricted);
  assert_true(tested->raster.viewport.width == 64);
  const AmberDrawArray *draw = &script->commands[6].array;
  assert_true(draw->count == 3 && draw->topology == 3 && !draw->indexed);
  draw = &script->commands[7].array;
  assert_true(draw->indexed && draw->first == 1 && draw->count == 4 && draw->instance_count == 2);
  assert_true(script->commands[0].color[2] == 128.0f / 255);
  amber_destroy(script);
}

/* Other forms that google/amber accepts. */
static void other_forms(void **state) {
  (void)state;
  AmberScript *script =
      amber_text_good("BUFFER a DATA_TYPE uint32 DATA -1 -2147483648 END\n"
                      "BUFFER b DATA_TYPE int32 DATA 4294967295 0x80000000 END\n"
                      "BUFFER c DATA_TYPE int8 DATA 128 255 -0 END\n"
                      "BUFFER d DATA_TYPE uint64 DATA -1 18446744073709551615 END\n"
                      "BUFFER e DATA_TYPE uint16 SIZE 2 FILL 3.0\n"
                      "IMAGE i DIM_2D WIDTH 4 FORMAT R8_UINT HEIGHT 2 FILL 1\n");
  expect_bytes(script, "a", (uint32_t[]){UINT32_MAX, 0x80000000}, 8);
  expect_bytes(script, "b", (int32_t[]){-1, INT32_MIN}, 8);
  expect_bytes(script, "c", (int8_t[]){-128, -1, 0}, 3);
  expect_bytes(script, "d", (uint64_t[]){UINT64_MAX, UINT64_MAX}, 16);
  expect_bytes(script, "e", (uint16_t[]){3, 3}, 4);
  assert_int_equal(buffer(script, "i")->height, 2);
  amber_destroy(script);
}

/* A COPY gives its target the size of the source, from the start of the script on. */
static void copy_sizes(void **state) {
  (void)state;
  AmberScript *script = amber_text_good("BUFFER two DATA_TYPE uint8 DATA 1 2 END\n"
                                        "BUFFER three DATA_TYPE uint8 DATA 3 4 5 END\n"
                                        "BUFFER one DATA_TYPE uint8 DATA 6 END\n"
                                        "COPY two TO three\nCOPY three TO one\n"
                                        "EXPECT one IDX 0 EQ 1 2\n");
  expect_bytes(script, "three", (uint8_t[]){3, 4}, 2);
  expect_bytes(script, "one", (uint8_t[]){6, 0}, 2);
  amber_destroy(script);
}

static void depth_bounds(void **state) {
  (void)state;
  AmberScript *script = amber_text_good(
      "SHADER vertex v PASSTHROUGH\n"
      "PIPELINE graphics all\nATTACH v\nDEPTH\nBOUNDS min 0.0 max 1.0\nEND\nEND\n"
      "PIPELINE graphics some\nATTACH v\nDEPTH\nBOUNDS min 0.5 max 1.0\nEND\nEND\n");
  assert_false(script->pipelines[0].raster.depth.bounds_test);
  assert_int_equal(script->pipelines[0].depth_stencil, AMBER_NONE);
  assert_true(script->pipelines[1].raster.depth.bounds_test);
  amber_destroy(script);
}

static void default_attachments(void **state) {
  (void)state;
  AmberScript *script = amber_text_good("SHADER vertex v PASSTHROUGH\n"
                                        "PIPELINE graphics a\nATTACH v\nEND\n"
                                        "PIPELINE graphics b\nATTACH v\nEND\n"
                                        "PIPELINE graphics c\nATTACH v\n"
                                        "FRAMEBUFFER_SIZE 8 4\nEND\n");
  assert_int_equal(script->buffer_count, 2);
  assert_int_equal(script->buffers[0].width, 250);
  assert_int_equal(script->pipelines[1].colors[0].buffer, 0);
  assert_int_equal(script->pipelines[2].colors[0].buffer, 1);
  assert_int_equal(script->buffers[1].size, 128);
  amber_destroy(script);
}

/* ---- numbers of formats, sizes of attachments ------------------------------------------------ */

static void packed_numbers(void **state) {
  (void)state;
  AmberScript *script = amber_text_good(
      "BUFFER a DATA_TYPE A2B10G10R10_UNORM_PACK32 DATA 0xc00003ff 5 END\n"
      "IMAGE i FORMAT R5G6B5_UNORM_PACK16 DIM_1D WIDTH 2 FILL 0xf81f\n"
      "BUFFER s DATA_TYPE R4G4_UNORM_PACK8 SIZE 3 SERIES_FROM 254 INC_BY 1\n"
      "IMAGE w FORMAT R8G8_SRGB DIM_1D WIDTH 1 DATA 272 -1 END\nEXPECT a IDX 4 EQ 5\n");
  expect_bytes(script, "a", (uint32_t[]){0xc00003ff, 5}, 8);
  expect_bytes(script, "i", (uint16_t[]){0xf81f, 0xf81f}, 4);
  expect_bytes(script, "s", (uint8_t[]){254, 255, 0}, 3);
  expect_bytes(script, "w", (uint8_t[]){16, 255}, 2);
  assert_int_equal(script->commands[0].expect.first, 1);
  amber_destroy(script);
}

/* Sizes that a dimension does not have are 1, given or not. */
static void sizes_of_dimensions(void **state) {
  (void)state;
  AmberScript *script =
      amber_text_good("IMAGE a FORMAT R8_UINT DIM_1D WIDTH 5 HEIGHT 3 DEPTH 2 FILL 0\n"
                      "IMAGE b FORMAT R8_UINT DIM_2D WIDTH 5 HEIGHT 3 DEPTH 2 FILL 0\n"
                      "IMAGE c FORMAT R8_UINT DIM_3D WIDTH 5 HEIGHT 3 DEPTH 2 FILL 0\n"
                      "IMAGE d FORMAT R8_UINT DIM_1D WIDTH 5 FILL 0\n");
  static const uint32_t heights[] = {1, 3, 3, 1}, depths[] = {1, 1, 2, 1};
  for (int i = 0; i < 4; i++) {
    const AmberBuffer *image = &script->buffers[i];
    assert_int_equal(image->width, 5);
    assert_int_equal(image->height, heights[i]);
    assert_int_equal(image->depth, depths[i]);
    assert_int_equal(image->size, 5 * heights[i] * depths[i]);
  }
  amber_destroy(script);
}

static void resized_attachments(void **state) {
  (void)state;
  AmberScript *script = amber_text_good(
      "SHADER vertex v PASSTHROUGH\n"
      "IMAGE small FORMAT R8_UINT DIM_2D WIDTH 2 HEIGHT 2 DATA 1 2 3 4 END\n"
      "IMAGE large FORMAT R8_UINT DIM_2D WIDTH 9 HEIGHT 9 FILL 7\n"
      "IMAGE deep FORMAT D16_UNORM DIM_2D WIDTH 9 HEIGHT 1 FILL 1\n"
      "PIPELINE graphics g\nATTACH v\nFRAMEBUFFER_SIZE 3 2\nBIND BUFFER small AS color LOCATION 0\n"
      "BIND BUFFER large AS color LOCATION 1\nBIND BUFFER deep AS depth_stencil\nEND\n"
      "PIPELINE graphics h\nATTACH v\nFRAMEBUFFER_SIZE 1 7\n"
      "BIND BUFFER deep AS depth_stencil\nEND\n");
  expect_bytes(script, "small", "\1\2\3\4\0\0", 6);
  expect_bytes(script, "large", "\7\7\7\7\7\7", 6);
  assert_int_equal(buffer(script, "large")->width, 3);
  assert_true(buffer(script, "deep")->width == 3 && buffer(script, "deep")->height == 7);
  amber_destroy(script);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool read_file(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  (void)user;
  static const char text[] = "1 2 # three\n 3\n4";
  if (strcmp(path, "four") != 0 || limit < sizeof text)
    return false;
  *bytes = (uint8_t *)strdup(text);
  *size = sizeof text - 1;
  return true;
}

static AmberStatus parse_with_files(const char *text, AmberScript **script, AmberMessage *message) {
  const AmberFiles files = {.read = read_file};
  return amber_parse(text, strlen(text), &files, script, message);
}

static void files(void **state) {
  (void)state;
  AmberScript *script;
  AmberMessage message;
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 4 FILE TEXT four\n"
                                    "BUFFER b DATA_TYPE uint8 SIZE 16 FILE BINARY four\n"
                                    "SHADER multi s SPIRV-BIN FILE four",
                                    &script, &message),
                   AMBER_OK);
  expect_bytes(script, "a", "\1\2\3\4", 4);
  expect_bytes(script, "b", "1 2 # three\n 3\n4", 16);
  assert_string_equal(script->shaders[0].source, "1 2 # three\n 3\n4");
  assert_int_equal(script->shaders[0].source_line, 0);
  amber_destroy(script);
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 2 FILE TEXT four\n"
                                    "BUFFER b DATA_TYPE uint8 SIZE 2 FILE BINARY four\n",
                                    &script, &message),
                   AMBER_OK);
  expect_bytes(script, "a", "\1\2", 2);
  expect_bytes(script, "b", "1 ", 2);
  amber_destroy(script);
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 5 FILE TEXT four",
                                    &script, &message),
                   AMBER_BAD);
  assert_string_equal(message.text, "line 2: there are 4 elements, not 5");
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 4 FILE TEXT five",
                                    &script, &message),
                   AMBER_BAD);
  assert_string_equal(message.text, "line 2: the file cannot be read (at 'five')");
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 17 FILE BINARY four",
                                    &script, &message),
                   AMBER_BAD);
  assert_string_equal(message.text, "line 2: the file has 16 bytes, the buffer 17 (at 'four')");
  assert_int_equal(parse_with_files("#!amber\nBUFFER a DATA_TYPE R8G8B8_UINT FILE BINARY four",
                                    &script, &message),
                   AMBER_BAD);
  assert_string_equal(message.text,
                      "line 2: the file does not hold a whole number of elements (at 'four')");
}

/* ---- bad scripts ----------------------------------------------------------------------------- */

#define BUFFER "BUFFER b DATA_TYPE uint8 SIZE 4 FILL 0\n"
#define SHADERS "SHADER compute c GLSL\nEND\nSHADER vertex v PASSTHROUGH\n"
#define COMPUTE SHADERS BUFFER "PIPELINE compute p\nATTACH c\n"
#define GRAPHICS SHADERS BUFFER "PIPELINE graphics g\nATTACH v\nFRAMEBUFFER_SIZE 4 4\n"
#define TYPES "BUFFER f DATA_TYPE float DATA 1 END\nBUFFER u DATA_TYPE uint32 DATA 1 END\n"
#define IMAGE "IMAGE i FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 4 HEIGHT 4 FILL 0\n"

static const struct {
  const char *text, *want;
} bad[] = {
    {"FOO", "line 2: there is no such command (at 'FOO')"},
    {"BUFER", "line 2: there is no such command (at 'BUFER'), nearest: BUFFER"},
    {"shade", "there is no such command (at 'shade'), nearest: SHADER"},
    {"SHADER frag x GLSL\nEND", "no such shader stage (at 'frag'), nearest: fragment"},
    {"SHADER vertex x PASTHROUGH\nEND", "(at 'PASTHROUGH'), nearest: PASSTHROUGH"},
    {SHADERS "PIPELINE compute p\nATTACH shade\nEND", "the shader is not declared (at 'shade')"},
    {"BUFFER pixels DATA_TYPE uint8 SIZE 4 FILL 0\nEXPECT pixel IDX 0 EQ 0",
     "the buffer is not declared (at 'pixel'), nearest: pixels"},
    {"BUFFER pixels DATA_TYPE uint8 SIZE 4 FILL 0\nEXPECT pixels IDX 0 EQU 0",
     "there is no such comparator (at 'EQU'), nearest: EQ"},
    {"BUFFER b FORMAT R8G8B8A8_UNROM", "(at 'R8G8B8A8_UNROM'), nearest: R8G8B8A8_UNORM"},
    {"BUFFER b FORMAT RGBA8", "there is no such format; one is R8G8B8A8_UNORM (at 'RGBA8')"},
    {"BUFFER b DATA_TYPE uint SIZE 4 FILL 0",
     "no such type; types are, for example, uint32, float and vec4<float> (at 'uint')"},
    {COMPUTE "END\nPIPELINE compute picture\nATTACH c\nEND\nRUN pictures 1 1 1",
     "the pipeline is not declared (at 'pictures'), nearest: picture"},
    {COMPUTE "FRAMEBUFER_SIZE 4 4\nEND",
     "in a PIPELINE (at 'FRAMEBUFER_SIZE'), nearest: FRAMEBUFFER_SIZE"},
    {COMPUTE "BIND BUFFER b AS storag DESCRIPTOR_SET 0 BINDING 0\nEND",
     "(at 'storag'), nearest: storage"},
    {COMPUTE "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDNG 0\nEND",
     "BINDING was expected (at 'BINDNG'), nearest: BINDING"},
    {COMPUTE "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFSET 0\nEND",
     "not an option of BIND (at 'DESCRIPTOR_OFSET'), nearest: DESCRIPTOR_OFFSET"},
    {"\n\n  RUN x 1 1 1", "line 4: the pipeline is not declared (at 'x')"},
    {"DEVICE_FEATURE", "DEVICE_FEATURE's name is missing"},
    {"DEVICE_FEATURE a b", "the line should end here (at 'b')"},
    {"SET ENGINE_DATA x 1", "fence_timeout_ms was expected"},
    {"SHADER comp x GLSL\nEND", "no such shader stage (at 'comp')"},
    {"SHADER compute x GLSL\nvoid main() {}", "SHADER has no END"},
    {"SHADER compute x GLSL", "SHADER has no END"},
    {"SHADER compute x PASSTHROUGH", "only vertex shaders"},
    {"SHADER compute x GLSL TARGET_ENV spv9.9\nEND", "no such target environment"},
    {"SHADER compute x SPIRV-BIN\nEND", "SPIRV-BIN needs a FILE"},
    {"SHADER compute x GLSL VIRTUAL_FILE y", "VIRTUAL_FILE is not declared (at 'y')"},
    {"SHADER compute x GLSL FILE y", "the file cannot be read"},
    {"DEVICE_FEATURE a\x1b[1m", "DEVICE_FEATURE's name has a control character (at 'a?[1m')"},
    {"VIRTUAL_FILE a\x7f\nEND", "the file's name has a control character (at 'a?')"},
    {"SHADER compute x GLSL FILE a b\x01", "the file's name has a control character (at 'a b?')"},
    {"VIRTUAL_FILE s\xc3.comp\nEND\nSHADER compute x GLSL VIRTUAL_FILE s.comp",
     "VIRTUAL_FILE is not declared (at 's.comp'), nearest: s?.comp"},
    {SHADERS "SHADER compute c GLSL\nEND", "name is taken already (at 'c')"},
    {"SHADER compute x\xc3\xa4 GLSL\nEND", "is not a name (at 'x"},
    {"SHADER compute 1 GLSL\nEND", "is not a name (at '1')"},
    {"BUFFER b DATA_TYPE foo SIZE 1 FILL 0", "(at 'foo')"},
    {"BUFFER b DATA_TYPE uint8 SIZE x FILL 0", "SIZE must be an unsigned integer (at 'x')"},
    {"BUFFER b DATA_TYPE uint8 SIZE 0 FILL 0", "SIZE must be from 1 to"},
    {"BUFFER b DATA_TYPE uint8 SIZE 4", "DATA, FILL, SERIES_FROM or FILE was expected"},
    {"BUFFER b DATA_TYPE uint8 FILL 0", "SIZE was expected before it (at 'FILL')"},
    {"BUFFER b DATA_TYPE uint8 SIZE 4294967295 FILL 0", "the buffer is too large"},
    {"BUFFER b DATA_TYPE uint8 SIZE 99999999999 FILL 0", "SIZE must be from 1 to"},
    {"BUFFER b DATA_TYPE uint8 SIZE 4 FILL 256", "does not fit its type (at '256')"},
    {"BUFFER b DATA_TYPE uint8 SIZE 4 FILL -129", "does not fit its type"},
    {"BUFFER b DATA_TYPE int8 SIZE 4 FILL 256", "does not fit its type"},
    {"BUFFER b DATA_TYPE int8 SIZE 4 FILL -129", "does not fit its type"},
    {"BUFFER b DATA_TYPE int64 SIZE 4 FILL -9223372036854775809", "does not fit its type"},
    {"BUFFER b DATA_TYPE int64 SIZE 4 FILL 1e20", "an integer was expected that fits"},
    {"IMAGE i DIM_2D WIDTH 4 HEIGHT 4 FILL 1", "DATA_TYPE or FORMAT was expected (at 'FILL')"},
    {"BUFFER b SIZE 4 DATA_TYPE uint8 FILL 1", "FORMAT was expected (at 'SIZE')"},
    {"BUFFER b DATA_TYPE int32 SIZE 4 FILL 1.5", "an integer was expected"},
    {"BUFFER b DATA_TYPE float SIZE 4 FILL abc", "a number was expected"},
    {"BUFFER b DATA_TYPE float SIZE 4 FILL 1e39", "too large for its type"},
    {"BUFFER b DATA_TYPE float16 SIZE 4 FILL 65520", "too large for its type"},
    {"BUFFER b DATA_TYPE uint8 DATA 1 2", "DATA has no END"},
    {"BUFFER b DATA_TYPE uint8 DATA END", "there are no values"},
    {"BUFFER b DATA_TYPE vec2<float> DATA 1 2 3 END", "has 1 of its 2 values"},
    {"BUFFER b DATA_TYPE uint8 SIZE 2 DATA 1 2 3 END", "more values than the buffer holds"},
    {"BUFFER b DATA_TYPE uint8 SIZE 2 DATA 1 END", "1 elements, not 2"},
    {"BUFFER b DATA_TYPE uint8 SIZE 2 SERIES_FROM 1 2", "INC_BY was expected"},
    {"BUFFER b FORMAT R8_FOO", "no such format"},
    {"BUFFER b FORMAT R8_UNORM SAMPLES 3", "SAMPLES must be a power of two"},
    {"IMAGE i FORMAT R8_UNORM DIM_3D WIDTH 2 HEIGHT 2", "an IMAGE needs"},
    {"IMAGE i DATA_TYPE mat2x2<float> DIM_1D WIDTH 2", "no image format"},
    {"IMAGE i FORMAT R8_UNORM DIM_3D WIDTH 65536 HEIGHT 65536 DEPTH 65536", "too large"},
    {"SAMPLER s MAG_FILTER cubic", "no such filter (at 'cubic')"},
    {"SAMPLER s MIN_LOD 2", "MAX_LOD is less than MIN_LOD"},
    {"PIPELINE compute p\nEND", "line 2: the pipeline p has no shader"},
    {SHADERS "PIPELINE compute p\nATTACH v\nEND", "does not fit the kind of pipeline"},
    {SHADERS "PIPELINE compute p\nATTACH c TYPE fragment\nEND", "is of another stage"},
    {SHADERS "PIPELINE compute p\nATTACH c SPECIALIZE 1 AS uint8 2\nEND", "a 32-bit number"},
    {COMPUTE "DEPTH\nEND\nEND", "this is for graphics pipelines (at 'DEPTH')"},
    {COMPUTE "FOO\nEND", "there is no such command in a PIPELINE (at 'FOO')"},
    {COMPUTE, "PIPELINE has no END"},
    {COMPUTE "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\nEND", "not declared (at 'x')"},
    {COMPUTE "BIND BUFFER b AS foo DESCRIPTOR_SET 0 BINDING 0\nEND", "no such kind of binding"},
    {COMPUTE "BIND BUFFER b AS storage BINDING 0\nEND", "DESCRIPTOR_SET was expected"},
    {COMPUTE "BIND BUFFER b AS storage_dynamic DESCRIPTOR_SET 0 BINDING 0\nEND", "an OFFSET"},
    {COMPUTE "BIND BUFFER b AS color LOCATION 0\nEND", "this is for graphics pipelines"},
    {COMPUTE "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 0\nEND",
     "not an option of this binding"},
    {COMPUTE "BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 0 SWIZZLE r g b a\nEND",
     "not an option of this binding (at 'SWIZZLE')"},
    {COMPUTE "BIND BUFFER b AS sampled_image DESCRIPTOR_SET 0 BINDING 0 SWIZZLE r g b\nEND",
     "component is missing"},
    {COMPUTE "BIND BUFFER b AS sampled_image DESCRIPTOR_SET 0 BINDING 0 SWIZZLE r g b x\nEND",
     "no such component (at 'x')"},
    {COMPUTE "BIND BUFFER b AS sampled_image KERNEL ARG_NUMBER 0 SWIZZLE r g b a\nEND",
     "not an option of this binding (at 'SWIZZLE')"},
    {COMPUTE "SUBGROUP c\nREQUIRED_SIZE 3\nEND\nEND", "must be a power of two"},
    {COMPUTE "SUBGROUP v\nEND\nEND", "is not attached to this pipeline"},
    {COMPUTE "COMPILE_OPTIONS c\n-DA\n-O\nEND\nEND", "line 10: there is no such option"},
    {COMPUTE "COMPILE_OPTIONS v\n-DA\nEND\nEND",
     "is not attached to this pipeline: ATTACH it first (at 'v')"},
    {GRAPHICS "COMPILE_OPTIONS v\n-DA\nEND\nEND",
     "only GLSL and OPENCL-C have compile options (at 'v')"},
    {"SHADER fragment x OPENCL-C\nEND", "OPENCL-C is for compute shaders"},
    {COMPUTE "BIND BUFFER b KERNEL NAME x", "ARG_NAME was expected"},
    {COMPUTE "BIND BUFFER_ARRAY b b KERNEL ARG_NUMBER 1",
     "an array cannot be an argument of a kernel (at 'KERNEL')"},
    {COMPUTE "BIND BUFFER b KERNEL ARG_NUMBER 1025", "ARG_NUMBER must be from 0 to 1024"},
    {COMPUTE "BIND BUFFER b KERNEL ARG_NUMBER 0 BINDING 0", "not an option of BIND"},
    {COMPUTE "SET ENGINE_DATA fence_timeout_ms 1", "KERNEL was expected"},
    {COMPUTE "SET KERNEL ARG_NAME x AS vec2<int32> 3", "the value is missing"},
    {COMPUTE "SET KERNEL ARG_NAME x AS int8 300", "at '300'"},
    {COMPUTE "SET KERNEL ARG_NAME x AS int32[] 3", "the type needs a length"},
    {IMAGE COMPUTE "BIND BUFFER i AS storage_image DESCRIPTOR_SET 0 BINDING 0\n"
                   "BIND BUFFER i AS storage DESCRIPTOR_SET 0 BINDING 1\nEND",
     "line 10: i is written as an image and as a buffer by one pipeline"},
    {IMAGE GRAPHICS "BIND BUFFER i AS color LOCATION 0\nBIND BUFFER i AS color LOCATION 1\nEND",
     "line 11: the buffer has LOCATION 0 already (at 'color')"},
    {IMAGE GRAPHICS "BIND BUFFER i AS color LOCATION 0\nEND\n"
                    "IMAGE j FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 4 FILL 0\nCOPY j TO i",
     "is smaller than the framebuffer"},
    {COMPUTE "END\nRUN p 1 1", "z is missing"},
    {COMPUTE "END\nRUN p DRAW_RECT POS 0 0 SIZE 1 1", "it is not a graphics pipeline"},
    {COMPUTE "END\nCLEAR p", "it is not a graphics pipeline"},
    {COMPUTE "END\nDERIVE_PIPELINE q FROM q\nEND", "cannot derive from itself"},
    {GRAPHICS "END\nRUN g 1 1 1", "DRAW_RECT, DRAW_GRID or DRAW_ARRAY was expected"},
    {GRAPHICS "END\nRUN g DRAW_ARRAY AS BLOBS", "no such topology"},
    {GRAPHICS "END\nRUN g DRAW_ARRAY AS POINT_LIST", "without vertex data a draw needs COUNT"},
    {GRAPHICS "VERTEX_DATA b LOCATION 0\nEND\nRUN g DRAW_ARRAY AS POINT_LIST COUNT 5",
     "the draw goes beyond the pipeline's 4 vertices"},
    {GRAPHICS "VERTEX_DATA b LOCATION 0\nVERTEX_DATA b LOCATION 0\nEND", "vertex data already"},
    {GRAPHICS "END\nRUN g DRAW_ARRAY AS POINT_LIST INDEXED", "has no INDEX_DATA"},
    {GRAPHICS "END\nRUN g DRAW_ARRAY AS POINT_LIST INDEXED VERTEX_OFFSET 0.5",
     "must be a whole number"},
    {GRAPHICS "SCISSOR 0 0 SIZE 1\nEND", "the height is missing"},
    {GRAPHICS "BIND BUFFER b AS depth_stencil\nEND", "the buffer's format does not fit"},
    {"BUFFER b DATA_TYPE R8_UNORM SIZE 4 FILL 256", "does not fit its type (at '256')"},
    {"BUFFER b DATA_TYPE R5G6B5_UNORM_PACK16 DATA 0x10000 END", "does not fit its type"},
    {GRAPHICS "END\nCLEAR_COLOR g 256 0 0 0", "red must be from 0 to 255"},
    {IMAGE GRAPHICS "BLEND\nCOLOR_OP foo\nEND\nEND", "no such blend operation"},
    {BUFFER "COPY b TO b", "cannot be copied to itself"},
    {BUFFER IMAGE "COPY b TO i", "differ in size or type"},
    {BUFFER "REPEAT 0\nEND", "REPEAT must be from 1"},
    {BUFFER "REPEAT 2\nEXPECT b IDX 0 EQ 0", "REPEAT has no END"},
    {BUFFER "REPEAT 2\nBUFFER c\nEND", "no such command in a REPEAT"},
    {BUFFER "EXPECT b", "comparator is missing"},
    {BUFFER "EXPECT b EQ 0", "IDX was expected before it"},
    {BUFFER "EXPECT b IDX 0 EQ", "the values are missing"},
    {BUFFER "EXPECT b IDX 0 EQ x", "an integer was expected (at 'x')"},
    {BUFFER "EXPECT b IDX 4 EQ 0", "line 3: the values go beyond the end of b"},
    {BUFFER "EXPECT b IDX 0 EQ 0 0 0 0 0", "beyond the end"},
    {BUFFER "EXPECT b IDX 0 TOLERANCE EQ 0", "TOLERANCE needs a number (at 'EQ')"},
    {BUFFER "EXPECT b IDX 0 TOLERANCE 1 2 3 4 5 EQ 0", "can be four tolerances"},
    {BUFFER "EXPECT b IDX 0 TOLERANCE 1 NE 0", "a TOLERANCE needs EQ"},
    {BUFFER "EXPECT b IDX 0 EQ_RGB 0 0 0", "IDX x y SIZE w h was expected before it"},
    {BUFFER "EXPECT b RMSE_BUFFER b", "one TOLERANCE was expected"},
    {BUFFER "EXPECT b EQ_BUFFER b TOLERANCE 1%", "one TOLERANCE was expected"},
    {"IMAGE i FORMAT R8_UNORM DIM_2D_ARRAY WIDTH 2 HEIGHT 2 FILL 0", "LAYERS is for arrays"},
    {"IMAGE i FORMAT R8_UNORM DIM_2D LAYERS 2 WIDTH 2 HEIGHT 2 FILL 0", "LAYERS is for arrays"},
    {"IMAGE i FORMAT R8_UNORM DIM_CUBE_ARRAY LAYERS 7 WIDTH 2 HEIGHT 2 FILL 0", "multiple of 6"},
    {BUFFER IMAGE "EXPECT b EQ_BUFFER i", "differ in size or type"},
    {TYPES "EXPECT f EQ_BUFFER u", "differ in size or type"},
    {TYPES "EXPECT f RMSE_BUFFER u TOLERANCE 0", "differ in size or type"},
    {TYPES "EXPECT u EQ_HISTOGRAM_EMD_BUFFER u TOLERANCE 0", "unsigned channels of 8 bits"},
    {TYPES "EXPECT f IDX 0 TOLERANCE 1e400 EQ 1", "a tolerance must be a number"},
    {IMAGE "EXPECT i IDX 3 3 SIZE 2 1 EQ_RGB 0 0 0", "beyond the 4 x 4 of i"},
    {IMAGE "EXPECT i IDX 0 0 SIZE 0 1 EQ_RGB 0 0 0", "the width must be from 1 to"},
    {IMAGE "EXPECT i IDX 0 0 SIZE 1 0 EQ_RGB 0 0 0", "the height must be from 1 to"},
    {"BUFFER b DATA_TYPE uint32[0] SIZE 1 FILL 0",
     "the length of an array must be a number from 1"},
    {"BUFFER b DATA_TYPE uint32[65537] SIZE 1 FILL 0", "must be a number from 1 to 65536"},
    {"BUFFER w DATA_TYPE uint32 SIZE 2 FILL 0\nEXPECT w IDX 2 EQ 0", "starts at that byte"},
    {"BUFFER f FORMAT R8_UNORM\nEXPECT f IDX 0 EQ 0", "the buffer f has no size"},
};

static void kernels(void **state) {
  (void)state;
  AmberScript *script = amber_text_good(
      "SHADER compute k OPENCL-C\nkernel void k() {}\nEND\n" BUFFER
      "PIPELINE compute p\nATTACH k ENTRY_POINT k\nCOMPILE_OPTIONS k\n-DA=1 -cl-std=CL2.0\nEND\n"
      "BIND BUFFER b KERNEL ARG_NAME first\nBIND BUFFER b AS uniform KERNEL ARG_NUMBER 7\n"
      "SET KERNEL ARG_NAME v AS vec3<float> 1 2 3\nSET KERNEL ARG_NUMBER 2 AS int32 -1\nEND\n"
      "DERIVE_PIPELINE q FROM p\nSET KERNEL ARG_NUMBER 2 AS int32 4\n"
      "BIND BUFFER b KERNEL ARG_NAME other\nEND\n"
      "PIPELINE compute same\nATTACH k ENTRY_POINT k\nCOMPILE_OPTIONS k\n-DA=1 "
      "-cl-std=CL2.0\nEND\nEND\n"
      "PIPELINE compute others\nATTACH k ENTRY_POINT k\nCOMPILE_OPTIONS k\n-DA=2 "
      "-cl-std=CL2.0\nEND\nEND\n");
  assert_true(amber_has_kernels(script));
  const AmberPipeline *p = &script->pipelines[0], *q = &script->pipelines[1];
  const AmberBinding *b = p->bindings;
  assert_int_equal(p->binding_count, 4);
  assert_true(b[0].kernel && b[0].binding == AMBER_NONE && b[0].kind == AMBER_BIND_STORAGE);
  assert_string_equal(b[0].argument, "first");
  assert_true(b[1].kernel && b[1].binding == 7 && !b[1].argument);
  assert_int_equal(b[1].kind, AMBER_BIND_UNIFORM);
  const AmberBuffer *vector = &script->buffers[b[2].descriptors[0].buffer];
  assert_int_equal(vector->size, 16); /* as large as a vector of four */
  assert_memory_equal(vector->bytes, ((float[]){1, 2, 3}), 12);
  /* A derived pipeline replaces arguments of the same number or name. */
  assert_int_equal(q->binding_count, 5);
  int32_t value;
  memcpy(&value, script->buffers[q->bindings[3].descriptors[0].buffer].bytes, 4);
  assert_int_equal(value, 4);
  assert_int_equal(script->shaders[p->shaders[0].shader].option_count, 2);
  /* Pipelines with the same options share the shader. */
  assert_int_equal(script->pipelines[2].shaders[0].shader, p->shaders[0].shader);
  assert_int_not_equal(script->pipelines[3].shaders[0].shader, p->shaders[0].shader);
  assert_int_equal(script->shader_count, 3);
  amber_destroy(script);
}

static void bad_scripts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    amber_text_refused(AMBER_BAD, bad[i].text, bad[i].want);
}

static void outside_of_the_subset(void **state) {
  (void)state;
  static const char *const texts[] = {
      "SHADER compute x HLSL\nEND",
      "SHADER ray_generation x GLSL\nEND",
      "ACCELERATION_STRUCTURE BOTTOM_LEVEL x",
      "PIPELINE ray_tracing x",
      COMPUTE "SHADER_OPTIMIZATION c",
      "{device_features}",
      "BUFFER b DATA_TYPE uint8 SIZE {size} FILL 0",
      COMPUTE "{bindings}\nEND",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    amber_text_refused(AMBER_UNSUPPORTED, texts[i], "is not supported");
}

static void other_formats(void **state) {
  (void)state;
  AmberScript *script;
  AmberMessage message;
  static const char vkscript[] = "# a comment\n\n[require]\nVK_foo\n", other[] = "amber";
  assert_int_equal(amber_parse(vkscript, sizeof vkscript - 1, NULL, &script, &message), AMBER_OK);
  assert_int_equal(script->device_extensions.items[0].line, 4);
  amber_destroy(script);
  assert_int_equal(amber_parse(other, sizeof other - 1, NULL, &script, &message), AMBER_BAD);
  assert_string_equal(message.text,
                      "line 1: the first line is not #!amber, and there is no section");
  assert_int_equal(amber_parse("", 0, NULL, &script, &message), AMBER_BAD);
}

static void deep_repeats(void **state) {
  (void)state;
  char text[400] = "";
  for (int i = 0; i < AMBER_MAX_NESTING; i++)
    strcat(text, "REPEAT 2\n");
  char deeper[400];
  strcpy(deeper, text);
  for (int i = 0; i < AMBER_MAX_NESTING; i++)
    strcat(text, "END\n");
  amber_destroy(amber_text_good(text));
  amber_text_refused(AMBER_BAD, strcat(deeper, "REPEAT 2\n"), "nests too deep");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contents),
      cmocka_unit_test(series_of_floats),
      cmocka_unit_test(declarations),
      cmocka_unit_test(pipelines),
      cmocka_unit_test(samplers_of_arrays),
      cmocka_unit_test(corners_of_grids),
      cmocka_unit_test(commands),
      cmocka_unit_test(graphics),
      cmocka_unit_test(other_forms),
      cmocka_unit_test(copy_sizes),
      cmocka_unit_test(depth_bounds),
      cmocka_unit_test(default_attachments),
      cmocka_unit_test(packed_numbers),
      cmocka_unit_test(sizes_of_dimensions),
      cmocka_unit_test(resized_attachments),
      cmocka_unit_test(files),
      cmocka_unit_test(kernels),
      cmocka_unit_test(bad_scripts),
      cmocka_unit_test(outside_of_the_subset),
      cmocka_unit_test(other_formats),
      cmocka_unit_test(deep_repeats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
