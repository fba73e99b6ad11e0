/* SPDX-License-Identifier: Apache-2.0 */
/* diag: see diag.h. */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* "function main, block %27: " before a message. */
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

static void format_line(char *out, size_t room, SrWhere where, const char *format, va_list args) {
  size_t n = put_where(out, room, where);
  vsnprintf(out + n, room - n, format, args);
  n = strlen(out);
  if (where.word != SR_NONE)
    snprintf(out + n, room - n, " (word %u)", where.word);
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
  format_line(diag->text, sizeof diag->text, where, format, args);
  va_end(args);
  return status;
}

void sr_notice(SrDiag *diag, SrWhere where, const char *format, ...) {
  if (!diag->notice)
    return;
  char line[sizeof diag->text];
  va_list args;
  va_start(args, format);
  format_line(line, sizeof line, where, format, args);
  va_end(args);
  diag->notice(diag->user, line);
}
