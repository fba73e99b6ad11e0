/* SPDX-License-Identifier: Apache-2.0 */
/* twin: blocks that are copies of others, exactly or except for one instruction. A transform that
 * merges copies must merge the first kind and not the second. */
#ifndef EQUIV_TWIN_H
#define EQUIV_TWIN_H

#include "tests/equiv/gen/body.h"

/* The one difference that a copy may have. */
typedef enum TwinChange {
  TWIN_SAME,
  TWIN_CONSTANT,
  TWIN_OPCODE,
  TWIN_OPERAND, /* another value */
  TWIN_PLACE,   /* two operands swapped, or another index */
  TWIN_TYPE,
  TWIN_DECORATION,
  TWIN_MEMORY, /* volatile */
  TWIN_PHI,    /* another value from one predecessor */
  TWIN_EDGE,   /* a branch with its targets swapped */
  TWIN_BRANCH, /* another condition or case literal */
  TWIN_CHANGES
} TwinChange;

typedef struct TwinId {
  uint32_t id, region;
} TwinId;

typedef struct Twins {
  uint32_t *source;          /* by block: which of the block and its copies was filled first */
  TwinId *map[GRAPH_COPIES]; /* by copy: ids of the source to ids of the copy */
  uint32_t region;           /* the current region: ids of other regions are not replaced */
  uint32_t size[GRAPH_COPIES];
  TwinChange change; /* the change still to be made in the current region */
  uint32_t wait;     /* how many possible places to skip before it is made */
} Twins;

Twins *twin_begin(const Graph *g);
void twin_end(Twins *t);
/* Fills the current block as a copy, if it is one and its source is filled. */
bool twin_fill(Body *b);
/* The phi's operand for predecessor `from`, if it follows from another phi or edge; else 0.
 * `earlier`: the phi's operands so far. */
uint32_t twin_operand(Body *b, const Phi *p, uint32_t from, const uint32_t *earlier,
                      const uint32_t *values, uint32_t count);

#endif
