/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and scans: every operation on every kind in every shape of group, compared with a
 * model that computes each lane's result separately from the lanes of its group, in order, in wide
 * types. */
#include "spv-emu/subgroup/subgroup.h"
#include "tests/emu/lanes_bed.h"

#include <math.h>
#include <string.h>

typedef enum Class { INT, FLOAT, BOOL } Class;

static const struct Case {
  SpvOp op;
  const char *name;
  Class class;
} cases[] = {
    {SpvOpGroupNonUniformIAdd, "iadd", INT},
    {SpvOpGroupIAdd, "iadd", INT},
    {SpvOpGroupIAddNonUniformAMD, "iadd", INT},
    {SpvOpGroupNonUniformFAdd, "fadd", FLOAT},
    {SpvOpGroupFAdd, "fadd", FLOAT},
    {SpvOpGroupFAddNonUniformAMD, "fadd", FLOAT},
    {SpvOpGroupNonUniformIMul, "imul", INT},
    {SpvOpGroupIMulKHR, "imul", INT},
    {SpvOpGroupNonUniformFMul, "fmul", FLOAT},
    {SpvOpGroupFMulKHR, "fmul", FLOAT},
    {SpvOpGroupNonUniformSMin, "smin", INT},
    {SpvOpGroupSMin, "smin", INT},
    {SpvOpGroupSMinNonUniformAMD, "smin", INT},
    {SpvOpGroupNonUniformUMin, "umin", INT},
    {SpvOpGroupUMin, "umin", INT},
    {SpvOpGroupUMinNonUniformAMD, "umin", INT},
    {SpvOpGroupNonUniformFMin, "fmin", FLOAT},
    {SpvOpGroupFMin, "fmin", FLOAT},
    {SpvOpGroupFMinNonUniformAMD, "fmin", FLOAT},
    {SpvOpGroupNonUniformSMax, "smax", INT},
    {SpvOpGroupSMax, "smax", INT},
    {SpvOpGroupSMaxNonUniformAMD, "smax", INT},
    {SpvOpGroupNonUniformUMax, "umax", INT},
    {SpvOpGroupUMax, "umax", INT},
    {SpvOpGroupUMaxNonUniformAMD, "umax", INT},
    {SpvOpGroupNonUniformFMax, "fmax", FLOAT},
    {SpvOpGroupFMax, "fmax", FLOAT},
    {SpvOpGroupFMaxNonUniformAMD, "fmax", FLOAT},
    {SpvOpGroupNonUniformBitwiseAnd, "and", INT},
    {SpvOpGroupBitwiseAndKHR, "and", INT},
    {SpvOpGroupNonUniformBitwiseOr, "or", INT},
    {SpvOpGroupBitwiseOrKHR, "or", INT},
    {SpvOpGroupNonUniformBitwiseXor, "xor", INT},
    {SpvOpGroupBitwiseXorKHR, "xor", INT},
    {SpvOpGroupNonUniformLogicalAnd, "and", BOOL},
    {SpvOpGroupLogicalAndKHR, "and", BOOL},
    {SpvOpGroupNonUniformLogicalOr, "or", BOOL},
    {SpvOpGroupLogicalOrKHR, "or", BOOL},
    {SpvOpGroupNonUniformLogicalXor, "xor", BOOL},
    {SpvOpGroupLogicalXorKHR, "xor", BOOL},
};

static const struct Group {
  uint32_t operation;
  bool inclusive, exclusive, clusters, parts;
} groups[] = {
    {.operation = SpvGroupOperationReduce},
    {.operation = SpvGroupOperationInclusiveScan, .inclusive = true},
    {.operation = SpvGroupOperationExclusiveScan, .exclusive = true},
    {.operation = SpvGroupOperationClusteredReduce, .clusters = true},
    {.operation = SpvGroupOperationPartitionedReduceNV, .parts = true},
    {.operation = SpvGroupOperationPartitionedInclusiveScanNV, .inclusive = true, .parts = true},
    {.operation = SpvGroupOperationPartitionedExclusiveScanNV, .exclusive = true, .parts = true},
};

