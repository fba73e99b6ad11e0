/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cost: the cost of pushes and pops on a subgroup's stack.
 *
 * The model of Białas (docs/glossary.md: Białas and Strzelecki, Benchmarking the Cost of Thread
 * Divergence in CUDA, sections IV and IV-A):
 *
 *   - Up to `entries` of the topmost entries of the stack are on the chip. If they fill the chip, a
 *     push first moves the lowest `chunk` of them to memory (a spill). If no entry is on the chip,
 *     a pop first moves the topmost `chunk` spilled entries back (a reload).
 *   - A divergent branch costs `divergent` cycles, which are counted when its entry is popped, not
 *     when it is pushed. A spill is counted at the push, a reload at the pop.
 *
 * The paper has branches with two targets; a branch with n targets counts as n - 1 of these. Under
 * `ssy` lanes that leave by BRK or CONT push nothing, so they cost nothing here. A policy may push
 * more or fewer entries than there are divergent branches. So each pop is charged for one divergent
 * branch while any is unpaid, and the pop that empties the stack is charged for all that are left.
 * The base entry is not counted.
 *
 * In addition, an entry of a sorted stack is compared with one entry after the other until its
 * place is found (Diamos et al., MICRO-44, 2011, section 5.2: "at most one cycle for each SIMD lane
 * and at best one cycle"). Each comparison costs `insertion` cycles, counted with the pushes. */
#ifndef EMU_STACK_COST_H
#define EMU_STACK_COST_H

#include "spv-emu/cost/policy_counts.h"

#include <spv-emu/spv_emu.h>

struct EmuShaderClock;
struct EmuTimeline;

typedef struct EmuStackCost {
  EmuStackLog log;              /* first member; EmuPolicyCounts.log points here */
  const spv_emu_cost *model;    /* owned by the caller, like the next two */
  struct EmuShaderClock *clock; /* goes on by the cycles; NULL: there is none */
  struct EmuTimeline *waits;    /* records the cycles; NULL: they are not recorded */
  uint64_t on_chip, below;      /* entries of the current subgroup: on the chip, spilled */
  uint64_t unpaid;              /* divergent branches that no pop has been charged for yet */
  uint64_t spills, reloads;     /* of all subgroups, as are the next two */
  uint64_t branch, unwinding;   /* cycles of pushes; cycles of pops */
} EmuStackCost;

/* Sets `log`. The caller has set `model`, `clock` and `waits`, and zeroed the rest. */
void emu_stack_cost_init(EmuStackCost *cost);
/* To be called for a new subgroup, whose stack is empty. */
void emu_stack_cost_start(EmuStackCost *cost);
/* To be called when the subgroup has ended: charges for the branches that are still unpaid. */
void emu_stack_cost_end(EmuStackCost *cost);

#endif
