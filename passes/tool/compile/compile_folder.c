/* SPDX-License-Identifier: Apache-2.0 */
/* compile_folder: see compile_folder.h. */
#include "passes/tool/compile/compile_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPEN = 16 };

const char *compile_folder_parent(void) {
  const char *temporary = getenv("TMPDIR");
  return temporary && *temporary ? temporary : "/tmp";
}

bool compile_folder_make(const char *prefix, char *path, size_t size) {
  int length = snprintf(path, size, "%s/%s-XXXXXX", compile_folder_parent(), prefix);
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

void compile_folder_remove(const char *path) {
  nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}
