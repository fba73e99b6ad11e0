/* SPDX-License-Identifier: Apache-2.0 */
/* memory_length: how long run-time arrays are. */
#ifndef EMU_MEMORY_LENGTH_H
#define EMU_MEMORY_LENGTH_H

#include "engine/engine.h"

/* d (EMU_U32) = how many elements of `list` bytes fit in the segment from the address on; the
 * access x and row a as in memory.h. 0 where nothing is bound. */
EmuHandler emu_array_length;

#endif
