/* SPDX-License-Identifier: Apache-2.0 */
/* native_none: a build without LLVM interprets everything; see native_compile.h. */
#include "spv-emu/native/native_compile.h"

const char *emu_compiler_refuses(void) {
  return "this spv-emu was built without LLVM";
}

const char *emu_compiler_name(void) {
  return NULL;
}

EmuCompiler *emu_compiler_new(SrArena *arena, const EmuProgram *program) {
  (void)arena, (void)program;
  return NULL;
}

void emu_compiler_free(EmuCompiler *c) {
  (void)c;
}

void emu_compiler_streams(EmuCompiler *c, const uint32_t *which, uint32_t count,
                          const EmuNativeStream **made) {
  (void)c, (void)which, (void)count, (void)made;
}

void emu_compiler_path(EmuCompiler *c, EmuNativePath *path) {
  (void)c;
  path->refused = true;
}

void emu_compiler_arms(EmuCompiler *c, EmuNativeArms *arms) {
  (void)c;
  arms->refused = true;
}

bool emu_compiler_started(void) {
  return true;
}

void emu_compiler_lock(void) {}
void emu_compiler_unlock(void) {}
