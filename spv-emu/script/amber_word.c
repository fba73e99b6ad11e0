/* SPDX-License-Identifier: Apache-2.0 */
/* amber_word: see amber_word.h. */
#include "spv-emu/script/amber_word.h"

#include "passes/names/nearest.h"
#include "spv-emu/format/format_number.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- messages -------------------------------------------------------------------------------- */

/* A word of the script in printable ASCII, shortened to what fits. A file's name may have any
 * bytes. */
static void show_word(char *shown, size_t size, const char *text, size_t length) {
  size_t used = 0;
  while (used < length && used + 4 < size) {
    char c = text[used];
    shown[used++] = c < ' ' || c > '~' ? '?' : c;
  }
  memcpy(shown + used, "...", 4);
  if (used == length)
    shown[used] = '\0';
}

/* "{device_features}": templates of the Vulkan CTS have words that its C++ code fills in. */
static bool is_placeholder(const AmberToken *word) {
  size_t last = word->length - 1;
  bool good =
      word->kind == AMBER_TOKEN_WORD && last > 1 && word->text[0] == '{' && word->text[last] == '}';
  for (size_t i = 1; good && i < last; i++)
    good = isalnum((unsigned char)word->text[i]) || word->text[i] == '_';
  return good;
}

static void say(AmberParser *parser, AmberStatus status, uint32_t line, const AmberToken *at,
                const char *format, va_list arguments) {
  AmberMessage *message = parser->message;
  if (parser->status != AMBER_OK)
    return;
  parser->status = status;
  message->line = line;
  if (at && at->kind == AMBER_TOKEN_WORD)
    show_word(message->token, sizeof message->token, at->text, at->length);
  char what[200], nearest[SR_NEAREST_LONGEST + 4] = "";
  vsnprintf(what, sizeof what, format, arguments);
  bool word = message->token[0];
  const char *near = word && status == AMBER_BAD ? amber_near_best(&parser->near, at) : NULL;
  if (near)
    show_word(nearest, sizeof nearest, near, strlen(near));
  snprintf(message->text, sizeof message->text, "line %u: %s%s%s%s%s%s", line, what,
           word ? " (at '" : "", message->token, word ? "')" : "", near ? ", nearest: " : "",
           nearest);
}

bool amber_fail(AmberParser *parser, const AmberToken *at, const char *format, ...) {
  if (at && is_placeholder(at))
    return amber_unsupported(parser, at, "a template with a placeholder");
  va_list arguments;
  va_start(arguments, format);
  say(parser, AMBER_BAD, at ? at->line : parser->token.line, at, format, arguments);
  va_end(arguments);
  return false;
}

bool amber_fail_line(AmberParser *parser, uint32_t line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(parser, AMBER_BAD, line, NULL, format, arguments);
  va_end(arguments);
  return false;
}

static void say_unsupported(AmberParser *parser, const AmberToken *at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(parser, AMBER_UNSUPPORTED, at->line, at, format, arguments);
  va_end(arguments);
}

bool amber_unsupported(AmberParser *parser, const AmberToken *at, const char *what) {
  say_unsupported(parser, at, "%s is not supported", what);
  return false;
}

bool amber_no_memory(AmberParser *parser) {
  return amber_fail(parser, NULL, "the script takes too much memory");
}

/* ---- words ----------------------------------------------------------------------------------- */

AmberToken amber_take(AmberParser *parser) {
  AmberToken taken = parser->token;
  parser->token = amber_lex_next(&parser->lex);
  return taken;
}

bool amber_accept(AmberParser *parser, const char *word) {
  if (!amber_token_is(&parser->token, word)) {
    amber_near_note(&parser->near, &parser->token, word);
    return false;
  }
  amber_take(parser);
  return true;
}

bool amber_expect_word(AmberParser *parser, const char *word) {
  return amber_accept(parser, word) || amber_fail(parser, &parser->token, "%s was expected", word);
}

bool amber_word(AmberParser *parser, const char *what, AmberToken *word) {
  *word = parser->token;
  if (word->kind != AMBER_TOKEN_WORD)
    return amber_fail(parser, NULL, "%s is missing", what);
  amber_take(parser);
  return true;
}

/* Keeps a text that messages may name after parsing. */
static bool keep_text(AmberParser *parser, const char *what, const AmberToken *word,
                      const char **text) {
  for (size_t i = 0; i < word->length; i++)
    if (iscntrl((unsigned char)word->text[i]) && word->text[i] != '\t')
      return amber_fail(parser, word, "%s has a control character", what);
  *text = amber_pool_text(parser->pool, word->text, word->length);
  return *text || amber_no_memory(parser);
}

bool amber_text(AmberParser *parser, const char *what, const char **text) {
  AmberToken word;
  return amber_word(parser, what, &word) && keep_text(parser, what, &word, text);
}

