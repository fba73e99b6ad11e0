/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cost: what the pushes and pops of a subgroup's stack cost.
 *
 * The model of document 001 (Białas and Strzelecki, Benchmarking the Cost of Thread Divergence in
 * CUDA, sections IV and IV-A):
 *
 *   - The topmost entries of the stack are on the chip, `entries` at most. A push that finds no
 *     room there first moves the lowest `chunk` of them off the chip (a spill). A pop that finds no
 *     entry there first moves the highest `chunk` that were spilled back (a reload).
 *   - A divergent branch costs `divergent` cycles, and its push none of them: they are paid when
 *     the stack is unwound. A spill is paid by the push, a reload by the pop.
 *
 * Document 001 has branches with two targets; one with more targets counts as a chain of such
 * branches. Under `ssy` lanes that leave by BRK or CONT push nothing and cost nothing here. Each
 * popped entry pays for one divergent branch as long as some are unpaid, and the last entry for all
 * that are: policies push more entries than they diverge, or fewer. The base entry is on no stack
 * here. */
#ifndef EMU_STACK_COST_H
#define EMU_STACK_COST_H

#include "cost/policy_counts.h"

#include <spv-emu/spv_emu.h>

struct EmuTimeline;

typedef struct EmuStackCost {
  EmuStackLog log;            /* first member: goes into EmuPolicyCounts.log */
  const spv_emu_cost *model;  /* the caller's, like `waits` */
  struct EmuTimeline *waits;  /* records the cycles; NULL: nothing does */
  uint64_t on_chip, below;    /* entries of the current subgroup; those spilled */
  uint64_t unpaid;            /* divergent branches */
  uint64_t spills, reloads;   /* of all subgroups, like the next two */
  uint64_t branch, unwinding; /* cycles that pushes, and that pops, have cost */
} EmuStackCost;

/* Zeroed but for `model` and `waits`. */
void emu_stack_cost_init(EmuStackCost *cost);
/* A new subgroup, whose stack is empty. */
void emu_stack_cost_start(EmuStackCost *cost);
/* The subgroup has ended: what is unpaid is paid. */
void emu_stack_cost_end(EmuStackCost *cost);

#endif
