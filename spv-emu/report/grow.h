/* grow: arrays that grow while a program runs, where no arena may be left by a jump. */
#ifndef EMU_GROW_H
#define EMU_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gives the array, which has room for *room elements of that size, room for `need` of them at
 * least; what is new is zeros. False, and nothing changes: there is no memory. */
bool emu_grow(void **at, uint64_t *room, uint64_t need, size_t size);

#endif
