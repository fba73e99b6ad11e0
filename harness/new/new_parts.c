/* SPDX-License-Identifier: Apache-2.0 */
/* new_parts: see new_parts.h. */
#include "harness/new/new_parts.h"

#include <string.h>

bool hn_new_fail(HnNew *n, const char *text) {
  if (!*n->message)
    *n->message = strdup(text);
  return false;
}

const char *hn_new_stage(const HnNew *n) {
  return n->draws ? "fragment" : "compute";
}

const spv_emu_binding *hn_new_binding(const HnNew *n, const EmuDescriptorPlace *place) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(n->program, &count);
  while (b->set != place->set || b->binding != place->binding)
    b++;
  return b;
}
