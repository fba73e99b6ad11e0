/* SPDX-License-Identifier: Apache-2.0 */
/* amber_choice: see amber_choice.h. */
#include "spv-emu/script/amber_choice.h"

#include <ctype.h>
#include <string.h>

/* ---- tables: the numbers are Vulkan's -------------------------------------------------------- */

static const AmberChoice compare_ops[] = {{"never", 0},
                                          {"less", 1},
                                          {"equal", 2},
                                          {"less_or_equal", 3},
                                          {"greater", 4},
                                          {"not_equal", 5},
                                          {"greater_or_equal", 6},
                                          {"always", 7}};

const AmberChoices amber_compare_ops = {compare_ops, AMBER_COUNT(compare_ops), "compare operation"};

static const AmberChoice stencil_ops[] = {{"keep", 0},
                                          {"zero", 1},
                                          {"replace", 2},
                                          {"increment_and_clamp", 3},
                                          {"decrement_and_clamp", 4},
                                          {"invert", 5},
                                          {"increment_and_wrap", 6},
                                          {"decrement_and_wrap", 7}};

const AmberChoices amber_stencil_ops = {stencil_ops, AMBER_COUNT(stencil_ops), "stencil operation"};

static const AmberChoice blend_factors[] = {
    {"zero", 0},
    {"one", 1},
    {"src_color", 2},
    {"one_minus_src_color", 3},
    {"dst_color", 4},
    {"one_minus_dst_color", 5},
    {"src_alpha", 6},
    {"one_minus_src_alpha", 7},
    {"dst_alpha", 8},
    {"one_minus_dst_alpha", 9},
    {"constant_color", 10},
    {"one_minus_constant_color", 11},
    {"constant_alpha", 12},
    {"one_minus_constant_alpha", 13},
    {"src_alpha_saturate", 14},
    {"src1_color", 15},
    {"one_minus_src1_color", 16},
    {"src1_alpha", 17},
    {"one_minus_src1_alpha", 18},
};

const AmberChoices amber_blend_factors = {blend_factors, AMBER_COUNT(blend_factors),
                                          "blend factor"};

/* The reference spells it "substract"; both are accepted. Operations of
 * VK_EXT_blend_operation_advanced have consecutive numbers, in the order of the reference. */
enum { ADVANCED = 1000148000 };
static const AmberChoice blend_ops[] = {
    {"add", 0},
    {"subtract", 1},
    {"substract", 1},
    {"reverse_subtract", 2},
    {"reverse_substract", 2},
    {"min", 3},
    {"max", 4},
    {"zero", ADVANCED},
    {"src", ADVANCED + 1},
    {"dst", ADVANCED + 2},
    {"src_over", ADVANCED + 3},
    {"dst_over", ADVANCED + 4},
    {"src_in", ADVANCED + 5},
    {"dst_in", ADVANCED + 6},
    {"src_out", ADVANCED + 7},
    {"dst_out", ADVANCED + 8},
    {"src_atop", ADVANCED + 9},
    {"dst_atop", ADVANCED + 10},
    {"xor", ADVANCED + 11},
    {"multiply", ADVANCED + 12},
    {"screen", ADVANCED + 13},
    {"overlay", ADVANCED + 14},
    {"darken", ADVANCED + 15},
    {"lighten", ADVANCED + 16},
    {"color_dodge", ADVANCED + 17},
    {"color_burn", ADVANCED + 18},
    {"hard_light", ADVANCED + 19},
    {"soft_light", ADVANCED + 20},
    {"difference", ADVANCED + 21},
    {"exclusion", ADVANCED + 22},
    {"invert", ADVANCED + 23},
    {"invert_rgb", ADVANCED + 24},
    {"linear_dodge", ADVANCED + 25},
    {"linear_burn", ADVANCED + 26},
    {"vivid_light", ADVANCED + 27},
    {"linear_light", ADVANCED + 28},
    {"pin_light", ADVANCED + 29},
    {"hard_mix", ADVANCED + 30},
    {"hsl_hue", ADVANCED + 31},
    {"hsl_saturation", ADVANCED + 32},
    {"hsl_color", ADVANCED + 33},
    {"hsl_luminosity", ADVANCED + 34},
    {"plus", ADVANCED + 35},
    {"plus_clamped", ADVANCED + 36},
    {"plus_clamped_alpha", ADVANCED + 37},
    {"plus_darker", ADVANCED + 38},
    {"minus", ADVANCED + 39},
    {"minus_clamped", ADVANCED + 40},
    {"contrast", ADVANCED + 41},
    {"invert_org", ADVANCED + 42},
    {"invert_ovg", ADVANCED + 42},
    {"red", ADVANCED + 43},
    {"green", ADVANCED + 44},
    {"blue", ADVANCED + 45},
};

const AmberChoices amber_blend_ops = {blend_ops, AMBER_COUNT(blend_ops), "blend operation"};

static const AmberChoice polygon_modes[] = {{"fill", 0}, {"line", 1}, {"point", 2}};

const AmberChoices amber_polygon_modes = {polygon_modes, AMBER_COUNT(polygon_modes),
                                          "polygon mode"};

static const AmberChoice topologies[] = {
    {"point_list", 0},
    {"line_list", 1},
    {"line_strip", 2},
    {"triangle_list", 3},
    {"triangle_strip", 4},
    {"triangle_fan", 5},
    {"line_list_with_adjacency", 6},
    {"line_strip_with_adjacency", 7},
    {"triangle_list_with_adjacency", 8},
    {"triangle_strip_with_adjacency", 9},
    {"patch_list", 10},
};

const AmberChoices amber_topologies = {topologies, AMBER_COUNT(topologies), "topology"};

/* ---- choosing -------------------------------------------------------------------------------- */

bool amber_choice(AmberParser *parser, const AmberChoices *choices, uint32_t *number) {
  return amber_choose(parser, choices->items, choices->count, choices->what, number);
}

/* Is it the same word except for case and underscores? */
static bool alike(const char *text, size_t length, const char *word) {
  size_t i = 0;
  for (; *word; word++) {
    if (*word == '_')
      continue;
    while (i < length && text[i] == '_')
      i++;
    if (i == length || tolower((unsigned char)text[i++]) != *word)
      return false;
  }
  return i == length;
}

bool amber_choice_vk(AmberParser *parser, const AmberChoices *choices, const char *prefix,
                     uint32_t *number) {
  static const char tail[] = "_EXT";
  AmberToken word;
  if (!amber_word(parser, choices->what, &word))
    return false;
  size_t skip = strlen(prefix), end = strlen(tail), length = word.length;
  bool prefixed = length > skip && memcmp(word.text, prefix, skip) == 0;
  if (length > end && memcmp(word.text + length - end, tail, end) == 0)
    length -= end;
  for (size_t i = 0; prefixed && i < choices->count; i++)
    if (alike(word.text + skip, length - skip, choices->items[i].word)) {
      *number = choices->items[i].number;
      return true;
    }
  return amber_fail(parser, &word, "there is no such %s", choices->what);
}
