/* SPDX-License-Identifier: Apache-2.0 */
/* VkScript: what its sections and commands become; the messages for bad ones. The cases in
 * tests/harness/vkscript test that the commands do what they say on drivers. */
#include "tests/unit/unit.h"

#include "spv-emu/script/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vulkan/vulkan.h>

static AmberScript *good(const char *text) {
  AmberScript *script;
  AmberMessage message;
  if (amber_parse(text, strlen(text), NULL, &script, &message) != AMBER_OK)
    fail_msg("%s", message.text);
  return script;
}

/* Three lines. */
#define SHADERS "[vertex shader passthrough]\n[compute shader]\nvoid main() {}\n"

/* ---- what scripts become --------------------------------------------------------------------- */

static void requirements(void **state) {
  (void)state;
  AmberScript *script =
      good("[require]\nlogicOp\nSome.feature\nVK_KHR_foo\nvulkan 1.2.3\nfence_timeout 7\n"
           "framebuffer R8G8_UNORM\ndepthstencil D16_UNORM\nfbsize 3 5\n"
           "[test]\nclear\n");
  assert_string_equal(script->features.items[0].name, "logicOp");
  assert_true(script->features.items[0].bare);
  assert_int_equal(script->features.items[0].line, 2);
  assert_string_equal(script->features.items[1].name, "Some.feature");
  assert_false(script->features.items[1].bare);
  assert_string_equal(script->device_extensions.items[0].name, "VK_KHR_foo");
  assert_int_equal(script->vulkan_version, 1 << 22 | 2 << 12 | 3);
  assert_int_equal(script->fence_timeout_ms, 7);
  const AmberPipeline *pipeline = &script->pipelines[0];
  const AmberBuffer *color = &script->buffers[pipeline->colors[0].buffer];
  assert_string_equal(color->format->name, "R8G8_UNORM");
  assert_int_equal(color->size, 30);
  assert_string_equal(script->buffers[pipeline->depth_stencil].format->name, "D16_UNORM");
  amber_destroy(script);
}

/* A draw has the state that commands before it set; draws of equal states share a pipeline. */
static void states(void **state) {
  (void)state;
  AmberScript *script = good(
      SHADERS "[test]\nlineWidth 2.5\ndraw rect -1 -1 2 2\ndraw rect ortho 0 0 2 2\n"
              "polygonMode VK_POLYGON_MODE_LINE\ncullMode VK_CULL_MODE_FRONT_AND_BACK\n"
              "colorWriteMask VK_COLOR_COMPONENT_G_BIT|VK_COLOR_COMPONENT_A_BIT\n"
              "colorBlendOp VK_BLEND_OP_COLORDODGE_EXT\nalphaBlendOp VK_BLEND_OP_INVERT_OVG_EXT\n"
              "front.compareMask 0xffffffff\nback.depthFailOp VK_STENCIL_OP_DECREMENT_AND_WRAP\n"
              "minDepthBounds 0.25\nlogicOp VK_LOGIC_OP_EQUIVALENT\n"
              "draw rect patch -1 -1 2 2\ndraw rect -1 -1 2 2\n");
  assert_int_equal(script->command_count, 4);
  assert_int_equal(script->commands[0].pipeline, 0);
  assert_int_equal(script->commands[1].pipeline, 0);
  assert_true(script->commands[0].rect.clip && !script->commands[1].rect.clip);
  const AmberPipeline *first = &script->pipelines[0];
  assert_true(first->raster.line_width == 2.5f && first->raster.polygon_mode == 0 &&
              first->raster.cull_mode == 0);
  assert_int_equal(first->raster.color_write_mask, 15);
  assert_int_equal(first->raster.depth.compare_op, VK_COMPARE_OP_LESS);
  const AmberCommand *patch = &script->commands[2];
  const AmberPipeline *second = &script->pipelines[patch->pipeline];
  assert_true(patch->rect.patch && second->raster.patch_control_points == 4);
  assert_true(second->raster.polygon_mode == 1 && second->raster.cull_mode == 3);
  assert_int_equal(second->raster.color_write_mask, 10);
  assert_int_equal(second->raster.blend.color_op, 1000148017);
  assert_int_equal(second->raster.blend.alpha_op, 1000148042);
  assert_int_equal(second->raster.front.compare_mask, 255);
  assert_int_equal(second->raster.back.depth_fail_op, 7);
  assert_int_equal(second->raster.logic_op, 9);
  assert_true(second->raster.depth.min_bounds == 0.25f);
  assert_int_equal(script->pipelines[script->commands[3].pipeline].raster.patch_control_points, 3);
  assert_int_equal(script->pipeline_count, 3);
  amber_destroy(script);
}

