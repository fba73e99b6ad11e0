/* SPDX-License-Identifier: Apache-2.0 */
/* dot: the control-flow graphs of a module's functions, as one picture in Graphviz' language. */
#ifndef SR_DOT_H
#define SR_DOT_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/driver/frontiers.h"

/* Each function with a body is a cluster, with nested clusters for its cycles. Blocks show their
 * frontiers, and edges their checks, where `frontiers` (or NULL) lists them. The text is in `arena`.
 */
char *sr_dot_module(SrArena *arena, const SrModule *m, const SrUniform *u,
                    const SrFrontierList *frontiers);

#endif
