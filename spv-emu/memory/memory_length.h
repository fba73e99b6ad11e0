/* SPDX-License-Identifier: Apache-2.0 */
/* memory_length: the length of run-time arrays. */
#ifndef EMU_MEMORY_LENGTH_H
#define EMU_MEMORY_LENGTH_H

#include "spv-emu/engine/engine.h"

/* d (EMU_U32) = the number of elements of `list` bytes that fit in the segment after the address;
 * the access x and row a are as in memory.h. 0 if nothing is bound. */
EmuHandler emu_array_length;

#endif
