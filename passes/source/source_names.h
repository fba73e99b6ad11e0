/* SPDX-License-Identifier: Apache-2.0 */
/* source_names: names from debug information, for what has no OpName. */
#ifndef SR_SOURCE_NAMES_H
#define SR_SOURCE_NAMES_H

#include "source/source_map.h"

/* Names functions that have neither an OpName nor an entry point by their DebugFunction. */
void sr_source_name_functions(SrModule *m);
/* By id: the OpName, else that of a variable in DebugGlobalVariable, or DebugDeclare; or NULL. The
 * names are in the pool: valid until the next instruction is made. */
const char **sr_source_names(SrArena *arena, const SrModule *m);
/* By id: the source's variable whose whole value an instruction of a function computes, as the
 * first DebugValue of it says, if the name is a word; or NULL. Valid as above. */
const char **sr_source_value_names(SrArena *arena, const SrModule *m);

#endif
