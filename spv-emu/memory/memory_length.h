/* memory_length: how long run-time arrays are. */
#ifndef EMU_MEMORY_LENGTH_H
#define EMU_MEMORY_LENGTH_H

#include "engine/engine.h"

/* d (EMU_U32) = elements of `list` bytes that the segment has room for behind the address; the
 * access x and row a as in memory.h. 0 where nothing is bound. */
EmuHandler emu_array_length;

#endif
