/* SPDX-License-Identifier: Apache-2.0 */
/* debug_trace: --trace-values: rows of CSV with the values of names, by lane:
 *
 *   policy,subgroup,issue,function,block,line,lane,NAME…
 *
 * A lane gets a row before an instruction if one of its values is not that of its last row. A value
 * that it has not computed, or that means nothing in the function, is empty. */
#ifndef EMU_DEBUG_TRACE_H
#define EMU_DEBUG_TRACE_H

#include "spv-emu/debug/debug_state.h"

/* Writes the rows of the running lanes. */
void emu_debug_trace(EmuDebugger *d);

#endif