static void vertices(void **state) {
  (void)state;
  AmberScript *script =
      good("[test]\ndraw arrays indexed instanced GL_LINES_ADJACENCY 2 4 3\n"
           "[indices]\n1 2\n 70000 3\n[vertex shader passthrough]\n"
           "[vertex data]\n1/byte/ivec3 7/R32G32_SFLOAT 0/A2B10G10R10_UNORM_PACK32\n"
           "1 -2 3 0.5 -1 0xc0000001\n4 5 6 7 8 9\n");
  const AmberPipeline *pipeline = &script->pipelines[0];
  const AmberVertexInput *inputs = pipeline->vertex_inputs;
  assert_int_equal(pipeline->vertex_input_count, 3);
  assert_string_equal(inputs[0].format->name, "R8G8B8_SINT");
  assert_int_equal(inputs[1].location, 7);
  assert_int_equal(inputs[1].offset, 4);
  assert_int_equal(inputs[2].offset, 12);
  assert_int_equal(inputs[2].stride, 16);
  const AmberBuffer *data = &script->buffers[inputs[0].buffer];
  static const uint8_t row[16] = {1, 254, 3, 0, 0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf, 1, 0, 0, 0xc0};
  assert_int_equal(data->size, 32);
  assert_memory_equal(data->bytes, row, 16);
  const AmberBuffer *indices = &script->buffers[pipeline->index_buffer];
  assert_memory_equal(indices->bytes, ((uint32_t[]){1, 2, 70000, 3}), 16);
  const AmberDrawArray *array = &script->commands[0].array;
  assert_true(array->indexed && array->topology == 6 && array->first == 0 && array->count == 4);
  assert_true(array->vertex_offset == 2 && array->instance_count == 3);
  amber_destroy(script);
}

/* Rows begin at multiples of the widest component. Indices have 16 bits while all of them fit. */
static void rows_and_indices(void **state) {
  (void)state;
  for (uint32_t most = UINT16_MAX - 1; most <= UINT16_MAX + 2; most++) {
    char text[300];
    snprintf(text, sizeof text,
             "[test]\ndraw arrays indexed GL_LINES 0 2\n[indices]\n1 %u\n"
             "[vertex shader passthrough]\n[vertex data]\n0/R32_SFLOAT 1/R8_UINT\n1 2\n3 4\n",
             most);
    AmberScript *script = good(text);
    const AmberPipeline *pipeline = &script->pipelines[0];
    assert_int_equal(pipeline->vertex_inputs[0].stride, 8);
    const AmberBuffer *data = &script->buffers[pipeline->vertex_inputs[1].buffer];
    assert_int_equal(data->size, 16);
    assert_memory_equal(data->bytes + 8, &(float){3}, 4);
    assert_int_equal(data->bytes[12], 4);
    const AmberBuffer *indices = &script->buffers[pipeline->index_buffer];
    assert_int_equal(indices->element_count, 2);
    if (most > UINT16_MAX)
      assert_memory_equal(indices->bytes, ((uint32_t[]){1, most}), 8);
    else
      assert_memory_equal(indices->bytes, ((uint16_t[]){1, (uint16_t)most}), 4);
    assert_int_equal(indices->size, most > UINT16_MAX ? 8 : 4);
    amber_destroy(script);
  }
}