static bool class_has(Class class, EmuKind kind) {
  return class == BOOL    ? kind == EMU_BOOL
         : class == FLOAT ? kind >= EMU_F16
                          : kind >= EMU_U8 && kind <= EMU_U64;
}

/* ---- floats ---------------------------------------------------------------------------------- */

static double decode(EmuKind kind, uint64_t bits) {
  float single;
  double value;
  if (kind == EMU_F64) {
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == EMU_F32) {
    memcpy(&single, &bits, sizeof single);
    return single;
  }
  int exponent = bits >> 10 & 31;
  double fraction = (double)(bits & 1023);
  value = exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
          : exponent     ? ldexp(1024 + fraction, exponent - 25)
                         : ldexp(fraction, -24);
  return bits >> 15 & 1 ? -value : value;
}

static uint64_t encode(EmuKind kind, double value) {
  uint64_t bits = 0, sign = signbit(value) ? 0x8000 : 0;
  float single = (float)value;
  if (kind == EMU_F64)
    memcpy(&bits, &value, sizeof value);
  if (kind == EMU_F32)
    memcpy(&bits, &single, sizeof single);
  if (kind != EMU_F16)
    return bits;
  if (isnan(value))
    return 0x7e00;
  int exponent;
  frexp(value, &exponent); /* |value| < 2^exponent */
  exponent = exponent < -13 ? -13 : exponent;
  double units = isinf(value) ? INFINITY : nearbyint(fabs(ldexp(value, 11 - exponent)));
  if (ldexp(units, exponent - 11) >= 65536)
    return sign | 0x7c00;
  /* adding carries into the exponent where rounding reached the next power of two */
  return sign | (units < 1024 ? (uint64_t)units
                              : (uint64_t)units - 1024 + ((uint64_t)(exponent + 14) << 10));
}

static double join_floats(const char *name, double x, double y) {
  if (strcmp(name, "fadd") == 0)
    return x + y;
  if (strcmp(name, "fmul") == 0)
    return x * y;
  if (isnan(x) || isnan(y)) /* C's fmin and fmax return NaN for a signaling NaN */
    return isnan(x) ? y : x;
  return strcmp(name, "fmin") == 0 ? fmin(x, y) : fmax(x, y);
}

static uint64_t float_identity(EmuKind kind, const char *name) {
  return encode(kind, strcmp(name, "fadd") == 0   ? 0.0
                      : strcmp(name, "fmul") == 0 ? 1.0
                      : strcmp(name, "fmin") == 0 ? INFINITY
                                                  : -INFINITY);
}

/* ---- integers -------------------------------------------------------------------------------- */

static int64_t as_signed(uint64_t bits, uint32_t bytes) {
  uint64_t sign = (uint64_t)1 << (bytes * 8 - 1);
  return (int64_t)((bits ^ sign) - sign);
}

static uint64_t join_ints(const char *name, uint64_t x, uint64_t y, uint32_t bytes) {
  if (strcmp(name, "iadd") == 0)
    return x + y;
  if (strcmp(name, "imul") == 0)
    return x * y;
  if (strcmp(name, "umin") == 0)
    return x < y ? x : y;
  if (strcmp(name, "umax") == 0)
    return x > y ? x : y;
  if (strcmp(name, "smin") == 0)
    return as_signed(x, bytes) < as_signed(y, bytes) ? x : y;
  if (strcmp(name, "smax") == 0)
    return as_signed(x, bytes) > as_signed(y, bytes) ? x : y;
  if (strcmp(name, "and") == 0)
    return x & y;
  return strcmp(name, "or") == 0 ? x | y : x ^ y;
}

