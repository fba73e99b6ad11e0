/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup_fold: reductions and scans.
 *
 * An operation on a kind has three *folds* over a set of lanes: reduce, inclusive and exclusive
 * scan. The sets are all active lanes, or those of each cluster, or those of each part of a
 * partition; one function for each shape finds the sets and calls the fold.
 *
 * Every fold goes lane by lane from the lowest, even for floats, so a result always has the same
 * bits. (SPIR-V leaves the order open; drivers differ.) It starts from a *neutral* value, such that
 * neutral + x has the same bits as x. An exclusive scan gives its first lane the identity, which is
 * the neutral value except for float addition: there the identity is 0 and only -0 is neutral. FMin
 * and FMax ignore NaNs; if there are only NaNs, they give an infinity. */
#include "spv-emu/engine/half.h"
#include "spv-emu/subgroup/subgroup_row.h"

#include <math.h>

/* Reads row `from` and writes row `to`; both point to the lane of bit 0 of `lanes`. */
typedef void Fold(void *to, const void *from, const uint64_t *lanes, uint32_t words);

/* ---- shapes ---------------------------------------------------------------------------------- */

static void fold_all(EmuLanes *s, const EmuIns *i, Fold *fold, uint32_t bytes) {
  (void)bytes;
  fold(s->file + i->d, s->file + i->a, s->on.w, s->words);
}

/* The size of a cluster is a power of two, so either several clusters share a word of the mask, or
 * each takes whole words. */
static void fold_clusters(EmuLanes *s, const EmuIns *i, Fold *fold, uint32_t bytes) {
  uint32_t size = i->x, step = size > 64 ? size / 64 : 1;
  for (uint32_t k = 0; k < s->words; k += step) {
    uint8_t *d = s->file + i->d + (size_t)k * 64 * bytes;
    const uint8_t *a = s->file + i->a + (size_t)k * 64 * bytes;
    if (size >= 64) {
      fold(d, a, &s->on.w[k], step < s->words - k ? step : s->words - k);
      continue;
    }
    for (uint32_t first = 0; first < 64; first += size) {
      uint64_t lanes = s->on.w[k] & (((uint64_t)1 << size) - 1) << first;
      if (lanes)
        fold(d, a, &lanes, 1);
    }
  }
}

/* The lowest remaining lane forms a part with the lanes of its ballot. SPIR-V requires these to
 * have the same ballot; if they do not, each lane is still in one part. */
static void fold_parts(EmuLanes *s, const EmuIns *i, Fold *fold, uint32_t bytes) {
  (void)bytes;
  const uint32_t *rows = emu_list_rows(s, i);
  EmuMask left, part;
  uint32_t words = s->words < EMU_BALLOT_LANES / 64 ? s->words : EMU_BALLOT_LANES / 64;
  emu_mask_copy(&left, &s->on, words);
  for (uint32_t first; (first = emu_mask_next(&left, 0, words)) < EMU_MAX_LANES;) {
    for (size_t k = 0; k < words; k++)
      part.w[k] = (uint64_t)EMU_ROW(s, uint32_t, rows[2 * k + 1])[first] << 32 |
                  EMU_ROW(s, uint32_t, rows[2 * k])[first];
    emu_mask_set(&part, first);
    emu_mask_keep(&part, &left, words);
    emu_mask_drop(&left, &part, words);
    fold(s->file + i->d, s->file + i->a, part.w, words);
  }
}

/* ---- folds ----------------------------------------------------------------------------------- */

/* The three folds of `name` on elements T, with handlers by shape. WITH combines two values. */
#define FOLD(name, T, NEUTRAL, IDENTITY, WITH)                                                     \
  static void name##_reduce(void *to, const void *from, const uint64_t *lanes, uint32_t words) {   \
    T *d = to, sum = NEUTRAL(T);                                                                   \
    const T *a = from;                                                                             \
    EMU_ON_LANES(lane, lanes, words, sum = WITH(T, sum, a[lane]));                                 \
    EMU_ON_LANES(lane, lanes, words, d[lane] = sum);                                               \
  }                                                                                                \
  static void name##_inclusive(void *to, const void *from, const uint64_t *lanes,                  \
                               uint32_t words) {                                                   \
    T *d = to, sum = NEUTRAL(T);                                                                   \
    const T *a = from;                                                                             \
    EMU_ON_LANES(lane, lanes, words, d[lane] = sum = WITH(T, sum, a[lane]));                       \
  }                                                                                                \
  static void name##_exclusive(void *to, const void *from, const uint64_t *lanes,                  \
                               uint32_t words) {                                                   \
    T *d = to, sum = NEUTRAL(T), given = IDENTITY(T);                                              \
    const T *a = from;                                                                             \
    EMU_ON_LANES(lane, lanes, words, sum = WITH(T, sum, a[lane]); d[lane] = given; given = sum);   \
  }                                                                                                \
  HANDLER(name, T, reduce, all)                                                                    \
  HANDLER(name, T, inclusive, all)                                                                 \
  HANDLER(name, T, exclusive, all)                                                                 \
  HANDLER(name, T, reduce, clusters)                                                               \
  HANDLER(name, T, reduce, parts)                                                                  \
  HANDLER(name, T, inclusive, parts)                                                               \
  HANDLER(name, T, exclusive, parts)
