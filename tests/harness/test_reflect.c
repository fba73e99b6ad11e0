/* SPDX-License-Identifier: Apache-2.0 */
/* What pipelines must provide for their shaders, and the messages if they do not. */
#include "tests/unit/unit.h"

#include "harness/backend/reflect.h"
#include "harness/shader/shader.h"
#include "tests/harness/amber_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `want` NULL: no error. */
static void expect(const char *text, const char *want) {
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  char *message;
  if (hn_shaders_make(script, &modules, &message) != HN_PASS)
    fail_msg("%s", message);
  bool good = hn_pipelines_check(script, modules, &message);
  if (good == (want != NULL) || (want && strcmp(message, want) != 0))
    fail_msg("said '%s', wanted '%s' for:\n%s", message, want, text);
  free(message);
  hn_shaders_free(modules, script->shader_count);
  amber_destroy(script);
}

#define SHADER                                                                                     \
  "SHADER compute s GLSL\n#version 450\n"                                                          \
  "layout(set = 0, binding = 0) buffer B { uint b[]; };\n"                                         \
  "layout(set = 2, binding = 7) uniform U { uint u; };\n"                                          \
  "layout(push_constant) uniform P { uint p; };\n"                                                 \
  "uint deep(uint n) { return n + u; }\n"                                                          \
  "uint unused() { return b[1]; }\n"                                                               \
  "void main() { BODY; }\nEND\n"                                                                   \
  "BUFFER x DATA_TYPE uint32 SIZE 4 FILL 0\nPIPELINE compute q\nATTACH s\n"
#define STORAGE "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"
#define UNIFORM "BIND BUFFER x AS uniform DESCRIPTOR_SET 2 BINDING 7\n"
#define PUSH "BIND BUFFER x AS push_constant\n"
#define OPTION(body) "COMPILE_OPTIONS s\n-DBODY=" body "\nEND\n"
#define RUN "END\nRUN q 1 1 1\n"

static void bindings(void **state) {
  (void)state;
  expect(SHADER OPTION("b[0]=deep(p)") STORAGE UNIFORM PUSH RUN, NULL);
  expect(SHADER OPTION("b[0]=deep(p)") UNIFORM PUSH RUN,
         "line 13: shader s uses set 0, binding 0, to which pipeline q binds nothing");
  expect(SHADER OPTION("b[0]=deep(p)") STORAGE PUSH RUN,
         "line 13: shader s uses set 2, binding 7, to which pipeline q binds nothing");
  expect(SHADER OPTION("b[0]=deep(p)") STORAGE UNIFORM RUN,
         "line 13: shader s uses push constants, to which pipeline q binds nothing");
  /* Only what the entry point can reach counts, and only in pipelines that run. */
  expect(SHADER OPTION("b[0]=1u") STORAGE RUN, NULL);
  expect(SHADER OPTION("b[0]=1u") "END\n", NULL);
}

#define SIZED(layout, rest)                                                                        \
  "SHADER compute s GLSL\n#version 450\n" layout                                                   \
  "\nvoid main() {}\nEND\nPIPELINE compute q\nATTACH s" rest "\n" RUN
#define ASSEMBLED(mode, constants)                                                                 \
  "SHADER compute s SPIRV-ASM TARGET_ENV spv1.2\nOpCapability Shader\n"                            \
  "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\n" mode                       \
  "\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%u = OpTypeInt 32 0\n" constants                     \
  "%f = OpFunction %v None %t\n%l = OpLabel\nOpReturn\nOpFunctionEnd\nEND\n"                       \
  "PIPELINE compute q\nATTACH s\n" RUN

