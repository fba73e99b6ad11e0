/* SPDX-License-Identifier: Apache-2.0 */
/* compile_ir: see compile_ir.h. A module has one line with its data layout; a freeze is a line. */
#include "passes/tool/compile/compile_ir.h"

#include "passes/tool/compile/compile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 28 };

/* Writes a line; false: nothing was changed in it, so that the caller writes it. */
typedef bool Edit(FILE *out, const char *line, int length);

/* target datalayout = "...": the widths go before the quote. */
static bool add_widths(FILE *out, const char *line, int length) {
  static const char start[] = "target datalayout = \"";
  if (strncmp(line, start, strlen(start)) != 0 || line[length - 1] != '"')
    return false;
  fprintf(out, "%.*s-n8:16:32:64\"\n", length - 1, line);
  return true;
}

/* %x = freeze T %y: a select between %y and %y. */
static bool replace_freeze(FILE *out, const char *line, int length) {
  static const char freeze[] = " = freeze ";
  const char *at = strstr(line, freeze);
  if (!at || at > line + length)
    return false;
  const char *value = at + strlen(freeze);
  int rest = (int)(line + length - value);
  fprintf(out, "%.*s = select i1 true, %.*s, %.*s\n", (int)(at - line), line, rest, value, rest,
          value);
  return true;
}

static bool edit(const CompileWork *work, const char *from, const char *to, Edit *change) {
  CompilePath path;
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(compile_work_file(work, from, path), MOST_TEXT, &bytes, &size))
    return false;
  char *text = realloc(bytes, size + 1);
  FILE *out = text ? fopen(compile_work_file(work, to, path), "w") : NULL;
  if (!out) {
    free(text ? text : (char *)bytes);
    return false;
  }
  text[size] = 0;
  for (char *line = text, *end; *line; line = end) {
    int length = (int)strcspn(line, "\n");
    end = line + length + (line[length] == '\n');
    if (!length || !change(out, line, length))
      fprintf(out, "%.*s\n", length, line);
  }
  free(text);
  return fclose(out) == 0;
}

static bool run(const CompileWork *work, const char *const *how, const char *from, const char *to,
                const char *level, const char *form) {
  CompilePath input, output;
  const char *arguments[16] = {
      how[0], "-target", "spir64-unknown-unknown", "-x", "ir", "-w", "-emit-llvm", form, level};
  size_t count = 9;
  for (size_t i = 1; i < 3 && how[1] && how[2]; i++)
    arguments[count++] = how[i];
  arguments[count++] = "-o";
  arguments[count++] = compile_work_file(work, to, output);
  arguments[count++] = compile_work_file(work, from, input);
  arguments[count] = NULL;
  return compile_work_run(work, arguments);
}

bool compile_ir(const CompileWork *work, const char *clang, const char *pointers,
                const char *level) {
  const char *const how[] = {clang, pointers ? "-Xclang" : NULL, pointers};
  return edit(work, "k.ll", "wide.ll", add_widths) &&
         run(work, how, "wide.ll", "fast.ll", level, "-S") &&
         edit(work, "fast.ll", "plain.ll", replace_freeze) &&
         run(work, how, "plain.ll", "k.bc", "-O0", "-c");
}
