/* SPDX-License-Identifier: Apache-2.0 */
/* strip-debug: drops names, source text, debug lines and debug information. */
#ifndef SR_STRIP_DEBUG_H
#define SR_STRIP_DEBUG_H

#include "passes/ir/module.h"

/* Drops all of this from the whole module; returns whether there was any. NonSemantic instructions
 * that are not debug information (clspv's reflection) stay. Linear. */
bool sr_strip_debug(SrModule *m, SrArena *scratch);

#endif
