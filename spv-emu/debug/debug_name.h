/* SPDX-License-Identifier: Apache-2.0 */
/* debug_name: from the names of the source to values and variables.
 *
 * A name means, the first of these that there is:
 *
 *   %12        the value or variable with that id
 *   variables  of the frame's function, or of the module, by OpName, DebugDeclare or
 *              DebugGlobalVariable
 *   sources    a variable of the frame's function that debug information gives values (DebugValue):
 *              for each lane the value that it has passed last
 *   values     of the frame's function, by OpName
 *   members    of a buffer or another block whose variable has no name in the source
 *
 * Compilers declare a name several times in one function; then it means all of these. */
#ifndef EMU_DEBUG_NAME_H
#define EMU_DEBUG_NAME_H

#include "spv-emu/debug/debug_view.h"

typedef SR_VEC(EmuView) EmuViews;

/* Finds the names of the program. */
void emu_debug_names(EmuDebugger *d);
/* All that a name with its path ("a.b[3]") may mean where the lanes are. NULL: something; else
 * why it means nothing. */
const char *emu_debug_find(EmuDebugger *d, const char *text, EmuViews *views);
/* A view of a whole variable. */
EmuView emu_debug_whole(const EmuDebugger *d, const EmuDebugVariable *v);
/* Is it a variable of that function of the program? SR_NONE: of the module. */
bool emu_debug_is_of(const EmuDebugger *d, uint32_t id, uint32_t function);
/* The function whose value or variable it is; SR_NONE: it is the module's. */
uint32_t emu_debug_function_of(const EmuDebugger *d, const EmuView *v);
/* The running lanes are about to run a step: notes the assignments before it. */
void emu_debug_assign(EmuDebugger *d);

#endif
