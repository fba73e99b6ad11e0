/* SPDX-License-Identifier: Apache-2.0 */
/* grow: arrays that grow in callbacks while a program runs. (If memory ran out, an arena would
 * leave the callback by a jump.) */
#ifndef EMU_GROW_H
#define EMU_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for at least `need` elements in an array with room for *room elements of `size` bytes;
 * new ones are zeros. False: out of memory, nothing changes. */
bool emu_grow(void **at, uint64_t *room, uint64_t need, size_t size);

#endif
