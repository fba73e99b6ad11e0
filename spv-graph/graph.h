/* SPDX-License-Identifier: Apache-2.0 */
/* graph: the control-flow graph of a kernel as data: blocks with weights and successors, no code.
 *
 * Everything lives in the arena that the graph was made in. */
#ifndef GRAPH_H
#define GRAPH_H

#include "passes/base/vec.h"

#include <stdbool.h>

/* How a block ends; the names in files are those of graph_term_name. */
typedef enum GraphTerm {
  GRAPH_FALL,             /* continues in the next block */
  GRAPH_BRANCH,           /* unconditional */
  GRAPH_CONDITIONAL,      /* two successors: taken, not taken */
  GRAPH_INDEXED,          /* any number of successors */
  GRAPH_EXIT,             /* ends the lane */
  GRAPH_CONDITIONAL_EXIT, /* ends the lane, or has one successor */
  GRAPH_VIRTUAL_EXIT,     /* a block without code where all exits meet */
} GraphTerm;

typedef struct GraphBlock {
  uint64_t id;     /* in the file; distinct */
  uint32_t weight; /* instructions, the terminator included */
  uint32_t calls;  /* number of calls among them */
  bool barrier;    /* it has a barrier for the workgroup */
  GraphTerm term;
  double taken;              /* share of lanes that take the first of two successors; -1: unknown */
  uint32_t succ, succ_count; /* graph->succ.at[succ …]: indices of blocks, in branch order */
} GraphBlock;

typedef struct Graph {
  const char *name;         /* of the program */
  const char *kernel;       /* of the function */
  SR_VEC(GraphBlock) block; /* the entry first */
  SR_VEC(uint32_t) succ;
} Graph;

enum {
  GRAPH_MOST_BLOCKS = 1000000,
  GRAPH_MOST_WEIGHT = 1000000, /* of a block */
  GRAPH_DEFAULT_WEIGHT = 4,    /* of a block for which the file gives none */
};

const char *graph_term_name(GraphTerm term);
/* False: there is no such name. */
bool graph_term_find(const char *name, GraphTerm *term);
/* How a block with this number of successors ends, if the file does not say. */
GraphTerm graph_term_default(uint32_t succ_count);
/* Does the number of successors fit how the block ends? */
bool graph_term_fits(GraphTerm term, uint32_t succ_count);

#endif
