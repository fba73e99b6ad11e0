/* SPDX-License-Identifier: Apache-2.0 */
/* file: see file.h. */
#include "harness/shader/file.h"

#include "passes/tool/compile/compile_file.h"

#include <stdlib.h>

bool hn_file_read_beside(void *user, const char *path, size_t limit, uint8_t **bytes,
                         size_t *size) {
  char *full = compile_file_beside(user, path);
  bool good = full && compile_file_read(full, limit, bytes, size);
  free(full);
  return good;
}
