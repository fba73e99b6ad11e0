/* SPDX-License-Identifier: Apache-2.0 */
/* native_check: runs machine code and the interpreter on the same register file, and compares what
 * they leave there. A difference is a fault of the run. Two different NaNs count as equal (alu.h). */
#ifndef EMU_NATIVE_CHECK_H
#define EMU_NATIVE_CHECK_H

#include "spv-emu/exec/exec.h"

/* Runs a block's stream both ways, and leaves what the interpreter has computed. */
void emu_check_stream(EmuExec *e, const EmuBlock *b, const EmuNativeStream *stream);

/* Can the interpreter do again what code does, without stores of its own or of other threads? */
bool emu_check_may(const EmuExec *e, const EmuNativeWhat *what);
/* The same in steps: keeps the file before the code runs; keeps what the code has computed and
 * restores the file before the interpreter runs; compares all of it, or the rows of a path. */
void emu_check_begin(EmuExec *e);
void emu_check_again(EmuExec *e);
void emu_check_end(EmuExec *e);
void emu_check_path_end(EmuExec *e, const EmuNativePath *path);
/* A path's code has stopped in lanes.block, and the interpreter, which starts again where the code
 * did, must find the same there; EmuShared.issued will be `issued`. */
void emu_check_expect(EmuExec *e, const EmuNativePath *path, uint64_t issued);
/* The interpreter has run a block, and waits for what was expected. */
void emu_check_arrive(EmuExec *e);
/* The code does something else. */
void emu_check_failed(EmuExec *e, const char *what);

#endif
