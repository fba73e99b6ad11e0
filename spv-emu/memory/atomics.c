/* SPDX-License-Identifier: Apache-2.0 */
/* atomics: all OpAtomic*, lane by lane in order.
 *
 * An operation is a function of the old value, the value and the comparator. If other threads may
 * use the buffer, it is a compare-and-swap, repeated until it succeeds; else it is a read and a
 * write. A macro defines one form for each operation and kind, on top of a function that locates
 * the lanes' scalars (memory here, texels in image.c). The order is sequentially consistent, which
 * satisfies all memory semantics. Floats are added in their own precision; if one operand of a
 * minimum or maximum is NaN, the other is the result (SPV_EXT_shader_atomic_float_min_max). */
#include "spv-emu/memory/atomics.h"
#include "spv-emu/cost/timeline.h"
#include "spv-emu/cost/transactions.h"
#include "spv-emu/engine/half.h"
#include "spv-emu/memory/image.h"
#include "spv-emu/memory/memory.h"
#include "spv-emu/memory/race.h"

#include <assert.h>
#include <math.h>

/* ---- floats as bits -------------------------------------------------------------------------- */

/* A sum of two halves rounded to float and then to half is the same half as the exact sum. */
static float from_u16(uint16_t bits) {
  return emu_half_to_float(bits);
}
static uint16_t to_u16(float value) {
  return emu_half_from_float(value);
}
static float from_u32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static uint32_t to_u32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static double from_u64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static uint64_t to_u64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Sets place[lane] to the scalar of each active lane: `bytes` bytes, aligned to `bytes` on the host
 * except in private memory. NULL: the place is out of bounds, which has been counted and noted.
 * Also counts the instruction's transactions. `written`: the instruction may write the scalars. */
typedef void Locate(EmuLanes *s, const EmuIns *i, uint32_t bytes, bool written, uint8_t **place);

/* An atomic operation on a kind, with its two handlers: on memory and on texels. */
typedef struct Atomic {
  SpvOp op;
  EmuKind kind;
  EmuHandler *memory, *texel;
} Atomic;

/* ---- the table of forms ---------------------------------------------------------------------- */

/* FORM(opcode, kind, name, T, S, writes, result, new): T holds the bits, S is the signed type of
 * the same size; `result` and `new` are expressions in old, value and comparator. */

#define LESS(T, a, b) ((T)(a) < (T)(b))

