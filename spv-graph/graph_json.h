/* SPDX-License-Identifier: Apache-2.0 */
/* graph_json: graph files in JSON (docs/graph.md):
 *
 *   {"name","kernel","entry","blocks":[{"id","w","succ":[ID…],"barrier","term","calls","taken"}]}
 *
 * Only `id` and `succ` are required. */
#ifndef GRAPH_JSON_H
#define GRAPH_JSON_H

#include "spv-graph/graph.h"

#include <stddef.h>
#include <stdio.h>

/* NULL: one line on standard error, which names `path`. */
Graph *graph_json_read(SrArena *arena, const char *path, const char *text, size_t size);
void graph_json_write(const Graph *graph, FILE *out);

#endif
