/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_state: the properties of the state. Each is a word, the name of Vulkan's member, and a
 * value. The next draw gets a new pipeline. */
#include "spv-emu/script/amber_choice.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <stddef.h>
#include <string.h>

static const AmberChoice cull_modes[] = {
    {"none", 0}, {"front_bit", 1}, {"back_bit", 2}, {"front_and_back", 3}};
static const AmberChoice front_faces[] = {{"counter_clockwise", 0}, {"clockwise", 1}};
static const AmberChoice components[] = {{"r_bit", 1}, {"g_bit", 2}, {"b_bit", 4}, {"a_bit", 8}};
static const AmberChoice logic_op_words[] = {
    {"clear", 0}, {"and", 1},          {"and_reverse", 2},  {"copy", 3},
    {"no_op", 5}, {"and_inverted", 4}, {"xor", 6},          {"or", 7},
    {"nor", 8},   {"equivalent", 9},   {"invert", 10},      {"or_reverse", 11},
    {"nand", 14}, {"set", 15},         {"or_inverted", 13}, {"copy_inverted", 12},
};

static const AmberChoices culling = {cull_modes, AMBER_COUNT(cull_modes), "cull mode"};
static const AmberChoices facing = {front_faces, AMBER_COUNT(front_faces), "front face"};
static const AmberChoices writing = {components, AMBER_COUNT(components), "colour component"};
static const AmberChoices logic_ops = {logic_op_words, AMBER_COUNT(logic_op_words),
                                       "logical operation"};

typedef enum Form {
  FORM_BOOL,
  FORM_UINT,
  FORM_MASK, /* a stencil mask, of which the low 8 bits count */
  FORM_FLOAT,
  FORM_CHOICE,
  FORM_FLAGS, /* several words, combined */
} Form;

typedef struct Property {
  const char *word;
  Form form;
  size_t offset; /* offset in AmberPipeline */
  const AmberChoices *choices;
  const char *prefix;
} Property;

#define AT(member) offsetof(AmberPipeline, raster.member)
#define CHOICE(word, member, choices, prefix)                                                      \
  { word, FORM_CHOICE, AT(member), &choices, prefix }
#define PLAIN(word, form, member)                                                                  \
  { word, form, AT(member), NULL, NULL }
