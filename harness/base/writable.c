/* SPDX-License-Identifier: Apache-2.0 */
/* writable: see writable.h. */
#include "harness/base/writable.h"

#include "harness/base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hn_writable(const char *path, char **message) {
  struct stat st;
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) {
    close(fd);
    unlink(path);
    return true;
  }
  if (errno != EEXIST)
    return hn_message_set(message, path, strerror(errno));
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return hn_message_set(message, path, strerror(EISDIR));
  return access(path, W_OK) == 0 || hn_message_set(message, path, strerror(errno));
}

bool hn_writable_folder(const char *path, char **message) {
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
    return hn_message_set(message, path, strerror(ENOTDIR));
  return access(path, W_OK | X_OK) == 0 || hn_message_set(message, path, strerror(errno));
}

bool hn_is_same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool hn_writable_standard(char **message) {
  int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
    return true;
  return hn_message_set(message, "--json", "standard output is not open for writing");
}
