/* dot: the functions' control-flow graphs as a picture in Graphviz' language. */
#ifndef SR_DOT_H
#define SR_DOT_H

#include "analysis/uniform.h"
#include "base/text.h"

/* One cluster per function with a body, nested clusters for cycles. In `arena`. */
char *sr_dot_module(SrArena *arena, const SrModule *m, const SrUniform *u);

/* A piece of a quoted label, cut off behind `limit` characters. */
void sr_dot_escape(SrText *out, const char *text, size_t limit);
/* By id: its OpName, or NULL. */
const char **sr_dot_names(SrArena *arena, const SrModule *m);

#endif
