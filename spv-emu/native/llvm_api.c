/* SPDX-License-Identifier: Apache-2.0 */
/* llvm_api: see llvm_api.h. The library must have the version of the headers: the functions of the C
 * API rarely change, but enumerations do. */
#include "spv-emu/native/llvm_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static EmuLlvm api;
static bool found;

/* The name of the library up to LLVM 17, and since LLVM 18. */
static void *open_library(void) {
  static const char *const names[] = {"libLLVM-" EMU_LLVM_MAJOR ".so.1",
                                      "libLLVM.so." EMU_LLVM_MAJOR ".1"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void load(void) {
  void *library = open_library(), *at = NULL;
  found = library != NULL;
#define FIND(name)                                                                                 \
  at = library ? dlsym(library, #name) : NULL;                                                     \
  found = found && at;                                                                             \
  memcpy(&api.name, &at, sizeof at);
#define LLVM(name) FIND(name)
#include "spv-emu/native/llvm_api.def"
}

const EmuLlvm *emu_llvm_api(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return found ? &api : NULL;
}
