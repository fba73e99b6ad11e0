/* SPDX-License-Identifier: Apache-2.0 */
/* jit: see jit.h. */
#include "spv-emu/native/jit.h"

#include <stdlib.h>
#include <string.h>

enum { EFFORTS = 2 };

struct EmuJit {
  const EmuLlvm *l;
  LLVMOrcLLJITRef jit; /* links */
  LLVMTargetMachineRef machine[EFFORTS];
  char *triple;
};

struct EmuJitCode {
  LLVMOrcResourceTrackerRef tracker;
  size_t bytes;
};

/* ---- the machine ----------------------------------------------------------------------------- */

/* The instructions that the engine's own version for this instruction set uses (cmake/emu.cmake). */
static const char *features_of(const EmuIsa *isa) {
  if (strcmp(isa->name, "avx512") == 0)
    return "+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd,+fma,+f16c,+bmi,+bmi2,+lzcnt,+popcnt";
  return strcmp(isa->name, "avx2") == 0 ? "+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+popcnt" : "";
}

static LLVMTargetMachineRef machine_of(EmuJit *j, const EmuIsa *isa, LLVMCodeGenOptLevel level) {
  const EmuLlvm *l = j->l;
  LLVMTargetRef target;
  char *error = NULL;
  if (l->LLVMGetTargetFromTriple(j->triple, &target, &error)) {
    l->LLVMDisposeMessage(error);
    return NULL;
  }
  return l->LLVMCreateTargetMachine(target, j->triple, "", features_of(isa), level, LLVMRelocPIC,
                                    LLVMCodeModelJITDefault);
}

/* ---- the instance ---------------------------------------------------------------------------- */

static bool succeeded(const EmuJit *j, LLVMErrorRef error) {
  if (error)
    j->l->LLVMConsumeError(error);
  return !error;
}

/* Functions of the C library, which LLVM calls where the machine has no instruction. */
static bool add_process(EmuJit *j) {
  const EmuLlvm *l = j->l;
  LLVMOrcDefinitionGeneratorRef process;
  if (!succeeded(j, l->LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                        &process, l->LLVMOrcLLJITGetGlobalPrefix(j->jit), NULL, NULL)))
    return false;
  l->LLVMOrcJITDylibAddGenerator(l->LLVMOrcLLJITGetMainJITDylib(j->jit), process);
  return true;
}

static bool start(EmuJit *j, const EmuIsa *isa) {
  const EmuLlvm *l = j->l;
  l->LLVM_NATIVE_TARGETINFO();
  l->LLVM_NATIVE_TARGET();
  l->LLVM_NATIVE_TARGETMC();
  l->LLVM_NATIVE_ASMPRINTER();
  j->triple = l->LLVMGetDefaultTargetTriple();
  j->machine[EMU_JIT_QUICK] = machine_of(j, isa, LLVMCodeGenLevelNone);
  j->machine[EMU_JIT_GOOD] = machine_of(j, isa, LLVMCodeGenLevelDefault);
  LLVMTargetMachineRef taken = machine_of(j, isa, LLVMCodeGenLevelNone);
  if (!j->machine[0] || !j->machine[1] || !taken)
    return false;
  LLVMOrcLLJITBuilderRef builder = l->LLVMOrcCreateLLJITBuilder();
  l->LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, l->LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(taken));
  if (!succeeded(j, l->LLVMOrcCreateLLJIT(&j->jit, builder)))
    return false;
  return add_process(j);
}

static bool tried;

bool emu_jit_started(void) {
  return tried;
}

EmuJit *emu_jit_start(const EmuIsa *isa) {
  static EmuJit jit;
  static bool started;
  if (!tried) {
    tried = true;
    jit.l = emu_llvm_api();
    started = jit.l && start(&jit, isa);
  }
  return started ? &jit : NULL;
}

const EmuLlvm *emu_jit_llvm(const EmuJit *j) {
  return j->l;
}

/* ---- modules --------------------------------------------------------------------------------- */

EmuJitModule emu_jit_module(EmuJit *j) {
  const EmuLlvm *l = j->l;
  EmuJitModule m = {.context = l->LLVMContextCreate()};
  m.module = l->LLVMModuleCreateWithNameInContext("emu", m.context);
  l->LLVMSetTarget(m.module, j->triple);
  LLVMTargetDataRef layout = l->LLVMCreateTargetDataLayout(j->machine[0]);
  l->LLVMSetModuleDataLayout(m.module, layout);
  l->LLVMDisposeTargetData(layout);
  return m;
}

void emu_jit_drop(EmuJit *j, EmuJitModule *m) {
  j->l->LLVMDisposeModule(m->module);
  j->l->LLVMContextDispose(m->context);
}

EmuJitCode *emu_jit_code(EmuJit *j) {
  const EmuLlvm *l = j->l;
  EmuJitCode *code = calloc(1, sizeof *code);
  if (code)
    code->tracker = l->LLVMOrcJITDylibCreateResourceTracker(l->LLVMOrcLLJITGetMainJITDylib(j->jit));
  return code;
}

/* Rows become values; moves, masks and address arithmetic are simplified. */
static void optimize(EmuJit *j, EmuJitEffort effort, LLVMModuleRef module) {
  static const char *const passes[EFFORTS] = {"function(sroa)",
                                              "function(sroa,early-cse,instcombine)"};
  const EmuLlvm *l = j->l;
  LLVMPassBuilderOptionsRef options = l->LLVMCreatePassBuilderOptions();
  succeeded(j, l->LLVMRunPasses(module, passes[effort], j->machine[effort], options));
  l->LLVMDisposePassBuilderOptions(options);
}

bool emu_jit_compile(EmuJit *j, EmuJitEffort effort, EmuJitCode *code, EmuJitModule *m) {
  const EmuLlvm *l = j->l;
  LLVMMemoryBufferRef object;
  char *error = NULL;
  optimize(j, effort, m->module);
  bool failed = l->LLVMTargetMachineEmitToMemoryBuffer(j->machine[effort], m->module,
                                                       LLVMObjectFile, &error, &object);
  emu_jit_drop(j, m);
  if (failed) {
    l->LLVMDisposeMessage(error);
    return false;
  }
  code->bytes += l->LLVMGetBufferSize(object);
  return succeeded(j, l->LLVMOrcLLJITAddObjectFileWithRT(j->jit, code->tracker, object));
}

/* The object with the function is linked when it is looked for first. */
void *emu_jit_find(EmuJit *j, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  return succeeded(j, j->l->LLVMOrcLLJITLookup(j->jit, &address, name)) ? (void *)(uintptr_t)address
                                                                        : NULL;
}

size_t emu_jit_bytes(const EmuJitCode *code) {
  return code->bytes;
}

void emu_jit_free(EmuJit *j, EmuJitCode *code) {
  if (!code)
    return;
  succeeded(j, j->l->LLVMOrcResourceTrackerRemove(code->tracker));
  j->l->LLVMOrcReleaseResourceTracker(code->tracker);
  free(code);
}
