/* SPDX-License-Identifier: Apache-2.0 */
/* tool_file: see tool_file.h. */
#include "passes/tool/tool_file.h"

#include "passes/tool/os/os_draft.h"
#include "passes/tool/os/os_folder.h"
#include "passes/tool/tool_limit.h"
#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tool_has_suffix(const char *path, const char *suffix) {
  size_t n = strlen(path), k = strlen(suffix);
  return n >= k && strcmp(path + n - k, suffix) == 0;
}

const char *tool_name(const char *path) {
  return strcmp(path, "-") != 0 ? path : "standard input";
}

void tool_say(const char *path, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: %s: ", tool_program, tool_name(path));
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

bool tool_failed(const char *path) {
  if (errno != ENOMEM || !tool_limit_say_memory())
    tool_say(path, "%s", strerror(errno));
  return false;
}

/* ---- in ---- */

enum { FIRST_ROOM = 64 * 1024 }; /* if the size is unknown */

bool tool_read_all(int fd, ToolInput *in) {
  struct stat st;
  size_t room = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 1 : FIRST_ROOM;
  in->bytes = malloc(room);
  in->count = 0;
  while (in->bytes) {
    ssize_t n = read(fd, in->bytes + in->count, room - in->count - 1);
    if (n <= 0)
      break;
    in->count += (size_t)n;
    if (in->count + 1 == room) {
      char *more = realloc(in->bytes, room *= 2);
      if (!more)
        free(in->bytes);
      in->bytes = more;
    }
  }
  if (in->bytes)
    in->bytes[in->count] = 0;
  return in->bytes && read(fd, &(char){0}, 1) == 0;
}

bool tool_is_magic(const char bytes[4]) {
  static const char little[] = {0x03, 0x02, 0x23, 0x07}, big[] = {0x07, 0x23, 0x02, 0x03};
  return !memcmp(bytes, little, 4) || !memcmp(bytes, big, 4);
}

/* Reports that a module follows a line of text: glslangValidator prints the name of its input on
 * standard output, where the module may go, too. False: there is no such module. */
static bool say_late_module(const char *path, const ToolInput *in) {
  const char *end = memchr(in->bytes, '\n', in->count);
  size_t at = end ? (size_t)(end - in->bytes) + 1 : in->count;
  if (in->binary || in->count - at < 4 || !tool_is_magic(in->bytes + at))
    return false;
  tool_say(path,
           "a line of text, '%.*s', comes before the module: glslangValidator prints it; let it "
           "write to a file, with -o FILE",
           at > 60 ? 60 : (int)at - 1, in->bytes);
  return true;
}

/* Assembly text begins with a comment, a result id or the name of an instruction. */
static bool is_assembly(const ToolInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return *text == ';' || *text == '%' || strncmp(text, "Op", 2) == 0;
}

/* Modules and shaders as text begin with a word of printable ASCII, unless they begin with a comment
 * ("//") or a byte order mark. */
static bool is_text(const ToolInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n\f\v");
  size_t word = strcspn(text, " \t\r\n\f\v"), plain = 0;
  if (memchr(in->bytes, 0, in->count))
    return false;
  if (is_assembly(in) || *text == '/' || strncmp(text, "\xEF\xBB\xBF", 3) == 0)
    return true;
  while (text[plain] > ' ' && text[plain] < 0x7f)
    plain++;
  return plain == word;
}

/* False, with a message: the input is neither a binary module nor text. */
static bool check_content(const char *path, const ToolInput *in) {
  if (in->count == 0) {
    tool_say(path, "not a SPIR-V module: the file is empty");
    return false;
  }
  if (in->binary && in->count % 4) {
    bool line = in->bytes[in->count - 1] == '\n';
    tool_say(path, "truncated: %zu bytes are not a whole number of words%s", in->count,
             line ? "; if a line of text comes after the module, such as the name that "
                    "glslangValidator prints, let it write to a file, with -o FILE"
                  : "");
    return false;
  }
  if (say_late_module(path, in))
    return false;
  bool named = tool_has_suffix(path, ".spv"); /* so the assembler's message would not help */
  if (!in->binary && (!is_text(in) || (named && !is_assembly(in)))) {
    tool_say(path, "not a SPIR-V module: neither binary nor assembly text");
    return false;
  }
  return true;
}

bool tool_read(const char *path, ToolInput *in) {
  *in = (ToolInput){0};
  int fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (fd < 0)
    return tool_failed(path);
  bool ok = tool_read_all(fd, in) || tool_failed(path);
  if (fd != STDIN_FILENO)
    close(fd);
  in->binary = ok && in->count >= 4 && tool_is_magic(in->bytes);
  if (ok && check_content(path, in))
    return true;
  free(in->bytes);
  *in = (ToolInput){0};
  return false;
}

/* ---- out ---- */

bool tool_write_to(int fd, const char *bytes, size_t count) {
  while (count) {
    ssize_t n = write(fd, bytes, count);
    if (n < 0 && errno != EINTR)
      return false;
    bytes += n > 0 ? n : 0;
    count -= n > 0 ? (size_t)n : 0;
  }
  return true;
}

bool tool_write(const char *path, const void *bytes, size_t count) {
  if (strcmp(path, "-") == 0)
    return tool_write_to(STDOUT_FILENO, bytes, count) || tool_failed("standard output");
  OsDraft d;
  bool ok = os_draft_open(&d, path) && tool_write_to(d.fd, bytes, count);
  return os_draft_close(&d, ok) || tool_failed(path);
}

/* ---- folders ---- */

bool tool_make_folder(const char *path) {
  struct stat st;
  if (os_folder_make(path) || (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
    return true;
  if (errno == EEXIST)
    errno = ENOTDIR;
  return tool_failed(path);
}
