/* SPDX-License-Identifier: Apache-2.0 */
/* debug_print: prints values of all lanes. */
#ifndef EMU_DEBUG_PRINT_H
#define EMU_DEBUG_PRINT_H

#include "spv-emu/debug/debug_state.h"

/* Prints the values that a name means; lanes with equal values share a line. */
void emu_debug_print(EmuDebugger *d, const char *name);
/* Prints the variables of the running function; `globals`: the names of those of the module. */
void emu_debug_info_variables(EmuDebugger *d, bool globals);

#endif
