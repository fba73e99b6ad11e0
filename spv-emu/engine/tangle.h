/* SPDX-License-Identifier: Apache-2.0 */
/* tangle: reports which lanes run a subgroup operation together (spv_emu_tangles). The decoder emits
 * the handler before each such operation, if the program is loaded for it: other programs have no
 * test for it. */
#ifndef EMU_TANGLE_H
#define EMU_TANGLE_H

#include "spv-emu/engine/engine.h"

/* Handler; x: index in program->subgroup_ops. */
void emu_tangle_report(EmuLanes *s, const EmuIns *i);

#endif
