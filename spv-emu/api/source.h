/* SPDX-License-Identifier: Apache-2.0 */
/* source: a program's source files and inlined calls, as spv_emu_source describes them. */
#ifndef EMU_SOURCE_H
#define EMU_SOURCE_H

#include "spv-emu/engine/program.h"

/* Fills program->source from what the decoder found. */
void emu_source_make(spv_emu_program *program);

#endif
