/* SPDX-License-Identifier: Apache-2.0 */
/* Images that are made up: their format follows from the name of the SPIR-V format, or from the
 * type of a texel, their extents from the dimension. Dispatches that are made up: groups in x, and
 * in the other dimensions that a workgroup has. */
#include "spv-emu/cases/guess.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is made up for one image ----------------------------------------------------------- */

typedef struct Image {
  const char *texel, *dimension, *format; /* words of OpTypeImage; texel: "%float" */
  bool depth, arrayed, sampled;
} Image;

static void word_image(const Image *image, char *text, size_t size) {
  snprintf(text, size,
           "OpCapability Shader\n"
           "OpCapability Int64\n"
           "OpCapability Int64ImageEXT\n"
           "OpCapability Image1D\n"
           "OpCapability ImageBuffer\n"
           "OpCapability StorageImageExtendedFormats\n"
           "OpExtension \"SPV_EXT_shader_image_int64\"\n"
           "OpMemoryModel Logical GLSL450\n"
           "OpEntryPoint GLCompute %%main \"main\" %%image\n"
           "OpExecutionMode %%main LocalSize 32 20 17\n"
           "OpDecorate %%image DescriptorSet 1\n"
           "OpDecorate %%image Binding 2\n"
           "%%void = OpTypeVoid\n"
           "%%f = OpTypeFunction %%void\n"
           "%%float = OpTypeFloat 32\n"
           "%%uint = OpTypeInt 32 0\n"
           "%%int = OpTypeInt 32 1\n"
           "%%ulong = OpTypeInt 64 0\n"
           "%%long = OpTypeInt 64 1\n"
           "%%type = OpTypeImage %s %s %d %d 0 %d %s\n"
           "%%pointer = OpTypePointer UniformConstant %%type\n"
           "%%image = OpVariable %%pointer UniformConstant\n"
           "%%main = OpFunction %%void None %%f\n"
           "%%entry = OpLabel\n"
           "%%loaded = OpLoad %%type %%image\n"
           "OpReturn\n"
           "OpFunctionEnd\n",
           image->texel, image->dimension, image->depth, image->arrayed, image->sampled ? 1 : 2,
           image->format);
}

/* The image that is made up, in the syntax of --buffer without place and seed, must be `wanted`. */
static void expect_image(const Image *image, const char *wanted) {
  char text[2000], message[300];
  word_image(image, text, sizeof text);
  spv_binary words = assembled_words(SPV_ENV_UNIVERSAL_1_5, text);
  const spv_emu_load_options load = {.shapes = true, .subgroup_size = 32};
  spv_emu_program *program;
  if (spv_emu_load(words->code, words->wordCount, &load, &program, message, sizeof message) !=
      SPV_EMU_OK)
    fail_msg("%s", message);
  const EmuBareOptions given = {.groups = {1, 1, 1}};
  EmuGuess guess;
  if (!emu_guess(program, &given, 5, 1, &guess, message, sizeof message))
    fail_msg("%s", message);
  assert_int_equal(guess.count, 1);
  assert_int_equal(guess.items[0].kind, EMU_GUESS_BUFFER);
  snprintf(text, sizeof text, "1:2:%s=random:5", wanted);
  assert_string_equal(guess.items[0].text, text);
  emu_guess_free(&guess);
  spv_emu_free(program);
  spvBinaryDestroy(words);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* "Rgba16Snorm" is "R16G16B16A16_SNORM": as many channels as letters, all of one size. */
static void name_of(const char *format, char *name, size_t size) {
  static const struct {
    const char *end, *kind;
  } kinds[] = {{"f", "SFLOAT"}, {"ui", "UINT"}, {"i", "SINT"}, {"Snorm", "SNORM"}, {"", "UNORM"}};
  size_t letters = strcspn(format, "0123456789");
  unsigned bits = (unsigned)strtoul(format + letters, NULL, 10);
  const char *end = format + letters + strspn(format + letters, "0123456789");
  *name = 0;
  for (size_t i = 0; i < letters; i++)
    snprintf(name + strlen(name), size - strlen(name), "%c%u", "RGBA"[i], bits);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(end, kinds[i].end) == 0)
      snprintf(name + strlen(name), size - strlen(name), "_%s", kinds[i].kind);
}

