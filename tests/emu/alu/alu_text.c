/* SPDX-License-Identifier: Apache-2.0 */
/* alu_text: see alu_text.h. */
#include "tests/emu/alu/alu_text.h"

#include <math.h>
#include <spirv-tools/libspirv.h>
#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the module ------------------------------------------------------------------------------ */

#define TYPES                                                                                      \
  "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"                           \
  "%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%uchar = OpTypeInt 8 0\n"                      \
  "%ushort = OpTypeInt 16 0\n%ulong = OpTypeInt 64 0\n%half = OpTypeFloat 16\n"                    \
  "%double = OpTypeFloat 64\n"                                                                     \
  "%v2uint = OpTypeVector %uint 2\n%v3uint = OpTypeVector %uint 3\n%v4uint = OpTypeVector %uint "  \
  "4\n"                                                                                            \
  "%v2float = OpTypeVector %float 2\n%v3float = OpTypeVector %float 3\n"                           \
  "%v4float = OpTypeVector %float 4\n%v2bool = OpTypeVector %bool 2\n"                             \
  "%v4bool = OpTypeVector %bool 4\n%v4uchar = OpTypeVector %uchar 4\n"                             \
  "%v2ushort = OpTypeVector %ushort 2\n%v2half = OpTypeVector %half 2\n"                           \
  "%v2double = OpTypeVector %double 2\n"                                                           \
  "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"                 \
  "%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n%c5 = OpConstant %uint 5\n"                 \
  "%c7 = OpConstant %uint 7\n%c31 = OpConstant %uint 31\n%words = OpConstant %uint 32\n"           \
  "%stride = OpConstant %uint 16\n%f_2 = OpConstant %float 2\n%true = OpConstantTrue %bool\n"

static const char shader_head[] =
    "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\nOpCapability Int64\n"
    "OpCapability Float16\nOpCapability Float64\nOpCapability DotProduct\n"
    "OpCapability DotProductInputAll\nOpCapability DotProductInput4x8Bit\n"
    "OpCapability DotProductInput4x8BitPacked\nOpCapability ExpectAssumeKHR\n"
    "OpExtension \"SPV_KHR_expect_assume\"\n"
    "%ext = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %id %in %out\nOpExecutionMode %main LocalSize 32 1 1\n"
    "OpDecorate %id BuiltIn LocalInvocationIndex\nOpDecorate %array ArrayStride 4\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n";
static const char shader_types[] = TYPES
    "%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
    "%p_block = OpTypePointer StorageBuffer %block\n%p_uint = OpTypePointer StorageBuffer %uint\n"
    "%p_id = OpTypePointer Input %uint\n%id = OpVariable %p_id Input\n"
    "%in = OpVariable %p_block StorageBuffer\n%out = OpVariable %p_block StorageBuffer\n"
    "%fp_float = OpTypePointer Function %float\n%fp_v2float = OpTypePointer Function %v2float\n"
    "%fp_v2uint = OpTypePointer Function %v2uint\n";
static const char shader_main[] =
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
    "%var_float = OpVariable %fp_float Function\n%var_v2float = OpVariable %fp_v2float Function\n"
    "%var_v2uint = OpVariable %fp_v2uint Function\n%lane = OpLoad %uint %id\n";

static const char kernel_head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int8\nOpCapability Int16\n"
    "OpCapability Int64\nOpCapability Float16\nOpCapability Float64\nOpCapability Vector16\n"
    "%ext = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"main\" %id\nOpDecorate %id BuiltIn LocalInvocationIndex\n";
static const char kernel_types[] = TYPES
    "%p_uint = OpTypePointer CrossWorkgroup %uint\n%p_float = OpTypePointer CrossWorkgroup %float\n"
    "%p_half = OpTypePointer CrossWorkgroup %half\n"
    "%p_id = OpTypePointer Input %ulong\n%id = OpVariable %p_id Input\n"
    "%fp_float = OpTypePointer Function %float\n%fp_v2float = OpTypePointer Function %v2float\n"
    "%fp_v2uint = OpTypePointer Function %v2uint\n%fp_uint = OpTypePointer Function %uint\n"
    "%kernel = OpTypeFunction %void %p_uint %p_uint\n";
