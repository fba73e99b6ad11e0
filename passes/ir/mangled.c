/* SPDX-License-Identifier: Apache-2.0 */
/* mangled: see mangled.h. */
#include "passes/ir/mangled.h"

#include <stdbool.h>
#include <string.h>

size_t sr_mangled_length(const char *name) {
  const char *codes = strchr(name, '(');
  size_t length = strlen(name);
  bool mangled = codes && codes > name && (!codes[1] || name[length - 1] == ';');
  return mangled ? (size_t)(codes - name) : length;
}
