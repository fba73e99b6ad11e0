/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: their parameters as read from a module, what may be bound to them, and modules with the
 * errors that OpenCL C allows. */
#include "tests/unit/unit.h"

#include "harness/shader/kernel_parameters.h"
#include "harness/shader/kernel_strip.h"
#include "harness/shader/perturb.h"
#include "tests/harness/amber_text.h"

#include <math.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel as llvm-spirv writes them: the entry point only calls the function with the code. */
#define TYPES                                                                                      \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\nOpCapability Int64\n"        \
  "OpCapability ImageBasic\nOpCapability Int8\n%cl = OpExtInstImport \"OpenCL.std\"\n"             \
  "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %shell \"k\"\n"                            \
  "OpEntryPoint Kernel %small \"small\"\nOpExecutionMode %small LocalSize 4 2 1\n"                 \
  "OpName %a \"to\"\nOpName %b \"in\"\nOpName %c \"out\"\nOpName %d \"by\"\nOpName %e \"s\"\n"     \
  "OpName %f \"part\"\n"                                                                           \
  "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uchar = OpTypeInt 8 0\n%float = OpTypeFloat 32\n"  \
  "%v2uint = OpTypeVector %uint 2\n%v4uint = OpTypeVector %uint 4\n"                               \
  "%v4float = OpTypeVector %float 4\n%v3uchar = OpTypeVector %uchar 3\n"                           \
  "%sampler = OpTypeSampler\n%inout = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"             \
  "%into = OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly\n%both = OpTypeSampledImage %inout\n"    \
  "%p = OpTypePointer CrossWorkgroup %v4float\n%l = OpTypePointer Workgroup %float\n"              \
  "%k = OpTypeFunction %void %p %inout %into %v3uchar %sampler %l\n%n = OpTypeFunction %void\n"    \
  "%zero = OpConstant %float 0\n%i0 = OpConstant %uint 0\n"                                        \
  "%at = OpConstantComposite %v2uint %i0 %i0\n%at4 = OpConstantComposite %v4uint %i0 %i0 %i0 "     \
  "%i0\n"
#define BODY                                                                                       \
  "%proper = OpFunction %void None %k\n%a2 = OpFunctionParameter %p\n"                             \
  "%b2 = OpFunctionParameter %inout\n%c2 = OpFunctionParameter %into\n"                            \
  "%d2 = OpFunctionParameter %v3uchar\n%e2 = OpFunctionParameter %sampler\n"                       \
  "%f2 = OpFunctionParameter %l\n%start = OpLabel\n%both2 = OpSampledImage %both %b2 %e2\n"        \
  "%texel = OpImageSampleExplicitLod %v4uint %both2 %at Lod %zero\n"                               \
  "%old = OpLoad %v4float %a2 Aligned 16\n%exp = OpExtInst %v4float %cl exp %old\n"                \
  "%sum = OpFAdd %v4float %exp %old\nOpImageWrite %c2 %at4 %sum\n"                                 \
  "OpStore %a2 %sum Aligned 16\nOpReturn\nOpFunctionEnd\n"                                         \
  "%shell = OpFunction %void None %k\n%a = OpFunctionParameter %p\n"                               \
  "%b = OpFunctionParameter %inout\n%c = OpFunctionParameter %into\n"                              \
  "%d = OpFunctionParameter %v3uchar\n%e = OpFunctionParameter %sampler\n"                         \
  "%f = OpFunctionParameter %l\n%go = OpLabel\n"                                                   \
  "%done = OpFunctionCall %void %proper %a %b %c %d %e %f\nOpReturn\nOpFunctionEnd\n"              \
  "%small = OpFunction %void None %n\n%only = OpLabel\nOpReturn\nOpFunctionEnd\n"

static HnModule assemble(const char *text) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_4);
  spv_binary binary = NULL;
  assert_int_equal(spvTextToBinary(context, text, strlen(text), &binary, NULL), SPV_SUCCESS);
  uint32_t *words = malloc(binary->wordCount * sizeof *words);
  memcpy(words, binary->code, binary->wordCount * sizeof *words);
  HnModule module = {words, binary->wordCount};
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return module;
}

