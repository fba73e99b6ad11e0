/* SPDX-License-Identifier: Apache-2.0 */
/* VkScript: what its sections and commands become; the messages for bad ones. That the commands do
 * what they say on drivers is tested by the cases in tests/harness/vkscript. */
#include "unit.h"

#include "script/script.h"

#include <math.h>
#include <string.h>

static AmberScript *good(const char *text) {
  AmberScript *script;
  AmberMessage message;
  if (amber_parse(text, strlen(text), NULL, &script, &message) != AMBER_OK)
    fail_msg("%s", message.text);
  return script;
}

#define SHADERS                                                                                    \
  "[vertex shader passthrough]\n[compute shader]\nvoid main() {}\n" /* three lines                 \
                                                                     */

/* ---- what becomes of it ---------------------------------------------------------------------- */

static void requirements(void **state) {
  (void)state;
  AmberScript *script = good("[require]\nlogicOp\nVK_KHR_foo\nvulkan 1.2.3\nfence_timeout 7\n"
                             "framebuffer R8G8_UNORM\ndepthstencil D16_UNORM\nfbsize 3 5\n"
                             "[test]\nclear\n");
  assert_string_equal(script->features.items[0].name, "logicOp");
  assert_true(script->features.items[0].bare);
  assert_int_equal(script->features.items[0].line, 2);
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

/* A draw has the state before it; states that are equal share a pipeline. */
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
  assert_true(first->line_width == 2.5f && first->polygon_mode == 0 && first->cull_mode == 0);
  assert_int_equal(first->color_write_mask, 15);
  const AmberCommand *patch = &script->commands[2];
  const AmberPipeline *second = &script->pipelines[patch->pipeline];
  assert_true(patch->rect.patch && second->patch_control_points == 4);
  assert_true(second->polygon_mode == 1 && second->cull_mode == 3);
  assert_int_equal(second->color_write_mask, 10);
  assert_int_equal(second->blend.color_op, 1000148017);
  assert_int_equal(second->blend.alpha_op, 1000148042);
  assert_int_equal(second->front.compare_mask, 255);
  assert_int_equal(second->back.depth_fail_op, 7);
  assert_int_equal(second->logic_op, 9);
  assert_true(second->depth.min_bounds == 0.25f);
  assert_int_equal(script->pipelines[script->commands[3].pipeline].patch_control_points, 3);
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
    {"[require]\nframebuffer RGBA\n", "there is no such format (at 'RGBA')"},
    {"[require]\ndepthstencil R8_UNORM\n", "the format has no depth and no stencil"},
    {"[require]\nfbsize 0 1\n", "the width must be from 1 to 65536 (at '0')"},
    {"[require]\nvulkan 1.x\n", "the version must be as in 1.2"},
    {"[require]\nvulkan 1.2.3.4\n", "the version must be as in 1.2"},
    {"[require]\nlogicOp 2\n", "the line should end here (at '2')"},
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
      cmocka_unit_test(requirements), cmocka_unit_test(states),      cmocka_unit_test(vertices),
      cmocka_unit_test(buffers),      cmocka_unit_test(bad_scripts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