#define HANDLER(name, T, fold, shape)                                                              \
  static void name##_##fold##_##shape(EmuLanes *s, const EmuIns *i) {                              \
    fold_##shape(s, i, name##_##fold, sizeof(T));                                                  \
  }

#define ZERO(T) (T)0
#define ONE(T) (T)1
#define ONES(T) (T) ~(uint64_t)0
#define SIGNED_MAX(T) (T)(((uint64_t)1 << (sizeof(T) * 8 - 1)) - 1)
#define SIGNED_MIN(T) (T)(-SIGNED_MAX(T) - 1)
#define MINUS_ZERO(T) (T)(-0.0)
#define INFINITE(T) (T) INFINITY
#define MINUS_INFINITE(T) (T)(-INFINITY)
#define HALF_ZERO(T) (T)0
#define HALF_ONE(T) (T)0x3c00
#define HALF_MINUS_ZERO(T) (T)0x8000
#define HALF_INFINITE(T) (T)0x7c00
#define HALF_MINUS_INFINITE(T) (T)0xfc00

/* Integers are multiplied as unsigned, because a product that C promotes to int must not
 * overflow. */
#define JOIN_ADD(T, x, y) (T)((x) + (y))
#define JOIN_MUL(T, x, y) (T)(1u * (x) * (y))
#define JOIN_MIN(T, x, y) ((y) < (x) ? (y) : (x))
#define JOIN_MAX(T, x, y) ((y) > (x) ? (y) : (x))
#define JOIN_AND(T, x, y) (T)((x) & (y))
#define JOIN_OR(T, x, y) (T)((x) | (y))
#define JOIN_XOR(T, x, y) (T)((x) ^ (y))
#define HALF_JOIN_ADD(T, x, y) emu_half_from_float(emu_half_to_float(x) + emu_half_to_float(y))
#define HALF_JOIN_MUL(T, x, y) emu_half_from_float(emu_half_to_float(x) * emu_half_to_float(y))
#define HALF_JOIN_MIN(T, x, y) (emu_half_to_float(y) < emu_half_to_float(x) ? (y) : (x))
#define HALF_JOIN_MAX(T, x, y) (emu_half_to_float(y) > emu_half_to_float(x) ? (y) : (x))