#define FACE(name, member)                                                                         \
  CHOICE(#name ".failOp", member.fail_op, amber_stencil_ops, "VK_STENCIL_OP_"),                    \
      CHOICE(#name ".passOp", member.pass_op, amber_stencil_ops, "VK_STENCIL_OP_"),                \
      CHOICE(#name ".depthFailOp", member.depth_fail_op, amber_stencil_ops, "VK_STENCIL_OP_"),     \
      CHOICE(#name ".compareOp", member.compare_op, amber_compare_ops, "VK_COMPARE_OP_"),          \
      PLAIN(#name ".compareMask", FORM_MASK, member.compare_mask),                                 \
      PLAIN(#name ".writeMask", FORM_MASK, member.write_mask),                                     \
      PLAIN(#name ".reference", FORM_MASK, member.reference)

static const Property properties[] = {
    PLAIN("primitiveRestartEnable", FORM_BOOL, primitive_restart),
    PLAIN("depthClampEnable", FORM_BOOL, depth.clamp),
    PLAIN("rasterizerDiscardEnable", FORM_BOOL, rasterizer_discard),
    PLAIN("depthBiasEnable", FORM_BOOL, depth.bias),
    PLAIN("logicOpEnable", FORM_BOOL, logic_op_enabled),
    PLAIN("blendEnable", FORM_BOOL, blend.enabled),
    PLAIN("depthTestEnable", FORM_BOOL, depth.test),
    PLAIN("depthWriteEnable", FORM_BOOL, depth.write),
    PLAIN("depthBoundsTestEnable", FORM_BOOL, depth.bounds_test),
    PLAIN("stencilTestEnable", FORM_BOOL, stencil_test),
    PLAIN("patchControlPoints", FORM_UINT, patch_control_points),
    PLAIN("depthBiasConstantFactor", FORM_FLOAT, depth.bias_constant),
    PLAIN("depthBiasClamp", FORM_FLOAT, depth.bias_clamp),
    PLAIN("depthBiasSlopeFactor", FORM_FLOAT, depth.bias_slope),
    PLAIN("lineWidth", FORM_FLOAT, line_width),
    PLAIN("minDepthBounds", FORM_FLOAT, depth.min_bounds),
    PLAIN("maxDepthBounds", FORM_FLOAT, depth.max_bounds),
    CHOICE("polygonMode", polygon_mode, amber_polygon_modes, "VK_POLYGON_MODE_"),
    CHOICE("logicOp", logic_op, logic_ops, "VK_LOGIC_OP_"),
    CHOICE("frontFace", front_face, facing, "VK_FRONT_FACE_"),
    CHOICE("srcColorBlendFactor", blend.src_color_factor, amber_blend_factors, "VK_BLEND_FACTOR_"),
    CHOICE("dstColorBlendFactor", blend.dst_color_factor, amber_blend_factors, "VK_BLEND_FACTOR_"),
    CHOICE("srcAlphaBlendFactor", blend.src_alpha_factor, amber_blend_factors, "VK_BLEND_FACTOR_"),
    CHOICE("dstAlphaBlendFactor", blend.dst_alpha_factor, amber_blend_factors, "VK_BLEND_FACTOR_"),
    CHOICE("colorBlendOp", blend.color_op, amber_blend_ops, "VK_BLEND_OP_"),
    CHOICE("alphaBlendOp", blend.alpha_op, amber_blend_ops, "VK_BLEND_OP_"),
    CHOICE("depthCompareOp", depth.compare_op, amber_compare_ops, "VK_COMPARE_OP_"),
    FACE(front, front),
    FACE(back, back),
    {"cullMode", FORM_FLAGS, AT(cull_mode), &culling, "VK_CULL_MODE_"},
    {"colorWriteMask", FORM_FLAGS, AT(color_write_mask), &writing, "VK_COLOR_COMPONENT_"},
};

static bool parse_bool(AmberParser *parser, bool *value) {
  static const AmberChoice words[] = {{"false", 0}, {"true", 1}, {"0", 0}, {"1", 1}};
  uint32_t number = 0;
  bool read = amber_choose(parser, words, AMBER_COUNT(words), "truth value (true, false)", &number);
  *value = number;
  return read;
}

/* A mask with all 32 bits set means all 8 bits. */
static bool parse_mask(AmberParser *parser, uint32_t *value) {
  uint32_t number;
  if (!amber_u32(parser, "the value", 0, UINT32_MAX, &number))
    return false;
  *value = number & 255;
  return true;
}

static bool parse_flags(AmberParser *parser, const Property *property, uint32_t *value) {
  uint32_t all = 0;
  do {
    uint32_t one;
    if (!amber_choice_vk(parser, property->choices, property->prefix, &one))
      return false;
    all |= one;
  } while (parser->token.kind == AMBER_TOKEN_WORD);
  *value = all;
  return true;
}

static bool parse_value(AmberParser *parser, const Property *property) {
  void *place = (char *)&parser->vkscript->state + property->offset;
  switch (property->form) {
  case FORM_BOOL:
    return parse_bool(parser, place);
  case FORM_UINT:
    return amber_u32(parser, "the value", 1, 1024, place);
  case FORM_MASK:
    return parse_mask(parser, place);
  case FORM_FLOAT:
    return amber_float(parser, "the value", place);
  case FORM_CHOICE:
    return amber_choice_vk(parser, property->choices, property->prefix, place);
  default:
    return parse_flags(parser, property, place);
  }
}

bool vkscript_property(AmberParser *parser, bool *found) {
  uint32_t ignored;
  *found = amber_accept(parser, "topology"); /* each draw names its topology */
  if (*found)
    return amber_choice_vk(parser, &amber_topologies, "VK_PRIMITIVE_TOPOLOGY_", &ignored);
  for (size_t i = 0; i < AMBER_COUNT(properties); i++)
    if (amber_accept(parser, properties[i].word)) {
      *found = true;
      parser->vkscript->graphics = AMBER_NONE;
      return parse_value(parser, &properties[i]);
    }
  return true;
}

bool vkscript_patch(AmberParser *parser) {
  parser->vkscript->graphics = AMBER_NONE;
  return amber_expect_word(parser, "parameter") && amber_expect_word(parser, "vertices") &&
         amber_u32(parser, "the vertices of a patch", 1, 1024,
                   &parser->vkscript->state.raster.patch_control_points);
}
