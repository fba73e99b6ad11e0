/* SPDX-License-Identifier: Apache-2.0 */
/* call_schedule: determines which calls to a function come before it in the order of all blocks.
 *
 * A function is at one place in that order (call_order.h), so some of its calls lead forward to it,
 * and others back. To find out which, blocks are placed one by one, each as soon as everything that
 * must come before it has been placed, and functions begin as late as possible. A call leads
 * *forward* if its callee has not begun when the call is placed. */
#ifndef EMU_CALL_SCHEDULE_H
#define EMU_CALL_SCHEDULE_H

#include "passes/analysis/graph/cycle.h"
#include "spv-emu/policy/policy.h"

/* The cycles of all functions are numbered together; a function's outermost cycles are nested in
 * the innermost cycle that holds its forward calls. */
typedef struct EmuCallSchedule {
  const SrGraph **graph; /* by function: its own graph, without edges from calls that do not
                            return */
  const SrNest **nest;   /* by function: nest of that graph; NULL: the entry does not reach it */
  const uint32_t *order; /* the functions that the entry reaches, callers before callees */
  uint32_t count;        /* number of these functions */
  uint32_t cycle_count;
  uint32_t *first_cycle; /* by function: the number of its first cycle, in the order of the nest */
  uint32_t *around;      /* by function: innermost cycle that holds its forward calls, or SR_NONE */
  SrAncestors cycles;    /* the tree of cycles */
  const uint32_t *header; /* by cycle: header block */
  const bool *forward;    /* by block that ends in a call */
} EmuCallSchedule;

/* Reads the fields `functions`, `function`, `callee` and `next` of the table; no function may call
 * itself. `lrpo`, which breaks ties: the LRPO of the whole graph, with the `count` blocks that the
 * entry reaches. Cost O(E log V). */
EmuCallSchedule emu_call_schedule(SrArena *arena, const EmuBlockTable *table, const uint32_t *lrpo,
                                  uint32_t count);

/* The innermost cycle around a block of a reached function, or SR_NONE. */
uint32_t emu_cycle_around(const EmuCallSchedule *s, const EmuBlockTable *table, uint32_t block);

#endif
