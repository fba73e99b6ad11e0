/* SPDX-License-Identifier: Apache-2.0 */
/* os_draft_windows: see os_draft.h. */
#include "passes/tool/os/os_draft.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <windows.h>

static bool open_standard(OsDraft *d, int standard) {
  d->fd = dup(standard);
  return d->fd >= 0;
}

bool os_draft_open(OsDraft *d, const char *path) {
  struct stat st;
  bool exists = stat(path, &st) == 0;
  *d = (OsDraft){.fd = -1};
  if (strcmp(path, "/dev/stdout") == 0)
    return open_standard(d, STDOUT_FILENO);
  if (strcmp(path, "/dev/stderr") == 0)
    return open_standard(d, STDERR_FILENO);
  if (exists && !S_ISREG(st.st_mode)) {
    errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
    d->fd = errno ? -1 : open(path, O_WRONLY | O_BINARY | O_NOINHERIT);
    return d->fd >= 0;
  }
  if (exists && access(path, W_OK) != 0)
    return false;
  d->path = strdup(path);
  if (!d->path || asprintf(&d->temporary, "%s.XXXXXX", path) < 0) {
    d->temporary = NULL;
    return false;
  }
  d->fd = mkstemp(d->temporary);
  return d->fd >= 0;
}

bool os_draft_replace(const OsDraft *d) {
  bool ok = MoveFileExA(d->temporary, d->path, MOVEFILE_REPLACE_EXISTING);
  if (!ok)
    errno = EACCES;
  return ok;
}
