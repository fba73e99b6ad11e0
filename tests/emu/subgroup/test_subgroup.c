/* SPDX-License-Identifier: Apache-2.0 */
/* Votes, ballots and shuffles compared with a slow model of each, lane by lane, from the text of
 * the SPIR-V specification; undefined results are 0 (subgroup.h). */
#include "spv-emu/subgroup/subgroup.h"
#include "tests/emu/lanes_bed.h"

#include <string.h>

static const uint32_t sizes[] = {1, 3, 4, 8, 32, 33, 64, 100, 128, 1000, 1024};
#define SIZES (sizeof sizes / sizeof *sizes)
#define ROUNDS 20

/* Runs a test on many subgroups. */
static void each_bed(void (*test)(LanesBed *), uint32_t largest) {
  for (size_t n = 0; n < SIZES && sizes[n] <= largest; n++)
    for (uint32_t round = 0; round < ROUNDS; round++) {
      LanesBed bed;
      bed_open(&bed, sizes[n], bed_seed() * 1000 + round);
      test(&bed);
      bed_close(&bed);
    }
}

static uint32_t first_on(const LanesBed *bed) {
  uint32_t lane = 0;
  while (!bed_on(bed, lane))
    lane++;
  return lane;
}

/* ---- votes ----------------------------------------------------------------------------------- */

static void check_vote(LanesBed *bed, SpvOp op, uint32_t yes, uint32_t no) {
  /* the result in another row than the predicate, or in its row */
  uint32_t d = unit_below(&bed->rng, 2);
  bool result = op == SpvOpGroupNonUniformElect ? false
                : op == SpvOpGroupAll || op == SpvOpSubgroupAllKHR || op == SpvOpGroupNonUniformAll
                    ? !no
                    : yes > 0;
  bed_run(bed, emu_lanes_find(op, EMU_BOOL, 0),
          &(EmuIns){.d = bed_row(bed, d), .a = bed_row(bed, 1)});
  for (uint32_t lane = 0; lane < bed->s.size; lane++)
    if (bed_on(bed, lane)) {
      bool value = op == SpvOpGroupNonUniformElect ? lane == first_on(bed) : result;
      bed_want(bed, d, 4, lane, value ? UINT32_MAX : 0);
    }
  bed_check(bed, "vote");
}

static void vote(LanesBed *bed) {
  static const SpvOp ops[] = {SpvOpGroupNonUniformElect,
                              SpvOpGroupNonUniformAll,
                              SpvOpGroupNonUniformAny,
                              SpvOpGroupAll,
                              SpvOpGroupAny,
                              SpvOpSubgroupAllKHR,
                              SpvOpSubgroupAnyKHR};
  static const uint32_t chances[] = {0, 4, 8};
  for (size_t n = 0; n < sizeof ops / sizeof *ops; n++)
    for (uint32_t c = 0; c < 3; c++) {
      bed_put_bools(bed, 1, chances[c]);
      if (unit_below(&bed->rng, 2)) /* one lane differs, perhaps an inactive one */
        bed_put(bed, 1, 4, unit_below(&bed->rng, bed->s.size), c ? 0 : UINT32_MAX);
      uint32_t yes = 0, no = 0;
      for (uint32_t lane = 0; lane < bed->s.size; lane++)
        if (bed_on(bed, lane))
          *(bed_is(bed, 1, 4, lane) ? &yes : &no) += 1;
      check_vote(bed, ops[n], yes, no);
    }
}

static void votes(void **state) {
  (void)state;
  each_bed(vote, EMU_MAX_LANES);
}

