/* SPDX-License-Identifier: Apache-2.0 */
/* builtins: fills a subgroup's inputs and its constants. */
#ifndef EMU_BUILTINS_H
#define EMU_BUILTINS_H

#include "spv-emu/engine/engine.h"

typedef struct EmuWhere { /* where a subgroup is in a dispatch */
  uint32_t group[3], groups[3];
  uint32_t first; /* LocalInvocationIndex of lane 0 */
} EmuWhere;

/* Fills the rows of the program's constants, which no instruction writes. */
void emu_constants_fill(EmuLanes *s);
/* Fills the rows of the program's builtins. */
void emu_builtins_fill(EmuLanes *s, const EmuWhere *where);

#endif
