/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_require: [require]: each line names a feature, an extension, or a property of the
 * framebuffer, or sets a version or a timeout.
 *
 * Names of device extensions begin with VK_; any other word is a feature, of the struct before its
 * point (VariablePointerFeatures.variablePointers), or of any of Vulkan's structs. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/amber_build.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <ctype.h>
#include <string.h>

static bool parse_color(AmberParser *parser) {
  AmberToken word = parser->token;
  const EmuFormat **format = &parser->vkscript->color_format;
  return amber_take_format(parser, format) &&
         (emu_format_has(*format, 'R') || amber_fail(parser, &word, "the format has no colours"));
}

static bool parse_depth(AmberParser *parser) {
  AmberToken word = parser->token;
  const EmuFormat **format = &parser->vkscript->depth_format;
  return amber_take_format(parser, format) &&
         (emu_format_has(*format, 'D') || emu_format_has(*format, 'S') ||
          amber_fail(parser, &word, "the format has no depth and no stencil"));
}

static bool parse_size(AmberParser *parser) {
  AmberPipeline *state = &parser->vkscript->state;
  parser->vkscript->size_line = parser->token.line;
  return amber_u32(parser, "the width", 1, 1 << 16, &state->raster.width) &&
         amber_u32(parser, "the height", 1, 1 << 16, &state->raster.height);
}

static bool parse_timeout(AmberParser *parser) {
  return amber_u32(parser, "fence_timeout", 0, UINT32_MAX, &parser->script->fence_timeout_ms);
}

/* "1.1" or "1.2.170" */
static bool parse_vulkan(AmberParser *parser) {
  AmberToken word;
  if (!amber_word(parser, "the version", &word))
    return false;
  uint64_t parts[3] = {0};
  size_t at = 0, count = 0;
  bool good = true;
  while (good && count < 3 && at <= word.length) {
    size_t length = 0;
    while (at + length < word.length && word.text[at + length] != '.')
      length++;
    good = emu_number_u64(word.text + at, length, &parts[count++]);
    at += length + 1;
  }
  if (!good || at <= word.length || parts[0] > 127 || parts[1] > 1023 || parts[2] > 4095)
    return amber_fail(parser, &word, "the version must be as in 1.2 or 1.2.170");
  parser->script->vulkan_version = (uint32_t)(parts[0] << 22 | parts[1] << 12 | parts[2]);
  return true;
}

/* A word, or two with a point between them. */
static bool is_name(const AmberToken *word) {
  size_t points = 0;
  for (size_t i = 0; i < word->length; i++) {
    bool point = word->text[i] == '.';
    if (!point && !isalnum((unsigned char)word->text[i]) && word->text[i] != '_')
      return false;
    points += point;
  }
  return !points || (points == 1 && word->text[0] != '.' && word->text[word->length - 1] != '.');
}

static bool parse_name(AmberParser *parser) {
  AmberScript *script = parser->script;
  AmberToken word = parser->token;
  if (!is_name(&word))
    return amber_fail(parser, &word, "this is not a feature and not an extension");
  bool extension = word.length > 3 && memcmp(word.text, "VK_", 3) == 0;
  AmberRequirements *list = extension ? &script->device_extensions : &script->features;
  list->items = amber_pool_grow(parser->pool, list->items, list->count, sizeof *list->items);
  if (!list->items)
    return amber_no_memory(parser);
  AmberRequirement *item = &list->items[list->count++];
  bool bare = !extension && !memchr(word.text, '.', word.length);
  *item = (AmberRequirement){.line = word.line, .bare = bare};
  return amber_text(parser, "the name", &item->name);
}

bool vkscript_require(AmberParser *parser) {
  static const AmberKeyword words[] = {
      {"framebuffer", parse_color},     {"depthstencil", parse_depth}, {"fbsize", parse_size},
      {"fence_timeout", parse_timeout}, {"vulkan", parse_vulkan},      {"cooperative_matrix", NULL},
  };
  for (;;) {
    amber_skip_lines(parser);
    if (parser->token.kind == AMBER_TOKEN_END)
      return true;
    bool known = false;
    for (size_t i = 0; i < AMBER_COUNT(words); i++)
      known = known || amber_token_is(&parser->token, words[i].word);
    bool read = known ? amber_dispatch(parser, words, AMBER_COUNT(words), "") : parse_name(parser);
    if (!read || !amber_line_end(parser))
      return false;
  }
}