static void check_equal(LanesBed *bed, EmuKind kind, uint32_t components, bool equal) {
  SpvOp op = unit_below(&bed->rng, 2) ? SpvOpGroupNonUniformAllEqual : SpvOpSubgroupAllEqualKHR;
  bed_run(bed, emu_lanes_find(op, kind, 0),
          &(EmuIns){.d = bed_row(bed, 1), .list = 1, .x = components});
  for (uint32_t lane = 0; lane < bed->s.size; lane++)
    if (bed_on(bed, lane))
      bed_want(bed, 1, 4, lane, equal ? UINT32_MAX : 0);
  bed_check(bed, "all equal");
}

static void equal_bits(LanesBed *bed) {
  for (EmuKind kind = 0; kind < EMU_KINDS; kind++)
    for (uint32_t differ = 0; differ < 2; differ++) {
      uint32_t bytes = emu_kind_bytes(kind), components = 1 + unit_below(&bed->rng, 4);
      for (uint32_t n = 1; n <= components; n++)
        for (uint32_t lane = 0; lane < bed->s.size; lane++)
          if (bed_on(bed, lane))
            bed_put(bed, n, bytes, lane, 0x3c003c003c003c00 + n);
      uint32_t lane = unit_below(&bed->rng, bed->s.size);
      bool lone = emu_mask_count(&bed->s.on, bed->s.words) == 1;
      if (differ)
        bed_put(bed, components, bytes, lane, 0x3c003c003c003c77);
      check_equal(bed, kind, components, !differ || lone || !bed_on(bed, lane));
    }
}

static void all_equal(void **state) {
  (void)state;
  each_bed(equal_bits, EMU_MAX_LANES);
}

static void all_equal_floats(void **state) {
  (void)state;
  static const struct {
    EmuKind kind;
    uint64_t minus_zero, nan;
  } kinds[] = {{EMU_F16, 0x8000, 0x7e00},
               {EMU_F32, 0x80000000, 0x7fc00000},
               {EMU_F64, 0x8000000000000000, 0x7ff8000000000000}};
  LanesBed bed;
  bed_open(&bed, 8, bed_seed());
  emu_mask_first(&bed.s.on, 8, 1);
  for (uint32_t n = 0; n < 3; n++) {
    uint32_t bytes = emu_kind_bytes(kinds[n].kind);
    for (uint32_t lane = 0; lane < 8; lane++)
      bed_put(&bed, 1, bytes, lane, lane % 2 ? kinds[n].minus_zero : 0);
    check_equal(&bed, kinds[n].kind, 1, true);
    for (uint32_t lane = 0; lane < 8; lane++)
      bed_put(&bed, 1, bytes, lane, kinds[n].nan);
    check_equal(&bed, kinds[n].kind, 1, false);
  }
  bed_close(&bed);
}

/* ---- ballots --------------------------------------------------------------------------------- */

static void make_ballot(LanesBed *bed) {
  SpvOp op = unit_below(&bed->rng, 2) ? SpvOpGroupNonUniformBallot : SpvOpSubgroupBallotKHR;
  uint32_t bits[4] = {0};
  bed_put_bools(bed, 2, unit_below(&bed->rng, 9));
  bed_run(bed, emu_lanes_find(op, EMU_BOOL, 0), &(EmuIns){.a = bed_row(bed, 2), .list = 1});
  for (uint32_t lane = 0; lane < bed->s.size && lane < 128; lane++)
    if (bed_on(bed, lane) && bed_was(bed, 2, 4, lane))
      bits[lane / 32] |= 1u << lane % 32;
  for (uint32_t lane = 0; lane < bed->s.size; lane++)
    for (uint32_t n = 0; n < 4 && bed_on(bed, lane); n++)
      bed_want(bed, 1 + n, 4, lane, bits[n]);
  bed_check(bed, "ballot");
}

static bool ballot_bit(const LanesBed *bed, uint32_t lane, uint32_t bit) {
  return bit < 128 && bed_was(bed, 1 + bit / 32, 4, lane) >> bit % 32 & 1;
}

