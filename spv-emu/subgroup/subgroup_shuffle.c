/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup_shuffle: values of other lanes: broadcasts, shuffles, rotations, quads. They move bits,
 * so there is one handler for each width.
 *
 * SPIR-V requires the index of a broadcast to be the same in all lanes; the index of the first lane
 * is used. The value from a lane that is inactive or does not exist is 0.
 *
 * Quads are lanes 4 n to 4 n + 3, in fragment shaders as quad.h describes. */
#include "spv-emu/subgroup/subgroup_row.h"

/* ---- to all lanes from one ------------------------------------------------------------------- */

static uint32_t first_lane(const EmuLanes *s, const EmuIns *i, uint32_t first) {
  (void)s;
  (void)i;
  return first;
}

static uint32_t named_lane(const EmuLanes *s, const EmuIns *i, uint32_t first) {
  return EMU_ROW(s, uint32_t, i->b)[first];
}

/* OpGroupBroadcast: one to three coordinates in the workgroup, which is one subgroup. */
static uint32_t local_lane(const EmuLanes *s, const EmuIns *i, uint32_t first) {
  const uint32_t *size = s->program->local_size;
  uint64_t lane = 0, stride = 1;
  for (uint32_t n = 0; n < i->x; n++) {
    uint32_t at = EMU_ROW(s, uint32_t, emu_list_rows(s, i)[n])[first];
    if (i->x > 1 && at >= size[n])
      return EMU_NO_LANE;
    lane += at * stride;
    stride *= size[n];
  }
  return lane < s->size ? (uint32_t)lane : EMU_NO_LANE;
}

#define BROADCAST(name, bits, FROM)                                                                \
  static void name##_##bits(EmuLanes *s, const EmuIns *i) {                                        \
    uint32_t first = emu_first_on(s);                                                              \
    if (first == EMU_NO_LANE)                                                                      \
      return;                                                                                      \
    uint##bits##_t *d = EMU_ROW(s, uint##bits##_t, i->d);                                          \
    uint32_t from = FROM(s, i, first);                                                             \
    const uint##bits##_t value = emu_is_on(s, from) ? EMU_ROW(s, uint##bits##_t, i->a)[from] : 0;  \
    EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = value);                                        \
  }

/* ---- to each lane from another --------------------------------------------------------------- */

static inline uint32_t at_index(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  (void)s;
  (void)i;
  (void)lane;
  return b;
}

static inline uint32_t at_xor(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  (void)s;
  (void)i;
  return lane ^ b;
}

static inline uint32_t at_minus(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  (void)s;
  (void)i;
  return b <= lane ? lane - b : EMU_NO_LANE;
}

static inline uint32_t at_plus(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  (void)i;
  return b < s->size ? lane + b : EMU_NO_LANE;
}

static inline uint32_t at_quad(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  (void)s;
  (void)i;
  return b < 4 ? lane / 4 * 4 + b : EMU_NO_LANE;
}

/* The size of a cluster is a power of two; the size of the subgroup need not be one. */
static inline uint32_t at_rotated(const EmuLanes *s, const EmuIns *i, uint32_t lane, uint32_t b) {
  if (i->x)
    return (lane & -i->x) + ((lane + b) & (i->x - 1));
  uint32_t to = lane + b % s->size;
  return to < s->size ? to : to - s->size;
}

#define SHUFFLE(name, bits, FROM)                                                                  \
  static void name##_##bits(EmuLanes *s, const EmuIns *i) {                                        \
    uint##bits##_t *d = EMU_ROW(s, uint##bits##_t, i->d), taken[EMU_MAX_LANES];                    \
    const uint##bits##_t *a = EMU_ROW(s, uint##bits##_t, i->a);                                    \
    const uint32_t *b = EMU_ROW(s, uint32_t, i->b);                                                \
    EMU_ON_LANES(lane, s->on.w, s->words, uint32_t from = FROM(s, i, lane, b[lane]);               \
                 taken[lane] = emu_is_on(s, from) ? a[from] : 0);                                  \
    EMU_ON_LANES(lane, s->on.w, s->words, d[lane] = taken[lane]);                                  \
  }

/* ---- the handlers ---------------------------------------------------------------------------- */

#define WIDTHS(KIND, name, FROM)                                                                   \
  KIND(name, 8, FROM)                                                                              \
  KIND(name, 16, FROM)                                                                             \
  KIND(name, 32, FROM)                                                                             \
  KIND(name, 64, FROM)                                                                             \
  static EmuHandler *const name[] = {                                                              \
      [1] = name##_8, [2] = name##_16, [4] = name##_32, [8] = name##_64};

WIDTHS(BROADCAST, broadcast_first, first_lane)
WIDTHS(BROADCAST, broadcast, named_lane)
WIDTHS(BROADCAST, broadcast_local, local_lane)
WIDTHS(SHUFFLE, shuffle, at_index)
WIDTHS(SHUFFLE, shuffle_xor, at_xor)
WIDTHS(SHUFFLE, shuffle_up, at_minus)
WIDTHS(SHUFFLE, shuffle_down, at_plus)
WIDTHS(SHUFFLE, quad_broadcast, at_quad)
WIDTHS(SHUFFLE, rotate, at_rotated)

EmuHandler *emu_shuffle_find(SpvOp op, EmuKind kind) {
  uint32_t bytes = emu_kind_bytes(kind);
  switch (op) {
  case SpvOpGroupNonUniformBroadcastFirst:
  case SpvOpSubgroupFirstInvocationKHR:
    return broadcast_first[bytes];
  case SpvOpGroupNonUniformBroadcast:
  case SpvOpSubgroupReadInvocationKHR:
    return broadcast[bytes];
  case SpvOpGroupBroadcast:
    return broadcast_local[bytes];
  case SpvOpGroupNonUniformShuffle:
    return shuffle[bytes];
  case SpvOpGroupNonUniformShuffleXor:
    return shuffle_xor[bytes];
  case SpvOpGroupNonUniformShuffleUp:
    return shuffle_up[bytes];
  case SpvOpGroupNonUniformShuffleDown:
    return shuffle_down[bytes];
  case SpvOpGroupNonUniformQuadBroadcast:
    return quad_broadcast[bytes];
  case SpvOpGroupNonUniformRotateKHR:
    return rotate[bytes];
  default:
    return NULL;
  }
}
