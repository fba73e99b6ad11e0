/* SPDX-License-Identifier: Apache-2.0 */
/* graph_walk: what the kernel of a graph computes, found by walking its lanes through the code one
 * at a time. It shares nothing with the emulator. */
#ifndef GRAPH_WALK_H
#define GRAPH_WALK_H

#include "spv-graph/code.h"

enum { WALK_MOST_BLOCKS = 100000000 }; /* limit on the blocks that all lanes together may run */

/* The result of each lane of options.groups workgroups. NULL: the lanes run more blocks than
 * that. */
uint32_t *walk(SrArena *arena, const Code *code);

#endif
