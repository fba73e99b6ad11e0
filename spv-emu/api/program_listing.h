/* SPDX-License-Identifier: Apache-2.0 */
/* program_listing: the instructions of each line of a program's source or disassembly. */
#ifndef EMU_PROGRAM_LISTING_H
#define EMU_PROGRAM_LISTING_H

#include "passes/ir/dump.h"
#include "spv-emu/engine/program.h"

/* By instruction of the module: the part of the program that holds it; SR_NONE: none does. */
uint32_t *emu_program_listing_parts(SrArena *arena, const spv_emu_program *program);
/* The module's words as text (sr_dump_text); NULL: out of memory. */
const char *emu_program_listing_plain(SrArena *arena, const spv_emu_program *program,
                                      spv_text *owner);

#endif
