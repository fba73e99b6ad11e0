/* SPDX-License-Identifier: Apache-2.0 */
/* os_path_windows: see os_path.h. */
#include "passes/tool/os/os_path.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <windows.h>

bool os_path_is_absolute(const char *path) {
  return path[0] == '/' || path[0] == '\\' || (isalpha((unsigned char)path[0]) && path[1] == ':');
}

bool os_path_has_program(const char *program) {
  return SearchPathA(NULL, program, ".exe", 0, NULL, NULL) > 0;
}

void os_path_arguments(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "-D", 2) != 0)
      for (char *p = argv[i]; (p = strchr(p, '\\'));)
        *p = '/';
}
