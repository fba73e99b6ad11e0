/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_expect: EXPECT. At the end of the file, amber_check compares each EXPECT with the
 * size of its buffer. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/amber/amber_parse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { EMD_SYNONYM = AMBER_EQ_HISTOGRAM_EMD_BUFFER };

static const AmberChoice comparators[] = {
    {"EQ", AMBER_EQ},
    {"NE", AMBER_NE},
    {"LT", AMBER_LT},
    {"LE", AMBER_LE},
    {"GT", AMBER_GT},
    {"GE", AMBER_GE},
    {"EQ_RGB", AMBER_EQ_RGB},
    {"EQ_RGBA", AMBER_EQ_RGBA},
    {"EQ_BUFFER", AMBER_EQ_BUFFER},
    {"RMSE_BUFFER", AMBER_RMSE_BUFFER},
    {"EQ_HISTOGRAM_EMD_BUFFER", AMBER_EQ_HISTOGRAM_EMD_BUFFER},
    {"EMD_BUFFER", EMD_SYNONYM}, /* an older name of the same comparison */
};

static bool is_number(const AmberToken *token) {
  double number;
  return token->kind == AMBER_TOKEN_WORD && emu_number_double(token->text, token->length, &number);
}

/* ---- TOLERANCE ------------------------------------------------------------------------------- */

static bool parse_tolerance(AmberParser *parser, AmberExpect *expect) {
  AmberToken word = amber_take(parser);
  AmberTolerance tolerance = {.percent = word.text[word.length - 1] == '%'};
  if (expect->tolerance_count == 4)
    return amber_fail(parser, &word, "there can be four tolerances");
  size_t length = word.length - tolerance.percent;
  if (!emu_number_double(word.text, length, &tolerance.value) || !(tolerance.value >= 0) ||
      isinf(tolerance.value))
    return amber_fail(parser, &word, "a tolerance must be a number that is not negative");
  expect->tolerances[expect->tolerance_count++] = tolerance;
  return true;
}

static bool parse_tolerances(AmberParser *parser, AmberExpect *expect) {
  if (!amber_accept(parser, "TOLERANCE"))
    return true;
  AmberToken first = parser->token;
  while (parser->token.kind == AMBER_TOKEN_WORD && strchr("0123456789.-+", *parser->token.text))
    if (!parse_tolerance(parser, expect))
      return false;
  return expect->tolerance_count || amber_fail(parser, &first, "TOLERANCE needs a number");
}

/* ---- values at a place ----------------------------------------------------------------------- */

/* The field of an element that starts at that byte, or the field count. Fields are in the order of
 * their offsets, even in a struct, whose OFFSETs must ascend. */
static uint32_t field_at(const EmuElementLayout *layout, uint32_t byte) {
  uint32_t low = 0, high = layout->field_count;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (layout->fields[mid].offset < byte)
      low = mid + 1;
    else
      high = mid;
  }
  return low < layout->field_count && layout->fields[low].offset == byte ? low
                                                                         : layout->field_count;
}

static bool settle_first(AmberParser *parser, AmberExpect *expect, const AmberToken *index,
                         uint32_t byte) {
  const EmuElementLayout *layout = &parser->script->buffers[expect->buffer].layout;
  uint32_t field = field_at(layout, byte % layout->stride);
  uint64_t first = (uint64_t)(byte / layout->stride) * layout->field_count + field;
  if (field == layout->field_count)
    return amber_fail(parser, index, "no value of the buffer starts at that byte");
  assert(first < AMBER_NONE); /* a field takes a byte or more, and no byte is AMBER_NONE */
  expect->first = (uint32_t)first;
  return true;
}

static bool parse_values(AmberParser *parser, AmberExpect *expect) {
  const EmuElementLayout *layout = &parser->script->buffers[expect->buffer].layout;
  if (parser->token.kind != AMBER_TOKEN_WORD)
    return amber_fail(parser, NULL, "the values are missing");
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    uint32_t field =
        (uint32_t)(((uint64_t)expect->first + expect->value_count) % layout->field_count);
    AmberToken word = amber_take(parser);
    EmuNumber value;
    const char *why = emu_number_parse(word.text, word.length, &layout->fields[field], &value);
    if (why)
      return amber_fail(parser, &word, "%s", why);
    expect->values =
        amber_pool_grow(parser->pool, expect->values, expect->value_count, sizeof value);
    if (!expect->values)
      return amber_no_memory(parser);
    expect->values[expect->value_count++] = value;
  }
  return true;
}