static void empty_workgroups(void **state) {
  (void)state;
  expect(SIZED("layout(local_size_x_id = 5) in;", ""), NULL);
  expect(SIZED("layout(local_size_x_id = 5) in;", " SPECIALIZE 5 AS uint32 3"), NULL);
  expect(SIZED("layout(local_size_y_id = 5) in;", " SPECIALIZE 5 AS uint32 0"),
         "line 8: shader s has workgroups of 1 x 0 x 1 invocations; each must be 1 or more");
  expect(ASSEMBLED("OpExecutionMode %f LocalSize 4 1 0", ""),
         "line 16: shader s has workgroups of 4 x 1 x 0 invocations; each must be 1 or more");
  expect(ASSEMBLED("OpExecutionModeId %f LocalSizeId %two %zero %two",
                   "%zero = OpConstantNull %u\n%two = OpConstant %u 2\n"),
         "line 18: shader s has workgroups of 2 x 0 x 2 invocations; each must be 1 or more");
}

static void entry_points(void **state) {
  (void)state;
  expect("SHADER compute s GLSL\n#version 450\nvoid main() {}\nEND\n"
         "PIPELINE compute q\nATTACH s ENTRY_POINT other\n" RUN,
         "line 7: shader s has no entry point 'other'");
#define ASM(model)                                                                                 \
  "SHADER compute s SPIRV-ASM\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"               \
  "OpEntryPoint " model " %1 \"main\"\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n"                  \
  "%1 = OpFunction %2 None %3\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\nEND\n"                       \
  "PIPELINE compute q\nATTACH s\n" RUN
  expect(ASM("GLCompute"), NULL);
  expect(ASM("Vertex"), "line 14: shader s has the entry point 'main' for another stage");
}

static uint64_t outputs_of(const char *outputs) {
  char *text;
  if (asprintf(&text,
               "SHADER vertex v PASSTHROUGH\nSHADER fragment f GLSL\n#version 450\n%s\n"
               "void main() {}\nEND\nPIPELINE graphics p\nATTACH v\nATTACH f\nEND\n",
               outputs) < 0)
    fail();
  AmberScript *script = amber_text_good(text);
  HnModule *modules;
  char *message;
  HnInterface interface;
  if (hn_shaders_make(script, &modules, &message) != HN_PASS)
    fail_msg("%s", message);
  assert_true(hn_reflect(modules[1], AMBER_FRAGMENT, "main", &interface));
  uint64_t locations = interface.outputs;
  hn_interface_clear(&interface);
  hn_shaders_free(modules, script->shader_count);
  amber_destroy(script);
  free(text);
  return locations;
}

static void outputs(void **state) {
  (void)state;
  assert_int_equal(outputs_of(""), 0);
  assert_int_equal(outputs_of("layout(location = 1) out vec4 o;"), 2);
  assert_int_equal(outputs_of("layout(location = 2) out vec4 o[3];\n"
                              "layout(location = 0) out float p;"),
                   1 | 4 | 8 | 16);
}

/* Mutations of a module cause no crash. */
static void mutations(void **state) {
  (void)state;
  AmberScript *script = amber_text_good(SHADER OPTION("b[0]=deep(p)") STORAGE UNIFORM PUSH RUN);
  HnModule *modules;
  char *message;
  if (hn_shaders_make(script, &modules, &message) != HN_PASS)
    fail_msg("%s", message);
  HnModule module = modules[script->pipelines[0].shaders[0].shader];
  unsigned seed = 1, read = 0;
  print_message("seed %u\n", seed);
  srand(seed);
  for (int i = 0; i < 5000; i++) {
    uint32_t *words = malloc(module.count * sizeof *words);
    memcpy(words, module.words, module.count * sizeof *words);
    for (int k = rand() % 4; k >= 0; k--)
      words[(size_t)rand() % module.count] ^= 1u << rand() % 32;
    HnInterface interface;
    size_t count = rand() % 2 ? module.count : (size_t)rand() % module.count;
    read += hn_reflect((HnModule){words, count}, AMBER_COMPUTE, "main", &interface);
    hn_interface_clear(&interface);
    free(words);
  }
  assert_true(read > 100 && read < 4900);
  hn_shaders_free(modules, script->shader_count);
  amber_destroy(script);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bindings),     cmocka_unit_test(empty_workgroups),
      cmocka_unit_test(entry_points), cmocka_unit_test(outputs),
      cmocka_unit_test(mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
