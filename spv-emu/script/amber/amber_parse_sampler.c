/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_sampler: SAMPLER. */
#include "spv-emu/script/amber/amber_parse.h"

static const AmberChoice filters[] = {{"nearest", 0}, {"linear", 1}};
static const AmberChoice address_modes[] = {{"repeat", 0},
                                            {"mirrored_repeat", 1},
                                            {"clamp_to_edge", 2},
                                            {"clamp_to_border", 3},
                                            {"mirrored_clamp_to_edge", 4}};
static const AmberChoice border_colors[] = {
    {"float_transparent_black", 0}, {"int_transparent_black", 1}, {"float_opaque_black", 2},
    {"int_opaque_black", 3},        {"float_opaque_white", 4},    {"int_opaque_white", 5}};

static bool parse_sampler_option(AmberParser *parser, EmuSamplerState *sampler) {
  if (amber_accept(parser, "MAG_FILTER"))
    return amber_choose(parser, filters, AMBER_COUNT(filters), "filter", &sampler->mag_filter);
  if (amber_accept(parser, "MIN_FILTER"))
    return amber_choose(parser, filters, AMBER_COUNT(filters), "filter", &sampler->min_filter);
  uint32_t *modes[] = {&sampler->address_mode_u, &sampler->address_mode_v,
                       &sampler->address_mode_w};
  static const char *const mode_words[] = {"ADDRESS_MODE_U", "ADDRESS_MODE_V", "ADDRESS_MODE_W"};
  for (int i = 0; i < 3; i++)
    if (amber_accept(parser, mode_words[i]))
      return amber_choose(parser, address_modes, AMBER_COUNT(address_modes), "address mode",
                          modes[i]);
  if (amber_accept(parser, "BORDER_COLOR"))
    return amber_choose(parser, border_colors, AMBER_COUNT(border_colors), "border color",
                        &sampler->border_color);
  if (amber_accept(parser, "MIN_LOD"))
    return amber_float(parser, "MIN_LOD", &sampler->min_lod);
  if (amber_accept(parser, "MAX_LOD"))
    return amber_float(parser, "MAX_LOD", &sampler->max_lod);
  if (amber_accept(parser, "MIPMAP_MODE"))
    return amber_choose(parser, filters, AMBER_COUNT(filters), "filter", &sampler->mipmap_mode);
  if (amber_accept(parser, "LOD_BIAS"))
    return amber_float(parser, "LOD_BIAS", &sampler->lod_bias);
  if (amber_accept(parser, "COMPARE"))
    return amber_on_off(parser, &sampler->compare);
  if (amber_accept(parser, "COMPARE_OP"))
    return amber_choose_compare_op(parser, &sampler->compare_op);
  if (amber_accept(parser, "NORMALIZED_COORDS"))
    return true;
  sampler->unnormalized = amber_accept(parser, "UNNORMALIZED_COORDS");
  return sampler->unnormalized || amber_fail(parser, &parser->token, "not an option of SAMPLER");
}

bool amber_parse_sampler(AmberParser *parser) {
  AmberScript *script = parser->script;
  EmuSamplerState sampler = {.max_lod = 1, .line = parser->token.line};
  if (!amber_new_name(parser, AMBER_NAME_SAMPLER, "the sampler's name", script->sampler_count,
                      &sampler.name))
    return false;
  while (parser->token.kind == AMBER_TOKEN_WORD)
    if (!parse_sampler_option(parser, &sampler))
      return false;
  if (sampler.unnormalized)
    sampler.min_lod = sampler.max_lod = 0;
  if (sampler.max_lod < sampler.min_lod)
    return amber_fail(parser, NULL, "MAX_LOD is less than MIN_LOD");
  script->samplers = amber_pool_grow(parser->pool, script->samplers, script->sampler_count,
                                     sizeof *script->samplers);
  if (!script->samplers)
    return amber_no_memory(parser);
  script->samplers[script->sampler_count++] = sampler;
  return true;
}
