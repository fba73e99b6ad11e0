/* SPDX-License-Identifier: Apache-2.0 */
/* alu_rows: moves of whole rows, memory offsets from indices, rows of booleans to bits and back;
 * and the EmuIsa of this instruction set. */
#include "spv-emu/alu/alu.h"

/* ---- moves ----------------------------------------------------------------------------------- */

#define MOVES(T, S)                                                                                \
  EMU_HANDLER_1(move_##T, T, T, { pd[l] = pa[l]; })                                                \
  static void move_on_##T(EmuLanes *s, const EmuIns *i) {                                          \
    T *pd = EMU_ROW(s, T, i->d);                                                                   \
    const T *pa = EMU_ROW(s, const T, i->a);                                                       \
    const uint32_t *on = s->on_row;                                                                \
    EMU_FOR_LANES({                                                                                \
      const T m = (T)(S)(int32_t)on[l];                                                            \
      pd[l] = (T)((m & pa[l]) | (~m & pd[l]));                                                     \
    })                                                                                             \
  }
MOVES(uint8_t, int8_t)
MOVES(uint16_t, int16_t)
MOVES(uint32_t, int32_t)
MOVES(uint64_t, int64_t)

/* ---- indices --------------------------------------------------------------------------------- */

/* The index as EmuIsa.index defines it; a negative one becomes larger than any limit. */
static inline uint32_t count_of(int64_t index) {
  return index > INT32_MAX ? INT32_MAX : index < 0 ? UINT32_MAX : (uint32_t)index;
}
/* The largest count whose product with the stride does not wrap. */
static inline uint32_t limit_of(uint32_t stride) {
  return stride > 1 ? UINT32_MAX / stride : INT32_MAX;
}
static inline uint32_t offset_of(uint32_t base, uint32_t count, uint32_t stride, uint32_t limit) {
  uint32_t offset = base + count * stride;
  bool wraps = (count > limit) | (offset < base);
  return wraps ? UINT32_MAX : offset;
}

#define SHORT_COUNT(index) ((uint32_t)(int32_t)(index))
#define INDEX(S, COUNT)                                                                            \
  static void index_##S(EmuLanes *s, const EmuIns *i) {                                            \
    uint32_t *pd = EMU_ROW(s, uint32_t, i->d);                                                     \
    const S *pb = EMU_ROW(s, const S, i->b);                                                       \
    const uint32_t x = i->x, limit = limit_of(x);                                                  \
    if (i->a == EMU_NO_ROW) {                                                                      \
      EMU_FOR_LANES({ pd[l] = offset_of(0, COUNT(pb[l]), x, limit); })                             \
    } else {                                                                                       \
      const uint32_t *pa = EMU_ROW(s, const uint32_t, i->a);                                       \
      EMU_FOR_LANES({ pd[l] = offset_of(pa[l], COUNT(pb[l]), x, limit); })                         \
    }                                                                                              \
  }                                                                                                \
  static void address_##S(EmuLanes *s, const EmuIns *i) {                                          \
    uint64_t *pd = EMU_ROW(s, uint64_t, i->d);                                                     \
    const uint64_t *pa = EMU_ROW(s, const uint64_t, i->a);                                         \
    const S *pb = EMU_ROW(s, const S, i->b);                                                       \
    const uint64_t x = (uint64_t)(int32_t)i->x;                                                    \
    EMU_FOR_LANES({ pd[l] = pa[l] + (uint64_t)pb[l] * x; })                                        \
  }
INDEX(int8_t, SHORT_COUNT)
INDEX(int16_t, SHORT_COUNT)
INDEX(int32_t, SHORT_COUNT)
INDEX(int64_t, count_of)

/* ---- bits ------------------------------------------------------------------------------------ */

