/* SPDX-License-Identifier: Apache-2.0 */
/* graph_builder: checks that all readers of graph files share. Blocks are added first, with the ids
 * of their successors; then the ids are looked up. */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "spv-graph/graph.h"

typedef struct GraphBuilder {
  SrArena *arena;
  const char *path; /* for messages */
  Graph *graph;
  SR_VEC(uint64_t) succ; /* ids, in the order of graph->succ */
} GraphBuilder;

GraphBuilder graph_builder(SrArena *arena, const char *path);
/* Adds a block; its successors follow with graph_builder_succ. False: one line on standard error
 * says what is wrong. */
bool graph_builder_block(GraphBuilder *b, GraphBlock block);
/* Adds a successor of the newest block. */
void graph_builder_succ(GraphBuilder *b, uint64_t id);
/* Looks up all ids, and moves the entry to the front. NULL: one line on standard error. */
Graph *graph_builder_end(GraphBuilder *b, uint64_t entry);

#endif
