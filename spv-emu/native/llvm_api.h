/* SPDX-License-Identifier: Apache-2.0 */
/* llvm_api: LLVM's C API, opened at run time when the first code is compiled. A program that
 * compiles nothing does not load the library, which takes longer than most runs. */
#ifndef EMU_LLVM_API_H
#define EMU_LLVM_API_H

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#define EMU_LLVM_TEXT_OF(text) #text
#define EMU_LLVM_TEXT(text) EMU_LLVM_TEXT_OF(text)
#define EMU_LLVM_MAJOR EMU_LLVM_TEXT(LLVM_VERSION_MAJOR)
#define EMU_LLVM_NAME "LLVM " EMU_LLVM_MAJOR

typedef struct EmuLlvm {
#define FIELD(name) __typeof__(name) *name;
#define LLVM(name) FIELD(name)
#include "spv-emu/native/llvm_api.def"
#undef FIELD
} EmuLlvm;

/* The functions, which are valid for the life of the process. NULL: the library is missing, or its
 * version is different. Several threads may call this. */
const EmuLlvm *emu_llvm_api(void);

#endif
