/* SPDX-License-Identifier: Apache-2.0 */
/* source_names: names from debug information, for functions and values without an OpName. */
#ifndef SR_SOURCE_NAMES_H
#define SR_SOURCE_NAMES_H

#include "passes/source/source_map.h"

/* Names functions that have neither an OpName nor an entry point by their DebugFunction. */
void sr_source_name_functions(SrModule *m);
/* By id: its OpName; else, for a variable, its name in DebugGlobalVariable or DebugDeclare; or
 * NULL. The names are in the module's pool, and valid until the next instruction is made. */
const char **sr_source_names(SrArena *arena, const SrModule *m);
/* By the id of an instruction's result: the name of the source variable whose whole value the
 * result is, by the first DebugValue with this id; NULL: none, or the name is not a word of
 * letters, digits and underscores. Names are valid as above. */
const char **sr_source_value_names(SrArena *arena, const SrModule *m);

#endif
