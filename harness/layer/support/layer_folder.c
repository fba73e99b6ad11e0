/* SPDX-License-Identifier: Apache-2.0 */
/* layer_folder: see layer_folder.h.
 *
 * A file is written under a name that no other thread or process uses, then renamed: readers see
 * the old content or the new one, never a part, even if a writer dies. The file is not synced to
 * the disk, so after a power failure a file may be empty, which the cache's checksums detect. */
#include "harness/layer/support/layer_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 64 };

static void complain(LyFolder *folder) {
  int error = errno;
  if (!atomic_exchange(&folder->complained, true))
    ly_log(folder->log, LY_ERROR, "%s: %s: %s", folder->variable, folder->path, strerror(error));
}

void ly_folder_open(LyFolder *folder, const char *variable, const char *path, const LyLog *log) {
  *folder = (LyFolder){.fd = -1, .variable = variable, .path = path, .log = log};
  if (!path)
    return;
  mkdir(path, 0777); /* it may exist */
  folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder->fd < 0)
    complain(folder);
}

void ly_folder_close(LyFolder *folder) {
  if (folder->fd >= 0)
    close(folder->fd);
  folder->fd = -1;
}

static bool write_part(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

static bool write_new(int folder, const char *name, const struct iovec *parts, int count) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  bool written = true;
  for (int i = 0; written && i < count; i++)
    written = write_part(fd, parts[i].iov_base, parts[i].iov_len);
  return close(fd) == 0 && written;
}

void ly_folder_put(LyFolder *folder, const char *name, const struct iovec *parts, int count) {
  if (folder->fd < 0)
    return;
  static atomic_uint serial;
  char unfinished[NAME_ROOM];
  snprintf(unfinished, sizeof unfinished, ".%d-%u.part", (int)getpid(),
           atomic_fetch_add(&serial, 1));
  bool put = write_new(folder->fd, unfinished, parts, count) &&
             renameat(folder->fd, unfinished, folder->fd, name) == 0;
  if (put)
    return;
  complain(folder);
  unlinkat(folder->fd, unfinished, 0);
}