static void parameters(void **state) {
  (void)state;
  HnModule module = assemble(TYPES BODY);
  HnKernel k;
  assert_string_equal(hn_kernel_name(module, 0), "k");
  assert_string_equal(hn_kernel_name(module, 1), "small");
  assert_null(hn_kernel_name(module, 2));
  assert_true(hn_kernel_read(module, "k", &k) && k.found && k.needs_size);
  assert_int_equal(k.argument_count, 6);
  const HnArgument *a = k.arguments;
  assert_string_equal(a[0].name, "to");
  assert_true(a[0].kind == HN_ARGUMENT_BUFFER && a[0].is_float && a[0].bits == 32);
  assert_int_equal(a[0].components, 4);
  assert_true(a[1].kind == HN_ARGUMENT_IMAGE && a[1].dimensions == 2 && a[1].whole);
  assert_int_equal(a[1].access, HN_READ_ONLY);
  assert_true(a[2].kind == HN_ARGUMENT_IMAGE && a[2].dimensions == 3 && !a[2].whole);
  assert_int_equal(a[2].access, HN_WRITE_ONLY);
  assert_true(a[3].kind == HN_ARGUMENT_VALUE && !a[3].is_float && a[3].bits == 8);
  assert_int_equal(a[3].components, 3);
  assert_true(a[4].kind == HN_ARGUMENT_SAMPLER && a[5].kind == HN_ARGUMENT_LOCAL);
  hn_kernel_clear(&k);
  assert_true(hn_kernel_read(module, "small", &k) && k.found && !k.needs_size);
  assert_true(k.size[0] == 4 && k.size[1] == 2 && k.size[2] == 1 && !k.argument_count);
  hn_kernel_clear(&k);
  assert_true(hn_kernel_read(module, "other", &k) && !k.found);
  assert_true(hn_kernel_read((HnModule){module.words, 4}, "k", &k) && !k.found);
  free((void *)module.words);
}

/* Seven lines. */
#define HEAD                                                                                       \
  "SHADER compute k OPENCL-C\nEND\nBUFFER x DATA_TYPE uint32 SIZE 4 FILL 0\n"                      \
  "IMAGE i FORMAT R32_UINT DIM_2D WIDTH 1 HEIGHT 1\nSAMPLER s\nPIPELINE compute q\n"               \
  "ATTACH k ENTRY_POINT k SPECIALIZE 1 AS uint32 8 SPECIALIZE 5 AS uint32 3\n"

#define PIPELINE                                                                                   \
  HEAD "BIND BUFFER x KERNEL ARG_NAME to\nBIND BUFFER i AS sampled_image KERNEL ARG_NUMBER 1\n"    \
       "BIND BUFFER i AS storage_image KERNEL ARG_NAME out\n"                                      \
       "BIND BUFFER x KERNEL ARG_NAME part\nSET KERNEL ARG_NUMBER 3 AS vec3<uint8> 1 2 3\n"

/* `want` NULL: it can be bound. */
static void expect_bound(const char *text, const char *want) {
  HnModule module = assemble(TYPES BODY);
  AmberScript *script = amber_text_good(text);
  HnKernel k;
  char *message;
  assert_true(hn_kernel_read(module, "k", &k));
  HnBound *bound = hn_kernel_bind(&script->pipelines[0], &k, &message);
  if (want && (bound || strcmp(message, want) != 0))
    fail_msg("said '%s', wanted '%s'", bound ? "nothing" : message, want);
  if (!want) {
    static const HnBound all[] = {{0, AMBER_BIND_STORAGE},       {1, AMBER_BIND_SAMPLED_IMAGE},
                                  {2, AMBER_BIND_STORAGE_IMAGE}, {5, AMBER_BIND_STORAGE},
                                  {3, AMBER_BIND_UNIFORM},       {4, AMBER_BIND_SAMPLER}};
    assert_non_null(bound);
    for (uint32_t i = 0; i < 6; i++)
      assert_true(bound[i].number == all[i].number && bound[i].kind == all[i].kind);
  }
  uint32_t size[3];
  hn_kernel_size(&script->pipelines[0], &k, size);
  assert_true(size[0] == 1 && size[1] == 8 && size[2] == 1);
  free(message);
  free(bound);
  hn_kernel_clear(&k);
  amber_destroy(script);
  free((void *)module.words);
}

static void bindings(void **state) {
  (void)state;
  expect_bound(PIPELINE "BIND SAMPLER s KERNEL ARG_NAME s\nEND\n", NULL);
  expect_bound(PIPELINE "END\n", "line 7: pipeline q: the argument s has nothing bound to it");
  expect_bound(
      PIPELINE "BIND BUFFER x KERNEL ARG_NAME s\nEND\n",
      "line 14: pipeline q: the argument s is of a different kind than what is bound to it");
  expect_bound(PIPELINE "BIND SAMPLER s KERNEL ARG_NAME t\nEND\n",
               "line 14: pipeline q: the argument t is none of the kernel's");
  expect_bound(PIPELINE "BIND BUFFER x KERNEL ARG_NUMBER 0\nEND\n",
               "line 14: pipeline q: the argument to is bound twice");
  expect_bound(PIPELINE "BIND SAMPLER s KERNEL ARG_NUMBER 6\nEND\n",
               "line 14: pipeline q: the argument 6 is none of the kernel's");
}