static void row_to_bits(const uint32_t *row, uint32_t width, uint64_t *bits) {
  for (uint32_t at = 0; at < width; at += 64) {
    bits[at / 64] = emu_chunk_bits(row + at);
    if (at + EMU_CHUNK < width)
      bits[at / 64] |= (uint64_t)emu_chunk_bits(row + at + EMU_CHUNK) << EMU_CHUNK;
  }
}

static void bits_to_row(const uint64_t *bits, uint32_t width, uint32_t *row) {
#define BIT_4(k) 1u << (k), 2u << (k), 4u << (k), 8u << (k)
  static const uint32_t bit[EMU_CHUNK] = {BIT_4(0),  BIT_4(4),  BIT_4(8),  BIT_4(12),
                                          BIT_4(16), BIT_4(20), BIT_4(24), BIT_4(28)};
  for (uint32_t at = 0; at < width; at += EMU_CHUNK) {
    const uint32_t lanes = (uint32_t)(bits[at / 64] >> (at % 64));
    uint32_t *to = row + at;
    EMU_INDEPENDENT
    for (size_t k = 0; k < EMU_CHUNK; k++)
      to[k] = (lanes & bit[k]) == bit[k] ? ~0u : 0;
  }
}

/* Compares a chunk at a time to a row of booleans, then converts that to bits. */
#define EQUAL(T)                                                                                   \
  static void equal_##T(const void *row, uint64_t value, uint32_t width, uint64_t *bits) {         \
    const T wanted = (T)value;                                                                     \
    for (uint32_t at = 0; at < width; at += EMU_CHUNK) {                                           \
      const T *from = (const T *)row + at;                                                         \
      uint32_t same[EMU_CHUNK];                                                                    \
      EMU_INDEPENDENT                                                                              \
      for (size_t k = 0; k < EMU_CHUNK; k++)                                                       \
        same[k] = from[k] == wanted ? ~0u : 0;                                                     \
      const uint64_t lanes = emu_chunk_bits(same);                                                 \
      bits[at / 64] = at % 64 ? bits[at / 64] | lanes << EMU_CHUNK : lanes;                        \
    }                                                                                              \
  }
EQUAL(uint8_t)
EQUAL(uint16_t)
EQUAL(uint32_t)
EQUAL(uint64_t)

/* ---- the table ------------------------------------------------------------------------------- */

static EmuHandler *alu(SpvOp op, EmuKind kind) {
  EmuHandler *found = EMU_NAME(emu_alu_int)(op, kind);
  return found ? found : EMU_NAME(emu_alu_float)(op, kind);
}

#define STRING(name) #name
#define NAME_OF(isa) STRING(isa)

const EmuIsa EMU_NAME(emu_isa) = {
    .name = NAME_OF(EMU_ISA),
    .alu = alu,
    .pair = EMU_NAME(emu_alu_pair),
    .products = EMU_NAME(emu_alu_products),
    .alu_on = EMU_NAME(emu_alu_on),
    .convert = EMU_NAME(emu_alu_convert),
    .glsl = EMU_NAME(emu_alu_glsl),
    .opencl = EMU_NAME(emu_alu_opencl),
    .move = {[1] = move_uint8_t, [2] = move_uint16_t, [4] = move_uint32_t, [8] = move_uint64_t},
    .move_on = {[1] = move_on_uint8_t,
                [2] = move_on_uint16_t,
                [4] = move_on_uint32_t,
                [8] = move_on_uint64_t},
    .index = {[EMU_U8] = index_int8_t,
              [EMU_U16] = index_int16_t,
              [EMU_U32] = index_int32_t,
              [EMU_U64] = index_int64_t},
    .index_address = {[EMU_U8] = address_int8_t,
                      [EMU_U16] = address_int16_t,
                      [EMU_U32] = address_int32_t,
                      [EMU_U64] = address_int64_t},
    .bits = row_to_bits,
    .expand = bits_to_row,
    .equal =
        {[1] = equal_uint8_t, [2] = equal_uint16_t, [4] = equal_uint32_t, [8] = equal_uint64_t},
};
