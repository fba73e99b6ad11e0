/* SPDX-License-Identifier: Apache-2.0 */
/* Variants: the validator takes the script's required features into account, and a module that is
 * newer than the validator is left to the driver. */
#include "tests/unit/unit.h"

#include "harness/shader/shader.h"
#include "harness/shader/variant.h"
#include "tests/harness/amber_text.h"

#include <stdio.h>
#include <stdlib.h>

static void expect(const char *features, const char *shader, HnOutcome outcome) {
  char *text, *message;
  if (asprintf(&text,
               "%sSHADER compute s GLSL TARGET_ENV spv1.4\n#version 450\n"
               "#extension GL_EXT_scalar_block_layout : require\n%s\nEND\n"
               "PIPELINE compute p\nATTACH s\nEND\n",
               features, shader) < 0)
    fail();
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  if (hn_shaders_make(script, &modules, &message) != HN_PASS)
    fail_msg("%s", message);
  HnVariant variant = hn_variant_make(script, modules, "none", true);
  if (variant.outcome != outcome)
    fail_msg("%d: %s\n%s", variant.outcome, variant.message, text);
  hn_variant_free(&variant, script);
  hn_shaders_free(modules, script->shader_count);
  amber_destroy(script);
  free(text);
}

static void layouts(void **state) {
  (void)state;
  static const char uniform[] = "layout(set = 0, binding = 0, std430) uniform U { float u[4]; };\n"
                                "layout(set = 0, binding = 1) buffer B { float b; };\n"
                                "void main() { b = u[1]; }";
  expect("", uniform, HN_INVALID);
  expect("DEVICE_FEATURE UniformBufferStandardLayoutFeatures.uniformBufferStandardLayout\n",
         uniform, HN_PASS);
  static const char scalar[] = "layout(set = 0, binding = 0, scalar) buffer B { vec3 v[2]; };\n"
                               "void main() { v[1] = v[0]; }";
  expect("", scalar, HN_INVALID);
  expect("DEVICE_FEATURE ScalarBlockLayoutFeatures.scalarBlockLayout\n", scalar, HN_PASS);
  static const char shared[] = "#extension GL_EXT_shared_memory_block : require\n"
                               "layout(scalar) shared S { vec3 s[2]; };\n"
                               "layout(set = 0, binding = 0) buffer B { float b; };\n"
                               "void main() { s[1] = vec3(b); barrier(); b = s[1].z; }";
  expect("", shared, HN_INVALID);
  expect("DEVICE_FEATURE "
         "WorkgroupMemoryExplicitLayoutFeatures.workgroupMemoryExplicitLayoutScalarBlockLayout\n",
         shared, HN_PASS);
}

/* A capability and a mode that SPIRV-Tools does not know are no reason to refuse a module. */
static void newer(void **state) {
  (void)state;
  static const char text[] =
      "SHADER compute s SPIRV-ASM\nOpCapability Shader\nOpCapability !19999\n"
      "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %1 \"main\"\n"
      "OpExecutionMode %1 !19998\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"
      "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\nEND\n"
      "PIPELINE compute p\nATTACH s\nEND\n";
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  char *message;
  if (hn_shaders_make(script, &modules, &message) != HN_PASS)
    fail_msg("%s", message);
  HnVariant variant = hn_variant_make(script, modules, "strip-merges,structurize", true);
  if (variant.outcome != HN_PASS)
    fail_msg("%d: %s", variant.outcome, variant.message);
  hn_variant_free(&variant, script);
  hn_shaders_free(modules, script->shader_count);
  amber_destroy(script);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(layouts), cmocka_unit_test(newer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
