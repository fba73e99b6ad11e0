/* SPDX-License-Identifier: Apache-2.0 */
/* quads: sets of lanes by quads. Four lanes from a multiple of 4 on are a quad; a word of a mask
 * holds whole quads. */
#ifndef EMU_QUADS_H
#define EMU_QUADS_H

#include <stdint.h>

enum { EMU_QUAD = 4 };

/* Bit 4 q of the result: is a lane of quad q in the set? */
static inline uint64_t emu_quads_any(uint64_t lanes) {
  lanes |= lanes >> 1;
  lanes |= lanes >> 2;
  return lanes & 0x1111111111111111u;
}

/* All lanes of the quads whose bit 4 q is set. */
static inline uint64_t emu_quads_whole(uint64_t quads) {
  return quads * 15;
}

#endif
