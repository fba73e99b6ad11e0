/* SPDX-License-Identifier: Apache-2.0 */
/* program: the definition of spv_emu_program. */
#ifndef EMU_PROGRAM_H
#define EMU_PROGRAM_H

#include "spv-emu/engine/bytecode.h"

#include <spv-emu/spv_emu.h>

struct spv_emu_program {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
  const char *notice; /* spv_emu_notice */
  SrModule *m;
  EmuProgram *p;
  spv_emu_binding *bindings; /* those in use */
  uint32_t binding_count;
  spv_emu_constant *constants; /* those for which the options gave a value */
  uint32_t constant_count;
  spv_emu_port *ports; /* ports with a location: inputs, then outputs */
  spv_emu_source source;
  spv_emu_file *files;
  bool check_uniform;
  struct EmuNative *native; /* its machine code (native/native.h); NULL: it cannot have any */
};

#endif
