/* SPDX-License-Identifier: Apache-2.0 */
/* check_uniform: see check_uniform.h. */
#include "spv-emu/engine/check_uniform.h"

#include <string.h>

void emu_check_uniform(EmuLanes *s, const EmuIns *i) {
  size_t bytes = emu_kind_bytes((EmuKind)i->list);
  const uint8_t *row = s->file + i->a;
  if (s->mixed)
    return;
  uint32_t first = emu_mask_next(&s->on, 0, s->words);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    if (memcmp(row + lane * bytes, row + first * bytes, bytes) != 0) {
      emu_fault(s, lane, "value %%%u is proven uniform but differs", i->x);
      return;
    }
}
