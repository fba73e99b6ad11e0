/* SPDX-License-Identifier: Apache-2.0 */
/* case_file: see case_file.h. */
#include "harness/shader/case_file.h"

#include "passes/tool/compile/compile_file.h"

#include <stdlib.h>

static bool read_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  char *full = compile_file_beside(user, path);
  bool good = full && compile_file_read(full, limit, bytes, size);
  free(full);
  return good;
}

static bool map_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  char *full = compile_file_beside(user, path);
  bool good = full && compile_file_map(full, limit, bytes, size);
  free(full);
  return good;
}

AmberFiles hn_files_beside(const char *path) {
  return (AmberFiles){.read = read_beside,
                      .user = (void *)(uintptr_t)path,
                      .map = map_beside,
                      .unmap = compile_file_unmap};
}
