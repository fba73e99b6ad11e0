/* SPDX-License-Identifier: Apache-2.0 */
/* cost: a cost model applied to a program: the cost of issuing each block.
 *
 * Each time that a block is issued, it costs the same. So the cost of issuing is a sum over blocks,
 * computed after the run (metrics.h). Some costs depend on the order of events: those of the stack
 * (stack_cost.h), and of waiting for memory (timeline.h, latency.h). */
#ifndef EMU_COST_H
#define EMU_COST_H

#include "spv-emu/engine/program.h"

typedef struct EmuCost {
  const spv_emu_cost *model;
  const uint32_t *block; /* by block: cycles of its issues */
  const uint32_t *place; /* by SPIR-V instruction: cycles from the start of its block until the
                            instruction has been issued; NULL unless loads wait or the program
                            reads a clock */
  uint32_t added;        /* cycles of an instruction outside of all blocks (policy_counts.h) */
  bool waits;            /* loads make their subgroup wait */
  bool stack;            /* pushes or pops cost something */
  bool plain;            /* a block costs as many cycles as it has issues */
} EmuCost;

/* Fails if a block costs 2^32 cycles or more. The model must outlive the result. */
SR_MUST_USE SrStatus emu_cost_build(SrArena *arena, SrDiag *diag, const spv_emu_cost *model,
                                    const EmuProgram *program, EmuCost *cost);
/* The class of an instruction that counts: its index in spv_emu_cost.classes. */
uint32_t emu_cost_class(const SrModule *m, SrRef r);

#endif
