/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_probe: comparisons of pixels, and the tolerances of all comparisons. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <math.h>
#include <string.h>

static bool parse_number(AmberParser *parser, AmberTolerance *tolerance) {
  AmberToken word = amber_take(parser);
  size_t length = word.length;
  tolerance->percent = word.text[length - 1] == '%';
  length -= tolerance->percent;
  if (!emu_number_double(word.text, length, &tolerance->value) || !(tolerance->value >= 0) ||
      isinf(tolerance->value))
    return amber_fail(parser, &word, "a tolerance must be a number that is not negative");
  tolerance->percent = tolerance->percent || amber_accept(parser, "%");
  return true;
}

bool vkscript_tolerance(AmberParser *parser) {
  VkScript *vk = parser->vkscript;
  AmberToken first = parser->token;
  vk->tolerance_count = 0;
  while (parser->token.kind == AMBER_TOKEN_WORD && vk->tolerance_count < 4)
    if (!parse_number(parser, &vk->tolerances[vk->tolerance_count++]))
      return false;
  return vk->tolerance_count == 1 || vk->tolerance_count == 4 ||
         amber_fail(parser, &first, "tolerance takes one number or four");
}

/* ---- pixels ---------------------------------------------------------------------------------- */

typedef enum Place { PLACE_PIXEL, PLACE_RECT, PLACE_ALL } Place;

/* A coordinate in pixels; a relative one is a fraction of `all`. Truncated, as in google/amber. */
static bool parse_coordinate(AmberParser *parser, const char *what, bool relative, uint32_t all,
                             uint32_t *pixels) {
  AmberToken word = parser->token;
  float number;
  if (!amber_float(parser, what, &number))
    return false;
  if (relative)
    number *= (float)all;
  if (!(number >= 0 && number <= 65536))
    return amber_fail(parser, &word, "%s lies outside of the framebuffer", what);
  *pixels = (uint32_t)number;
  return true;
}

static bool parse_place(AmberParser *parser, Place place, bool relative, AmberExpect *expect) {
  AmberToken first = parser->token;
  const AmberPipeline *state = &parser->vkscript->state;
  expect->width = place == PLACE_ALL ? state->raster.width : 1;
  expect->height = place == PLACE_ALL ? state->raster.height : 1;
  if (place == PLACE_ALL)
    return true;
  if (!parse_coordinate(parser, "x", relative, state->raster.width, &expect->x) ||
      !parse_coordinate(parser, "y", relative, state->raster.height, &expect->y) ||
      (place == PLACE_RECT &&
       (!parse_coordinate(parser, "the width", relative, state->raster.width, &expect->width) ||
        !parse_coordinate(parser, "the height", relative, state->raster.height, &expect->height))))
    return false;
  return (expect->width && expect->height) ||
         amber_fail(parser, &first, "the rectangle has no pixels");
}

static bool parse_color(AmberParser *parser, AmberExpect *expect) {
  static const char *const names[] = {"red", "green", "blue", "alpha"};
  int count = expect->comparator == AMBER_EQ_RGBA ? 4 : 3;
  for (int i = 0; i < count; i++)
    if (!amber_double(parser, names[i], &expect->rgba[i]))
      return false;
  return true;
}

static bool parse_pixels(AmberParser *parser, bool relative) {
  VkScript *vk = parser->vkscript;
  Place place = amber_accept(parser, "rect")  ? PLACE_RECT
                : amber_accept(parser, "all") ? PLACE_ALL
                                              : PLACE_PIXEL;
  bool alpha = amber_accept(parser, "rgba");
  uint32_t pipeline;
  AmberExpect expect = {.comparator = alpha ? AMBER_EQ_RGBA : AMBER_EQ_RGB,
                        .other = AMBER_NONE,
                        .full = 1,
                        .rows = 4,
                        .tolerance_count = vk->tolerance_count};
  memcpy(expect.tolerances, vk->tolerances, sizeof expect.tolerances);
  if ((!alpha && !amber_expect_word(parser, "rgb")) ||
      !parse_place(parser, place, relative, &expect) || !parse_color(parser, &expect) ||
      !vkscript_graphics(parser, &pipeline))
    return false;
  expect.buffer = vk->color;
  AmberCommand *command = amber_build_command(parser, AMBER_EXPECT);
  if (command)
    command->expect = expect;
  return command != NULL;
}

bool vkscript_probe(AmberParser *parser) {
  return amber_accept(parser, "ssbo") ? vkscript_probe_ssbo(parser) : parse_pixels(parser, false);
}

bool vkscript_relative_probe(AmberParser *parser) {
  return amber_expect_word(parser, "probe") && parse_pixels(parser, true);
}
