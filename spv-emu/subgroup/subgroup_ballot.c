/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup_ballot: instructions that create or read ballots.
 *
 * A ballot is four rows of 32 bits: bit l % 32 of row l / 32 belongs to lane l; lanes 128 and above
 * have no bit. An instruction that reads a ballot uses each lane's own ballot, although SPIR-V
 * requires all lanes to have the same one. */
#include "spv-emu/subgroup/subgroup_row.h"

#define BALLOT_ROWS (EMU_BALLOT_LANES / 32)
#define BALLOT_WORDS (EMU_BALLOT_LANES / 64)

static uint32_t ballot_words(const EmuLanes *s) {
  return s->words < BALLOT_WORDS ? s->words : BALLOT_WORDS;
}

/* ---- creating -------------------------------------------------------------------------------- */

static void ballot(EmuLanes *s, const EmuIns *i) {
  uint64_t yes[BALLOT_WORDS] = {0};
  emu_row_bits(EMU_ROW(s, uint32_t, i->a), s->on.w, ballot_words(s), yes);
  for (uint32_t n = 0; n < BALLOT_ROWS; n++) {
    uint32_t *d = EMU_ROW(s, uint32_t, emu_list_rows(s, i)[n]), bits = emu_chunk(yes, n);
    EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = bits);
  }
}

typedef bool Same(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t other);

/* The lanes that have the first lane's value, then those that have the value of the first remaining
 * lane, and so on. Cost: lanes times distinct values. */
static void partition(EmuLanes *s, const EmuIns *i, Same *same) {
  uint32_t words = ballot_words(s), part[EMU_BALLOT_LANES] = {0}, parts = 0;
  uint64_t members[EMU_BALLOT_LANES][BALLOT_WORDS] = {{0}};
  EmuMask left;
  emu_mask_copy(&left, &s->on, words);
  for (uint32_t first; (first = emu_mask_next(&left, 0, words)) < EMU_MAX_LANES; parts++)
    for (EMU_EACH_LANE(lane, &left, words))
      if (same(s, i, lane, first)) {
        members[parts][lane / 64] |= (uint64_t)1 << lane % 64;
        left.w[lane / 64] &= ~((uint64_t)1 << lane % 64);
        part[lane] = parts;
      }
  for (uint32_t n = 0; n < BALLOT_ROWS; n++) {
    uint32_t *d = EMU_ROW(s, uint32_t, emu_list_rows(s, i)[n]);
    EMU_ON_LANES(lane, s->on.w, words, d[lane] = emu_chunk(members[part[lane]], n));
  }
}

/* Values are compared as bits, even floats, so any values form a partition, NaN included. */
#define PARTITION(bits)                                                                            \
  static bool same_##bits(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t other) {     \
    for (uint32_t n = 0; n < i->x; n++) {                                                          \
      const uint##bits##_t *a = EMU_ROW(s, uint##bits##_t, emu_list_rows(s, i)[BALLOT_ROWS + n]);  \
      if (a[lane] != a[other])                                                                     \
        return false;                                                                              \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  static void partition_##bits(EmuLanes *s, const EmuIns *i) {                                     \
    partition(s, i, same_##bits);                                                                  \
  }
PARTITION(8)
PARTITION(16)
PARTITION(32)
PARTITION(64)

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Rows {
  const uint32_t *at[BALLOT_ROWS];
} Rows;

static inline Rows ballot_rows(const EmuLanes *s, const EmuIns *i) {
  Rows rows;
  for (uint32_t n = 0; n < BALLOT_ROWS; n++)
    rows.at[n] = EMU_ROW(s, uint32_t, emu_list_rows(s, i)[n]);
  return rows;
}

static inline uint32_t bit_as_bool(const Rows *rows, uint32_t lane, uint32_t bit) {
  if (bit >= EMU_BALLOT_LANES)
    return 0;
  return -(rows->at[bit / 32][lane] >> bit % 32 & 1);
}

static void inverse(EmuLanes *s, const EmuIns *i) {
  const Rows rows = ballot_rows(s, i);
  uint32_t *d = EMU_ROW(s, uint32_t, i->d);
  EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = bit_as_bool(&rows, lane, lane));
}