static const char kernel_main[] =
    "%main = OpFunction %void None %kernel\n%in = OpFunctionParameter %p_uint\n"
    "%out = OpFunctionParameter %p_uint\n%entry = OpLabel\n"
    "%var_float = OpVariable %fp_float Function\n%var_v2float = OpVariable %fp_v2float Function\n"
    "%var_v2uint = OpVariable %fp_v2uint Function\n%var_uint = OpVariable %fp_uint Function\n"
    "%lane_ = OpLoad %ulong %id\n%lane = OpUConvert %uint %lane_\n";

typedef struct Writer {
  char *at;
  size_t room;
} Writer;

__attribute__((format(printf, 2, 3))) static void put(Writer *w, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vsnprintf(w->at, w->room, format, list);
  va_end(list);
  assert_true(count >= 0 && (size_t)count < w->room);
  w->at += count;
  w->room -= (size_t)count;
}

static const char *place(bool kernel) {
  return kernel ? "OpPtrAccessChain %p_uint" : "OpAccessChain %p_uint";
}

static void write_module(const AluText *text, bool kernel, char *to, size_t size) {
  Writer w = {to, size};
  const char *member = kernel ? "" : " %c0";
  put(&w, "%s%s", kernel ? kernel_head : shader_head, text->annotations ? text->annotations : "");
  put(&w, "%s%s%s", kernel ? kernel_types : shader_types, text->types,
      kernel ? kernel_main : shader_main);
  put(&w, "%%base = OpIMul %%uint %%lane %%words\n%%to = OpIMul %%uint %%lane %%stride\n");
  for (uint32_t i = 0; i < 2 * ALU_TEXT_WORDS; i++) {
    bool real = i >= ALU_TEXT_WORDS;
    uint32_t n = i % ALU_TEXT_WORDS;
    put(&w, "%%ip%u = %s %%in%s %%ia%u\n%s%u = OpLoad %%uint %%ip%u\n", i, place(kernel), member, i,
        real ? "%w" : "%u", n, i);
    if (real)
      put(&w, "%%f%u = OpBitcast %%float %%w%u\n", n, n);
  }
  put(&w, "%s\n", text->body);
  for (uint32_t i = 0; text->results[i]; i++) {
    if (text->results[i] == 'f')
      put(&w, "%%s%u = OpBitcast %%uint %%o%u\n", i, i);
    else if (text->results[i] == 'b')
      put(&w, "%%s%u = OpSelect %%uint %%o%u %%c1 %%c0\n", i, i);
    else
      put(&w, "%%s%u = OpCopyObject %%uint %%o%u\n", i, i);
    put(&w, "%%op%u = %s %%out%s %%oa%u\nOpStore %%op%u %%s%u\n", i, place(kernel), member, i, i,
        i);
  }
  put(&w, "OpReturn\nOpFunctionEnd\n");
}

/* Inserts the constants and indices of a lane's inputs and outputs: the indices follow the
 * computation of %to, before their first use. */
static char *with_indices(const char *module) {
  static const char mark[] = "%to = OpIMul %uint %lane %stride\n";
  const char *at = strstr(module, mark) + strlen(mark);
  size_t room = strlen(module) + 16384;
  char *result = malloc(room);
  Writer w = {result, room};
  const char *functions = strstr(module, "%main = OpFunction");
  put(&w, "%.*s", (int)(functions - module), module);
  for (uint32_t i = 0; i < 2 * ALU_TEXT_WORDS; i++)
    put(&w, "%%in_%u = OpConstant %%uint %u\n", i, i);
  put(&w, "%.*s", (int)(at - functions), functions);
  for (uint32_t i = 0; i < 2 * ALU_TEXT_WORDS; i++)
    put(&w, "%%ia%u = OpIAdd %%uint %%base %%in_%u\n", i, i);
  for (uint32_t i = 0; i < ALU_TEXT_WORDS; i++)
    put(&w, "%%oa%u = OpIAdd %%uint %%to %%in_%u\n", i, i);
  put(&w, "%s", at);
  return result;
}