#define FORMS_OF_BITS(FORM, KIND, name, T, S)                                                      \
  FORM(SpvOpAtomicLoad, KIND, name##_load, T, S, false, old, old)                                  \
  FORM(SpvOpAtomicStore, KIND, name##_store, T, S, true, old, value)                               \
  FORM(SpvOpAtomicExchange, KIND, name##_exchange, T, S, true, old, value)

#define FORMS_OF_INTEGERS(FORM, KIND, name, T, S)                                                  \
  FORMS_OF_BITS(FORM, KIND, name, T, S)                                                            \
  FORM(SpvOpAtomicCompareExchange, KIND, name##_compare, T, S, true, old,                          \
       old == comparator ? value : old)                                                            \
  FORM(SpvOpAtomicIIncrement, KIND, name##_increment, T, S, true, old, old + 1)                    \
  FORM(SpvOpAtomicIDecrement, KIND, name##_decrement, T, S, true, old, old - 1)                    \
  FORM(SpvOpAtomicIAdd, KIND, name##_add, T, S, true, old, old + value)                            \
  FORM(SpvOpAtomicISub, KIND, name##_sub, T, S, true, old, old - value)                            \
  FORM(SpvOpAtomicSMin, KIND, name##_smin, T, S, true, old, LESS(S, value, old) ? value : old)     \
  FORM(SpvOpAtomicUMin, KIND, name##_umin, T, S, true, old, LESS(T, value, old) ? value : old)     \
  FORM(SpvOpAtomicSMax, KIND, name##_smax, T, S, true, old, LESS(S, old, value) ? value : old)     \
  FORM(SpvOpAtomicUMax, KIND, name##_umax, T, S, true, old, LESS(T, old, value) ? value : old)     \
  FORM(SpvOpAtomicAnd, KIND, name##_and, T, S, true, old, old &value)                              \
  FORM(SpvOpAtomicOr, KIND, name##_or, T, S, true, old, old | value)                               \
  FORM(SpvOpAtomicXor, KIND, name##_xor, T, S, true, old, old ^ value)

#define FORMS_OF_FLOATS(FORM, KIND, name, T, S)                                                    \
  FORM(SpvOpAtomicFAddEXT, KIND, name##_fadd, T, S, true, old,                                     \
       to_##name(from_##name(old) + from_##name(value)))                                           \
  FORM(SpvOpAtomicFMinEXT, KIND, name##_fmin, T, S, true, old,                                     \
       to_##name(fmin(from_##name(old), from_##name(value))))                                      \
  FORM(SpvOpAtomicFMaxEXT, KIND, name##_fmax, T, S, true, old,                                     \
       to_##name(fmax(from_##name(old), from_##name(value))))

#define ALL_FORMS(FORM)                                                                            \
  FORMS_OF_BITS(FORM, EMU_U16, u16, uint16_t, int16_t)                                             \
  FORMS_OF_INTEGERS(FORM, EMU_U32, u32, uint32_t, int32_t)                                         \
  FORMS_OF_INTEGERS(FORM, EMU_U64, u64, uint64_t, int64_t)                                         \
  FORMS_OF_FLOATS(FORM, EMU_F16, u16, uint16_t, int16_t)                                           \
  FORMS_OF_FLOATS(FORM, EMU_F32, u32, uint32_t, int32_t)                                           \
  FORMS_OF_FLOATS(FORM, EMU_F64, u64, uint64_t, int64_t)                                           \
  FORM(SpvOpAtomicFlagTestAndSet, EMU_U32, flag_set, uint32_t, int32_t, true,                      \
       old ? UINT32_MAX : 0, 1)                                                                    \
  FORM(SpvOpAtomicFlagClear, EMU_U32, flag_clear, uint32_t, int32_t, true, old, 0)

/* Only private memory can be misaligned on the host, and no other thread uses that. */
#define DEFINE(OP, KIND, name, T, S, WRITES, RESULT, NEW)                                          \
  static void name##_at(EmuLanes *s, const EmuIns *i, Locate *find) {                              \
    uint8_t *place[EMU_MAX_LANES];                                                                 \
    find(s, i, sizeof(T), WRITES, place);                                                          \
    for (EMU_EACH_LANE(lane, &s->on, s->words)) {                                                  \
      T value = i->b == EMU_NO_ROW ? 0 : EMU_ROW(s, T, i->b)[lane];                                \
      T comparator = i->c == EMU_NO_ROW ? 0 : EMU_ROW(s, T, i->c)[lane];                           \
      T old = 0;                                                                                   \
      (void)value, (void)comparator;                                                               \
      if (!place[lane]) {                                                                          \
        /* the result is 0 */                                                                      \
      } else if (s->shared_by_threads && (uintptr_t)place[lane] % sizeof(T) == 0) {                \
        T *p = (T *)(void *)place[lane];                                                           \
        old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                \
        while (WRITES && !__atomic_compare_exchange_n(p, &old, (T)(NEW), false, __ATOMIC_SEQ_CST,  \
                                                      __ATOMIC_SEQ_CST)) {                         \
        }                                                                                          \
      } else {                                                                                     \
        memcpy(&old, place[lane], sizeof old);                                                     \
        T new = (T)(NEW);                                                                          \
        if (WRITES)                                                                                \
          memcpy(place[lane], &new, sizeof new);                                                   \
      }                                                                                            \
      if (i->d != EMU_NO_ROW)                                                                      \
        EMU_ROW(s, T, i->d)[lane] = (T)(RESULT);                                                   \
    }                                                                                              \
  }                                                                                                \
  static void name(EmuLanes *s, const EmuIns *i) {                                                 \
    name##_at(s, i, locate_memory);                                                                \
  }                                                                                                \
  static void name##_texel(EmuLanes *s, const EmuIns *i) {                                         \
    name##_at(s, i, emu_image_locate);                                                             \
  }
#define ROW(OP, KIND, name, T, S, WRITES, RESULT, NEW) {OP, KIND, name, name##_texel},

static void locate_memory(EmuLanes *s, const EmuIns *i, uint32_t bytes, bool written,
                          uint8_t **place) {
  const EmuAccess *access = &s->program->accesses.at[i->x];
  const EmuLeaf *leaf = &s->program->leaves.at[access->leaf];
  bool counted = false;
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    EmuPlace at = emu_place(s, i, lane);
    emu_seen_lane(s, lane);
    at.offset = emu_sum(at.offset, leaf->offset);
    bool found = at.segment < s->program->segments.count;
    const EmuSegment *segment = found ? &s->segments[at.segment] : NULL;
    counted |= found && segment->counted;
    uint8_t *bytes_at = emu_place_bytes(s, at, bytes, lane);
    assert(!bytes_at || segment);
    if (bytes_at && (at.offset % bytes || (written && !segment->writable)))
      bytes_at = NULL;
    place[lane] = bytes_at;
    s->inst = access->inst;
    if (bytes_at)
      emu_race(s, lane, bytes_at, bytes, EMU_RACE_ATOMIC);
    if (!bytes_at)
      emu_place_dropped(s, at, bytes, lane, "atomic", written);
    else if (segment->counted)
      emu_seen_add_range(s, segment, at.offset, at.offset + bytes);
  }
  s->inst = 0;
  emu_count_issue(s, counted);
  if (counted && s->timeline)
    emu_timeline_load(s->timeline, access->inst, s->seen->count);
}

ALL_FORMS(DEFINE)

static const Atomic forms[] = {ALL_FORMS(ROW)};

/* The kind of the handler: operations that only move bits treat floats as integers. */
static EmuKind bits_of(SpvOp op, EmuKind kind) {
  if (op != SpvOpAtomicLoad && op != SpvOpAtomicStore && op != SpvOpAtomicExchange)
    return kind;
  return kind == EMU_F16 ? EMU_U16 : kind == EMU_F32 ? EMU_U32 : kind == EMU_F64 ? EMU_U64 : kind;
}

static const Atomic *find(SpvOp op, EmuKind kind) {
  if (op == SpvOpAtomicCompareExchangeWeak)
    op = SpvOpAtomicCompareExchange;
  kind = bits_of(op, kind);
  for (size_t n = 0; n < sizeof forms / sizeof *forms; n++)
    if (forms[n].op == op && forms[n].kind == kind)
      return &forms[n];
  return NULL;
}

EmuHandler *emu_atomic_find(SpvOp op, EmuKind kind) {
  const Atomic *form = find(op, kind);
  return form ? form->memory : NULL;
}

EmuHandler *emu_atomic_find_texel(SpvOp op, EmuKind kind) {
  const Atomic *form = find(op, kind);
  return form ? form->texel : NULL;
}