#define UNSIGNED(name, NEUTRAL, WITH)                                                              \
  FOLD(name##_u8, uint8_t, NEUTRAL, NEUTRAL, WITH)                                                 \
  FOLD(name##_u16, uint16_t, NEUTRAL, NEUTRAL, WITH)                                               \
  FOLD(name##_u32, uint32_t, NEUTRAL, NEUTRAL, WITH)                                               \
  FOLD(name##_u64, uint64_t, NEUTRAL, NEUTRAL, WITH)
#define SIGNED(name, NEUTRAL, WITH)                                                                \
  FOLD(name##_u8, int8_t, NEUTRAL, NEUTRAL, WITH)                                                  \
  FOLD(name##_u16, int16_t, NEUTRAL, NEUTRAL, WITH)                                                \
  FOLD(name##_u32, int32_t, NEUTRAL, NEUTRAL, WITH)                                                \
  FOLD(name##_u64, int64_t, NEUTRAL, NEUTRAL, WITH)
#define FLOAT(name, NEUTRAL, IDENTITY, WITH)                                                       \
  FOLD(name##_f16, uint16_t, HALF_##NEUTRAL, HALF_##IDENTITY, HALF_##WITH)                         \
  FOLD(name##_f32, float, NEUTRAL, IDENTITY, WITH)                                                 \
  FOLD(name##_f64, double, NEUTRAL, IDENTITY, WITH)

UNSIGNED(iadd, ZERO, JOIN_ADD)
UNSIGNED(imul, ONE, JOIN_MUL)
UNSIGNED(umin, ONES, JOIN_MIN)
UNSIGNED(umax, ZERO, JOIN_MAX)
SIGNED(smin, SIGNED_MAX, JOIN_MIN)
SIGNED(smax, SIGNED_MIN, JOIN_MAX)
UNSIGNED(and, ONES, JOIN_AND)
UNSIGNED(or, ZERO, JOIN_OR)
UNSIGNED(xor, ZERO, JOIN_XOR)
FLOAT(fadd, MINUS_ZERO, ZERO, JOIN_ADD)
FLOAT(fmul, ONE, ONE, JOIN_MUL)
FLOAT(fmin, INFINITE, INFINITE, JOIN_MIN)
FLOAT(fmax, MINUS_INFINITE, MINUS_INFINITE, JOIN_MAX)

/* ---- the handlers ---------------------------------------------------------------------------- */

typedef enum Operation {
  IADD,
  IMUL,
  UMIN,
  UMAX,
  SMIN,
  SMAX,
  AND,
  OR,
  XOR,
  FADD,
  FMUL,
  FMIN,
  FMAX,
  OPERATIONS
} Operation;

#define GROUP_OPERATIONS (SpvGroupOperationPartitionedExclusiveScanNV + 1)
#define SHAPES(name)                                                                               \
  {                                                                                                \
    [SpvGroupOperationReduce] = name##_reduce_all,                                                 \
    [SpvGroupOperationInclusiveScan] = name##_inclusive_all,                                       \
    [SpvGroupOperationExclusiveScan] = name##_exclusive_all,                                       \
    [SpvGroupOperationClusteredReduce] = name##_reduce_clusters,                                   \
    [SpvGroupOperationPartitionedReduceNV] = name##_reduce_parts,                                  \
    [SpvGroupOperationPartitionedInclusiveScanNV] = name##_inclusive_parts,                        \
    [SpvGroupOperationPartitionedExclusiveScanNV] = name##_exclusive_parts,                        \
  }
#define INT_KINDS(name)                                                                            \
  [EMU_U8] = SHAPES(name##_u8), [EMU_U16] = SHAPES(name##_u16), [EMU_U32] = SHAPES(name##_u32),    \
  [EMU_U64] = SHAPES(name##_u64)
#define FLOAT_KINDS(name)                                                                          \
  [EMU_F16] = SHAPES(name##_f16), [EMU_F32] = SHAPES(name##_f32), [EMU_F64] = SHAPES(name##_f64)

/* The logical operations are the bitwise ones on rows of EMU_BOOL, 0 or all ones. */
static EmuHandler *const handlers[OPERATIONS][EMU_KINDS][GROUP_OPERATIONS] = {
    [IADD] = {INT_KINDS(iadd)},
    [IMUL] = {INT_KINDS(imul)},
    [UMIN] = {INT_KINDS(umin)},
    [UMAX] = {INT_KINDS(umax)},
    [SMIN] = {INT_KINDS(smin)},
    [SMAX] = {INT_KINDS(smax)},
    [AND] = {INT_KINDS(and), [EMU_BOOL] = SHAPES(and_u32)},
    [OR] = {INT_KINDS(or), [EMU_BOOL] = SHAPES(or_u32)},
    [XOR] = {INT_KINDS(xor), [EMU_BOOL] = SHAPES(xor_u32)},
    [FADD] = {FLOAT_KINDS(fadd)},
    [FMUL] = {FLOAT_KINDS(fmul)},
    [FMIN] = {FLOAT_KINDS(fmin)},
    [FMAX] = {FLOAT_KINDS(fmax)},
};

static Operation operation_of(SpvOp op) {
  switch (op) {
  case SpvOpGroupNonUniformIAdd:
  case SpvOpGroupIAdd:
  case SpvOpGroupIAddNonUniformAMD:
    return IADD;
  case SpvOpGroupNonUniformFAdd:
  case SpvOpGroupFAdd:
  case SpvOpGroupFAddNonUniformAMD:
    return FADD;
  case SpvOpGroupNonUniformIMul:
  case SpvOpGroupIMulKHR:
    return IMUL;
  case SpvOpGroupNonUniformFMul:
  case SpvOpGroupFMulKHR:
    return FMUL;
  case SpvOpGroupNonUniformSMin:
  case SpvOpGroupSMin:
  case SpvOpGroupSMinNonUniformAMD:
    return SMIN;
  case SpvOpGroupNonUniformUMin:
  case SpvOpGroupUMin:
  case SpvOpGroupUMinNonUniformAMD:
    return UMIN;
  case SpvOpGroupNonUniformFMin:
  case SpvOpGroupFMin:
  case SpvOpGroupFMinNonUniformAMD:
    return FMIN;
  case SpvOpGroupNonUniformSMax:
  case SpvOpGroupSMax:
  case SpvOpGroupSMaxNonUniformAMD:
    return SMAX;
  case SpvOpGroupNonUniformUMax:
  case SpvOpGroupUMax:
  case SpvOpGroupUMaxNonUniformAMD:
    return UMAX;
  case SpvOpGroupNonUniformFMax:
  case SpvOpGroupFMax:
  case SpvOpGroupFMaxNonUniformAMD:
    return FMAX;
  case SpvOpGroupNonUniformBitwiseAnd:
  case SpvOpGroupBitwiseAndKHR:
  case SpvOpGroupNonUniformLogicalAnd:
  case SpvOpGroupLogicalAndKHR:
    return AND;
  case SpvOpGroupNonUniformBitwiseOr:
  case SpvOpGroupBitwiseOrKHR:
  case SpvOpGroupNonUniformLogicalOr:
  case SpvOpGroupLogicalOrKHR:
    return OR;
  case SpvOpGroupNonUniformBitwiseXor:
  case SpvOpGroupBitwiseXorKHR:
  case SpvOpGroupNonUniformLogicalXor:
  case SpvOpGroupLogicalXorKHR:
    return XOR;
  default:
    return OPERATIONS;
  }
}

EmuHandler *emu_fold_find(SpvOp op, EmuKind kind, uint32_t group_operation) {
  Operation operation = operation_of(op);
  if (operation == OPERATIONS || group_operation >= GROUP_OPERATIONS)
    return NULL;
  return handlers[operation][kind][group_operation];
}
