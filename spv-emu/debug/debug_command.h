/* SPDX-License-Identifier: Apache-2.0 */
/* debug_command: the commands of the debugger (docs/debugger.md). */
#ifndef EMU_DEBUG_COMMAND_H
#define EMU_DEBUG_COMMAND_H

#include "spv-emu/debug/debug_state.h"

/* Passes on what has been printed. */
void emu_debug_flush(EmuDebugger *d);
/* Reads and executes commands until one continues the run. False: the run should end. */
bool emu_debug_commands(EmuDebugger *d);

#endif
