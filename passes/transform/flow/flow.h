/* SPDX-License-Identifier: Apache-2.0 */
/* flow: the program that structurize, guard, linearize or reconverge builds from a function's
 * graph, before it is written as SPIR-V (flow_write.h): blocks with slots (out-edges), values of
 * the selector, merges.
 *
 * The selector `sel` is an integer variable, one for the function. It holds the rank (place in
 * LRPO, or in reconverge's order) of a lane's target, the block that the lane is headed for. A slot
 * may set it; tests in added blocks read it. An SrFlowBlock is any block of the program, user
 * blocks included; comments of fields call its index "flow block". */
#ifndef SR_FLOW_H
#define SR_FLOW_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/vec.h"

typedef enum SrRole {
  SR_ROLE_USER,     /* a block of the input */
  SR_ROLE_HEADER,   /* loop header in front of the cycle's own, or its dispatch */
  SR_ROLE_GUARD,    /* tests whether the next block is a lane's target; reconverge's flow blocks */
  SR_ROLE_MERGE,    /* merge block that is not a user block */
  SR_ROLE_TEST,     /* a further test after a loop's merge */
  SR_ROLE_CONTINUE, /* continue target */
  SR_ROLE_CASE,     /* on one edge of an OpSwitch: sets sel, or breaks or continues a loop */
  SR_ROLE_EDGE,     /* on one edge of a branch that starts a loop's next iteration */
  SR_ROLE_DEAD,     /* merge of an endless loop: OpUnreachable */
} SrRole;

typedef enum SrTest {
  SR_TEST_NONE,    /* unconditional, or the user block's own branch */
  SR_TEST_LE,      /* sel <= low */
  SR_TEST_GE,      /* sel >= low */
  SR_TEST_OUTSIDE, /* sel < low or sel > high */
  SR_TEST_EQ,      /* sel == low */
} SrTest;

typedef enum SrMergeKind { SR_MERGE_NONE, SR_MERGE_SELECTION, SR_MERGE_LOOP } SrMergeKind;

typedef struct SrSlot {
  uint32_t to;  /* flow block */
  uint32_t set; /* rank that sel gets on this edge, or SR_NONE */
  uint32_t arm; /* in a switch: the arm that the slot begins, numbered from 0 in the order in which
                   arms begin; SR_NONE: none */
} SrSlot;

typedef struct SrFlowBlock {
  SrRole role;
  uint32_t user;             /* the input's block index, or SR_NONE */
  uint32_t slot, slot_count; /* slots[slot…]; a user block's slots are its distinct successors in
                                order; a test's are "holds" and "does not hold" */
  SrTest test;
  uint32_t low, high; /* ranks of the test */
  SrMergeKind merge_kind;
  uint32_t merge, cont; /* merge block, continue target (flow blocks) */
  uint32_t end;         /* in a loop header of sr_flow_linear: the added block at the end of the
                         * body, where the lanes that have not jumped leave or repeat the loop; or
                         * SR_NONE */
  uint32_t cycle;       /* in a loop header and dispatch: the cycle, or SR_NONE */
  uint32_t loop;        /* the cycle in whose loop the block lies, or SR_NONE */
  uint32_t first_case;  /* in a switch: the first added block that follows it, or SR_NONE */
  uint32_t next_case;   /* the next added block that follows the same switch, or SR_NONE */
  bool small_switch;    /* a branch or guard that is written as an OpSwitch of two arms: lanes of
                         * its first arm fall through into the second, or lanes inside selections
                         * in an arm leave for its merge; a block of one slot that is written as an
                         * OpSwitch of one arm */
  uint32_t literal, literal_slot; /* in a guard that may be a small switch: the rank of all lanes
                                     that leave by that slot; SR_NONE: they have several */
  uint32_t sets_for; /* in a switch: the last target for which one of its own edges sets sel */
  bool ends_loop;    /* it is the merge block of a loop */
  bool divergent;    /* sr_flow_linear: some lanes of a subgroup may skip the selection */
  uint32_t stamp;    /* reconverge: when it was put into the open tree */
} SrFlowBlock;

typedef struct SrFlowGraph {
  SR_VEC(SrFlowBlock) block;
  SR_VEC(SrSlot) slot;
  uint32_t *order; /* flow blocks in the order in which they are written */
} SrFlowGraph;

/* A new block in no loop, whose slots lead nowhere yet; returns its index. */
uint32_t sr_flow_new_block(SrArena *arena, SrFlowGraph *flow, SrRole role, uint32_t user,
                           uint32_t slots);

/* Sets the order: blocks in the order of their making, except that the case blocks of a switch come
 * directly after it. (They are made later, when their targets are known.) */
void sr_flow_set_order(SrArena *arena, SrFlowGraph *flow);

/* The slot (index in flow->slot) by which a lane with target `rank` leaves the added block b. */
static inline uint32_t sr_flow_step(const SrFlowBlock *b, uint32_t rank) {
  switch (b->test) {
  case SR_TEST_NONE:
    return b->slot;
  case SR_TEST_LE:
    return b->slot + (rank > b->low);
  case SR_TEST_GE:
    return b->slot + (rank < b->low);
  case SR_TEST_EQ:
    return b->slot + (rank != b->low);
  default:
    return b->slot + (rank >= b->low && rank <= b->high);
  }
}

#endif
