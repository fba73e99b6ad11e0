/* SPDX-License-Identifier: Apache-2.0 */
/* construct: the constructs that a structured function declares, and how they nest.
 *
 * The construct of a header consists of the blocks that the header structurally dominates and its
 * merge block does not (SPIR-V 1.6, 2.11.2), including its continue construct and blocks that break
 * or return. The innermost construct of each block follows from a walk down the dominator tree of
 * the graph with edges from headers to merge blocks and continue targets, in which a header is its
 * merge block's parent. */
#ifndef EMU_CONSTRUCT_H
#define EMU_CONSTRUCT_H

#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"
#include "spv-emu/policy/block_table.h"

/* Blocks are those of the function, numbered from 0. */
typedef struct EmuConstruct {
  uint32_t head;  /* its header; for a loop, the part through which the loop is entered */
  uint32_t merge; /* its merge block */
  uint32_t outer; /* the construct around it, or SR_NONE */
  uint32_t from;  /* the block that declares it: the header's last part */
  bool loop;
} EmuConstruct;

typedef struct EmuConstructs {
  SR_VEC(EmuConstruct) all;
  uint32_t *headed; /* by block: the construct that it heads, or SR_NONE */
  uint32_t *merged; /* by block: the construct whose merge block it is, or SR_NONE */
  uint32_t *inner;  /* by block: the innermost construct that holds it, or SR_NONE */
  SrDom *dom;       /* structural dominators */
} EmuConstructs;

/* Builds the constructs of a structured function, in `arena`. `first_part`: emu_first_parts
 * (construct_order.h). */
EmuConstructs emu_constructs_build(SrArena *arena, const EmuBlockTable *table,
                                   const EmuFunctionBlocks *fn, const uint32_t *first_part);

/* Is the block in the construct? Cost O(1). */
static inline bool emu_construct_has(const EmuConstructs *c, uint32_t construct, uint32_t block) {
  const EmuConstruct *in = &c->all.at[construct];
  return sr_dominates(c->dom, in->head, block) && !sr_dominates(c->dom, in->merge, block);
}

#endif
