/* SPDX-License-Identifier: Apache-2.0 */
/* function: the graph of a function in a SPIR-V module. A block's id is its index in the function,
 * its weight the instructions that statistics count (sr_counts). */
#ifndef FUNCTION_H
#define FUNCTION_H

#include "spv-graph/graph.h"

/* `name`: the function's name, or its id as %N; NULL: the first entry point's function. `profile`:
 * a file with the shares of the branches (profile.h); NULL: they are not known. Returns NULL after
 * one line on standard error, which names `path` or the profile. */
Graph *function_graph(SrArena *arena, const char *path, const uint32_t *words, size_t count,
                      const char *name, const char *profile);

#endif
