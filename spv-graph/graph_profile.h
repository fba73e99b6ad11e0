/* SPDX-License-Identifier: Apache-2.0 */
/* graph_profile: the shares of a function's branches on the paths that spv-emu --profile recorded.
 */
#ifndef GRAPH_PROFILE_H
#define GRAPH_PROFILE_H

#include "passes/ir/module.h"
#include "spv-graph/graph.h"

/* Sets `taken` of each block of `g`, the graph of function `f`, that has two successors and that a
 * path of the file at `path` runs: the share of its runs, on all paths of all subgroups, after
 * which the first successor follows. False: one line on standard error. */
bool profile_apply(SrArena *arena, const char *path, const SrFunction *f, Graph *g);

#endif
