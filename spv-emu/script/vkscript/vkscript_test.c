/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_test: [test]: a command on each line. */
#include "spv-emu/script/vkscript/vkscript.h"

static bool parse_vertex(AmberParser *parser) {
  return vkscript_entry_point(parser, AMBER_VERTEX);
}

static bool parse_fragment(AmberParser *parser) {
  return vkscript_entry_point(parser, AMBER_FRAGMENT);
}

static bool parse_geometry(AmberParser *parser) {
  return vkscript_entry_point(parser, AMBER_GEOMETRY);
}

static bool parse_tessellation(AmberParser *parser) {
  if (amber_accept(parser, "control"))
    return vkscript_entry_point(parser, AMBER_TESSELLATION_CONTROL);
  return amber_expect_word(parser, "evaluation") &&
         vkscript_entry_point(parser, AMBER_TESSELLATION_EVALUATION);
}

static const AmberKeyword commands[] = {
    {"draw", vkscript_draw},
    {"compute", vkscript_compute},
    {"clear", vkscript_clear},
    {"probe", vkscript_probe},
    {"relative", vkscript_relative_probe},
    {"ssbo", vkscript_ssbo},
    {"ubo", vkscript_ubo},
    {"push", vkscript_push},
    {"uniform", vkscript_uniform},
    {"tolerance", vkscript_tolerance},
    {"patch", vkscript_patch},
    {"vertex", parse_vertex},
    {"fragment", parse_fragment},
    {"geometry", parse_geometry},
    {"tessellation", parse_tessellation},
};

bool vkscript_test(AmberParser *parser) {
  for (;;) {
    amber_skip_lines(parser);
    if (parser->token.kind == AMBER_TOKEN_END)
      return true;
    bool property;
    if (!vkscript_property(parser, &property) ||
        (!property && !amber_dispatch(parser, commands, AMBER_COUNT(commands), " in a [test]")) ||
        !amber_line_end(parser))
      return false;
  }
}
