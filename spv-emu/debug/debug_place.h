/* SPDX-License-Identifier: Apache-2.0 */
/* debug_place: lines of the source, blocks and instructions; breakpoints. */
#ifndef EMU_DEBUG_PLACE_H
#define EMU_DEBUG_PLACE_H

#include "spv-emu/debug/debug_state.h"

/* Reads a number of decimal digits. False: the text is anything else, such as -1. */
bool emu_debug_number(const char *text, uint64_t *number);
/* Finds the places of all steps. */
void emu_debug_places(EmuDebugger *d);
/* The place of the step before which the running lanes are. */
SrSourcePlace emu_debug_here(const EmuDebugger *d);
bool emu_debug_same_line(SrSourcePlace a, SrSourcePlace b);
/* Appends "block %21 (spin.comp:14)". */
void emu_debug_add_block(EmuDebugger *d, uint32_t block, SrSourcePlace place);
/* Prints the line of the source, or else the instruction, before which the running lanes are. */
void emu_debug_show_line(EmuDebugger *d);
/* Prints lines around `line`, or around the running lanes, or after those printed last; without
 * source the instructions of the block. */
void emu_debug_list(EmuDebugger *d, const char *line);
/* Sets a breakpoint at LINE, FILE:LINE, %BLOCK, or a function's name; prints it, or why there is
 * no such place. */
void emu_debug_break(EmuDebugger *d, const char *where);
void emu_debug_delete(EmuDebugger *d, const char *number);
void emu_debug_list_breaks(EmuDebugger *d);
/* The number of the breakpoint at a step; 0: there is none. */
uint32_t emu_debug_break_at(const EmuDebugger *d, uint32_t step);

#endif
