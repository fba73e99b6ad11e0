/* SPDX-License-Identifier: Apache-2.0 */
/* debugger: a debugger for the lanes of a subgroup.
 *
 * The executor asks it before each instruction that counts as an issue (exec/debug_hook.h). It
 * stops there if a breakpoint or a step says so, and then reads commands until one lets the run go
 * on. The debugger does not change the run: figures and results are the same as without it. */
#ifndef EMU_DEBUGGER_H
#define EMU_DEBUGGER_H

#include "spv-emu/engine/program.h"
#include "spv-emu/exec/exec.h"

typedef struct EmuDebugger EmuDebugger;

/* What is debugged. */
typedef struct EmuDebugged {
  const spv_emu_program *program; /* loaded with spv_emu_load_options.debug */
  const EmuBlockTable *table;
  const EmuPolicy *policy; /* the one that the caller asked for */
} EmuDebugged;

/* Makes a debugger in `arena`, with which it lives. */
EmuDebugger *emu_debugger_new(SrArena *arena, const EmuDebugged *what, const spv_emu_debug *to);
/* For EmuDispatch.debug. */
const EmuDebugHook *emu_debugger_hook(const EmuDebugger *d);

#endif
