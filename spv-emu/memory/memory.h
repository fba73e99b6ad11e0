/* SPDX-License-Identifier: Apache-2.0 */
/* memory: loads, stores, copies and atomics of a subgroup, on segments (bytecode.h).
 *
 * All handlers access only active lanes. EmuIns.x is an index in program->accesses; row a holds, by
 * lane,
 *
 *   EMU_U32   offsets in the access's segment, if it names one
 *   EMU_U64   whole addresses, if it names none (SR_NONE)
 *   nothing   (EMU_NO_ROW) all lanes have one address, given by the access's own offset
 *
 * The offsets of the access and of each leaf (a scalar of the access, EmuLeaf) are added to these
 * without wrapping. The offset UINT32_MAX marks an index that wrapped while it was computed. Rows
 * that are written must not overlap rows that are read.
 *
 * Every scalar is checked separately against its segment. It is out of bounds if it is not inside
 * the segment, if a store or atomic accesses a segment that is not writable, if the segment does
 * not exist (null pointers) or has no buffer bound, or if the address is not a multiple of the
 * scalar's size (checked for whole addresses, and for all atomics). Out of bounds, loads and
 * atomics give 0 and stores are dropped. This is counted once for each lane of an instruction and
 * recorded in EmuFault; if s->strict, it is a fault.
 *
 * Booleans take 4 bytes: 0 or 1 in memory, 0 or ~0 in EMU_SPACE_ROWS. Buffers and the workgroup's
 * memory are aligned to 8 bytes on the host. */
#ifndef EMU_MEMORY_H
#define EMU_MEMORY_H

#include "spv-emu/engine/engine.h"

/* The list has the registers written or read, one for each leaf. */
EmuHandler emu_load, emu_store;
/* Copies bytes: a = target address, b = source address, c = size, all EMU_U64; x = the SPIR-V
 * instruction, instead of an access. If either side is out of bounds, nothing is copied for the
 * lane. Counts as a load and a store. Variables in rows have no bytes to copy: they are out of
 * bounds. */
EmuHandler emu_copy;
/* Copies elements once for all lanes, with the operands of the first active one: a = target
 * address, b = source address, c = number of elements, list: one register, the stride in elements
 * of the side in global memory, all EMU_U64; x = bytes of an element << 1 | (the source is the
 * strided side). Counts as one issue. */
EmuHandler emu_async_copy;

/* ---- for the files that access memory -------------------------------------------------------- */

/* The address of a segment's byte 0 for lane 0; *step: the distance in bytes between the addresses
 * of two consecutive lanes, for scalars of `bytes` bytes. NULL: nothing is bound. */
static inline uint8_t *emu_segment_start(const EmuLanes *s, const EmuSegment *segment,
                                         uint32_t bytes, uint64_t *step) {
  switch ((EmuSpace)segment->space) {
  case EMU_SPACE_ROWS:
    *step = bytes;
    return s->file + segment->at;
  case EMU_SPACE_LANE:
    *step = segment->size;
    return s->file + segment->at;
  case EMU_SPACE_WORKGROUP:
    *step = 0;
    return s->shared + segment->at;
  case EMU_SPACE_BUFFER:
    *step = 0;
    return segment->bytes;
  case EMU_SPACE_NONE:
    break;
  }
  *step = 0;
  return NULL;
}

/* What a lane's address refers to. */
typedef struct EmuPlace {
  uint32_t segment; /* may be past the table */
  uint64_t offset;  /* saturated */
} EmuPlace;

EmuPlace emu_place(const EmuLanes *s, const EmuIns *i, uint32_t lane);
/* Where an address lies. An offset is added to the address, not to the place: a pointer to before
 * its variable lies in another segment until then. */
static inline EmuPlace emu_place_at(uint64_t address) {
  return (EmuPlace){(uint32_t)(address >> EMU_SEGMENT_SHIFT), address & EMU_OFFSET_MASK};
}
/* The host address of a scalar of `bytes` bytes, or, except in rows, of that many bytes; NULL: out
 * of bounds. */
uint8_t *emu_place_bytes(const EmuLanes *s, EmuPlace place, uint64_t bytes, uint32_t lane);
/* The sum; UINT64_MAX if it would wrap. */
static inline uint64_t emu_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
/* Counts and records an access of `bytes` (> 0) bytes that is out of bounds; `verb`: "load". */
void emu_place_dropped(EmuLanes *s, EmuPlace place, uint64_t bytes, uint32_t lane, const char *verb,
                       bool written);

#endif
