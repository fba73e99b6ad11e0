/* SPDX-License-Identifier: Apache-2.0 */
/* known: removes from a module the declarations that are too new for the installed SPIRV-Tools.
 *
 * The decoder relies on a valid module (load.c), but SPIRV-Tools' validator refuses a module for a
 * single enumerant that its release does not know. Capabilities, execution modes, decorations and
 * the source's language only add something to a module: without the unknown ones, everything else
 * can be validated. */
#ifndef EMU_KNOWN_H
#define EMU_KNOWN_H

#include "passes/base/arena.h"

/* The words, in host byte order, without such declarations, in the arena; *kept: their number. If
 * *kept equals `count`, there are none. */
uint32_t *emu_known_words(SrArena *arena, const uint32_t *words, size_t count, size_t *kept);

#endif
