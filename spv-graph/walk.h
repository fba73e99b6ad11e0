/* SPDX-License-Identifier: Apache-2.0 */
/* walk: what the kernel of a graph computes, found by walking its lanes through the code one at a
 * time. It shares nothing with the emulator. */
#ifndef WALK_H
#define WALK_H

#include "code.h"

enum { WALK_MOST_BLOCKS = 100000000 }; /* that all lanes together may run */

/* The result of each lane of options.groups workgroups. NULL: they run more blocks than that. */
uint32_t *walk(SrArena *arena, const Code *code);

#endif
