/* SPDX-License-Identifier: Apache-2.0 */
/* native_compile: the functions that depend on LLVM. native_llvm.c compiles; in a build without
 * LLVM, native_none.c takes its place and refuses. */
#ifndef EMU_NATIVE_COMPILE_H
#define EMU_NATIVE_COMPILE_H

#include "spv-emu/native/native.h"

typedef struct EmuCompiler EmuCompiler; /* of one program */

const char *emu_compiler_refuses(void);
/* The library with which this build compiles, such as "LLVM 15". NULL: none. */
const char *emu_compiler_name(void);
/* Makes a compiler in `arena`. NULL: LLVM is missing, or it fails. */
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
/* The lock that a thread must hold while it calls any of the functions above. */
void emu_compiler_lock(void);
void emu_compiler_unlock(void);

#endif
