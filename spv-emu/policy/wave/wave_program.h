/* SPDX-License-Identifier: Apache-2.0 */
/* wave_program: the wave-level program (transform/wave/wave.h) that policy `exec` runs, with its
 * labels resolved to the emulator's blocks. */
#ifndef EMU_WAVE_PROGRAM_H
#define EMU_WAVE_PROGRAM_H

#include "passes/transform/wave/wave.h"
#include "spv-emu/engine/bytecode.h"
#include "spv-emu/policy/policy.h"

typedef struct EmuWave {
  const SrWave *wave;
  uint32_t start;      /* the instruction where lanes start */
  uint32_t *block;     /* by instruction: a body's block; SR_NONE: nothing reaches it */
  uint32_t *first;     /* by instruction: a body's first target, or SR_NONE */
  uint32_t *primary;   /* by instruction: a body's primary successor, or SR_NONE */
  uint32_t *place;     /* by entry of wave->targets: the instruction that the label leads to. The
                          entries of a table are sorted by `place_for` */
  uint32_t *place_for; /* by entry of a table: the block that is its target */
  uint32_t *home;      /* by mask: the block where its lanes join, or SR_NONE */
  uint32_t depth;      /* greatest nesting of calls */
} EmuWave;

/* The program of the functions that the entry reaches: read from the listing `text`, or, if that is
 * NULL, lowered from the module as `lowering` says (exec_mask.h). If a function is not
 * reconverging, *program stays NULL and *refused says so. Everything is in `arena`. */
SR_MUST_USE SrStatus emu_wave_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                    const char *text, const char *lowering, const EmuWave **program,
                                    const char **refused);

#endif
