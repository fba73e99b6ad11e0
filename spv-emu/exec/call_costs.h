/* SPDX-License-Identifier: Apache-2.0 */
/* call_costs: what each call of a function costs, with the functions that it calls in turn.
 *
 * SPIR-V has no recursion, so a lane is in a function through one call at a time. A call is *open*
 * if lanes are inside it, and the set of these lanes is kept. Lanes enter the set with the block
 * that ends in the call, and leave it with the block that ends in the callee's return. When a block
 * is issued, it counts for each open call that has some of its lanes. So if the lanes of an issue
 * came through several calls, the issue counts for each of them. The sum over calls may then exceed
 * the issues of the function, but the lanes add up. Issues without lanes, and issues that a policy
 * adds, belong to no call.
 *
 * Lanes that end inside a function stay in the sets, but are never active again. */
#ifndef EMU_CALL_COSTS_H
#define EMU_CALL_COSTS_H

#include "passes/base/vec.h"
#include "spv-emu/engine/bytecode.h"

typedef struct EmuCallCount {
  uint64_t issues, lanes; /* lanes: the sum over these issues of the lanes that count */
} EmuCallCount;

typedef struct EmuOpenCall {
  uint32_t block; /* ends in the call */
  uint32_t callee;
  EmuMask lanes;
} EmuOpenCall;

/* The costs of one subgroup. The next one may use the record after emu_call_costs_start. */
typedef struct EmuCallCosts {
  const EmuProgram *program;
  SrArena *arena;
  uint32_t words;
  EmuCallCount *calls;     /* by block that ends in a call: of the callee, callees included */
  EmuCallCount *functions; /* by function: of the functions that it calls, not its own */
  uint64_t *counted;       /* by function: the last issue that counts for it */
  uint64_t now;            /* number of issues reported so far */
  SR_VEC(EmuOpenCall) open;
} EmuCallCosts;

/* The caller owns both arrays of counts, which subgroups add to. */
void emu_call_costs_init(EmuCallCosts *c, SrArena *arena, const EmuProgram *program, uint32_t words,
                         EmuCallCount *calls, EmuCallCount *functions);
static inline void emu_call_costs_start(EmuCallCosts *c) {
  c->open.count = 0;
}
/* The subgroup issues the block for these lanes. */
void emu_call_costs_block(EmuCallCosts *c, uint32_t block, const EmuMask *on);

#endif