typedef struct Word {
  const char *word;
  uint32_t number;
} Word;

/* The pipeline of a draw after `command word`. */
static AmberScript *after(const char *command, const char *word) {
  char text[300];
  snprintf(text, sizeof text, SHADERS "[test]\n%s %s\ndraw rect -1 -1 2 2\n", command, word);
  return good(text);
}

/* Each word has the number of Vulkan's header. */
static void numbers_of_words(void **state) {
  (void)state;
#define OP(NAME)                                                                                   \
  { "VK_BLEND_OP_" #NAME, VK_BLEND_OP_##NAME }
  static const Word ops[] = {OP(ADD),
                             OP(SUBTRACT),
                             OP(REVERSE_SUBTRACT),
                             OP(MIN),
                             OP(MAX),
                             OP(ZERO_EXT),
                             OP(SRC_EXT),
                             OP(DST_EXT),
                             OP(SRC_OVER_EXT),
                             OP(DST_OVER_EXT),
                             OP(SRC_IN_EXT),
                             OP(DST_IN_EXT),
                             OP(SRC_OUT_EXT),
                             OP(DST_OUT_EXT),
                             OP(SRC_ATOP_EXT),
                             OP(DST_ATOP_EXT),
                             OP(XOR_EXT),
                             OP(MULTIPLY_EXT),
                             OP(SCREEN_EXT),
                             OP(OVERLAY_EXT),
                             OP(DARKEN_EXT),
                             OP(LIGHTEN_EXT),
                             OP(COLORDODGE_EXT),
                             OP(COLORBURN_EXT),
                             OP(HARDLIGHT_EXT),
                             OP(SOFTLIGHT_EXT),
                             OP(DIFFERENCE_EXT),
                             OP(EXCLUSION_EXT),
                             OP(INVERT_EXT),
                             OP(INVERT_RGB_EXT),
                             OP(LINEARDODGE_EXT),
                             OP(LINEARBURN_EXT),
                             OP(VIVIDLIGHT_EXT),
                             OP(LINEARLIGHT_EXT),
                             OP(PINLIGHT_EXT),
                             OP(HARDMIX_EXT),
                             OP(HSL_HUE_EXT),
                             OP(HSL_SATURATION_EXT),
                             OP(HSL_COLOR_EXT),
                             OP(HSL_LUMINOSITY_EXT),
                             OP(PLUS_EXT),
                             OP(PLUS_CLAMPED_EXT),
                             OP(PLUS_CLAMPED_ALPHA_EXT),
                             OP(PLUS_DARKER_EXT),
                             OP(MINUS_EXT),
                             OP(MINUS_CLAMPED_EXT),
                             OP(CONTRAST_EXT),
                             OP(INVERT_OVG_EXT),
                             OP(RED_EXT),
                             OP(GREEN_EXT),
                             OP(BLUE_EXT)};
#define FACTOR(NAME)                                                                               \
  { "VK_BLEND_FACTOR_" #NAME, VK_BLEND_FACTOR_##NAME }
  static const Word factors[] = {FACTOR(ZERO),
                                 FACTOR(ONE),
                                 FACTOR(SRC_COLOR),
                                 FACTOR(ONE_MINUS_SRC_COLOR),
                                 FACTOR(DST_COLOR),
                                 FACTOR(ONE_MINUS_DST_COLOR),
                                 FACTOR(SRC_ALPHA),
                                 FACTOR(ONE_MINUS_SRC_ALPHA),
                                 FACTOR(DST_ALPHA),
                                 FACTOR(ONE_MINUS_DST_ALPHA),
                                 FACTOR(CONSTANT_COLOR),
                                 FACTOR(ONE_MINUS_CONSTANT_COLOR),
                                 FACTOR(CONSTANT_ALPHA),
                                 FACTOR(ONE_MINUS_CONSTANT_ALPHA),
                                 FACTOR(SRC_ALPHA_SATURATE),
                                 FACTOR(SRC1_COLOR),
                                 FACTOR(ONE_MINUS_SRC1_COLOR),
                                 FACTOR(SRC1_ALPHA),
                                 FACTOR(ONE_MINUS_SRC1_ALPHA)};
#define STENCIL(NAME)                                                                              \
  { "VK_STENCIL_OP_" #NAME, VK_STENCIL_OP_##NAME }
  static const Word stencils[] = {STENCIL(KEEP),
                                  STENCIL(ZERO),
                                  STENCIL(REPLACE),
                                  STENCIL(INCREMENT_AND_CLAMP),
                                  STENCIL(DECREMENT_AND_CLAMP),
                                  STENCIL(INVERT),
                                  STENCIL(INCREMENT_AND_WRAP),
                                  STENCIL(DECREMENT_AND_WRAP)};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    AmberScript *script = after("colorBlendOp", ops[i].word);
    if (script->pipelines[0].raster.blend.color_op != ops[i].number)
      fail_msg("%s is %u", ops[i].word, script->pipelines[0].raster.blend.color_op);
    amber_destroy(script);
  }
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
    AmberScript *script = after("srcColorBlendFactor", factors[i].word);
    if (script->pipelines[0].raster.blend.src_color_factor != factors[i].number)
      fail_msg("%s is %u", factors[i].word, script->pipelines[0].raster.blend.src_color_factor);
    amber_destroy(script);
  }
  for (size_t i = 0; i < sizeof stencils / sizeof *stencils; i++) {
    AmberScript *script = after("back.depthFailOp", stencils[i].word);
    if (script->pipelines[0].raster.back.depth_fail_op != stencils[i].number)
      fail_msg("%s is %u", stencils[i].word, script->pipelines[0].raster.back.depth_fail_op);
    amber_destroy(script);
  }
}

static void buffers(void **state) {
  (void)state;
  AmberScript *script =
      good(SHADERS "[test]\nssbo 1:2 subdata vec3 4 1 2 3 4 5 6\nubo 3 subdata float 0 1 2\n"
                   "push uint 0 1 2 3\ncompute 1 2 3\ntolerance 1 2 3% 4\n"
                   "probe ssbo vec3 1:2 4 ~= 1 2 3 4 5 6\n");
  const AmberPipeline *pipeline = &script->pipelines[0];
  assert_int_equal(pipeline->binding_count, 2);
  assert_int_equal(pipeline->bindings[0].set, 1);
  assert_int_equal(pipeline->bindings[0].kind, AMBER_BIND_STORAGE);
  assert_int_equal(pipeline->bindings[1].kind, AMBER_BIND_UNIFORM);
  assert_int_equal(script->buffers[pipeline->bindings[0].descriptors->buffer].size, 32);
  assert_int_equal(script->buffers[pipeline->bindings[1].descriptors->buffer].size, 32);
  assert_int_equal(script->buffers[pipeline->push_constant].size, 12);
  float bytes[8] = {0};
  amber_write_apply(&script->commands[0].write, bytes);
  assert_memory_equal(bytes, ((float[]){0, 1, 2, 3, 0, 4, 5, 6}), sizeof bytes);
  assert_int_equal(script->commands[3].kind, AMBER_RUN_COMPUTE);
  assert_int_equal(script->commands[3].run.z, 3);
  const AmberExpect *expect = &script->commands[4].expect;
  assert_true(expect->rows == 3 && expect->tolerance_count == 4 && expect->tolerances[2].percent);
  AmberContents contents[8] = {0};
  char text[200];
  contents[expect->buffer] = (AmberContents){bytes, sizeof bytes};
  assert_true(amber_expect_check(script, &script->commands[4], contents, text, sizeof text));
  bytes[6] = 7.1f;
  assert_false(amber_expect_check(script, &script->commands[4], contents, text, sizeof text));
  assert_string_equal(text, "line 10: binding 1:2 at byte 24 (element 1, value 1) is 7.0999999, "
                            "expected EQ 5");
  amber_destroy(script);
}

/* ---- bad scripts ----------------------------------------------------------------------------- */

#define TEST(text) SHADERS "[test]\n" text

static const struct {
  const char *text, *want;
} bad[] = {
    {"[test\nclear\n", "line 1: the section's ] is missing (at '[test')"},
    {"[tests]\n", "line 1: there is no such section (at 'tests')"},
    {"[vertex shader passthrough]\n[fragment shader]\n[test]\nprobe rect rgb (1, 1, 0, 2) (0, 0, "
     "0)\n",
     "line 4: the rectangle has no pixels"},
    {TEST("ssbo 0 8\ncompute 1 1 1\nprobe ssbo uint 0 4 == 1 2\n"),
     "line 7: the values go beyond the end of binding 0:0"},
    {TEST("compute 1 1 1\nprobe ssbo uint 3 0 == 1\n"),
     "line 6: no command gives binding 0:3 a size, as in ssbo 0 64"},
    {"[require]\nfbsize 65536 65536\n[test]\nclear\n", "line 2: the buffer is too large"},
    {"[test] clear\n", "line 1: only a comment may follow the section's ] (at '[test] clear')"},
    {"[test # ]\nclear\n", "line 1: the section's ] is missing (at '[test ')"},
    {"# x\n[vertex shader glsl]\n", "line 2: there is no such section"},
    {"[fragment shader passthrough]\n", "only a vertex shader can be passthrough"},
    {"[vertex shader spirv]\n[vertex shader]\n", "line 2: the stage has a shader already"},
    {"[require]\nframebuffer D16_UNORM\n", "line 2: the format has no colours (at 'D16_UNORM')"},
    {"[require]\nframebuffer RGBA\n", "there is no such format; one is R8G8B8A8_UNORM (at 'RGBA')"},
    {"[require]\ndepthstencil R8_UNORM\n", "the format has no depth and no stencil"},
    {"[require]\nfbsize 0 1\n", "the width must be from 1 to 65536 (at '0')"},
    {"[require]\nvulkan 1.x\n", "the version must be as in 1.2"},
    {"[require]\nvulkan 1.2.3.4\n", "the version must be as in 1.2"},
    {"[require]\nlogicOp 2\n", "the line should end here (at '2')"},
    {"[require]\nfoo.bar.baz\n", "this is not a feature and not an extension (at 'foo.bar.baz')"},
    {"[require]\nfoo.\n", "this is not a feature and not an extension (at 'foo.')"},
    {"[require]\n.foo\n", "this is not a feature and not an extension (at '.foo')"},
    {"[require]\nfoo-bar\n", "this is not a feature and not an extension (at 'foo-bar')"},
    {"[indices]\n1 -2\n", "line 2: an index must be an unsigned integer (at '-2')"},
    {"[vertex data]\nR8_UNORM\n1\n", "a column is LOCATION/FORMAT"},
    {"[vertex data]\n0/R8\n1\n", "line 2: there is no such format (at '0/R8')"},
    {"[vertex data]\n0/float/vec5\n1\n", "there is no such format"},
    {"[vertex data]\n0/R8_UNORM 0/R8_UNORM\n1\n", "the location has a column already"},
    {"[vertex data]\n0/R8_UNORM\n", "line 2: [vertex data] has no rows"},
    {"[vertex data]\n0/R8G8_UNORM\n1\n", "line 3: a number of the row is missing"},
    {"[vertex data]\n0/R8_UNORM\n1 2\n", "line 3: the line should end here (at '2')"},
    {"[vertex data]\n0/R8_UNORM\n256\n", "the number does not fit its type (at '256')"},
    {TEST("prob all"), "line 5: there is no such command in a [test] (at 'prob')"},
    {TEST("draw circle"), "rect, grid or arrays was expected (at 'circle')"},
    {TEST("draw rect 1 2 3"), "the height is missing"},
    {TEST("draw arrays QUADS 0 4"), "there is no such topology (at 'QUADS')"},
    {TEST("draw arrays indexed POINT_LIST 0 4"), "line 5: the pipeline has no INDEX_DATA"},
    {"[test]\ndraw rect -1 -1 2 2\n", "line 2: there is no [vertex shader] (at 'rect')"},
    {"[test]\ncompute 1 1 1\n", "line 2: there is no [compute shader] (at '1')"},
    {TEST("compute 1 1"), "z is missing"},
    {TEST("tessellation entrypoint x"), "evaluation was expected"},
    {TEST("vertex x"), "entrypoint was expected (at 'x')"},
    {TEST("clear 1"), "line 5: the line should end here (at '1')"},
    {TEST("clear stencil 256"), "the stencil value must be from 0 to 255"},
    {TEST("patch vertices 3"), "parameter was expected"},
    {TEST("tolerance"), "tolerance takes one number or four"},
    {TEST("tolerance 1 2"), "tolerance takes one number or four (at '1')"},
    {TEST("tolerance -1"), "must be a number that is not negative"},
    {TEST("probe rect rgb (0, 0, 251, 1) (1, 1, 1)"), "the rectangle goes beyond the 250 x 250"},
    {TEST("probe rgb (-1, 0) (1, 1, 1)"), "x lies outside of the framebuffer (at '-1')"},
    {TEST("probe rgba (0, 0) (1, 1, 1)"), "alpha is missing"},
    {TEST("probe rgb (0, 0) (1, 1, 1, 1)"), "the line should end here"},
    {TEST("probe all 1 1 1"), "rgb was expected"},
    {TEST("relative clear"), "probe was expected"},
    {TEST("ssbo 0 subdata vec5 0 1"), "there is no such type (at 'vec5')"},
    {TEST("ssbo 0 subdata imat2 0 1"), "there is no such type"},
    {TEST("ssbo 0 subdata vec3 0 1 2"), "the values must be a multiple of the 3 of the type"},
    {TEST("ssbo 0 subdata int 0 1.5"), "an integer was expected that fits its type (at '1.5')"},
    {TEST("ssbo 0 subdata int 400000000 1"), "the offset must be from 0 to 268435456"},
    {TEST("ssbo 0 subdata int 268435456 1"), "the buffer is too large"},
    {TEST("ssbo x 4"), "the binding must be a number, or as in 1:2 (at 'x')"},
    {TEST("ssbo 0 0"), "the size must be from 1 to 4294967295"},
    {TEST("ssbo 0 4\nubo 0 4"), "line 6: the binding has a buffer of the other kind (at '0')"},
    {TEST("ssbo layout std999"), "there is no such layout"},
    {TEST("probe ssbo int 0 0 = 1"), "there is no such comparison (at '=')"},
    {TEST("depthTestEnable maybe"), "there is no such truth value (true, false) (at 'maybe')"},
    {TEST("cullMode FRONT"), "there is no such cull mode (at 'FRONT')"},
    {TEST("front.failOp VK_STENCIL_OP_"), "there is no such stencil operation"},
    {"clear\n[test]\n", "line 1: the first line is not #!amber, and there is no section"},
    {"[comment]\nx\n[test]\nclear {clear}\n", "line 4: a template with a placeholder"},
};

/* Two values of "uniform ubo" are one after the other in google/amber, where a vector of three
 * takes as much as one of four; in VkRunner, whose commands are "ubo", each takes 16 bytes, and so
 * it does after a layout of such buffers. */
static void strides_of_uniforms(void **state) {
  (void)state;
  static const struct {
    const char *type;
    uint32_t numbers, packed, array;
  } all[] = {{"int", 1, 4, 16},    {"uint", 1, 4, 16},      {"float", 1, 4, 16},
             {"double", 1, 8, 16}, {"float16_t", 1, 2, 16}, {"uint8_t", 1, 1, 16},
             {"vec2", 2, 8, 16},   {"vec3", 3, 16, 16},     {"vec4", 4, 16, 16},
             {"ivec2", 2, 8, 16},  {"uvec3", 3, 16, 16},    {"dvec2", 2, 16, 16},
             {"dvec3", 3, 32, 32}, {"dvec4", 4, 32, 32},    {"i16vec2", 2, 4, 16},
             {"u8vec3", 3, 4, 16}, {"f16vec3", 3, 8, 16},   {"i64vec2", 2, 16, 16},
             {"mat2", 4, 32, 32},  {"mat4x3", 12, 64, 64}};
  static const struct {
    const char *command;
    bool vkrunner;
  } ways[] = {{"uniform ubo 0 ", false},
              {"ssbo layout std430\nuniform ubo 0 ", false},
              {"ubo layout std140\nuniform ubo 0 ", true},
              {"ubo 0 subdata ", true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
      char text[400];
      bool vkrunner = ways[way].vkrunner;
      snprintf(text, sizeof text, SHADERS "[test]\n%s%s 0", ways[way].command, all[i].type);
      for (uint32_t k = 0; k < 2 * all[i].numbers; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %u", k);
      strcat(text, "\ncompute 1 1 1\n");
      AmberScript *script = good(text);
      uint32_t stride = script->commands[0].write.layout->stride;
      if (stride != (vkrunner ? all[i].array : all[i].packed))
        fail_msg("%s%s: a stride of %u", ways[way].command, all[i].type, stride);
      amber_destroy(script);
    }
}

/* Only ~= has the tolerance of the script. */
static void comparisons(void **state) {
  (void)state;
  static const struct {
    const char *text;
    AmberComparator comparator;
    bool fuzzy;
  } all[] = {{"==", AMBER_EQ, false}, {"~=", AMBER_EQ, true},  {"!=", AMBER_NE, false},
             {"<", AMBER_LT, false},  {"<=", AMBER_LE, false}, {">", AMBER_GT, false},
             {">=", AMBER_GE, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[200];
    snprintf(text, sizeof text,
             SHADERS "[test]\ntolerance 1 2%% 3 4\nssbo 0 64\n"
                     "compute 1 1 1\nprobe ssbo vec4 0 0 %s 1 2 3 4\n",
             all[i].text);
    AmberScript *script = good(text);
    const AmberExpect *e = &script->commands[script->command_count - 1].expect;
    assert_int_equal(e->comparator, all[i].comparator);
    assert_int_equal(e->tolerance_count, all[i].fuzzy ? 4 : 0);
    for (uint32_t k = 0; k < e->tolerance_count; k++) {
      assert_true(e->tolerances[k].value == k + 1);
      assert_int_equal(e->tolerances[k].percent, k == 1);
    }
    amber_destroy(script);
  }
}

static void bad_scripts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    AmberScript *script;
    AmberMessage message;
    AmberStatus status = amber_parse(bad[i].text, strlen(bad[i].text), NULL, &script, &message);
    if (status == AMBER_OK || !strstr(message.text, bad[i].want))
      fail_msg("'%s', wanted '%s', of %s", message.text, bad[i].want, bad[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(requirements),
      cmocka_unit_test(states),
      cmocka_unit_test(vertices),
      cmocka_unit_test(rows_and_indices),
      cmocka_unit_test(numbers_of_words),
      cmocka_unit_test(buffers),
      cmocka_unit_test(strides_of_uniforms),
      cmocka_unit_test(comparisons),
      cmocka_unit_test(bad_scripts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
