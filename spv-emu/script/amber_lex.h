/* SPDX-License-Identifier: Apache-2.0 */
/* amber_lex: splits an AmberScript into words and line ends.
 *
 * Blanks separate words; `#` starts a comment up to the end of the line; a backslash at the end of
 * a line joins it with the next. The end of a line is a token, since most commands end there.
 * Whether a word is a keyword, a name or a number depends on its context, so the parser decides.
 * Nothing is copied: words point into the text. */
#ifndef AMBER_LEX_H
#define AMBER_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum AmberTokenKind {
  AMBER_TOKEN_WORD,
  AMBER_TOKEN_EOL,
  AMBER_TOKEN_END,
} AmberTokenKind;

typedef struct AmberToken {
  AmberTokenKind kind;
  const char *text; /* not zero-terminated */
  size_t length;
  uint32_t line;
} AmberToken;

typedef struct AmberLex {
  const char *at, *end;
  uint32_t line;
  bool punctuation; /* "(", ")", "," and "|" are blanks, as VkScript needs */
} AmberLex;

void amber_lex_start(AmberLex *lex, const char *text, size_t size);
AmberToken amber_lex_next(AmberLex *lex);
/* Called at the start of a line: takes all text up to the line that begins with the word END, and
 * drops that line. False: there is no such line. */
bool amber_lex_raw(AmberLex *lex, const char **text, size_t *length);
bool amber_token_is(const AmberToken *token, const char *word);

#endif
