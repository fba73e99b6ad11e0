/* SPDX-License-Identifier: Apache-2.0 */
/* os_draft_posix: see os_draft.h. */
#include "passes/tool/os/os_draft.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    const char *digits = path + strlen(folders[i]);
    if (strncmp(path, folders[i], strlen(folders[i])) == 0 && *digits && strlen(digits) < 10 &&
        digits[strspn(digits, "0123456789")] == 0)
      return atoi(digits);
  }
  return -1;
}

bool os_draft_open(OsDraft *d, const char *path) {
  struct stat st;
  bool exists = stat(path, &st) == 0;
  *d = (OsDraft){.fd = -1};
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

bool os_draft_replace(const OsDraft *d) {
  return rename(d->temporary, d->path) == 0;
}
