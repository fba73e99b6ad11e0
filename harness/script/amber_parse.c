#include "script/amber_parse.h"

#include "script/amber_number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OTHER_BYTES = 128 << 20 }; /* all but the contents of buffers */

/* ---- messages -------------------------------------------------------------------------------- */

static void show_token(char *shown, size_t size, const AmberToken *token) {
  size_t length = 0;
  for (size_t i = 0; i < token->length && length + 4 < size; i++) {
    char c = token->text[i];
    if (c < ' ' || c > '~')
      c = '?';
    shown[length++] = c;
  }
  memcpy(shown + length, "...", 4);
  if (length == token->length)
    shown[length] = '\0';
}

static void say(AmberParser *parser, AmberStatus status, uint32_t line, const AmberToken *at,
                const char *format, va_list arguments) {
  AmberMessage *message = parser->message;
  if (parser->status != AMBER_OK)
    return;
  parser->status = status;
  message->line = line;
  if (at && at->kind == AMBER_TOKEN_WORD)
    show_token(message->token, sizeof message->token, at);
  char what[200];
  vsnprintf(what, sizeof what, format, arguments);
  bool word = message->token[0];
  snprintf(message->text, sizeof message->text, "line %u: %s%s%s%s", line, what,
           word ? " (at '" : "", message->token, word ? "')" : "");
}

bool amber_fail(AmberParser *parser, const AmberToken *at, const char *format, ...) {
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
  if (!amber_token_is(&parser->token, word))
    return false;
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

bool amber_text(AmberParser *parser, const char *what, const char **text) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  *text = amber_pool_text(parser->pool, word.text, word.length);
  return *text || amber_no_memory(parser);
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
  return amber_number_u64(word.text, word.length, value) ||
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
  return amber_number_double(word.text, word.length, value) ||
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
  return amber_fail(parser, &word, "there is no such command%s", where);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names are printable ASCII, so that messages are, and no numbers. */
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
    return amber_fail(parser, &word, "%s is no name", what);
  if (amber_names_find(&parser->names, kind, word.text, word.length) != AMBER_NONE)
    return amber_fail(parser, &word, "%s is taken already", what);
  *name = amber_pool_text(parser->pool, word.text, word.length);
  return (*name && amber_names_add(&parser->names, kind, *name, word.length, index)) ||
         amber_no_memory(parser);
}

bool amber_known_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t *index) {
  AmberToken word;
  if (!amber_word(parser, what, &word))
    return false;
  *index = amber_names_find(&parser->names, kind, word.text, word.length);
  return *index != AMBER_NONE || amber_fail(parser, &word, "%s is not declared", what);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const AmberKeyword commands[] = {
    {"DEVICE_FEATURE", amber_parse_feature},
    {"DEVICE_PROPERTY", amber_parse_property},
    {"DEVICE_EXTENSION", amber_parse_device_extension},
    {"INSTANCE_EXTENSION", amber_parse_instance_extension},
    {"SET", amber_parse_set},
    {"SHADER", amber_parse_shader},
    {"VIRTUAL_FILE", amber_parse_virtual_file},
    {"STRUCT", amber_parse_struct},
    {"BUFFER", amber_parse_buffer},
    {"IMAGE", amber_parse_image},
    {"SAMPLER", amber_parse_sampler},
    {"PIPELINE", amber_parse_pipeline},
    {"DERIVE_PIPELINE", amber_parse_derive},
    {"RUN", amber_parse_run},
    {"CLEAR", amber_parse_clear},
    {"CLEAR_COLOR", amber_parse_clear_color},
    {"CLEAR_DEPTH", amber_parse_clear_depth},
    {"CLEAR_STENCIL", amber_parse_clear_stencil},
    {"COPY", amber_parse_copy},
    {"EXPECT", amber_parse_expect},
    {"REPEAT", amber_parse_repeat},
    {"ACCELERATION_STRUCTURE", NULL},
    {"DEBUG", NULL},
};

static const AmberKeyword repeatable[] = {
    {"RUN", amber_parse_run},
    {"CLEAR", amber_parse_clear},
    {"CLEAR_COLOR", amber_parse_clear_color},
    {"CLEAR_DEPTH", amber_parse_clear_depth},
    {"CLEAR_STENCIL", amber_parse_clear_stencil},
    {"COPY", amber_parse_copy},
    {"EXPECT", amber_parse_expect},
    {"REPEAT", amber_parse_repeat},
    {"END", amber_parse_repeat_end},
};

static bool parse_commands(AmberParser *parser) {
  for (;;) {
    amber_skip_lines(parser);
    if (parser->token.kind == AMBER_TOKEN_END)
      break;
    bool inside = parser->repeat_depth > 0;
    const AmberKeyword *table = inside ? repeatable : commands;
    size_t count = inside ? AMBER_COUNT(repeatable) : AMBER_COUNT(commands);
    if (!amber_dispatch(parser, table, count, inside ? " in a REPEAT" : "") ||
        !amber_line_end(parser))
      return false;
  }
  return parser->repeat_depth == 0 || amber_fail(parser, NULL, "REPEAT has no END");
}

/* VkScript has sections: "[require]", "[compute shader]", "[test]". */
static bool has_section(const char *text, size_t size) {
  AmberLex lex;
  amber_lex_start(&lex, text, size);
  AmberToken token;
  do
    token = amber_lex_next(&lex);
  while (token.kind == AMBER_TOKEN_EOL);
  return token.kind == AMBER_TOKEN_WORD && token.text[0] == '[';
}

static bool check_first_line(AmberParser *parser, const char *text, size_t size) {
  static const char first[] = "#!amber";
  if (size >= sizeof first - 1 && memcmp(text, first, sizeof first - 1) == 0)
    return true;
  amber_fail_line(parser, 1, "the first line is not #!amber");
  if (has_section(text, size)) {
    parser->status = AMBER_VKSCRIPT;
    snprintf(parser->message->text, sizeof parser->message->text,
             "line 1: a VkScript file, which is another format");
  }
  return false;
}

static bool parse_all(AmberParser *parser, const char *text, size_t size) {
  if (!check_first_line(parser, text, size))
    return false;
  amber_lex_start(&parser->lex, text, size);
  amber_take(parser); /* primes the look-ahead: parser->token was nothing yet */
  return parse_commands(parser) && amber_resolve(parser);
}

AmberStatus amber_parse(const char *text, size_t size, const AmberFiles *files,
                        AmberScript **script, AmberMessage *message) {
  AmberPool *pool = amber_pool_new(AMBER_MAX_TOTAL_BYTES + OTHER_BYTES);
  AmberParser parser = {.pool = pool, .files = files, .message = message};
  *message = (AmberMessage){0};
  *script = NULL;
  parser.token.line = 1;
  parser.script = pool ? amber_pool_alloc(pool, sizeof *parser.script) : NULL;
  if (!parser.script) {
    amber_pool_free(pool);
    amber_no_memory(&parser);
    return parser.status;
  }
  parser.script->pool = pool;
  bool parsed = parse_all(&parser, text, size);
  amber_names_free(&parser.names);
  if (parsed)
    *script = parser.script;
  else
    amber_pool_free(pool);
  return parser.status;
}

void amber_destroy(AmberScript *script) {
  if (script)
    amber_pool_free(script->pool);
}
