/* SPDX-License-Identifier: Apache-2.0 */
/* native_compile: what is different without LLVM. native_llvm.c compiles; native_none.c, in a build
 * without LLVM, refuses. */
#ifndef EMU_NATIVE_COMPILE_H
#define EMU_NATIVE_COMPILE_H

#include "spv-emu/native/native.h"

typedef struct EmuCompiler EmuCompiler; /* of one program */

const char *emu_compiler_refuses(void);
/* "LLVM 15": what this build compiles with; NULL: nothing. */
const char *emu_compiler_name(void);
/* In `arena`; NULL: LLVM is not there or fails. */
EmuCompiler *emu_compiler_new(SrArena *arena, const EmuProgram *program);
void emu_compiler_free(EmuCompiler *c);
/* Compiles streams: 2 * block, or 2 * block + 1 for `full`. Sets made[] at these numbers, in the
 * compiler's arena, unless nothing in the stream can be compiled, or there is too much code. */
void emu_compiler_streams(EmuCompiler *c, const uint32_t *which, uint32_t count,
                          const EmuNativeStream **made);
/* Sets path->code and path->what, or path->refused. */
void emu_compiler_path(EmuCompiler *c, EmuNativePath *path);
/* Sets arms->code and arms->what, or arms->refused. */
void emu_compiler_arms(EmuCompiler *c, EmuNativeArms *arms);
/* Is LLVM in this process already? Loading it takes longer than many programs run. */
bool emu_compiler_started(void);
/* Holds for all functions above, which one thread calls at a time. */
void emu_compiler_lock(void);
void emu_compiler_unlock(void);

#endif