static bool parse_colors(AmberParser *parser, AmberExpect *expect) {
  static const char *const names[] = {"red", "green", "blue", "alpha"};
  int count = expect->comparator == AMBER_EQ_RGBA ? 4 : 3;
  for (int i = 0; i < count; i++) {
    AmberToken word = parser->token;
    if (!amber_double(parser, names[i], &expect->rgba[i]))
      return false;
    if (!(expect->rgba[i] >= 0 && expect->rgba[i] <= 255))
      return amber_fail(parser, &word, "%s must be from 0 to 255", names[i]);
  }
  return parse_tolerances(parser, expect);
}

typedef struct Place {
  AmberToken word;
  uint32_t x, y;
  bool has_y, has_size;
} Place;

static bool parse_place(AmberParser *parser, AmberExpect *expect, Place *place) {
  place->word = parser->token;
  if (!amber_u32(parser, "IDX", 0, UINT32_MAX - 1, &place->x))
    return false;
  place->has_y = is_number(&parser->token);
  if (place->has_y && !amber_u32(parser, "y", 0, UINT32_MAX - 1, &place->y))
    return false;
  place->has_size = amber_accept(parser, "SIZE");
  if (place->has_size && (!amber_u32(parser, "the width", 1, UINT32_MAX - 1, &expect->width) ||
                          !amber_u32(parser, "the height", 1, UINT32_MAX - 1, &expect->height)))
    return false;
  return parse_tolerances(parser, expect);
}

static bool parse_at_place(AmberParser *parser, AmberExpect *expect) {
  Place place;
  uint32_t comparator;
  if (!parse_place(parser, expect, &place))
    return false;
  AmberToken word = parser->token;
  if (!amber_choose(parser, comparators, AMBER_COUNT(comparators), "comparator", &comparator))
    return false;
  expect->comparator = (AmberComparator)comparator;
  if (comparator > AMBER_EQ_RGBA)
    return amber_fail(parser, &word, "this compares whole buffers: leave IDX out");
  if (comparator >= AMBER_EQ_RGB) {
    if (!place.has_y || !place.has_size)
      return amber_fail(parser, &word, "IDX x y SIZE w h was expected before it");
    expect->x = place.x;
    expect->y = place.y;
    return parse_colors(parser, expect);
  }
  if (place.has_y || place.has_size)
    return amber_fail(parser, &word, "pixels need EQ_RGB or EQ_RGBA");
  if (expect->tolerance_count && comparator != AMBER_EQ)
    return amber_fail(parser, &word, "a TOLERANCE needs EQ");
  return settle_first(parser, expect, &place.word, place.x) && parse_values(parser, expect);
}

/* ---- whole buffers --------------------------------------------------------------------------- */

static bool parse_whole(AmberParser *parser, AmberExpect *expect) {
  AmberToken word = parser->token;
  uint32_t comparator;
  if (!amber_choose(parser, comparators, AMBER_COUNT(comparators), "comparator", &comparator))
    return false;
  if (comparator < AMBER_EQ_BUFFER)
    return amber_fail(parser, &word, "IDX was expected before it");
  expect->comparator = (AmberComparator)comparator;
  if (!amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &expect->other))
    return false;
  AmberToken tolerance = parser->token;
  if (!parse_tolerances(parser, expect))
    return false;
  if (comparator == AMBER_EQ_BUFFER && !expect->tolerance_count)
    return true;
  return (expect->tolerance_count == 1 && !expect->tolerances[0].percent) ||
         amber_fail(parser, &tolerance, "one TOLERANCE was expected");
}

bool amber_parse_expect(AmberParser *parser) {
  AmberCommand *command = amber_build_command(parser, AMBER_EXPECT);
  if (!command)
    return false;
  AmberExpect *expect = &command->expect;
  expect->other = AMBER_NONE;
  expect->full = 255;
  expect->rows = 4;
  if (!amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &expect->buffer))
    return false;
  return amber_accept(parser, "IDX") ? parse_at_place(parser, expect) : parse_whole(parser, expect);
}