static uint32_t model_ballot(const LanesBed *bed, SpvOp op, uint32_t group, uint32_t lane,
                             uint32_t index) {
  uint32_t count = 0, low = SR_NONE, high = 0;
  if (op == SpvOpGroupNonUniformInverseBallot)
    return ballot_bit(bed, lane, lane) ? UINT32_MAX : 0;
  if (op == SpvOpGroupNonUniformBallotBitExtract)
    return ballot_bit(bed, lane, index) ? UINT32_MAX : 0;
  for (uint32_t bit = 0; bit < bed->s.size; bit++)
    if (ballot_bit(bed, lane, bit)) {
      low = low == SR_NONE ? bit : low;
      high = bit;
      count += group == SpvGroupOperationReduce ||
               (group == SpvGroupOperationInclusiveScan ? bit <= lane : bit < lane);
    }
  if (op == SpvOpGroupNonUniformBallotFindLSB)
    return low == SR_NONE ? 0 : low;
  return op == SpvOpGroupNonUniformBallotFindMSB ? high : count;
}

static void take_ballot(LanesBed *bed) {
  static const struct {
    SpvOp op;
    uint32_t group;
  } ops[] = {{SpvOpGroupNonUniformInverseBallot, 0},
             {SpvOpGroupNonUniformBallotBitExtract, 0},
             {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationReduce},
             {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationInclusiveScan},
             {SpvOpGroupNonUniformBallotBitCount, SpvGroupOperationExclusiveScan},
             {SpvOpGroupNonUniformBallotFindLSB, 0},
             {SpvOpGroupNonUniformBallotFindMSB, 0}};
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
    /* The result has rows of its own, or overwrites a row of the ballot or the index. */
    uint32_t d = unit_below(&bed->rng, 6);
    for (uint32_t n = 1; n <= 4; n++) /* random bits, few bits, none */
      for (uint32_t lane = 0, few = unit_below(&bed->rng, 3); lane < bed->s.width; lane++)
        bed_put(bed, n, 4, lane,
                few == 0   ? unit_below(&bed->rng, UINT32_MAX)
                : few == 1 ? 1u << unit_below(&bed->rng, 32)
                           : 0);
    bed_put_numbers(bed, 5, 140, false);
    bed_run(bed, emu_lanes_find(ops[k].op, EMU_U32, ops[k].group),
            &(EmuIns){.d = bed_row(bed, d), .b = bed_row(bed, 5), .list = 1});
    for (uint32_t lane = 0; lane < bed->s.size; lane++)
      if (bed_on(bed, lane))
        bed_want(
            bed, d, 4, lane,
            model_ballot(bed, ops[k].op, ops[k].group, lane, (uint32_t)bed_was(bed, 5, 4, lane)));
    bed_check(bed, "bits of a ballot");
  }
}

static void partition(LanesBed *bed) {
  for (EmuKind kind = 0; kind < EMU_KINDS; kind++) {
    uint32_t bytes = emu_kind_bytes(kind), components = 1 + unit_below(&bed->rng, 4);
    uint32_t values = 1 + unit_below(&bed->rng, 5);
    for (uint32_t n = 5; n < 5 + components; n++)
      for (uint32_t lane = 0; lane < bed->s.width; lane++)
        bed_put(bed, n, bytes, lane, unit_below(&bed->rng, values) * 0x0101010101010101);
    bed_run(bed, emu_lanes_find(SpvOpGroupNonUniformPartitionNV, kind, 0),
            &(EmuIns){.list = 1, .x = components});
    for (uint32_t lane = 0; lane < bed->s.size; lane++) {
      uint32_t bits[4] = {0};
      if (!bed_on(bed, lane))
        continue;
      for (uint32_t other = 0; other < bed->s.size; other++) {
        bool same = bed_on(bed, other);
        for (uint32_t n = 5; n < 5 + components; n++)
          same &= bed_was(bed, n, bytes, lane) == bed_was(bed, n, bytes, other);
        bits[other / 32] |= (uint32_t)same << other % 32;
      }
      for (uint32_t n = 0; n < 4; n++)
        bed_want(bed, 1 + n, 4, lane, bits[n]);
    }
    bed_check(bed, "partition");
  }
}

