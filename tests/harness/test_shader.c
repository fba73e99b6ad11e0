/* SPDX-License-Identifier: Apache-2.0 */
/* Translation of a script's shaders to SPIR-V. */
#include "tests/unit/unit.h"

#include "harness/shader/shader.h"
#include "tests/harness/amber_text.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

#define COMPUTE(shader) shader "PIPELINE compute p\nATTACH s\nEND\n"

typedef struct Made {
  AmberScript *script;
  HnModule *modules;
} Made;

static Made make(const char *text) {
  Made made = {.script = amber_text_good(text)};
  char *message;
  if (hn_shaders_make(made.script, &made.modules, &message) != HN_PASS)
    fail_msg("%s", message);
  return made;
}

static void drop(const Made *made) {
  hn_shaders_free(made->modules, made->script->shader_count);
  amber_destroy(made->script);
}

static void not_made(HnOutcome outcome, const char *text, const char *want) {
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  char *message;
  assert_int_equal(hn_shaders_make(script, &modules, &message), outcome);
  assert_null(modules);
  if (!strstr(message, want) || strchr(message, '\n'))
    fail_msg("said '%s', wanted '%s'", message, want);
  free(message);
  amber_destroy(script);
}

static void refused(const char *text, const char *want) {
  not_made(HN_FAIL, text, want);
}

static void expect_version(const char *text, uint32_t version) {
  Made made = make(text);
  const HnModule *module = &made.modules[made.script->pipelines[0].shaders[0].shader];
  assert_true(module->count > 5);
  assert_int_equal(module->words[0], 0x07230203);
  assert_int_equal(module->words[1], version);
  drop(&made);
}

static void glsl(void **state) {
  (void)state;
  expect_version(COMPUTE("SHADER compute s GLSL\n#version 450\nvoid main() {}\nEND\n"), 0x10000);
  expect_version(COMPUTE("SHADER compute s GLSL TARGET_ENV spv1.3\n#version 450\n"
                         "#extension GL_KHR_shader_subgroup_basic : enable\n"
                         "void main() { subgroupBarrier(); }\nEND\n"),
                 0x10300);
  expect_version(COMPUTE("SHADER compute s GLSL TARGET_ENV vulkan1.3\n#version 450\n"
                         "void main() {}\nEND\n"),
                 0x10600);
  expect_version("SHADER compute s GLSL\n#version 450\nvoid main() { int x = A + B; }\nEND\n"
                 "PIPELINE compute p\nATTACH s\nCOMPILE_OPTIONS s\n-DA=3 -DB\nEND\nEND\n",
                 0x10000);
}

#define ASSEMBLY(before, main)                                                                     \
  COMPUTE("SHADER compute s SPIRV-ASM\n"                                                           \
          "OpCapability Shader\n" before "OpMemoryModel Logical GLSL450\n"                         \
          "OpEntryPoint GLCompute %f \"main\" %w\n"                                                \
          "OpExecutionMode %f LocalSize 1 1 1\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n"          \
          "%u = OpTypeInt 32 0\n%p = OpTypePointer Workgroup %u\n%w = OpVariable %p Workgroup\n"   \
          "%f = OpFunction %v None %t\n%l = OpLabel\n" main "OpReturn\nOpFunctionEnd\nEND\n")

/* Without TARGET_ENV: the lowest version in which the shader is valid. Variables of all classes in
 * an interface need 1.4. */
static void lowest_version(void **state) {
  (void)state;
  expect_version(COMPUTE("SHADER compute s GLSL\n#version 450\n"
                         "#extension GL_KHR_shader_subgroup_basic : enable\n"
                         "void main() { subgroupBarrier(); }\nEND\n"),
                 0x10300);
  expect_version(ASSEMBLY("", ""), 0x10400);
  expect_version(ASSEMBLY("", "%x = OpCopyLogical %u %w\n"), 0x10600); /* valid in none */
  refused(COMPUTE("SHADER compute s GLSL TARGET_ENV spv1.0\n#version 450\n"
                  "#extension GL_KHR_shader_subgroup_basic : enable\n"
                  "void main() { subgroupBarrier(); }\nEND\n"),
          "requires SPIR-V 1.3");
}

