/* SPDX-License-Identifier: Apache-2.0 */
/* tool_arguments: see tool_arguments.h. A word is never longer than its text, so words are unquoted
 * in place. */
#include "passes/tool/tool_arguments.h"

#include "passes/tool/os/os_path.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_usage.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds to an array that ends with NULL and whose room is a power of two. */
static bool add(char ***at, int *count, char *text) {
  size_t used = (size_t)*count + 1;
  if ((used & (used - 1)) == 0) {
    char **more = realloc(*at, 2 * used * sizeof *more);
    if (!more)
      return tool_wrong("out of memory");
    *at = more;
  }
  (*at)[(*count)++] = text;
  (*at)[*count] = NULL;
  return true;
}

/* The word at *from, unquoted and with a 0 after it; moves *from past the word. NULL: a quote does
 * not end. */
static char *next_word(char **from) {
  char *in = *from, *word = in, *out = in, quote = 0;
  for (; *in && (quote || !isspace((unsigned char)*in)); in++)
    if (*in == '\\' && in[1])
      *out++ = *++in;
    else if (quote ? *in == quote : *in == '"' || *in == '\'')
      quote = quote ? 0 : *in;
    else
      *out++ = *in;
  *from = *in ? in + 1 : in;
  *out = 0;
  return quote ? NULL : word;
}

static bool add_words(ToolArguments *a, const char *path, char *text) {
  for (;;) {
    while (isspace((unsigned char)*text))
      text++;
    if (!*text)
      return true;
    char *word = next_word(&text);
    if (!word)
      return tool_wrong("@%s: a quote is not closed", path);
    if (!add(&a->at, &a->count, word))
      return false;
  }
}

static bool add_file(ToolArguments *a, const char *path) {
  ToolInput in = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && tool_read_all(fd, &in);
  if (!ok)
    tool_wrong("@%s: %s", path, strerror(errno));
  else if (strlen(in.bytes) != in.count)
    ok = tool_wrong("@%s: not a text file", path);
  if (fd >= 0)
    close(fd);
  if (!ok || !add(&a->texts, &a->text_count, in.bytes)) {
    free(in.bytes);
    return false;
  }
  return add_words(a, path, in.bytes);
}

bool tool_arguments(int argc, char **argv, ToolArguments *a) {
  bool files = true, ok = true;
  *a = (ToolArguments){0};
  os_path_arguments(argc, argv);
  for (int i = 0; i < argc && ok; i++) {
    files = files && strcmp(argv[i], "--") != 0;
    bool file = files && i && argv[i][0] == '@' && access(argv[i] + 1, F_OK) == 0;
    ok = file ? add_file(a, argv[i] + 1) : add(&a->at, &a->count, argv[i]);
  }
  return ok;
}

void tool_arguments_free(ToolArguments *a) {
  for (int i = 0; i < a->text_count; i++)
    free(a->texts[i]);
  free(a->texts);
  free(a->at);
}