static void ballots(void **state) {
  (void)state;
  each_bed(make_ballot, EMU_MAX_LANES); /* above 128 lanes: no other lane is written */
  each_bed(take_ballot, 128);
  each_bed(partition, 128);
}

/* ---- shuffles -------------------------------------------------------------------------------- */

typedef struct Shuffle {
  SpvOp op;
  bool same; /* the operand is the same in all lanes */
  bool clusters;
} Shuffle;

static const Shuffle shuffles[] = {
    {SpvOpGroupNonUniformBroadcast, true, false},
    {SpvOpSubgroupReadInvocationKHR, true, false},
    {SpvOpGroupNonUniformBroadcastFirst, false, false},
    {SpvOpSubgroupFirstInvocationKHR, false, false},
    {SpvOpGroupNonUniformShuffle, false, false},
    {SpvOpGroupNonUniformShuffleXor, false, false},
    {SpvOpGroupNonUniformShuffleXor, true, false},
    {SpvOpGroupNonUniformShuffleUp, true, false},
    {SpvOpGroupNonUniformShuffleUp, false, false},
    {SpvOpGroupNonUniformShuffleDown, true, false},
    {SpvOpGroupNonUniformShuffleDown, false, false},
    {SpvOpGroupNonUniformQuadBroadcast, true, false},
    {SpvOpGroupNonUniformRotateKHR, true, false},
    {SpvOpGroupNonUniformRotateKHR, true, true},
};

/* The lane that is read, or a number that is not a lane. */
static uint64_t model_source(const LanesBed *bed, SpvOp op, uint64_t lane, uint64_t b,
                             uint64_t cluster) {
  uint64_t group = cluster ? cluster : bed->s.size;
  switch (op) {
  case SpvOpGroupNonUniformBroadcastFirst:
  case SpvOpSubgroupFirstInvocationKHR:
    return first_on(bed);
  case SpvOpGroupNonUniformShuffleXor:
    return lane ^ b;
  case SpvOpGroupNonUniformShuffleUp:
    return lane - b;
  case SpvOpGroupNonUniformShuffleDown:
    return lane + b;
  case SpvOpGroupNonUniformQuadBroadcast:
    return b < 4 ? lane - lane % 4 + b : UINT64_MAX;
  case SpvOpGroupNonUniformRotateKHR:
    return lane / group * group + (lane % group + b) % group;
  default:
    return b;
  }
}

/* Fresh values, since results that overwrite operands leave more and more zeros. */
static void put_values(LanesBed *bed, uint32_t row, uint32_t bytes) {
  for (uint32_t lane = 0; lane < bed->s.width; lane++)
    bed_put(bed, row, bytes, lane,
            (uint64_t)unit_below(&bed->rng, UINT32_MAX) << 32 | unit_below(&bed->rng, UINT32_MAX));
}

static void check_shuffle(LanesBed *bed, const Shuffle *t, EmuKind kind) {
  uint32_t bytes = emu_kind_bytes(kind), cluster = 0, d = unit_below(&bed->rng, bytes == 4 ? 3 : 2);
  uint32_t most = t->op == SpvOpGroupNonUniformQuadBroadcast ? 5
                  : t->op == SpvOpGroupNonUniformRotateKHR   ? 3 * bed->s.size
                                                             : bed->s.size + 2;
  put_values(bed, 1, bytes);
  bed_put_numbers(bed, 2, most, t->same);
  if (t->clusters)
    while ((cluster = 1u << unit_below(&bed->rng, 11)) > bed->s.size)
      ;
  if (unit_below(&bed->rng, 8) == 0) /* an arbitrary one */
    for (uint32_t lane = 0; lane < bed->s.width; lane++)
      bed_put(bed, 2, 4, lane, 0xfffffff0 | (t->same ? 9 : unit_below(&bed->rng, 16)));
  bed_run(
      bed, emu_lanes_find(t->op, kind, 0),
      &(EmuIns){.d = bed_row(bed, d), .a = bed_row(bed, 1), .b = bed_row(bed, 2), .x = cluster});
  for (uint32_t lane = 0; lane < bed->s.size; lane++)
    if (bed_on(bed, lane)) {
      uint64_t from = model_source(bed, t->op, lane, bed_was(bed, 2, 4, lane), cluster);
      bed_want(bed, d, bytes, lane, bed_on(bed, from) ? bed_was(bed, 1, bytes, (uint32_t)from) : 0);
    }
  bed_check(bed, "shuffle");
}