static uint64_t int_identity(const char *name, uint32_t bytes) {
  uint64_t sign = (uint64_t)1 << (bytes * 8 - 1);
  if (strcmp(name, "imul") == 0)
    return 1;
  if (strcmp(name, "umin") == 0 || strcmp(name, "and") == 0)
    return UINT64_MAX;
  if (strcmp(name, "smin") == 0)
    return sign - 1;
  return strcmp(name, "smax") == 0 ? sign : 0;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Row 0 or 1 has the result, row 1 the value, rows 2 to 5 the ballot of the lane's part. */
static bool in_group(const LanesBed *bed, const struct Group *g, uint32_t cluster, uint32_t lane,
                     uint32_t other) {
  if (!bed_on(bed, other) || (g->inclusive && other > lane) || (g->exclusive && other >= lane))
    return false;
  if (g->parts)
    return bed_was(bed, 2 + other / 32, 4, lane) >> other % 32 & 1;
  return !g->clusters || lane / cluster == other / cluster;
}

static uint64_t model(const LanesBed *bed, const struct Case *c, EmuKind kind,
                      const struct Group *g, uint32_t cluster, uint32_t lane) {
  uint32_t bytes = emu_kind_bytes(kind), count = 0;
  uint64_t result =
      c->class == FLOAT ? float_identity(kind, c->name) : int_identity(c->name, bytes);
  for (uint32_t other = 0; other < bed->s.size; other++) {
    if (!in_group(bed, g, cluster, lane, other))
      continue;
    uint64_t value = bed_was(bed, 1, bytes, other);
    if (!count++)
      result = value;
    else if (c->class == FLOAT)
      result = encode(kind, join_floats(c->name, decode(kind, result), decode(kind, value)));
    else
      result = join_ints(c->name, result, value, bytes);
  }
  return result;
}

/* NaN has many encodings, the minimum of 0 and -0 is either of them, and that of only NaNs is
 * undefined. */
static bool is_as_good(const struct Case *c, EmuKind kind, uint64_t is, uint64_t wanted) {
  if (c->class != FLOAT)
    return false;
  double x = decode(kind, is), y = decode(kind, wanted);
  if (c->name[1] == 'm' && c->name[2] != 'u')
    return isnan(y) || x == y;
  return isnan(x) && isnan(y);
}

static void put_values(LanesBed *bed, EmuKind kind) {
  uint32_t bytes = emu_kind_bytes(kind), tame = unit_below(&bed->rng, 3);
  for (uint32_t lane = 0; lane < bed->s.width; lane++) {
    uint64_t bits =
        (uint64_t)unit_below(&bed->rng, UINT32_MAX) << 32 | unit_below(&bed->rng, UINT32_MAX);
    if (kind >= EMU_F16 && tame < 2)
      bits = encode(kind, (tame ? 1 : 0.001) * ((double)unit_below(&bed->rng, 200) - 100) / 7);
    if (kind >= EMU_F16 && tame < 2 && unit_below(&bed->rng, 16) == 0)
      bits = encode(kind, unit_below(&bed->rng, 2)   ? -0.0
                          : unit_below(&bed->rng, 2) ? NAN
                                                     : INFINITY);
    if (kind == EMU_BOOL)
      bits = unit_below(&bed->rng, 8) <= tame * 4 ? UINT32_MAX : 0;
    bed_put(bed, 1, bytes, lane, bits);
  }
}

/* Random parts, as ballots of all lanes that are in them, active or not. */
static void put_parts(LanesBed *bed) {
  uint32_t part[128], parts = 1 + unit_below(&bed->rng, 6);
  for (uint32_t lane = 0; lane < 128; lane++)
    part[lane] = unit_below(&bed->rng, parts);
  for (uint32_t lane = 0; lane < bed->s.width; lane++)
    for (uint32_t n = 0; n < 4; n++) {
      uint32_t bits = 0;
      for (uint32_t k = 0; k < 32; k++)
        bits |= (uint32_t)(part[n * 32 + k] == part[lane]) << k;
      bed_put(bed, 2 + n, 4, lane, bits);
    }
}

static void check_fold(LanesBed *bed, const struct Case *c, EmuKind kind, const struct Group *g) {
  uint32_t bytes = emu_kind_bytes(kind), d = unit_below(&bed->rng, 2);
  uint32_t cluster = 1u << unit_below(&bed->rng, bed->s.size > 128 ? 12 : 8);
  put_values(bed, kind);
  if (g->parts)
    put_parts(bed);
  EmuHandler *run = emu_lanes_find(c->op, kind, g->operation);
  assert_non_null(run);
  bed_run(bed, run, &(EmuIns){.d = bed_row(bed, d), .a = bed_row(bed, 1), .list = 2, .x = cluster});
  for (uint32_t lane = 0; lane < bed->s.size; lane++) {
    if (!bed_on(bed, lane))
      continue;
    uint64_t is = bed_is(bed, d, bytes, lane), wanted = model(bed, c, kind, g, cluster, lane);
    bed_want(bed, d, bytes, lane, is_as_good(c, kind, is, wanted) ? is : wanted);
  }
  bed_check(bed, c->name);
}

static void each_fold(uint32_t size, uint32_t rounds) {
  for (uint32_t round = 0; round < rounds; round++)
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
      for (EmuKind kind = 0; kind < EMU_KINDS; kind++)
        for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
          if (!class_has(cases[n].class, kind) || (groups[k].parts && size > 128))
            continue;
          LanesBed bed;
          bed_open(&bed, size, bed_seed() * 100000 + round * 1000 + n * 20 + k);
          check_fold(&bed, &cases[n], kind, &groups[k]);
          bed_close(&bed);
        }
}

