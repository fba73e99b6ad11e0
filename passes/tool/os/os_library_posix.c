/* SPDX-License-Identifier: Apache-2.0 */
/* os_library_posix: see os_library.h. */
#include "passes/tool/os/os_library.h"

#include <dlfcn.h>
#include <stddef.h>

void *os_library_function(void **library, const char *file, const char *name) {
  if (!*library)
    *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return *library ? dlsym(*library, name) : NULL;
}
