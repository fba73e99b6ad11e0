/* SPDX-License-Identifier: Apache-2.0 */
/* graph_dot: graph files in Graphviz' language (docs/graph.md). Nodes are blocks, in the order in
 * which the file names them; attributes w, term, barrier, calls and taken are those of the JSON.
 * The attribute `entry` of the graph names the first block; default: the first node. */
#ifndef GRAPH_DOT_H
#define GRAPH_DOT_H

#include "spv-graph/graph.h"

#include <stdio.h>

/* NULL: one line on standard error, which names `path`. `text` ends with 0. */
Graph *graph_dot_read(SrArena *arena, const char *path, const char *text);
void graph_dot_write(const Graph *graph, FILE *out);

#endif