static void small_subgroups(void **state) {
  (void)state;
  static const uint32_t sizes[] = {1, 3, 4, 8, 32, 40, 64};
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
    each_fold(sizes[n], 5);
}

static void large_subgroups(void **state) {
  (void)state;
  each_fold(128, 1);
}

/* The model is quadratic in the lanes: only reductions and scans of some operations. */
static void huge_subgroups(void **state) {
  (void)state;
  static const size_t some[] = {0, 3, 26};
  for (size_t n = 0; n < 3; n++)
    for (size_t k = 0; k < 4; k++) {
      LanesBed bed;
      bed_open(&bed, 1000, bed_seed() * 100 + n * 10 + k);
      check_fold(&bed, &cases[some[n]], cases[some[n]].class == INT ? EMU_U32 : EMU_F32,
                 &groups[k]);
      bed_close(&bed);
    }
}

/* The sum of each part if ballots contradict each other: the lowest remaining lane forms a part
 * with the remaining lanes of its ballot. */
static void want_parts(LanesBed *bed) {
  bool left[128] = {false};
  for (uint32_t lane = 0; lane < bed->s.size; lane++)
    left[lane] = bed_on(bed, lane);
  for (uint32_t first = 0; first < bed->s.size; first++) {
    bool part[128] = {false};
    uint32_t sum = 0;
    for (uint32_t lane = first; left[first] && lane < bed->s.size; lane++) {
      bool named = bed_was(bed, 2 + lane / 32, 4, first) >> lane % 32 & 1;
      part[lane] = left[lane] && (named || lane == first);
      sum += part[lane] ? (uint32_t)bed_was(bed, 1, 4, lane) : 0;
    }
    for (uint32_t lane = first; lane < bed->s.size; lane++)
      if (part[lane]) {
        left[lane] = false;
        bed_want(bed, 0, 4, lane, sum);
      }
  }
}

/* Random ballots: undefined, but each lane is in one part, and no lane outside of the subgroup is
 * read. */
static void wild_parts(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 100; round++) {
    LanesBed bed;
    bed_open(&bed, 1 + round, bed_seed() * 1000 + round);
    bed_run(&bed,
            emu_lanes_find(SpvOpGroupNonUniformIAdd, EMU_U32, SpvGroupOperationPartitionedReduceNV),
            &(EmuIns){.d = bed_row(&bed, 0), .a = bed_row(&bed, 1), .list = 2});
    want_parts(&bed);
    bed_check(&bed, "wild parts");
    bed_close(&bed);
  }
}

static void unknown_ones(void **state) {
  (void)state;
  assert_null(emu_lanes_find(SpvOpGroupNonUniformIAdd, EMU_F32, SpvGroupOperationReduce));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformFAdd, EMU_U32, SpvGroupOperationReduce));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformIAdd, EMU_BOOL, SpvGroupOperationReduce));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformIAdd, EMU_U32, 4));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformIAdd, EMU_U32, UINT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_subgroups), cmocka_unit_test(large_subgroups),
      cmocka_unit_test(huge_subgroups),  cmocka_unit_test(wild_parts),
      cmocka_unit_test(unknown_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
