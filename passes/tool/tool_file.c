/* SPDX-License-Identifier: Apache-2.0 */
/* tool_file: see tool_file.h. */
#include "passes/tool/tool_file.h"

#include "passes/tool/tool_limit.h"
#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static mode_t default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* The file that `path` names, links followed, even if it does not exist; NULL with errno. */
static char *follow(const char *path) {
  enum { MAX_LINKS = 40 };
  char *at = strdup(path), target[PATH_MAX];
  for (int i = 0; at && i < MAX_LINKS; i++) {
    ssize_t n = readlink(at, target, sizeof target - 1);
    if (n < 0)
      return at;
    const char *slash = target[0] == '/' ? NULL : strrchr(at, '/');
    char *next = NULL;
    if (asprintf(&next, "%.*s%.*s", slash ? (int)(slash + 1 - at) : 0, at, (int)n, target) < 0)
      next = NULL;
    free(at);
    at = next;
  }
  if (at)
    errno = ELOOP;
  free(at);
  return NULL;
}

/* The descriptor of the open file that the path names, such as /dev/stdout or /dev/fd/N, which a
 * shell's >(command) is; -1: the path names no open file. */
static int descriptor(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  if (strcmp(path, "/dev/stdout") == 0)
    return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0)
    return STDERR_FILENO;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    size_t length = strlen(folders[i]);
    uint64_t number;
    if (strncmp(path, folders[i], length) == 0 && tool_number(path + length, 0, INT_MAX, &number))
      return (int)number;
  }
  return -1;
}

bool tool_draft_open(ToolDraft *d, const char *path) {
  struct stat st;
  bool exists = stat(path, &st) == 0;
  *d = (ToolDraft){.fd = -1};
  if (descriptor(path) >= 0) {
    d->fd = fcntl(descriptor(path), F_DUPFD_CLOEXEC, 0);
    return d->fd >= 0;
  }
  d->path = follow(path);
  if (!d->path)
    return false;
  if (exists && !S_ISREG(st.st_mode)) {
    d->fd = open(path, O_WRONLY | O_CLOEXEC);
    return d->fd >= 0;
  }
  if (exists && access(d->path, W_OK) != 0)
    return false;
  char *temporary;
  if (asprintf(&temporary, "%s.XXXXXX", d->path) < 0)
    return false;
  d->fd = mkostemp(temporary, O_CLOEXEC);
  if (d->fd < 0) {
    free(temporary);
    return false;
  }
  d->temporary = temporary;
  return fchmod(d->fd, exists ? st.st_mode & 07777 : default_mode()) == 0;
}

bool tool_draft_close(ToolDraft *d, bool ok) {
  if (d->fd >= 0 && close(d->fd) != 0)
    ok = false;
  if (d->temporary && ok)
    ok = rename(d->temporary, d->path) == 0;
  int error = errno;
  if (d->temporary && !ok)
    unlink(d->temporary);
  free(d->temporary);
  free(d->path);
  errno = error;
  return ok;
}

bool tool_write(const char *path, const void *bytes, size_t count) {
  if (strcmp(path, "-") == 0)
    return tool_write_to(STDOUT_FILENO, bytes, count) || tool_failed("standard output");
  ToolDraft d;
  bool ok = tool_draft_open(&d, path) && tool_write_to(d.fd, bytes, count);
  return tool_draft_close(&d, ok) || tool_failed(path);
}

/* ---- folders ---- */

bool tool_make_folder(const char *path) {
  struct stat st;
  if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
    return true;
  if (errno == EEXIST)
    errno = ENOTDIR;
  return tool_failed(path);
}