static void newer_extensions(void **state) {
  (void)state;
  not_made(HN_SKIP,
           COMPUTE("SHADER compute s GLSL\n#version 450\n#extension GL_EXT_of_2040 : require\n"
                   "void main() {}\nEND\n"),
           "line 2: shader s: the installed glslang does not know the extension GL_EXT_of_2040");
  not_made(HN_SKIP,
           COMPUTE("SHADER compute s GLSL\n#version 450\n#extension GL_EXT_of_2040 : enable\n"
                   "void main() { future(); }\nEND\n"),
           "does not know the extension GL_EXT_of_2040");
  not_made(HN_SKIP,
           ASSEMBLY("OpExtension \"SPV_KHR_16bit_storage\"\n"
                    "OpExtension \"SPV_EXT_of_2040\"\n",
                    "OpFuture %w\n"),
           "the installed SPIRV-Tools does not know the extension SPV_EXT_of_2040");
  refused(ASSEMBLY("OpExtension \"SPV_KHR_16bit_storage\"\n", "OpFuture %w\n"),
          "Invalid Opcode name 'OpFuture'");
  /* Older versions of SPIR-V complain of the capability. */
  refused(ASSEMBLY("OpCapability GroupNonUniform\n", "OpFuture %w\n"),
          "line 15: shader s: Invalid Opcode name 'OpFuture'");
  refused(COMPUTE("SHADER compute s GLSL\n#version 450\n"
                  "#extension GL_KHR_shader_subgroup_basic : enable\n"
                  "void main() { subgroupBarrier();\nx = 1;\n}\nEND\n"),
          "line 6: shader s: 'x' : undeclared identifier");
}

/* One text with different options in two pipelines, and with none in a third. */
static void compile_options(void **state) {
  (void)state;
  Made made = make("SHADER compute s GLSL\n#version 450\n#ifdef A\n"
                   "layout(local_size_x = A) in;\n#endif\nvoid main() {}\nEND\n"
                   "PIPELINE compute p\nATTACH s\nEND\n"
                   "PIPELINE compute q\nATTACH s\nCOMPILE_OPTIONS s\n-DA=3\nEND\nEND\n"
                   "DERIVE_PIPELINE r FROM q\nATTACH s\nCOMPILE_OPTIONS s\n-DA=5\nEND\nEND\n");
  static const uint32_t sizes[] = {1, 3, 5};
  for (int i = 0; i < 3; i++) {
    const HnModule *module = &made.modules[made.script->pipelines[i].shaders[0].shader];
    uint32_t size = 0;
    for (size_t at = 5; at < module->count; at += module->words[at] >> 16)
      if ((module->words[at] & 0xffff) == SpvOpExecutionMode)
        size = module->words[at + 3];
    assert_int_equal(size, sizes[i]);
  }
  drop(&made);
}

static void glsl_errors(void **state) {
  (void)state;
  refused(COMPUTE("SHADER compute s GLSL\n#version 450\nvoid main() {\n x = 1;\n}\nEND\n"),
          "line 5: shader s: 'x' : undeclared identifier");
  refused(COMPUTE("SHADER compute s GLSL\n#version 450\nvoid main() {\nEND\n"), "shader s: ");
  refused(COMPUTE("SHADER compute s GLSL\nEND\n"), "shader s: ");
  refused("VIRTUAL_FILE f\n#version 450\nfoo\nEND\nSHADER compute s GLSL VIRTUAL_FILE f\n"
          "PIPELINE compute p\nATTACH s\nEND\n",
          "line 4: shader s: ");
}

#define ASM                                                                                        \
  "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %40 \"main\"\n"      \
  "OpExecutionMode %40 LocalSize 1 1 1\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"                 \
  "%40 = OpFunction %2 None %3\n%17 = OpLabel\nOpReturn\nOpFunctionEnd\nEND\n"

