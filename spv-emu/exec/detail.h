/* SPDX-License-Identifier: Apache-2.0 */
/* detail: what a run counts beyond its blocks if the caller asks where lanes are lost: calls
 * (call_costs.h), and iterations of loops (iterations.h). It sees each block that a subgroup issues, so the short
 * cuts of the executor (rounds, hammocks) are not taken; without it a run costs what it did. */
#ifndef EMU_DETAIL_H
#define EMU_DETAIL_H

#include "spv-emu/exec/call_costs.h"
#include "spv-emu/exec/iterations.h"

#include <spv-emu/spv_emu.h>

/* What to count; the same for all subgroups. */
typedef struct EmuDetail {
  const EmuProgram *program;
  const EmuBlockTable *table;
  const EmuLoops *loops;   /* NULL: calls only, like the next */
  const uint32_t *decides; /* by block: the nearest block of the function whose branch decides
                              whether lanes get here; SR_NONE: none does */
} EmuDetail;

/* Sums over subgroups, in the order of the program's blocks and functions, and of the loops. */
typedef struct EmuDetailCounts {
  EmuCallCount *calls, *functions;
  EmuLoopCount *loops; /* NULL: not counted, like `needed` */
  uint64_t *needed;
} EmuDetailCounts;

/* The details of one subgroup. The next one may use the record after emu_detail_start. */
typedef struct EmuDetailed {
  EmuCallCosts calls;
  EmuIterations iterations;
  bool counts_iterations;
} EmuDetailed;

/* Prepares to count calls, and with `causes` iterations. */
const EmuDetail *emu_detail_build(SrArena *arena, const EmuProgram *program,
                                  const EmuBlockTable *table, bool causes);
/* All zero; `detail` NULL: nothing is counted, and the result is NULL. */
EmuDetailCounts *emu_detail_counts(SrArena *arena, const EmuDetail *detail);
void emu_detail_add(EmuDetailCounts *to, const EmuDetailCounts *from, const EmuDetail *detail);

/* The state of a subgroup of `size` lanes, which adds to `counts`. */
EmuDetailed *emu_detail_new(SrArena *arena, const EmuDetail *detail, uint32_t size,
                            EmuDetailCounts *counts);
void emu_detail_start(EmuDetailed *d);
/* The subgroup issues the block for these lanes, perhaps none. */
void emu_detail_block(EmuDetailed *d, uint32_t block, const EmuMask *on);
void emu_detail_end(EmuDetailed *d);

/* ---- detail_result.c ------------------------------------------------------------------------- */

/* Adds what was counted to a result that has its parts. False: out of memory. */
SR_MUST_USE bool emu_detail_fill(spv_emu_result *result, const EmuDetail *detail,
                                 const EmuDetailCounts *counts);

#endif