static void extract(EmuLanes *s, const EmuIns *i) {
  const Rows rows = ballot_rows(s, i);
  const uint32_t *b = EMU_ROW(s, uint32_t, i->b);
  uint32_t *d = EMU_ROW(s, uint32_t, i->d);
  EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = bit_as_bool(&rows, lane, b[lane]));
}

/* A lane's bits in row n that are below bit `end` of the ballot. */
static inline uint32_t bits_below(const Rows *rows, uint32_t lane, uint32_t n, uint32_t end) {
  uint32_t bits = rows->at[n][lane];
  return end >= n * 32 + 32 ? bits : end <= n * 32 ? 0 : bits & ((1u << (end - n * 32)) - 1);
}

static inline uint32_t count_below(const Rows *rows, uint32_t lane, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < BALLOT_ROWS && n * 32 < end; n++)
    count += (uint32_t)__builtin_popcount(bits_below(rows, lane, n, end));
  return count;
}

static inline uint32_t lowest(const Rows *rows, uint32_t lane, uint32_t end) {
  for (uint32_t n = 0; n < BALLOT_ROWS; n++) {
    uint32_t bits = bits_below(rows, lane, n, end);
    if (bits)
      return n * 32 + (uint32_t)__builtin_ctz(bits);
  }
  return 0;
}

static inline uint32_t highest(const Rows *rows, uint32_t lane, uint32_t end) {
  for (uint32_t n = BALLOT_ROWS; n-- > 0;) {
    uint32_t bits = bits_below(rows, lane, n, end);
    if (bits)
      return n * 32 + 31 - (uint32_t)__builtin_clz(bits);
  }
  return 0;
}

/* Bits of lanes that the subgroup does not have are ignored. */
#define PER_LANE(name, VALUE, END)                                                                 \
  static void name(EmuLanes *s, const EmuIns *i) {                                                 \
    const Rows rows = ballot_rows(s, i);                                                           \
    uint32_t *d = EMU_ROW(s, uint32_t, i->d);                                                      \
    EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = VALUE(&rows, lane, END));                      \
  }
PER_LANE(count_all, count_below, s->size)
PER_LANE(count_inclusive, count_below, lane + 1)
PER_LANE(count_exclusive, count_below, lane)
PER_LANE(find_lowest, lowest, s->size)
PER_LANE(find_highest, highest, s->size)

EmuHandler *emu_ballot_find(SpvOp op, EmuKind kind, uint32_t group_operation) {
  static EmuHandler *const count[] = {
      [SpvGroupOperationReduce] = count_all,
      [SpvGroupOperationInclusiveScan] = count_inclusive,
      [SpvGroupOperationExclusiveScan] = count_exclusive,
  };
  static EmuHandler *const partitions[] = {
      [1] = partition_8, [2] = partition_16, [4] = partition_32, [8] = partition_64};
  switch (op) {
  case SpvOpGroupNonUniformBallot:
  case SpvOpSubgroupBallotKHR:
    return kind == EMU_BOOL ? ballot : NULL;
  case SpvOpGroupNonUniformInverseBallot:
    return inverse;
  case SpvOpGroupNonUniformBallotBitExtract:
    return extract;
  case SpvOpGroupNonUniformBallotBitCount:
    return group_operation < sizeof count / sizeof *count ? count[group_operation] : NULL;
  case SpvOpGroupNonUniformBallotFindLSB:
    return find_lowest;
  case SpvOpGroupNonUniformBallotFindMSB:
    return find_highest;
  case SpvOpGroupNonUniformPartitionNV:
    return partitions[emu_kind_bytes(kind)];
  default:
    return NULL;
  }
}
