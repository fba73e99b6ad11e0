/* twin: blocks that are copies of others, instruction by instruction, or all but one. What merges
 * copies must merge the first kind right and tell the second kind from it. */
#ifndef EQUIV_TWIN_H
#define EQUIV_TWIN_H

#include "body.h"

/* What a copy may differ in, once. */
typedef enum TwinChange {
  TWIN_SAME,
  TWIN_CONSTANT,
  TWIN_OPCODE,
  TWIN_OPERAND, /* another value */
  TWIN_PLACE,   /* two operands change places, or an index is another */
  TWIN_TYPE,
  TWIN_DECORATION,
  TWIN_MEMORY, /* volatile */
  TWIN_PHI,    /* another value from one predecessor */
  TWIN_EDGE,   /* a branch the other way round */
  TWIN_BRANCH, /* another condition or case literal */
  TWIN_CHANGES
} TwinChange;

typedef struct TwinId {
  uint32_t id, region;
} TwinId;

typedef struct Twins {
  uint32_t *source;          /* by block: of its class, the one that was filled first */
  TwinId *map[GRAPH_COPIES]; /* by copy: ids of the source to ids of the copy */
  uint32_t region;           /* at hand: ids of others stay */
  uint32_t size[GRAPH_COPIES];
  TwinChange change; /* still to be made in the region at hand */
  uint32_t wait;     /* after so many places where it could be */
} Twins;

Twins *twin_begin(const Graph *g);
void twin_end(Twins *t);
/* Fills the current block as a copy, if it is one and its source is filled. */
bool twin_fill(Body *b);
/* What the phi gets from predecessor `from`, if that follows from another phi or edge; or 0.
 * `earlier` are the phi's predecessors so far, with what they bring. */
uint32_t twin_operand(Body *b, const Phi *p, uint32_t from, const uint32_t *earlier,
                      const uint32_t *values, uint32_t count);

#endif
