/* SPDX-License-Identifier: Apache-2.0 */
/* amber_lex: see amber_lex.h. */
#include "spv-emu/script/amber_lex.h"

#include <string.h>

void amber_lex_start(AmberLex *lex, const char *text, size_t size) {
  *lex = (AmberLex){.at = text, .end = text + size, .line = 1};
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

static bool separates(const AmberLex *lex, char c) {
  return is_blank(c) || (lex->punctuation && (c == '(' || c == ')' || c == ',' || c == '|'));
}

static const char *line_end(const char *at, const char *end) {
  const char *found = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
  return found ? found : end;
}

/* Is this a backslash with only blanks between it and the end of the line? */
static bool joins_lines(const char *at, const char *end) {
  if (*at != '\\')
    return false;
  for (at++; at < end && *at != '\n'; at++)
    if (!is_blank(*at))
      return false;
  return at < end;
}

static void skip_blanks(AmberLex *lex) {
  for (; lex->at < lex->end; lex->at++) {
    if (joins_lines(lex->at, lex->end)) {
      lex->at = line_end(lex->at, lex->end);
      lex->line++;
    } else if (*lex->at == '#') {
      lex->at = line_end(lex->at, lex->end);
      return;
    } else if (!separates(lex, *lex->at)) {
      return;
    }
  }
}

AmberToken amber_lex_next(AmberLex *lex) {
  skip_blanks(lex);
  AmberToken token = {.kind = AMBER_TOKEN_END, .text = lex->at, .line = lex->line};
  if (lex->at >= lex->end)
    return token;
  if (*lex->at == '\n') {
    token.kind = AMBER_TOKEN_EOL;
    lex->at++;
    lex->line++;
    return token;
  }
  token.kind = AMBER_TOKEN_WORD;
  do
    lex->at++;
  while (lex->at < lex->end && *lex->at != '\n' && *lex->at != '#' && !separates(lex, *lex->at));
  token.length = (size_t)(lex->at - token.text);
  return token;
}

static bool line_is_end(const char *at, const char *end) {
  while (at < end && is_blank(*at))
    at++;
  if (end - at < 3 || memcmp(at, "END", 3) != 0)
    return false;
  return end - at == 3 || is_blank(at[3]) || at[3] == '#';
}

bool amber_lex_raw(AmberLex *lex, const char **text, size_t *length) {
  *text = lex->at;
  for (const char *at = lex->at; at < lex->end;) {
    const char *stop = line_end(at, lex->end);
    if (line_is_end(at, stop)) {
      *length = (size_t)(at - *text);
      lex->at = stop;
      return true;
    }
    if (stop == lex->end)
      break;
    at = stop + 1;
    lex->line++;
  }
  lex->at = lex->end;
  return false;
}

bool amber_token_is(const AmberToken *token, const char *word) {
  return token->kind == AMBER_TOKEN_WORD && strlen(word) == token->length &&
         memcmp(word, token->text, token->length) == 0;
}