/* The same six bindings, as clspv's shaders have them: by descriptor set, and images without AS. */
static void bindings_of_clspv(void **state) {
  (void)state;
  expect_bound(HEAD "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"
                    "BIND BUFFER i KERNEL ARG_NUMBER 1\nBIND BUFFER i KERNEL ARG_NAME out\n"
                    "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 5\n"
                    "SET KERNEL ARG_NUMBER 3 AS vec3<uint8> 1 2 3\n"
                    "BIND SAMPLER s DESCRIPTOR_SET 0 BINDING 4\nEND\n",
               NULL);
  expect_bound(PIPELINE "BIND SAMPLER s DESCRIPTOR_SET 1 BINDING 4\nEND\n",
               "line 14: pipeline q: the argument 4 of set 1 is none of the kernel's");
  expect_bound(PIPELINE "BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 5\nEND\n",
               "line 14: pipeline q: the argument part is bound twice");
  expect_bound(
      PIPELINE "BIND SAMPLER_ARRAY s s DESCRIPTOR_SET 0 BINDING 4\nEND\n",
      "line 14: pipeline q: the argument s is of a different kind than what is bound to it");
}

/* The factors of the module: how many there are, and the largest error. */
static uint32_t factors(HnModule module, float *worst) {
  uint32_t products = 0;
  *worst = 0;
  for (size_t at = 5; at < module.count; at += module.words[at] >> 16) {
    uint32_t op = module.words[at] & 0xffff;
    float value;
    memcpy(&value, &module.words[at + 3], sizeof value);
    products += op == 133; /* OpFMul */
    if (op == 43 && value != 0 && fabsf(value - 1) < 0.5f)
      *worst = fmaxf(*worst, fabsf(value - 1));
  }
  return products;
}

static void perturbed(void **state) {
  (void)state;
  HnModule module = assemble(TYPES BODY);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_4);
  float worst, most = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    HnModule made = hn_perturb(module, seed, true), again = hn_perturb(module, seed, true);
    spv_const_binary_t binary = {made.words, made.count};
    assert_int_equal(spvValidate(context, &binary, NULL), SPV_SUCCESS);
    assert_int_equal(made.count, again.count);
    assert_memory_equal(made.words, again.words, made.count * sizeof *made.words);
    /* `exp` may err by 3 units in the last place; sampling integers, and sums, may not err. */
    assert_int_equal(factors(made, &worst), 1);
    most = fmaxf(most, worst);
    free((void *)made.words);
    free((void *)again.words);
  }
  assert_true(most == 3 * 0x1p-23f);
  assert_null(hn_perturb((HnModule){module.words, 3}, 1, true).words);
  spvContextDestroy(context);
  free((void *)module.words);
}

static uint32_t functions(HnModule module) {
  uint32_t count = 0;
  for (size_t at = 5; at < module.count; at += module.words[at] >> 16)
    count += (module.words[at] & 0xffff) == 54; /* OpFunction */
  return count;
}

/* Only the functions that the pipelines attach stay, with those that they call. */
static void stripped(void **state) {
  const char *why;
  (void)state;
  HnModule module = assemble(TYPES BODY);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_4);
  static const struct {
    const char *kernel;
    uint32_t functions;
  } cases[] = {{"k", 2}, {"small", 1}, {"other", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "SHADER compute k OPENCL-C\nEND\nPIPELINE compute q\nATTACH k ENTRY_POINT %s\nEND\n",
             cases[i].kernel);
    AmberScript *script = amber_text_good(text);
    HnModule made = hn_kernel_strip(script, 0, module, &why);
    assert_int_equal(functions(made), cases[i].functions);
    assert_null(hn_kernel_name(made, cases[i].functions != 0));
    spv_const_binary_t binary = {made.words, made.count};
    assert_int_equal(spvValidate(context, &binary, NULL), SPV_SUCCESS);
    free((void *)made.words);
    amber_destroy(script);
  }
  spvContextDestroy(context);
  uint32_t *words = (uint32_t *)module.words;
  AmberScript *script = amber_text_good("SHADER compute k OPENCL-C\nEND\n");
  words[3] = UINT32_MAX; /* the bound of its ids */
  assert_null(hn_kernel_strip(script, 0, module, &why).words);
  assert_string_equal(why, "the installed SPIRV-Tools cannot read the kernels' module");
  amber_destroy(script);
  free(words);
}

/* Mutations of a module do no harm. */
static void mutations(void **state) {
  (void)state;
  HnModule module = assemble(TYPES BODY);
  srand(1);
  for (int i = 0; i < 5000; i++) {
    uint32_t *words = malloc(module.count * sizeof *words);
    memcpy(words, module.words, module.count * sizeof *words);
    for (int k = rand() % 4; k >= 0; k--)
      words[(size_t)rand() % module.count] ^= 1u << rand() % 32;
    HnKernel kernel;
    size_t count = rand() % 2 ? module.count : (size_t)rand() % module.count;
    hn_kernel_read((HnModule){words, count}, "k", &kernel);
    hn_kernel_clear(&kernel);
    free(words);
  }
  free((void *)module.words);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters), cmocka_unit_test(bindings), cmocka_unit_test(bindings_of_clspv),
      cmocka_unit_test(perturbed),  cmocka_unit_test(stripped), cmocka_unit_test(mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
