/* SPDX-License-Identifier: Apache-2.0 */
/* tool_shell: see tool_shell.h. */
#include "passes/tool/tool_shell.h"

#include <string.h>

static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

void tool_shell_word(FILE *out, const char *word) {
  if (*word && word[strspn(word, plain)] == 0) {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word; word++)
    if (*word == '\'')
      fputs("'\\''", out);
    else
      fputc(*word, out);
  fputc('\'', out);
}
