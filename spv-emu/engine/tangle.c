/* SPDX-License-Identifier: Apache-2.0 */
/* tangle: see tangle.h. */
#include "spv-emu/engine/tangle.h"

#include <spv-emu/spv_emu.h>

void emu_tangle_report(EmuLanes *s, const EmuIns *i) {
  const spv_emu_tangles *to = s->tangles;
  if (to)
    to->issued(to->user, s->subgroup, s->size, &s->program->subgroup_ops.at[i->x], s->on.w);
}
