/* SPDX-License-Identifier: Apache-2.0 */
/* unit: what is compiled as one function.
 *
 *   a *run*    consecutive instructions of a block, all covered by lower.h. It is a handler like any
 *              other and takes their place in the stream. It loops over vectors as wide as the
 *              machine's registers: loads the rows that it reads, computes all instructions, and
 *              stores the rows that are read after it.
 *   a *path*   iterations that the running lanes make together (exec/round.h). Rows are vectors of
 *              all lanes and stay in registers or on the stack from iteration to iteration; they are
 *              stored when the lanes leave the path. Instructions that are not covered become calls of their handlers. The rows that a handler may read are stored before the call, and those that it may write are loaded again after it. A hammock (policy/hammock.h) between two steps is part of the path, and some lanes may leave the others, if the policy allows that.
 *   *arms*     the blocks of a hammock, each for its own lanes, without calls, but with
 *              loads and stores.
 *
 * Rows that hold values of one block only (EmuProgram.temporary) are not stored unless something
 * after the code reads them. */
#ifndef EMU_UNIT_H
#define EMU_UNIT_H

#include "spv-emu/engine/arms.h"
#include "spv-emu/engine/engine.h"
#include "spv-emu/native/build.h"
#include "spv-emu/native/meaning.h"
#include "spv-emu/native/native.h"

enum { EMU_PATH_LANES = 64 }; /* the widest rows that a path holds in registers */

typedef struct EmuUnitStep EmuUnitStep;

/* A block of a path, or an arm. */
struct EmuUnitStep {
  const EmuIns *code;
  uint32_t count;
  const EmuMove *move; /* of the edge that all lanes are to take */
  uint32_t moves;
  const EmuBlock *block;
  uint32_t index;            /* the block's */
  bool yes;                  /* the edge is the first of two */
  bool parts;                /* lanes that take the other edge part from those that stay */
  const EmuHammock *hammock; /* NULL: all lanes take the edge */
  uint32_t arm_count;        /* of the hammock, or 1: the block that parting lanes run */
  EmuUnitStep *arms;
};

typedef struct EmuUnit {
  const EmuProgram *program;
  const EmuMeanings *meanings;
  SrArena *arena;
  EmuBuild b; /* `lanes`, `at` and `function` are set by the functions below */
} EmuUnit;

/* How many instructions, beginning with code[0], a run covers. */
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
/* Adds the function `name`, an EmuNativePathCode, for the steps of path->steps. *rows: those that it
 * writes, except rows of one block; in u->arena. False: it cannot be compiled. */
typedef SR_VEC(EmuNativeRow) EmuUnitRows;
bool emu_unit_path(EmuUnit *u, const EmuNativePath *path, const EmuUnitStep *steps,
                   const char *name, EmuUnitRows *rows);
/* Adds the function `name`, an EmuNativeArmsCode, for arms whose instructions are all covered. False:
 * it cannot be compiled. */
bool emu_unit_arms(EmuUnit *u, const EmuUnitStep *arms, uint32_t count, const char *name);

#endif
