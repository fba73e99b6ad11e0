/* SPDX-License-Identifier: Apache-2.0 */
/* dot: the functions' control-flow graphs as a picture in Graphviz' language. */
#ifndef SR_DOT_H
#define SR_DOT_H

#include "analysis/uniform.h"

/* One cluster per function with a body, nested clusters for cycles. In `arena`. */
char *sr_dot_module(SrArena *arena, const SrModule *m, const SrUniform *u);

#endif