static void a_format_has_its_name(void **state) {
  (void)state;
  static const char *const regular[] = {
      "Rgba32f",   "Rgba16f",  "R32f",     "Rgba8",   "Rgba8Snorm", "Rg32f",   "Rg16f",
      "R16f",      "Rgba16",   "Rg16",     "Rg8",     "R16",        "R8",      "Rgba16Snorm",
      "Rg16Snorm", "Rg8Snorm", "R16Snorm", "R8Snorm", "Rgba32i",    "Rgba16i", "Rgba8i",
      "R32i",      "Rg32i",    "Rg16i",    "Rg8i",    "R16i",       "R8i",     "Rgba32ui",
      "Rgba16ui",  "Rgba8ui",  "R32ui",    "Rg32ui",  "Rg16ui",     "Rg8ui",   "R16ui",
      "R8ui",      "R64ui",    "R64i"};
  static const char *const others[][2] = {{"R11fG11fB10f", "B10G11R11_UFLOAT_PACK32"},
                                          {"Rgb10A2", "A2B10G10R10_UNORM_PACK32"},
                                          {"Rgb10a2ui", "A2B10G10R10_UINT_PACK32"}};
  char name[100], wanted[120];
  for (size_t i = 0; i < sizeof regular / sizeof *regular; i++) {
    size_t length = strlen(regular[i]);
    bool wide = strstr(regular[i], "64"), is_unsigned = length > 2 && regular[i][length - 2] == 'u',
         whole = regular[i][length - 1] == 'i';
    Image image = {.texel = !whole        ? "%float"
                            : wide        ? is_unsigned ? "%ulong" : "%long"
                            : is_unsigned ? "%uint"
                                          : "%int",
                   .dimension = "2D",
                   .format = regular[i]};
    name_of(regular[i], name, sizeof name);
    snprintf(wanted, sizeof wanted, "%s[32x20]", name);
    expect_image(&image, wanted);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    Image image = {.texel = i == 2 ? "%uint" : "%float", .dimension = "2D", .format = others[i][0]};
    snprintf(wanted, sizeof wanted, "%s[32x20]", others[i][1]);
    expect_image(&image, wanted);
  }
}

/* An image without a format gets four components of the texel's type, or one if depths are
 * compared. */
static void a_texel_without_a_format(void **state) {
  (void)state;
  static const char *const types[][2] = {{"%float", "R32G32B32A32_SFLOAT[32x20]"},
                                         {"%uint", "R32G32B32A32_UINT[32x20]"},
                                         {"%int", "R32G32B32A32_SINT[32x20]"}};
  for (int sampled = 0; sampled < 2; sampled++)
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
      expect_image(&(Image){types[i][0], "2D", "Unknown", .sampled = sampled}, types[i][1]);
  expect_image(&(Image){"%float", "2D", "Unknown", .depth = true, .sampled = true},
               "R32_SFLOAT[32x20]");
}

static void extents_of_dimensions(void **state) {
  (void)state;
  static const struct {
    const char *dimension, *plain, *arrayed; /* arrayed NULL: it cannot be */
  } all[] = {{"1D", "R32_SFLOAT[32]", "R32_SFLOAT[32x4]"},
             {"2D", "R32_SFLOAT[32x20]", "R32_SFLOAT[32x20x4]"},
             {"3D", "R32_SFLOAT[32x20x17]", NULL},
             {"Cube", "R32_SFLOAT[32x32x6]", NULL},
             {"Buffer", "R32_SFLOAT[10880]", NULL}}; /* a texel for each invocation */
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    expect_image(&(Image){"%float", all[i].dimension, "R32f", .depth = false}, all[i].plain);
    if (all[i].arrayed)
      expect_image(&(Image){"%float", all[i].dimension, "R32f", .arrayed = true}, all[i].arrayed);
  }
}

/* ---- dispatches -------------------------------------------------------------------------------
 */

static void expect_groups(const uint32_t local[3], const uint32_t wanted[3]) {
  char text[600], message[300];
  snprintf(text, sizeof text,
           "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint GLCompute %%main \"main\"\n"
           "OpExecutionMode %%main LocalSize %u %u %u\n"
           "%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n"
           "%%main = OpFunction %%void None %%f\n%%entry = OpLabel\nOpReturn\nOpFunctionEnd\n",
           local[0], local[1], local[2]);
  spv_binary words = assembled_words(SPV_ENV_UNIVERSAL_1_5, text);
  const spv_emu_load_options load = {.subgroup_size = 32};
  spv_emu_program *program;
  if (spv_emu_load(words->code, words->wordCount, &load, &program, message, sizeof message) !=
      SPV_EMU_OK)
    fail_msg("%s", message);
  uint32_t groups[3];
  emu_guess_dispatch(program, groups);
  for (int i = 0; i < 3; i++)
    if (groups[i] != wanted[i])
      fail_msg("workgroups of %u %u %u: %u %u %u groups", local[0], local[1], local[2], groups[0],
               groups[1], groups[2]);
  spv_emu_free(program);
  spvBinaryDestroy(words);
}

static void groups_of_a_dispatch(void **state) {
  (void)state;
  static const struct {
    uint32_t local[3], groups[3];
  } all[] = {
      {{1, 1, 1}, {256, 1, 1}}, {{64, 1, 1}, {4, 1, 1}},   {{255, 1, 1}, {2, 1, 1}},
      {{256, 1, 1}, {1, 1, 1}}, {{1024, 1, 1}, {1, 1, 1}}, {{8, 8, 1}, {2, 2, 1}},
      {{1, 8, 1}, {8, 4, 1}},   {{1, 1, 8}, {8, 1, 4}},    {{4, 4, 4}, {2, 2, 1}},
      {{2, 2, 2}, {4, 4, 2}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    expect_groups(all[i].local, all[i].groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_format_has_its_name),
      cmocka_unit_test(a_texel_without_a_format),
      cmocka_unit_test(extents_of_dimensions),
      cmocka_unit_test(groups_of_a_dispatch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
