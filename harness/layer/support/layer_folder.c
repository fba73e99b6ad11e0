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

enum { NAME_ROOM = 64, PAGE = 4096 };

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

static bool is_zero(const char *bytes, size_t size) {
  return !*bytes && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static bool write_bytes(int fd, const char *bytes, size_t size) {
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

/* How many bytes from `bytes` on are pages of zeros, or, unless `zero`, other pages. */
static size_t run_of(const char *bytes, size_t size, bool zero) {
  size_t run = 0;
  while (run < size) {
    size_t page = size - run < PAGE ? size - run : PAGE;
    if ((page == PAGE && is_zero(bytes + run, PAGE)) != zero)
      break;
    run += page;
  }
  return run;
}

/* Pages of zeros become holes of the file. */
static bool write_part(int fd, const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    size_t written = run_of(bytes + done, size - done, false);
    if (!write_bytes(fd, bytes + done, written))
      return false;
    done += written;
    size_t hole = run_of(bytes + done, size - done, true);
    if (hole && lseek(fd, (off_t)hole, SEEK_CUR) < 0)
      return false;
    done += hole;
  }
  return true;
}

/* A hole at the end does not count to the size of the file. */
static bool settle_size(int fd) {
  off_t end = lseek(fd, 0, SEEK_CUR);
  return end >= 0 && ftruncate(fd, end) == 0;
}

static bool write_new(int folder, const char *name, const struct iovec *parts, int count) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  bool written = true;
  for (int i = 0; written && i < count; i++)
    written = write_part(fd, parts[i].iov_base, parts[i].iov_len);
  written = written && settle_size(fd);
  return close(fd) == 0 && written;
}

bool ly_folder_put(LyFolder *folder, const char *name, const struct iovec *parts, int count) {
  if (folder->fd < 0)
    return false;
  static atomic_uint serial;
  char unfinished[NAME_ROOM];
  snprintf(unfinished, sizeof unfinished, ".%d-%u.part", (int)getpid(),
           atomic_fetch_add(&serial, 1));
  bool put = write_new(folder->fd, unfinished, parts, count) &&
             renameat(folder->fd, unfinished, folder->fd, name) == 0;
  if (put)
    return true;
  complain(folder);
  unlinkat(folder->fd, unfinished, 0);
  return false;
}
