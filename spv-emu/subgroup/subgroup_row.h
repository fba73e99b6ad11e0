/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup_row: code that the handlers of subgroup_*.c share: loops over the active lanes.
 *
 * These handlers read and write only active lanes. If a lane's result depends on operands of
 * other lanes, all lanes are read before the first is written, since the result may overwrite an
 * operand. */
#ifndef EMU_SUBGROUP_ROW_H
#define EMU_SUBGROUP_ROW_H

#include "spv-emu/engine/engine.h"

/* A lane that does not exist: values taken from it are 0. */
#define EMU_NO_LANE UINT32_MAX
#define EMU_BALLOT_LANES 128u

/* Lanes 32 k to 32 k + 31 of a set. */
static inline uint32_t emu_chunk(const uint64_t *lanes, uint32_t k) {
  return (uint32_t)(lanes[k / 2] >> k % 2 * 32);
}

/* Runs the statement for each lane of a set of `words` words, in ascending order. For a chunk that
 * is wholly in the set this is a plain loop, which compilers turn into vector instructions. */
#define EMU_ON_LANES(lane, lanes, words, ...)                                                      \
  for (uint32_t chunk_ = 0; chunk_ < 2 * (words); chunk_++) {                                      \
    uint32_t on_ = emu_chunk(lanes, chunk_);                                                       \
    if (on_ == UINT32_MAX)                                                                         \
      for (uint32_t i_ = 0; i_ < EMU_CHUNK; i_++) {                                                \
        const size_t lane = (size_t)chunk_ * EMU_CHUNK + i_;                                       \
        __VA_ARGS__;                                                                               \
      }                                                                                            \
    else                                                                                           \
      for (; on_; on_ &= on_ - 1) {                                                                \
        const size_t lane = (size_t)chunk_ * EMU_CHUNK + (size_t)__builtin_ctz(on_);               \
        __VA_ARGS__;                                                                               \
      }                                                                                            \
  }

/* 1 << j, as a table, because not every host can shift the elements of a vector by different
 * amounts. */
#define EMU_BITS_8(j)                                                                              \
  1u << (j), 2u << (j), 4u << (j), 8u << (j), 16u << (j), 32u << (j), 64u << (j), 128u << (j)
static const uint32_t emu_bit[EMU_CHUNK] = {EMU_BITS_8(0), EMU_BITS_8(8), EMU_BITS_8(16),
                                            EMU_BITS_8(24)};

/* The lanes of `lanes` in which a row of EMU_BOOL is true. */
static inline void emu_row_bits(const uint32_t *row, const uint64_t *lanes, uint32_t words,
                                uint64_t *bits) {
  bits[0] = 0;
  for (EMU_MORE_WORDS(i, words))
    bits[i] = 0;
  for (uint32_t k = 0; k < words * 2; k++) {
    uint32_t on = emu_chunk(lanes, k), found = 0;
    if (!on)
      continue; /* the row may end here */
    const uint32_t *chunk = row + (size_t)k * EMU_CHUNK;
    for (uint32_t j = 0; j < EMU_CHUNK; j++)
      found |= chunk[j] & emu_bit[j];
    bits[k / 2] |= (uint64_t)(found & on) << k % 2 * 32;
  }
}

/* The lowest active lane; EMU_NO_LANE: there is none. */
static inline uint32_t emu_first_on(const EmuLanes *s) {
  uint32_t lane = emu_mask_next(&s->on, 0, s->words);
  return lane < EMU_MAX_LANES ? lane : EMU_NO_LANE;
}

/* Is `lane` an active lane? */
static inline bool emu_is_on(const EmuLanes *s, uint32_t lane) {
  return lane < s->size && emu_mask_has(&s->on, lane);
}

/* The rows of an instruction's list. */
static inline const uint32_t *emu_list_rows(const EmuLanes *s, const EmuIns *i) {
  return &s->program->rows.at[i->list];
}

/* The families, each in its own file; NULL: the opcode is not in the family, or not defined for
 * this kind. */
EmuHandler *emu_vote_find(SpvOp op, EmuKind kind);
EmuHandler *emu_ballot_find(SpvOp op, EmuKind kind, uint32_t group_operation);
EmuHandler *emu_shuffle_find(SpvOp op, EmuKind kind);
EmuHandler *emu_fold_find(SpvOp op, EmuKind kind, uint32_t group_operation);

#endif
