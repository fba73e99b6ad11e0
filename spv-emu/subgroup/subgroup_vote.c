/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup_vote: elections and votes. Except for Elect, the result is the same in all active
 * lanes. */
#include "spv-emu/engine/half.h"
#include "spv-emu/subgroup/subgroup_row.h"

static void spread(EmuLanes *s, const EmuIns *i, bool value) {
  uint32_t *d = EMU_ROW(s, uint32_t, i->d), bits = value ? UINT32_MAX : 0;
  EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = bits);
}

static void elect(EmuLanes *s, const EmuIns *i) {
  uint32_t *d = EMU_ROW(s, uint32_t, i->d), first = emu_first_on(s);
  spread(s, i, false);
  if (first != EMU_NO_LANE)
    d[first] = UINT32_MAX;
}

static void vote_all(EmuLanes *s, const EmuIns *i) {
  EmuMask yes;
  emu_row_bits(EMU_ROW(s, uint32_t, i->a), s->on.w, s->words, yes.w);
  spread(s, i, emu_mask_equal(&yes, &s->on, s->words));
}

static void vote_any(EmuLanes *s, const EmuIns *i) {
  EmuMask yes;
  emu_row_bits(EMU_ROW(s, uint32_t, i->a), s->on.w, s->words, yes.w);
  spread(s, i, emu_mask_any(&yes, s->words));
}

/* Are all lanes' values equal to the first lane's? Floats by OpFOrdEqual: 0 equals -0, and NaN
 * equals nothing, not even itself. */
#define SAME_BITS(x, y) ((x) == (y))
#define SAME_HALF(x, y) (emu_half_to_float(x) == emu_half_to_float(y))
#define ALL_EQUAL(kind, T, SAME)                                                                   \
  static void all_equal_##kind(EmuLanes *s, const EmuIns *i) {                                     \
    uint32_t first = emu_first_on(s), different = 0;                                               \
    for (uint32_t n = 0; n < i->x && first != EMU_NO_LANE; n++) {                                  \
      const T *a = EMU_ROW(s, T, emu_list_rows(s, i)[n]), value = a[first];                        \
      EMU_ON_LANES(lane, s->on.w, s->words, different |= !SAME(a[lane], value));                   \
    }                                                                                              \
    spread(s, i, !different);                                                                      \
  }
ALL_EQUAL(U8, uint8_t, SAME_BITS)
ALL_EQUAL(U16, uint16_t, SAME_BITS)
ALL_EQUAL(U32, uint32_t, SAME_BITS)
ALL_EQUAL(U64, uint64_t, SAME_BITS)
ALL_EQUAL(F16, uint16_t, SAME_HALF)
ALL_EQUAL(F32, float, SAME_BITS)
ALL_EQUAL(F64, double, SAME_BITS)

static EmuHandler *const all_equal[EMU_KINDS] = {
    [EMU_BOOL] = all_equal_U32, [EMU_U8] = all_equal_U8,   [EMU_U16] = all_equal_U16,
    [EMU_U32] = all_equal_U32,  [EMU_U64] = all_equal_U64, [EMU_F16] = all_equal_F16,
    [EMU_F32] = all_equal_F32,  [EMU_F64] = all_equal_F64,
};

EmuHandler *emu_vote_find(SpvOp op, EmuKind kind) {
  switch (op) {
  case SpvOpGroupNonUniformElect:
    return elect;
  case SpvOpGroupNonUniformAll:
  case SpvOpGroupAll:
  case SpvOpSubgroupAllKHR:
    return kind == EMU_BOOL ? vote_all : NULL;
  case SpvOpGroupNonUniformAny:
  case SpvOpGroupAny:
  case SpvOpSubgroupAnyKHR:
    return kind == EMU_BOOL ? vote_any : NULL;
  case SpvOpGroupNonUniformAllEqual:
  case SpvOpSubgroupAllEqualKHR:
    return all_equal[kind];
  default:
    return NULL;
  }
}
