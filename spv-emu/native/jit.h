/* SPDX-License-Identifier: Apache-2.0 */
/* jit: from LLVM's intermediate representation to machine code in memory (ORC's LLJIT). The process
 * has one instance. Memory that holds code is never writable and executable at the same time: the
 * linker writes it and then changes its protection. */
#ifndef EMU_JIT_H
#define EMU_JIT_H

#include "spv-emu/alu/isa.h"
#include "spv-emu/native/llvm_api.h"

typedef struct EmuJit EmuJit;

/* Starts the process's one instance, for this machine and the instruction set `isa`. NULL: there is
 * no LLVM, or it cannot be started. Callers of the functions in this header must hold the lock of
 * native_compile.h. */
EmuJit *emu_jit_start(const EmuIsa *isa);
/* Has emu_jit_start been called? */
bool emu_jit_started(void);
const EmuLlvm *emu_jit_llvm(const EmuJit *jit);

/* A module to fill with functions. */
typedef struct EmuJitModule {
  LLVMContextRef context;
  LLVMModuleRef module;
} EmuJitModule;
EmuJitModule emu_jit_module(EmuJit *jit);

/* Compiled code of one owner. */
typedef struct EmuJitCode EmuJitCode;
EmuJitCode *emu_jit_code(EmuJit *jit);
typedef enum EmuJitEffort {
  EMU_JIT_QUICK, /* for straight code: a quarter of the time */
  EMU_JIT_GOOD,  /* values stay in registers in a loop */
} EmuJitEffort;

/* Compiles the module, which it takes. False: it failed. */
bool emu_jit_compile(EmuJit *jit, EmuJitEffort effort, EmuJitCode *code, EmuJitModule *m);
/* Frees a module that is not to be compiled. */
void emu_jit_drop(EmuJit *jit, EmuJitModule *m);
/* The address of a function; NULL: there is none. */
void *emu_jit_find(EmuJit *jit, const char *name);
/* Bytes of object code that the owner has. */
size_t emu_jit_bytes(const EmuJitCode *code);
void emu_jit_free(EmuJit *jit, EmuJitCode *code);

#endif
