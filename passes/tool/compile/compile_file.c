/* SPDX-License-Identifier: Apache-2.0 */
/* compile_file: see compile_file.h. */
#include "passes/tool/compile/compile_file.h"

#include "passes/tool/os/os_map.h"
#include "passes/tool/os/os_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_stream(FILE *file, size_t limit, uint8_t **bytes, size_t *size) {
  size_t room = 1 << 16;
  *size = 0;
  *bytes = malloc(room);
  while (*bytes) {
    *size += fread(*bytes + *size, 1, room - *size, file);
    if (*size < room || *size > limit)
      break;
    uint8_t *more = realloc(*bytes, room *= 2);
    if (!more)
      free(*bytes);
    *bytes = more;
  }
  if (*bytes && !ferror(file) && *size <= limit)
    return true;
  if (*bytes && *size > limit)
    errno = EFBIG;
  free(*bytes);
  *bytes = NULL;
  return false;
}

static bool read_and_close(FILE *file, size_t limit, uint8_t **bytes, size_t *size) {
  bool good = file && read_stream(file, limit, bytes, size);
  int error = errno;
  if (file)
    fclose(file);
  errno = error;
  return good;
}

bool compile_file_read(const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  return read_and_close(fopen(path, "rb"), limit, bytes, size);
}

static bool is_regular(const struct stat *st) {
  if (!S_ISREG(st->st_mode))
    errno = ENOENT;
  return S_ISREG(st->st_mode);
}

bool compile_file_is_regular(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && is_regular(&st);
}

bool compile_file_read_regular(const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, &st) == 0 && is_regular(&st))
    return read_and_close(fdopen(fd, "rb"), limit, bytes, size);
  int error = errno;
  if (fd >= 0)
    close(fd);
  errno = error;
  return false;
}

static bool map(int fd, size_t limit, uint8_t **bytes, size_t *size) {
  struct stat st;
  if (fstat(fd, &st) != 0 || !is_regular(&st))
    return false;
  *size = (size_t)st.st_size;
  if (*size > limit) {
    errno = EFBIG;
    return false;
  }
  return os_map(fd, *size, bytes);
}

bool compile_file_map(const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  bool good = fd >= 0 && map(fd, limit, bytes, size);
  int error = errno;
  if (fd >= 0)
    close(fd);
  errno = error;
  return good;
}

void compile_file_unmap(void *bytes, size_t size) {
  os_unmap(bytes, size);
}

char *compile_file_beside(const char *own, const char *path) {
  const char *slash = strrchr(own, '/');
  char *full;
  if (os_path_is_absolute(path) || !slash)
    return strdup(path);
  return asprintf(&full, "%.*s/%s", (int)(slash - own), own, path) < 0 ? NULL : full;
}
