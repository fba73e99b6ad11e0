/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_files: see reduce_files.h. */
#include "harness/reduce/reduce_files.h"

#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The next word of a line; *length 0: there is none. */
static const char *next_word(const char **p, size_t *length) {
  const char *word = *p + strspn(*p, " \t\r");
  *length = strcspn(word, " \t\r\n");
  *p = word + *length;
  return word;
}

static bool is(const char *word, size_t length, const char *wanted) {
  return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

/* The file that the first line of a statement names; NULL: none. The caller frees it. */
static char *file_of(const char *text) {
  size_t length;
  const char *word = next_word(&text, &length);
  while (length && !is(word, length, "FILE"))
    word = next_word(&text, &length);
  if (!length)
    return NULL;
  word = next_word(&text, &length);
  if (is(word, length, "BINARY") || is(word, length, "TEXT") || is(word, length, "PNG"))
    word = next_word(&text, &length);
  return length ? strndup(word, length) : NULL;
}

static bool is_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool copy(const char *from, const char *to) {
  uint8_t *bytes;
  size_t size;
  if (!from || !to || is_same(from, to))
    return from && to;
  if (!compile_file_read(from, HN_FILE_MOST, &bytes, &size))
    return tool_failed(from);
  bool good = tool_write(to, bytes, size);
  free(bytes);
  return good;
}

static bool copy_named(const char *name, const char *from, const char *to) {
  char *source = compile_file_beside(from, name), *target = compile_file_beside(to, name);
  bool good = copy(source, target);
  free(source);
  free(target);
  return good;
}

bool hn_reduce_files_copy(const HnReduceCase *c, const char *from, const char *to) {
  bool good = true;
  for (size_t i = 0; good && i < c->count; i++) {
    char *name = c->at[i].gone ? NULL : file_of(c->at[i].text);
    good = !name || copy_named(name, from, to);
    free(name);
  }
  return good;
}
