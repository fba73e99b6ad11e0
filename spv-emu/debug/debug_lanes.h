/* SPDX-License-Identifier: Apache-2.0 */
/* debug_lanes: where the lanes of the subgroup are, and why they wait. */
#ifndef EMU_DEBUG_LANES_H
#define EMU_DEBUG_LANES_H

#include "spv-emu/debug/debug_state.h"

/* Appends "lane 7" or "lanes 0-3,7"; "no lanes". */
void emu_debug_add_lanes(SrText *to, const EmuMask *lanes, uint32_t words);
/* Prints where the running lanes are; `breakpoint`: the number of that at which they stop; 0: they
 * are at none. */
void emu_debug_show(EmuDebugger *d, uint32_t breakpoint);
/* How many calls are around a lane that is in the block. */
uint32_t emu_debug_depth(const EmuDebugger *d, uint32_t block, uint32_t lane);
/* The lanes that are in the function, or in a call from it. */
void emu_debug_lanes_in(EmuDebugger *d, uint32_t function, EmuMask *in);
/* The function of the frame that is chosen, in program->functions. */
uint32_t emu_debug_frame_function(const EmuDebugger *d);
/* Chooses and prints a frame of the first running lane, 0 for the innermost one; or prints that
 * there is none. */
void emu_debug_frame(EmuDebugger *d, uint64_t number);
/* The commands of these names. */
void emu_debug_lanes(EmuDebugger *d);
void emu_debug_masks(EmuDebugger *d);
void emu_debug_policy(EmuDebugger *d);
void emu_debug_why(EmuDebugger *d, const char *lane);
void emu_debug_backtrace(EmuDebugger *d, const char *lane);

#endif