bool amber_rest(AmberParser *parser, const char *what, const char **text) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    AmberToken last = amber_take(parser);
    word.length = (size_t)(last.text + last.length - word.text);
  }
  return keep_text(parser, what, &word, text);
}

bool amber_line_end(AmberParser *parser) {
  if (parser->token.kind == AMBER_TOKEN_WORD)
    return amber_fail(parser, &parser->token, "the line should end here");
  amber_take(parser);
  return true;
}

void amber_skip_lines(AmberParser *parser) {
  while (parser->token.kind == AMBER_TOKEN_EOL)
    amber_take(parser);
}

bool amber_block_word(AmberParser *parser, const char *block) {
  if (parser->status != AMBER_OK)
    return false;
  amber_skip_lines(parser);
  if (parser->token.kind == AMBER_TOKEN_END)
    return amber_fail(parser, NULL, "%s has no END", block);
  return !amber_accept(parser, "END");
}

/* ---- numbers and choices --------------------------------------------------------------------- */

bool amber_u64(AmberParser *parser, const char *what, uint64_t *value) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  return emu_number_u64(word.text, word.length, value) ||
         amber_fail(parser, &word, "%s must be an unsigned integer", what);
}

bool amber_u32(AmberParser *parser, const char *what, uint32_t low, uint32_t high,
               uint32_t *value) {
  AmberToken word = parser->token;
  uint64_t number;
  if (!amber_u64(parser, what, &number))
    return false;
  if (number < low || number > high)
    return amber_fail(parser, &word, "%s must be from %u to %u", what, low, high);
  *value = (uint32_t)number;
  return true;
}

bool amber_double(AmberParser *parser, const char *what, double *value) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  return emu_number_double(word.text, word.length, value) ||
         amber_fail(parser, &word, "%s must be a number", what);
}

bool amber_float(AmberParser *parser, const char *what, float *value) {
  AmberToken word = parser->token;
  double number;
  if (!amber_double(parser, what, &number))
    return false;
  if (!(number > -3e38 && number < 3e38))
    return amber_fail(parser, &word, "%s is out of range", what);
  *value = (float)number;
  return true;
}

bool amber_choose(AmberParser *parser, const AmberChoice *choices, size_t count, const char *what,
                  uint32_t *number) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  for (size_t i = 0; i < count; i++)
    if (strlen(choices[i].word) == word.length &&
        strncasecmp(choices[i].word, word.text, word.length) == 0) {
      *number = choices[i].number;
      return true;
    }
  for (size_t i = 0; i < count; i++)
    amber_near_try(&parser->near, &word, choices[i].word);
  return amber_fail(parser, &word, "there is no such %s", what);
}

bool amber_on_off(AmberParser *parser, bool *value) {
  static const AmberChoice choices[] = {{"off", 0}, {"on", 1}};
  uint32_t number = 0;
  bool chosen = amber_choose(parser, choices, 2, "switch (on, off)", &number);
  *value = number;
  return chosen;
}

bool amber_dispatch(AmberParser *parser, const AmberKeyword *keywords, size_t count,
                    const char *where) {
  AmberToken word = amber_take(parser);
  for (size_t i = 0; i < count; i++)
    if (amber_token_is(&word, keywords[i].word))
      return keywords[i].parse ? keywords[i].parse(parser)
                               : amber_unsupported(parser, &word, keywords[i].word);
  for (size_t i = 0; i < count; i++)
    amber_near_try(&parser->near, &word, keywords[i].word);
  return amber_fail(parser, &word, "there is no such command%s", where);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names are printable ASCII, so that messages are, too, and must not look like numbers. */
static bool is_name(const AmberToken *word) {
  for (size_t i = 0; i < word->length; i++)
    if (word->text[i] < '!' || word->text[i] > '~')
      return false;
  return !strchr("0123456789+-.", word->text[0]);
}

bool amber_new_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t index,
                    const char **name) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  if (!is_name(&word))
    return amber_fail(parser, &word, "%s is not a name", what);
  if (amber_names_find(&parser->names, kind, word.text, word.length) != AMBER_NONE)
    return amber_fail(parser, &word, "%s is taken already", what);
  *name = amber_pool_text(parser->pool, word.text, word.length);
  return (*name && amber_names_add(&parser->names, kind, *name, word.length, index)) ||
         amber_no_memory(parser);
}

bool amber_fail_unknown(AmberParser *parser, AmberNameKind kind, const AmberToken *word,
                        const char *what) {
  for (size_t i = 0; i < parser->names.room; i++)
    if (parser->names.slots[i].text && parser->names.slots[i].kind == kind)
      amber_near_try(&parser->near, word, parser->names.slots[i].text);
  return amber_fail(parser, word, "%s is not declared", what);
}

bool amber_known_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t *index) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  *index = amber_names_find(&parser->names, kind, word.text, word.length);
  return *index != AMBER_NONE || amber_fail_unknown(parser, kind, &word, what);
}
