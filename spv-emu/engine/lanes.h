/* SPDX-License-Identifier: Apache-2.0 */
/* lanes: rows, which are the operands of the emulator's instructions, and sets of lanes.
 *
 * A *row* holds one scalar for every lane of a subgroup, one after the other, in the C type of its
 * kind. All rows of a subgroup are in its register file and are named by their byte offset there.
 * Rows are `width` lanes long, a multiple of EMU_CHUNK, so that every handler is a loop over chunks
 * whose inner loop has a fixed count and no remainder: compilers turn it into vector instructions.
 *
 * Inactive lanes, and the padding after the last lane, may hold any bits: handlers run on all lanes
 * of a row and must not trap. */
#ifndef EMU_LANES_H
#define EMU_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows and buffers are little-endian");

#define EMU_CHUNK 32u
#define EMU_MAX_LANES 1024u
#define EMU_MASK_WORDS (EMU_MAX_LANES / 64)

/* The kind of a scalar: the type of a row's elements. The instruction decides whether an integer is
 * signed. */
typedef enum EmuKind {
  EMU_BOOL, /* uint32_t: 0 or ~0 */
  EMU_U8,
  EMU_U16,
  EMU_U32,
  EMU_U64,
  EMU_F16, /* uint16_t: the bits */
  EMU_F32,
  EMU_F64,
  EMU_KINDS,
} EmuKind;

/* Bytes of one lane in a row of that kind. */
static inline uint32_t emu_kind_bytes(EmuKind kind) {
  static const uint8_t bytes[EMU_KINDS] = {4, 1, 2, 4, 8, 2, 4, 8};
  return bytes[kind];
}

/* The low bits of `bits`, as many as a scalar of that kind has. */
static inline uint64_t emu_kind_cut(EmuKind kind, uint64_t bits) {
  uint32_t width = 8 * emu_kind_bytes(kind);
  return width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

/* Fills a row with the same scalar in every lane. */
static inline void emu_row_fill(uint8_t *row, EmuKind kind, uint32_t width, uint64_t bits) {
  uint32_t bytes = emu_kind_bytes(kind);
  for (size_t lane = 0; lane < width; lane++)
    memcpy(row + lane * bytes, &bits, bytes);
}

/* A set of lanes. Only the first `words` words are in use in a subgroup (lanes / 64, rounded up, so
 * at least one); the functions below take that number. Bits of lanes that do not exist are 0. The
 * first word is handled outside the loops, so that the most frequent case, subgroups of up to 64
 * lanes, costs no more than one word. */
typedef struct EmuMask {
  uint64_t w[EMU_MASK_WORDS];
} EmuMask;

#define EMU_WORDS(i, words)                                                                        \
  uint32_t i = 0;                                                                                  \
  i < (words);                                                                                     \
  i++
/* The words after the first. */
#define EMU_MORE_WORDS(i, words)                                                                   \
  uint32_t i = 1;                                                                                  \
  __builtin_expect(i < (words), 0);                                                                \
  i++

static inline void emu_mask_clear(EmuMask *m, uint32_t words) {
  m->w[0] = 0;
  for (EMU_MORE_WORDS(i, words))
    m->w[i] = 0;
}
static inline void emu_mask_copy(EmuMask *to, const EmuMask *from, uint32_t words) {
  to->w[0] = from->w[0];
  for (EMU_MORE_WORDS(i, words))
    to->w[i] = from->w[i];
}
/* The first `count` lanes. */
static inline void emu_mask_first(EmuMask *m, uint32_t count, uint32_t words) {
  for (EMU_WORDS(i, words))
    m->w[i] = count >= (i + 1) * 64 ? ~(uint64_t)0
              : count > i * 64      ? ((uint64_t)1 << (count - i * 64)) - 1
                                    : 0;
}
static inline void emu_mask_add(EmuMask *m, const EmuMask *more, uint32_t words) {
  m->w[0] |= more->w[0];
  for (EMU_MORE_WORDS(i, words))
    m->w[i] |= more->w[i];
}
static inline void emu_mask_keep(EmuMask *m, const EmuMask *these, uint32_t words) {
  m->w[0] &= these->w[0];
  for (EMU_MORE_WORDS(i, words))
    m->w[i] &= these->w[i];
}
static inline void emu_mask_drop(EmuMask *m, const EmuMask *these, uint32_t words) {
  m->w[0] &= ~these->w[0];
  for (EMU_MORE_WORDS(i, words))
    m->w[i] &= ~these->w[i];
}
static inline bool emu_mask_any(const EmuMask *m, uint32_t words) {
  uint64_t lanes = m->w[0];
  for (EMU_MORE_WORDS(i, words))
    lanes |= m->w[i];
  return lanes != 0;
}
static inline bool emu_mask_equal(const EmuMask *a, const EmuMask *b, uint32_t words) {
  uint64_t different = a->w[0] ^ b->w[0];
  for (EMU_MORE_WORDS(i, words))
    different |= a->w[i] ^ b->w[i];
  return different == 0;
}
/* In plain arithmetic: on a host without an instruction for it, the builtin would call a
 * function. */
static inline uint32_t emu_count_bits(uint64_t w) {
  w -= w >> 1 & 0x5555555555555555u;
  w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
  return (uint32_t)(((w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}
static inline uint32_t emu_mask_count(const EmuMask *m, uint32_t words) {
  uint32_t count = emu_count_bits(m->w[0]);
  for (EMU_MORE_WORDS(i, words))
    count += emu_count_bits(m->w[i]);
  return count;
}
static inline bool emu_mask_has(const EmuMask *m, uint32_t lane) {
  return m->w[lane / 64] >> (lane % 64) & 1;
}
static inline void emu_mask_set(EmuMask *m, uint32_t lane) {
  m->w[lane / 64] |= (uint64_t)1 << (lane % 64);
}
/* The first lane at or after `from`, or EMU_MAX_LANES. */
static inline uint32_t emu_mask_next(const EmuMask *m, uint32_t from, uint32_t words) {
  for (uint32_t i = from / 64; i < words; i++) {
    uint64_t w = m->w[i];
    if (i == from / 64)
      w &= ~(uint64_t)0 << (from % 64);
    if (w)
      return i * 64 + (uint32_t)__builtin_ctzll(w);
  }
  return EMU_MAX_LANES;
}
/* for (EMU_EACH_LANE(lane, mask, words)) */
#define EMU_EACH_LANE(lane, mask, words)                                                           \
  uint32_t lane = emu_mask_next(mask, 0, words);                                                   \
  lane < EMU_MAX_LANES;                                                                            \
  lane = emu_mask_next(mask, lane + 1, words)

#endif
