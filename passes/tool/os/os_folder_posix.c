/* SPDX-License-Identifier: Apache-2.0 */
/* os_folder_posix: see os_folder.h. */
#include "passes/tool/os/os_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_OPEN = 16 };

bool os_folder_make(const char *path) {
  return mkdir(path, 0777) == 0;
}

bool os_folder_is_same(const char *left, const char *right) {
  struct stat l, r;
  return stat(left, &l) == 0 && stat(right, &r) == 0 && l.st_dev == r.st_dev &&
         l.st_ino == r.st_ino;
}

const char *os_folder_temporary(void) {
  const char *temporary = getenv("TMPDIR");
  return temporary && *temporary ? temporary : "/tmp";
}

bool os_folder_make_temporary(const char *prefix, char *path, size_t size) {
  int length = snprintf(path, size, "%s/%s-XXXXXX", os_folder_temporary(), prefix);
  if (length < 0 || (size_t)length >= size) {
    errno = ENAMETOOLONG;
    return false;
  }
  return mkdtemp(path) != NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk) {
  (void)st;
  (void)kind;
  (void)walk;
  remove(path);
  return 0;
}

void os_folder_remove(const char *path) {
  nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}
