/* SPDX-License-Identifier: Apache-2.0 */
/* thread_graph: a function's graph with the tables that threading reads at every step.
 *
 * A block is *empty* if it only steers: it has phis, arithmetic and tests of scalars that no other
 * block uses, and a branch. Only such blocks are threaded: lanes may bypass them, since other
 * blocks see only their phis, which other phis can replace. */
#ifndef SR_THREAD_GRAPH_H
#define SR_THREAD_GRAPH_H

#include "passes/analysis/graph/cycle.h"
#include "passes/ir/id_table.h"

/* A literal of an OpSwitch, and the place of its target among the block's successors. */
typedef struct SrThreadCase {
  uint64_t literal;
  uint32_t slot;
} SrThreadCase;

typedef struct SrThreadGraph {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrGraph *g;
  const SrNest *nest;
  SrBits *empty;   /* by block */
  SrBits *exports; /* by block: does another block need one of its values? thread_layout keeps only
                      those needed after threading */
  SrBits *decides; /* by block: does it have several successors? */
  uint32_t *pred_slot; /* by edge in g->succ: its position in the predecessor row of its target */
  uint32_t *phi_at;    /* by block: its phis are phi[phi_at[b]] … phi[phi_at[b + 1] - 1] */
  SrRef *phi;
  uint32_t *operand_at; /* by index in `phi`: its operands, in the order of the block's
                           predecessors, begin at operand[operand_at[i]] */
  uint32_t *operand;    /* 0: the phi has no operand for that predecessor, which is unreachable */
  uint32_t *case_at;    /* by block: the cases of its OpSwitch, sorted by literal */
  SrThreadCase *cases;
} SrThreadGraph;

/* Near-linear in the function's words. Everything is in `arena`. */
SrThreadGraph *sr_thread_graph_new(SrArena *arena, SrModule *m, SrFunction *f);

/* By edge in g->succ: its position in the predecessor row of its target. */
uint32_t *sr_thread_graph_preds(SrArena *arena, const SrGraph *g);
/* The slot of an OpSwitch by which lanes with this selector leave the block. */
uint32_t sr_thread_graph_case(const SrThreadGraph *t, uint32_t block, uint64_t selector);
/* The slot of `target` among the successors of the block. */
uint32_t sr_thread_graph_slot(const SrThreadGraph *t, uint32_t block, uint32_t target);

#endif