static void shuffle(LanesBed *bed) {
  for (size_t n = 0; n < sizeof shuffles / sizeof *shuffles; n++)
    for (EmuKind kind = 0; kind < EMU_KINDS; kind++)
      check_shuffle(bed, &shuffles[n], kind);
}

static void all_shuffles(void **state) {
  (void)state;
  each_bed(shuffle, EMU_MAX_LANES);
}

/* OpGroupBroadcast names its lane by one to three coordinates. */
static void group_broadcast(void **state) {
  (void)state;
  static const uint32_t local[][3] = {{24, 1, 1}, {6, 4, 1}, {2, 3, 4}};
  for (uint32_t x = 1; x <= 3; x++)
    for (uint32_t round = 0; round < 50; round++) {
      LanesBed bed;
      uint32_t at[3], from = 0, stride = 1;
      bed_open(&bed, 24, bed_seed() * 1000 + round);
      memcpy(bed.program.local_size, local[x - 1], sizeof local[0]);
      bool inside = true;
      for (uint32_t n = 0; n < x; n++) {
        at[n] = unit_below(&bed.rng, local[x - 1][n] + (round % 2 == 0));
        inside &= at[n] < local[x - 1][n];
        from += at[n] * stride;
        stride *= local[x - 1][n];
        for (uint32_t lane = 0; lane < 32; lane++)
          bed_put(&bed, 2 + n, 4, lane, at[n]);
      }
      bed_run(&bed, emu_lanes_find(SpvOpGroupBroadcast, EMU_U64, 0),
              &(EmuIns){.d = bed_row(&bed, 0), .a = bed_row(&bed, 1), .list = 2, .x = x});
      for (uint32_t lane = 0; lane < 24; lane++)
        if (bed_on(&bed, lane))
          bed_want(&bed, 0, 8, lane, inside && bed_on(&bed, from) ? bed_was(&bed, 1, 8, from) : 0);
      bed_check(&bed, "group broadcast");
      bed_close(&bed);
    }
}

/* ---- instructions that do not exist ---------------------------------------------------------- */

static void unknown_ones(void **state) {
  (void)state;
  assert_null(emu_lanes_find(SpvOpIAdd, EMU_U32, 0));
  assert_null(emu_lanes_find(SpvOpDPdx, EMU_F32, 0));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformAll, EMU_U32, 0));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformBallot, EMU_F32, 0));
  assert_null(emu_lanes_find(SpvOpGroupNonUniformBallotBitCount, EMU_U32, 3));
  assert_true(emu_is_ballot_builtin(SpvBuiltInSubgroupEqMask));
  assert_true(emu_is_ballot_builtin(SpvBuiltInSubgroupLtMask));
  assert_false(emu_is_ballot_builtin(SpvBuiltInSubgroupSize));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(votes),
      cmocka_unit_test(all_equal),
      cmocka_unit_test(all_equal_floats),
      cmocka_unit_test(ballots),
      cmocka_unit_test(all_shuffles),
      cmocka_unit_test(group_broadcast),
      cmocka_unit_test(unknown_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
