/* SPDX-License-Identifier: Apache-2.0 */
/* local_flow: which values reach the loads of a lane's own variables, as if the module were in SSA
 * form. The module is not rewritten: loads and stores of a variable are renamed on paper (Cytron et
 * al. 1991; phis by frontier.h), so that the uniformity analysis has one rule for values and for
 * the variables in which glslang keeps them.
 *
 * A variable of storage class Function, or Private if only entry points use it, is *followed* if it
 * does not escape (memory_cells.h). Its *slots* are the members of its struct, down to 32 members
 * that are no structs; any other object is one slot. A store to a whole slot makes the stored value
 * the slot's own; a store to a part of it, or at an index, mixes the stored value with the slot's
 * own one. If a function gets a pointer to a variable, the variable's value goes into the function.
 * If the function stores there, a value also comes out of it. The slots of the function's parameter
 * are one summary for all calls.
 *
 *   store v, %5            v            The load is given the node n: a phi of %5 (the store's own
 *   br c, A, B           /   \          value) and of m, the value that comes out of the call.
 *   A: call f(v)       m       %5
 *   B: %9 = load v       \   /
 *                          n -> %9
 *
 * Values that no instruction computes are *nodes*, whose numbers begin at the id bound. An *edge*
 * leads from a value or node to the result or node that depends on it.
 *
 * Cost: near-linear. If placing the phis of a function takes more steps than a limit linear in its
 * size, further variables are not followed. */
#ifndef SR_LOCAL_FLOW_H
#define SR_LOCAL_FLOW_H

#include "passes/analysis/uniform/memory_cells.h"
#include "passes/analysis/uniform/rows.h"

typedef enum SrLocalKind {
  SR_LOCAL_UNDEFINED, /* what a variable holds that nothing was stored to */
  SR_LOCAL_PHI,
  SR_LOCAL_MIX, /* a slot after a store to a part of it, or after a call that stores there */
  SR_LOCAL_PARAMETER,
  SR_LOCAL_RETURN, /* what a parameter's slot holds when the function returns */
} SrLocalKind;

typedef struct SrLocalNode {
  SrLocalKind kind;
  uint32_t place; /* the number of its block, counted through the module; PARAMETER, RETURN: the
                     index of its function */
  bool chooses;   /* PHI, RETURN: different values reach it */
} SrLocalNode;

typedef struct SrLocalEdge {
  uint32_t to, block; /* the number of the block where `to` takes the value */
} SrLocalEdge;

typedef struct SrLocalFlow {
  uint32_t first; /* the number of nodes.at[0] */
  SR_VEC(SrLocalNode) nodes;
  SR_VEC(SrLocalEdge) edges;
  SrRows out;           /* by value or node: indices of its edges */
  SrRows of_block;      /* by number of a block: indices of its PHI and MIX nodes */
  SrRows of_function;   /* by index of a function: indices of its PARAMETER and RETURN nodes */
  SrBits *not_followed; /* by cell */
  uint32_t leftover; /* number of the UNDEFINED node of functions that are called: their variables
                           may hold what an earlier call has left there */
} SrLocalFlow;

/* `base`: by index of a function, the number of its first block, and after the last function the
 * number of blocks; `function_at`: by id of OpFunction, its index; `starts`: by index of a function,
 * whether it is an entry point that nothing calls. */
SrLocalFlow *sr_local_flow_build(SrArena *arena, const SrModule *m, const SrMemory *memory,
                                 const uint32_t *base, const uint32_t *function_at,
                                 const SrBits *starts);

static inline bool sr_local_flow_follows(const SrLocalFlow *flow, uint32_t cell) {
  return cell != SR_NONE && !sr_bit(flow->not_followed, cell);
}

#endif