static void assembly(void **state) {
  (void)state;
  Made made = make(COMPUTE("SHADER compute s SPIRV-ASM TARGET_ENV spv1.5\n" ASM));
  const HnModule *module = &made.modules[0];
  assert_int_equal(module->words[1], 0x10500);
  assert_int_equal(module->words[3], 41);                 /* numeric ids are kept */
  assert_int_equal(module->words[module->count - 3], 17); /* OpLabel's id */
  drop(&made);
  refused(COMPUTE("SHADER compute s SPIRV-ASM\nOpCapability Shader\nOpFoo\nEND\n"),
          "line 4: shader s: Invalid Opcode");
}

#define HEX "03 02 23 07 00 00 01 00 00 00 00 00 01 00 00 00 00 00 00 00"

static void hexadecimal(void **state) {
  (void)state;
  expect_version(COMPUTE("SHADER compute s SPIRV-HEX\n0x03 0x02 0x23 0x07 0 0 1 0 0 0 0 0 1 0 0 0"
                         "\n0 0 0 0 11 0 02 0 1 0 0 0\nEND\n"),
                 0x10000);
  expect_version(COMPUTE("SHADER compute s SPIRV-HEX\n0x07230203 0x10300 0 1 0 20011 1\nEND\n"),
                 0x10300);
  expect_version(COMPUTE("SHADER compute s SPIRV-HEX\n07 23 02 03 0 1 2 0 0 0 0 0 0 0 0 1 0 0 0 0 "
                         "0 2 0 11 0 0 0 1\nEND\n"),
                 0x10200);
  refused(COMPUTE("SHADER compute s SPIRV-HEX\n" HEX "\n0x100\nEND\n"),
          "line 4: shader s: there is no hexadecimal number of 1 byte(s) at '0x100");
  refused(COMPUTE("SHADER compute s SPIRV-HEX\n" HEX " x\nEND\n"), "line 3: ");
  refused(COMPUTE("SHADER compute s SPIRV-HEX\n" HEX " 1\nEND\n"), "are not a SPIR-V module");
  refused(COMPUTE("SHADER compute s SPIRV-HEX\nEND\n"), "are not a SPIR-V module");
}

/* glslang's tables, if kept between translations, do not change a module. */
static void kept_tables(void **state) {
  (void)state;
  static const char text[] =
      COMPUTE("SHADER compute s GLSL TARGET_ENV spv1.4\n#version 450\nvoid main() {}\nEND\n"
              "SHADER fragment other GLSL\n#version 310 es\nnonsense\nEND\n"
              "SHADER fragment third GLSL\n#version 7\nnonsense\nEND\n");
  Made cold = make(text);
  HnShaderTables *tables = hn_shader_tables_open();
  uint32_t needed[HN_SHADER_TABLES];
  uint32_t count = hn_shader_tables_needed(cold.script, needed);
  assert_int_equal(count, 2); /* none for version 7 */
  for (uint32_t i = 0; i < 2 * count; i++)
    hn_shader_tables_warm(tables, needed[i / 2]);
  hn_shader_tables_warm(tables, UINT32_MAX);
  Made warm = make(text);
  hn_shader_tables_close(tables);
  assert_int_equal(cold.modules[0].count, warm.modules[0].count);
  assert_memory_equal(cold.modules[0].words, warm.modules[0].words, 4 * cold.modules[0].count);
  drop(&cold);
  drop(&warm);
}

static void others(void **state) {
  (void)state;
  /* A shader that no pipeline attaches is not translated. */
  Made made = make("SHADER vertex v PASSTHROUGH\nSHADER compute s GLSL\nnonsense\nEND\n"
                   "PIPELINE graphics g\nATTACH v\nEND\n");
  assert_true(made.modules[0].count > 20);
  assert_int_equal(made.modules[1].count, 0);
  drop(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(glsl),
      cmocka_unit_test(lowest_version),
      cmocka_unit_test(newer_extensions),
      cmocka_unit_test(glsl_errors),
      cmocka_unit_test(assembly),
      cmocka_unit_test(compile_options),
      cmocka_unit_test(hexadecimal),
      cmocka_unit_test(kept_tables),
      cmocka_unit_test(others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