static spv_binary assemble(const AluText *text, bool kernel) {
  enum { ROOM = 65536 };
  char *module = malloc(ROOM);
  write_module(text, kernel, module, ROOM);
  char *whole = with_indices(module);
  spv_context context = spvContextCreate(kernel ? SPV_ENV_OPENCL_2_1 : SPV_ENV_VULKAN_1_3);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  spv_result_t status = spvTextToBinary(context, whole, strlen(whole), &binary, &diagnostic);
  if (status != SPV_SUCCESS)
    fail_msg("%s: line %zu: %s", text->name, diagnostic->position.line, diagnostic->error);
  spvContextDestroy(context);
  free(module);
  free(whole);
  return binary;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void fill(AluInput *in, uint64_t *seed) {
  for (uint32_t l = 0; l < ALU_TEXT_LANES; l++)
    for (uint32_t i = 0; i < ALU_TEXT_WORDS; i++) {
      uint32_t bits = unit_below(seed, 0x7fffffff) << 1 ^ unit_below(seed, 0x7fffffff);
      in[l].u[i] = bits >> (unit_below(seed, 3) == 0 ? unit_below(seed, 32) : 0);
      in[l].f[i] = ((float)unit_below(seed, 1 << 20) - (1 << 19)) * 0x1p-17f;
    }
}

static bool same(const AluText *text, uint32_t i, uint32_t given, uint32_t expected) {
  float a, b;
  memcpy(&a, &given, sizeof a);
  memcpy(&b, &expected, sizeof b);
  if (text->results[i] != 'f')
    return given == expected;
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  return given == expected || fabsf(a - b) <= text->tolerance * fmaxf(1, fabsf(b));
}

static void compare(const AluText *text, const AluInput *in, const uint32_t *out) {
  for (uint32_t l = 0; l < ALU_TEXT_LANES; l++) {
    uint32_t expected[ALU_TEXT_WORDS] = {0};
    text->expected(&in[l], expected);
    for (uint32_t i = 0; text->results[i]; i++)
      if (!same(text, i, out[l * ALU_TEXT_WORDS + i], expected[i]))
        fail_msg("%s: result %u of invocation %u is %#x, expected %#x", text->name, i, l,
                 out[l * ALU_TEXT_WORDS + i], expected[i]);
  }
}

static spv_emu_status load(const AluText *text, bool kernel, spv_emu_program **program,
                           char *message, size_t size) {
  spv_binary binary = assemble(text, kernel);
  spv_emu_load_options options = {.subgroup_size = ALU_TEXT_LANES,
                                  .local_size = {ALU_TEXT_LANES, 1, 1}};
  spv_emu_status status =
      spv_emu_load(binary->code, binary->wordCount, &options, program, message, size);
  spvBinaryDestroy(binary);
  return status;
}

static void run(const AluText *text, bool kernel, uint64_t *seed) {
  char message[512] = "";
  spv_emu_program *program;
  if (load(text, kernel, &program, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s: %s", text->name, message);
  AluInput in[ALU_TEXT_LANES];
  uint32_t out[ALU_TEXT_LANES * ALU_TEXT_WORDS] = {0};
  fill(in, seed);
  spv_emu_buffer buffers[] = {{.binding = 0, .bytes = in, .size = sizeof in},
                              {.binding = 1, .bytes = out, .size = sizeof out}};
  spv_emu_run_options options = {.groups = {1, 1, 1}, .buffers = buffers, .buffer_count = 2};
  spv_emu_result *result;
  if (spv_emu_run(program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s: %s", text->name, message);
  if (result->outcome != SPV_EMU_RAN)
    fail_msg("%s: %s", text->name, result->message);
  compare(text, in, out);
  spv_emu_result_free(result);
  spv_emu_free(program);
}

static void run_all(const AluText *text, bool kernel, uint64_t *seed) {
  static const char *const isas[] = {"baseline", "avx2", "avx512"};
  for (uint32_t i = 0; i < 3; i++) {
    setenv("SPV_EMU_ISA", isas[i], 1);
    run(text, kernel, seed);
  }
}

void alu_text_shader(const AluText *text, uint64_t *seed) {
  run_all(text, false, seed);
}

void alu_text_kernel(const AluText *text, uint64_t *seed) {
  run_all(text, true, seed);
}

void alu_text_refused(const AluText *text, bool kernel, char *message, size_t size) {
  spv_emu_program *program;
  assert_int_equal(load(text, kernel, &program, message, size), SPV_EMU_BAD_INPUT);
}
