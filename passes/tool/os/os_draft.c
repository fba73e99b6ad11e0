/* SPDX-License-Identifier: Apache-2.0 */
/* os_draft: see os_draft.h. This part is the same on all systems. */
#include "passes/tool/os/os_draft.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <unistd.h>

bool os_draft_close(OsDraft *d, bool ok) {
  if (d->fd >= 0 && close(d->fd) != 0)
    ok = false;
  if (d->temporary && ok)
    ok = os_draft_replace(d);
  int error = errno;
  if (d->temporary && d->fd >= 0 && !ok)
    unlink(d->temporary);
  free(d->temporary);
  free(d->path);
  errno = error;
  return ok;
}

int os_draft_unnamed(void) {
#ifdef __linux__
  return memfd_create("unnamed", MFD_CLOEXEC);
#else
  FILE *file = tmpfile();
  int fd = file ? dup(fileno(file)) : -1;
  if (file)
    fclose(file);
  return fd;
#endif
}
