/* SPDX-License-Identifier: Apache-2.0 */
/* unit: what is compiled as one function.
 *
 *   a *run*    consecutive instructions of a block, all covered by lower.h. It is a handler like any
 *              other and takes their place in the stream. It loops over vectors as wide as the
 *              machine's registers: loads the rows that it reads, computes all instructions, and
 *              stores the rows that are read after it.
 *   a *path*   iterations that all running lanes make together (exec/round.h). Rows are vectors of
 *              all lanes and stay in registers or on the stack from iteration to iteration; they are
 *              stored when the lanes leave the path. Instructions that are not covered are calls of
 *              their handlers, before which the rows that they may read are stored and after which
 *              those that they may write are loaded again.
 *   *arms*     the blocks of a hammock (policy/hammock.h), each for its own lanes, without calls.
 *
 * Rows that hold values of one block only (EmuProgram.temporary) are not stored unless something
 * after the code reads them. */
#ifndef EMU_UNIT_H
#define EMU_UNIT_H

#include "spv-emu/engine/engine.h"
#include "spv-emu/native/build.h"
#include "spv-emu/native/meaning.h"

enum { EMU_PATH_LANES = 64 }; /* the widest rows that a path holds in registers */

/* A block of a path. */
typedef struct EmuUnitStep {
  const EmuIns *code;
  uint32_t count;
  const EmuMove *move; /* of the edge that all lanes are to take */
  uint32_t moves;
  const EmuBlock *block;
  uint32_t index; /* the block's */
  bool yes;       /* the edge is the first of two */
} EmuUnitStep;

typedef struct EmuUnit {
  const EmuProgram *program;
  const EmuMeanings *meanings;
  SrArena *arena;
  EmuBuild b; /* `lanes`, `at` and `function` are set by the functions below */
} EmuUnit;

/* The number of instructions from code[0] on that a run covers. */
uint32_t emu_unit_covers(EmuUnit *u, const EmuIns *code, uint32_t count);
/* Adds the function `name` for code[from] to code[to - 1] of the block's stream, which has `count`
 * instructions; `lanes` fill a vector register. False: it cannot be compiled. */
typedef struct EmuUnitRun {
  const EmuBlock *block;
  const EmuIns *code;
  uint32_t count, from, to;
  uint32_t lanes;
} EmuUnitRun;
bool emu_unit_run(EmuUnit *u, const EmuUnitRun *run, const char *name);
/* Adds the function `name`, an EmuNativePathCode, for a path; `full`: moves write whole rows. False: it cannot be
 * compiled. */
bool emu_unit_path(EmuUnit *u, const EmuUnitStep *steps, uint32_t count, bool full,
                   const char *name);
/* Adds the function `name`, an EmuNativeArmsCode, for arms whose instructions are all covered. False:
 * it cannot be compiled. */
bool emu_unit_arms(EmuUnit *u, const EmuUnitStep *arms, uint32_t count, const char *name);

#endif
