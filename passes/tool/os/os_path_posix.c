/* SPDX-License-Identifier: Apache-2.0 */
/* os_path_posix: see os_path.h. */
#include "passes/tool/os/os_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool os_path_is_absolute(const char *path) {
  return path[0] == '/';
}

bool os_path_has_program(const char *program) {
  char full[4096];
  for (const char *p = getenv("PATH"); p; p = strchr(p, ':'), p += p != NULL) {
    snprintf(full, sizeof full, "%.*s/%s", (int)strcspn(p, ":"), p, program);
    if (access(full, X_OK) == 0)
      return true;
  }
  return false;
}

void os_path_arguments(int argc, char **argv) {
  (void)argc;
  (void)argv;
}
