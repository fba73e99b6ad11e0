/* SPDX-License-Identifier: Apache-2.0 */
/* os_library_windows: see os_library.h. */
#include "passes/tool/os/os_library.h"

#include <stdint.h>
#include <windows.h>

void *os_library_function(void **library, const char *file, const char *name) {
  if (!*library)
    *library = LoadLibraryA(file);
  return *library ? (void *)(intptr_t)GetProcAddress(*library, name) : NULL;
}
