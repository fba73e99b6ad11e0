/* SPDX-License-Identifier: Apache-2.0 */
/* diag: see diag.h. */
#include "passes/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Writes "function main, block %27: ", which comes before a message. */
static size_t put_where(char *out, size_t room, SrWhere where) {
  int n = 0;
  if (where.function && where.block)
    n = snprintf(out, room, "function %s, block %%%u: ", where.function, where.block);
  else if (where.function)
    n = snprintf(out, room, "function %s: ", where.function);
  else if (where.block)
    n = snprintf(out, room, "block %%%u: ", where.block);
  return (size_t)n < room ? (size_t)n : room - 1;
}

void sr_diag_locate(const SrDiag *diag, SrWhere where, char text[SR_MOST_PLACE]) {
  char line[SR_MOST_PLACE - 32] = "", word[24] = "";
  if (diag->locate)
    diag->locate(diag->locate_user, where, line, sizeof line);
  if (where.word != SR_NONE)
    snprintf(word, sizeof word, "word %u%s", where.word, line[0] ? ", " : "");
  text[0] = 0;
  if (word[0] || line[0])
    snprintf(text, SR_MOST_PLACE, " (%s%s)", word, line);
}

static void format_line(const SrDiag *diag, char *out, size_t room, SrWhere where,
                        const char *format, va_list args) {
  size_t n = put_where(out, room, where);
  vsnprintf(out + n, room - n, format, args);
  n = strlen(out);
  char place[SR_MOST_PLACE];
  sr_diag_locate(diag, where, place);
  snprintf(out + n, room - n, "%s", place);
  for (char *p = out; *p; p++) /* one line, whatever the names in the module contain */
    if ((unsigned char)*p < ' ')
      *p = ' ';
}

SrStatus sr_fail(SrDiag *diag, SrStatus status, SrWhere where, const char *format, ...) {
  if (diag->status != SR_OK)
    return diag->status;
  diag->status = status;
  va_list args;
  va_start(args, format);
  format_line(diag, diag->text, sizeof diag->text, where, format, args);
  va_end(args);
  return status;
}

void sr_notice(SrDiag *diag, SrWhere where, const char *format, ...) {
  if (!diag->notice)
    return;
  char line[sizeof diag->text];
  va_list args;
  va_start(args, format);
  format_line(diag, line, sizeof line, where, format, args);
  va_end(args);
  diag->notice(diag->user, line);
}
