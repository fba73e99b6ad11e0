/* SPDX-License-Identifier: Apache-2.0 */
/* compile_log: see compile_log.h. */
#include "passes/tool/compile/compile_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- glslang --------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* Is it a line such as "N compilation errors.  No code generated.", which only follows from an
 * error? */
static bool says_nothing(const char *text, size_t length) {
  static const char *const ends[] = {"compilation terminated", "No code generated.",
                                     "failed compile or link"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (memmem(text, length, ends[i], strlen(ends[i])))
      return true;
  return length == 0;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Reads "STRING:LINE: " or "STRING:LINE:COLUMN: " at the start of a message: sets the length of
 * STRING and the line, and returns what follows; NULL: the message has no place. STRING may be the
 * name of a file, which may contain colons. */
static const char *place(const char *text, size_t length, size_t *name, unsigned *line) {
  for (size_t i = 0; i + 1 < length; i++) {
    char *end;
    if (text[i] != ':' || !is_digit(text[i + 1]))
      continue;
    *line = (unsigned)strtoul(text + i + 1, &end, 10);
    if (end[0] == ':' && is_digit(end[1]))
      end += 1 + strspn(end + 1, "0123456789");
    if (end[0] != ':' || end[1] != ' ')
      continue;
    *name = i;
    return end + 2;
  }
  return NULL;
}

static void write_message(FILE *out, const char *kind, const char *text, size_t length,
                          const char *name) {
  size_t name_length;
  unsigned line;
  const char *what = place(text, length, &name_length, &line);
  bool own = what && name_length == 1 && *text == '0';
  if (!what)
    fprintf(out, "%s: %s: %.*s\n", name, kind, (int)length, text);
  else
    fprintf(out, "%.*s:%u: %s: %.*s\n", own ? (int)strlen(name) : (int)name_length,
            own ? name : text, line, kind, (int)(length - (size_t)(what - text)), what);
}

char *compile_log_glslang(const char *log, const char *name) {
  char *lines = NULL;
  size_t size;
  FILE *out = open_memstream(&lines, &size);
  for (const char *at = log; out && at && *at; at += *at == '\n') {
    size_t length = strcspn(at, "\r\n");
    size_t kept = length;
    while (kept && at[kept - 1] == ' ')
      kept--;
    bool error = starts(at, "ERROR: "), warning = starts(at, "WARNING: ");
    size_t head = error ? strlen("ERROR: ") : warning ? strlen("WARNING: ") : 0;
    if ((error || warning) && kept > head && !says_nothing(at + head, kept - head))
      write_message(out, error ? "error" : "warning", at + head, kept - head, name);
    at += length + (at[length] == '\r');
  }
  return out && fclose(out) == 0 ? lines : NULL;
}

char *compile_log_extension(const char *log) {
  static const char begin[] = "extension not supported: ";
  const char *at = log ? strstr(log, begin) : NULL;
  at = at ? at + strlen(begin) : NULL;
  return at ? strndup(at, strcspn(at, " \r\n")) : NULL;
}

bool compile_log_needs_newer(const char *log) {
  static const char *const texts[] = {"requires SPIR-V", "requires a SPIR-V",
                                      "requires at least SPIR-V", "targeted SPIR-V version"};
  bool found = false;
  for (size_t i = 0; log && i < sizeof texts / sizeof *texts; i++)
    found = found || strstr(log, texts[i]);
  return found;
}

/* ---- clang ----------------------------------------------------------------------------------- */

char *compile_log_clang(const char *log, const char *path, const char *name) {
  char *lines = NULL;
  size_t size, length = strlen(path);
  FILE *out = open_memstream(&lines, &size);
  for (const char *at = log; out && *at;) {
    const char *found = strstr(at, path);
    size_t part = found ? (size_t)(found - at) : strlen(at);
    fwrite(at, 1, part, out);
    if (found)
      fputs(name, out);
    at += part + (found ? length : 0);
  }
  return out && fclose(out) == 0 ? lines : NULL;
}

/* ---- the first error ------------------------------------------------------------------------- */

bool compile_first_error(const char *log, CompileError *error) {
  static const char mark[] = "error: ";
  const char *found = log ? strstr(log, mark) : NULL, *start = found;
  if (!found)
    return false;
  while (start > log && start[-1] != '\n')
    start--;
  *error = (CompileError){.name = start, .text = found + strlen(mark)};
  error->text_length = strcspn(error->text, "\r\n");
  if (!place(start, (size_t)(found - start), &error->name_length, &error->line))
    error->name_length = (size_t)(found - start) > 2 ? (size_t)(found - start) - 2 : 0;
  return true;
}
