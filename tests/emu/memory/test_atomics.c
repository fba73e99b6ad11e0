/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics: every operation and kind, compared with a model that runs lane by lane; edge cases; two
 * threads concurrently on one buffer. */
#include "spv-emu/memory/atomics.h"
#include "tests/emu/memory/memory_world.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static uint64_t seed;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

static double real(EmuKind kind, uint64_t bits) {
  float f;
  double d;
  uint32_t low = (uint32_t)bits;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &bits, sizeof d);
  if (kind == EMU_F16) { /* the test uses only whole numbers below 1024 */
    uint32_t exponent = low >> 10 & 31, mantissa = low & 1023;
    return exponent ? ldexp(1024 + mantissa, (int)exponent - 25) : 0;
  }
  return kind == EMU_F32 ? (double)f : d;
}

static uint64_t bits_of(EmuKind kind, double value) {
  float f = (float)value;
  uint32_t low;
  uint64_t bits;
  memcpy(&low, &f, sizeof low);
  memcpy(&bits, &value, sizeof bits);
  if (kind == EMU_F16) {
    int exponent;
    double m = frexp(value, &exponent);
    return value != 0 ? (uint64_t)(exponent + 14) << 10 | ((uint64_t)(m * 2048) & 1023) : 0;
  }
  return kind == EMU_F32 ? low : bits;
}

static int64_t as_signed(EmuKind kind, uint64_t v) {
  return kind == EMU_U32 ? (int32_t)v : (int64_t)v;
}

static uint64_t model(SpvOp op, EmuKind kind, uint64_t old, uint64_t value, uint64_t comparator) {
  switch (op) {
  case SpvOpAtomicLoad:
    return old;
  case SpvOpAtomicStore:
  case SpvOpAtomicExchange:
    return value;
  case SpvOpAtomicCompareExchange:
  case SpvOpAtomicCompareExchangeWeak:
    return old == comparator ? value : old;
  case SpvOpAtomicIIncrement:
    return old + 1;
  case SpvOpAtomicIDecrement:
    return old - 1;
  case SpvOpAtomicIAdd:
    return old + value;
  case SpvOpAtomicISub:
    return old - value;
  case SpvOpAtomicSMin:
    return as_signed(kind, value) < as_signed(kind, old) ? value : old;
  case SpvOpAtomicSMax:
    return as_signed(kind, value) > as_signed(kind, old) ? value : old;
  case SpvOpAtomicUMin:
    return value < old ? value : old;
  case SpvOpAtomicUMax:
    return value > old ? value : old;
  case SpvOpAtomicAnd:
    return old & value;
  case SpvOpAtomicOr:
    return old | value;
  case SpvOpAtomicXor:
    return old ^ value;
  case SpvOpAtomicFlagTestAndSet:
    return 1;
  case SpvOpAtomicFlagClear:
    return 0;
  case SpvOpAtomicFAddEXT:
    return bits_of(kind, real(kind, old) + real(kind, value));
  case SpvOpAtomicFMinEXT:
    return real(kind, value) < real(kind, old) ? value : old;
  case SpvOpAtomicFMaxEXT:
    return real(kind, value) > real(kind, old) ? value : old;
  default:
    fail_msg("no model of opcode %u", (unsigned)op);
    return 0;
  }
}

static const struct {
  SpvOp op;
  bool f16, f, i; /* kinds that it takes: halves, floats, integers */
} ops[] = {
    {SpvOpAtomicLoad, true, true, true},
    {SpvOpAtomicStore, true, true, true},
    {SpvOpAtomicExchange, true, true, true},
    {SpvOpAtomicCompareExchange, false, false, true},
    {SpvOpAtomicCompareExchangeWeak, false, false, true},
    {SpvOpAtomicIIncrement, false, false, true},
    {SpvOpAtomicIDecrement, false, false, true},
    {SpvOpAtomicIAdd, false, false, true},
    {SpvOpAtomicISub, false, false, true},
    {SpvOpAtomicSMin, false, false, true},
    {SpvOpAtomicUMin, false, false, true},
    {SpvOpAtomicSMax, false, false, true},
    {SpvOpAtomicUMax, false, false, true},
    {SpvOpAtomicAnd, false, false, true},
    {SpvOpAtomicOr, false, false, true},
    {SpvOpAtomicXor, false, false, true},
    {SpvOpAtomicFlagTestAndSet, false, false, true},
    {SpvOpAtomicFlagClear, false, false, true},
    {SpvOpAtomicFAddEXT, true, true, false},
    {SpvOpAtomicFMinEXT, true, true, false},
    {SpvOpAtomicFMaxEXT, true, true, false},
};
enum { OPS = sizeof ops / sizeof *ops };

static bool is_flag(SpvOp op) {
  return op == SpvOpAtomicFlagTestAndSet || op == SpvOpAtomicFlagClear;
}

static bool takes(uint32_t n, EmuKind kind) {
  if (is_flag(ops[n].op))
    return kind == EMU_U32;
  return kind == EMU_U32 || kind == EMU_U64   ? ops[n].i
         : kind == EMU_F32 || kind == EMU_F64 ? ops[n].f
         : kind == EMU_F16                    ? ops[n].f16
                                              : false;
}

static uint64_t read_bits(const uint8_t *at, uint32_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, at, bytes);
  return bits;
}

static uint64_t random_value(EmuKind kind) {
  if (kind == EMU_F16 || kind == EMU_F32 || kind == EMU_F64)
    return bits_of(kind, below(40)); /* sums of up to 33 of them are exact, also as halves */
  uint64_t value = below(4) ? below(8) : (uint64_t)below(UINT32_MAX) << 33 | below(UINT32_MAX) << 1;
  value = below(2) ? value : 0 - value;
  return kind == EMU_U32 ? (uint32_t)value : value;
}

/* One instruction on a few scalars of one segment, so that lanes collide. */
static void one_trial(uint32_t n, EmuKind kind, uint32_t lanes) {
  static const uint32_t where[] = {WORLD_BUFFER,    WORLD_SHARED,  WORLD_LANE, WORLD_ROWS,
                                   WORLD_READ_ONLY, WORLD_UNBOUND, WORLD_QUIET};
  World w;
  world_make(&w, lanes);
  EmuLanes *l = &w.lanes;
  l->shared_by_threads = below(2);
  l->segment_shift = below(2) ? 7 : 1 + below(4); /* also smaller than a number */
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (!below(4))
      l->on.w[lane / 64] &= ~((uint64_t)1 << lane % 64);
  uint32_t segment = where[below(7)], bytes = emu_kind_bytes(kind);
  const EmuSegment *to = &w.segments[segment];
  uint32_t unit = to->space == EMU_SPACE_ROWS ? bytes * l->width : bytes;
  bool addresses = below(2);
  SR_PUSH(&w.arena, &w.program.leaves, (EmuLeaf){unit, (uint8_t)kind});
  SR_PUSH(&w.arena, &w.program.accesses,
          (EmuAccess){.segment = addresses ? SR_NONE : segment, .offset = unit, .leaf_count = 1});
  EmuIns ins = {.a = world_register(&w, 0),
                .b = world_register(&w, 1),
                .c = world_register(&w, 2),
                .d = world_register(&w, 3)};
  if (ops[n].op == SpvOpAtomicStore || ops[n].op == SpvOpAtomicFlagClear)
    ins.d = EMU_NO_ROW;
  uint8_t *memory = to->space == EMU_SPACE_WORKGROUP ? l->shared + to->at
                    : to->space == EMU_SPACE_BUFFER  ? to->bytes
                                                     : l->file + to->at;
  if (memory)
    for (uint32_t k = 0; k < to->size / bytes; k++) {
      uint64_t value = random_value(kind);
      memcpy(memory + (size_t)k * bytes, &value, bytes);
    }
  uint64_t expected[EMU_MAX_LANES];
  uint8_t *copy = malloc(w.size);
  uint64_t dropped = 0, places = 0;
  bool touched[WORLD_BUFFER_BYTES] = {false};
  for (uint32_t lane = 0; lane < l->width; lane++) {
    uint32_t offset = below(3) * unit;
    if (!below(30))
      offset = (uint32_t)to->size - 2 * unit + below(2) * unit;
    if (!below(60))
      offset += 1;
    if (addresses)
      EMU_ROW(l, uint64_t, ins.a)[lane] = (uint64_t)segment << 40 | offset;
    else
      EMU_ROW(l, uint32_t, ins.a)[lane] = offset;
    uint64_t value = random_value(kind), comparator = random_value(kind);
    memcpy(l->file + ins.b + (size_t)lane * bytes, &value, bytes);
    memcpy(l->file + ins.c + (size_t)lane * bytes, &comparator, bytes);
  }
  memcpy(copy, w.bytes, w.size);
  for (uint32_t lane = 0; lane < l->width; lane++) {
    if (!emu_mask_has(&l->on, lane))
      continue;
    uint64_t offset = addresses ? EMU_ROW(l, uint64_t, ins.a)[lane] & EMU_OFFSET_MASK
                                : EMU_ROW(l, uint32_t, ins.a)[lane];
    offset += 2 * unit;
    expected[lane] = 0;
    if (!memory || offset + unit > to->size || offset % bytes ||
        (ops[n].op != SpvOpAtomicLoad && !to->writable)) {
      dropped++;
      continue;
    }
    uint64_t last = (offset + bytes - 1) >> l->segment_shift;
    for (uint64_t k = offset >> l->segment_shift; to->counted && k <= last; k++) {
      places += !touched[k];
      touched[k] = true;
    }
    uint8_t *at = copy + (memory - w.bytes) + offset;
    at += to->space == EMU_SPACE_ROWS   ? lane * bytes
          : to->space == EMU_SPACE_LANE ? lane * (uint32_t)to->size
                                        : 0;
    uint64_t old = read_bits(at, bytes);
    expected[lane] = ops[n].op == SpvOpAtomicFlagTestAndSet ? (old ? UINT32_MAX : 0) : old;
    uint64_t new = model(ops[n].op, kind, old, read_bits(l->file + ins.b + lane * bytes, bytes),
                         read_bits(l->file + ins.c + lane * bytes, bytes));
    memcpy(at, &new, bytes);
  }
  EmuHandler *run = emu_atomic_find(ops[n].op, kind);
  assert_non_null(run);
  run(l, &ins);
  for (uint32_t lane = 0; lane < l->width && ins.d != EMU_NO_ROW; lane++)
    if (emu_mask_has(&l->on, lane)) {
      assert_int_equal(read_bits(l->file + ins.d + lane * bytes, bytes), expected[lane]);
      memcpy(copy + ins.d + lane * bytes, &expected[lane], bytes);
    }
  assert_memory_equal(w.bytes, copy, w.size);
  bool counts = to->counted && emu_mask_any(&l->on, l->words);
  assert_int_equal(l->counts.out_of_bounds, dropped);
  assert_int_equal(l->counts.memory_issues, counts);
  assert_int_equal(l->counts.memory_transactions, counts ? places : 0);
  free(copy);
  world_free(&w);
}

static void agrees_with_model(void **unused) {
  (void)unused;
  for (uint32_t n = 0; n < OPS; n++)
    for (uint32_t kind = 0; kind < EMU_KINDS; kind++)
      for (uint32_t trial = 0; takes(n, kind) && trial < 40; trial++)
        one_trial(n, kind, trial % 20 == 19 && kind != EMU_F16 ? 1000 : 1 + below(33));
}

static void there_are_no_others(void **unused) {
  (void)unused;
  for (uint32_t n = 0; n < OPS; n++)
    for (uint32_t kind = 0; kind < EMU_KINDS; kind++)
      if (!takes(n, kind) && !(kind == EMU_U16 && ops[n].f16 && ops[n].i))
        assert_null(emu_atomic_find(ops[n].op, kind));
  assert_null(emu_atomic_find(SpvOpIAdd, EMU_U32));
}

/* If one operand of a minimum or maximum is NaN, the other is the result. */
static void no_number(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 1);
  SR_PUSH(&w.arena, &w.program.leaves, (EmuLeaf){0, EMU_F32});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = WORLD_BUFFER, .leaf_count = 1});
  EmuIns ins = {.a = EMU_NO_ROW, .b = world_register(&w, 0), .c = EMU_NO_ROW, .d = EMU_NO_ROW};
  float *memory = (float *)(void *)w.segments[WORLD_BUFFER].bytes;
  static const SpvOp both[] = {SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT};
  for (int n = 0; n < 2; n++)
    for (int side = 0; side < 2; side++) {
      *memory = side ? NAN : 3;
      *EMU_ROW(&w.lanes, float, ins.b) = side ? 3 : NAN;
      emu_atomic_find(both[n], EMU_F32)(&w.lanes, &ins);
      assert_true(*memory == 3);
    }
  world_free(&w);
}

/* ---- two threads ----------------------------------------------------------------------------- */

enum { TURNS = 20000 };

typedef struct Worker {
  World w;
  EmuIns ins;
  EmuHandler *run;
  uint32_t turns;
} Worker;

static void *work(void *user) {
  Worker *worker = user;
  for (uint32_t turn = 0; turn < worker->turns; turn++)
    worker->run(&worker->w.lanes, &worker->ins);
  return NULL;
}

static void two_threads(void **unused) {
  (void)unused;
  static const EmuKind kinds[] = {EMU_U32, EMU_U64, EMU_F32, EMU_F64, EMU_F16};
  static uint64_t memory[5];
  Worker workers[2];
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) {
    World *w = &workers[n].w;
    world_make(w, 8);
    w->lanes.shared_by_threads = true;
    w->segments[WORLD_BUFFER].bytes = (uint8_t *)memory;
    w->segments[WORLD_BUFFER].size = sizeof memory;
    workers[n].ins = (EmuIns){.a = EMU_NO_ROW, .c = EMU_NO_ROW, .d = world_register(w, 9)};
    for (uint32_t k = 0; k < 5; k++) {
      SR_PUSH(&w->arena, &w->program.leaves, (EmuLeaf){0, (uint8_t)kinds[k]});
      SR_PUSH(&w->arena, &w->program.accesses,
              (EmuAccess){.segment = WORLD_BUFFER, .offset = 8 * k, .leaf = k, .leaf_count = 1});
    }
  }
  for (uint32_t k = 0; k < 5; k++) {
    uint32_t bytes = emu_kind_bytes(kinds[k]);
    uint64_t one = k < 2 ? 1 : bits_of(kinds[k], 1);
    for (int n = 0; n < 2; n++) {
      Worker *worker = &workers[n];
      worker->ins.b = world_register(&worker->w, 0);
      worker->ins.x = k;
      worker->run = emu_atomic_find(k < 2 ? SpvOpAtomicIAdd : SpvOpAtomicFAddEXT, kinds[k]);
      worker->turns = k == 4 ? 128 : TURNS; /* halves end at 2048 */
      for (uint32_t lane = 0; lane < 8; lane++)
        memcpy(worker->w.lanes.file + worker->ins.b + lane * bytes, &one, bytes);
    }
    memset(memory, 0, sizeof memory);
    for (int n = 0; n < 2; n++)
      assert_int_equal(pthread_create(&threads[n], NULL, work, &workers[n]), 0);
    for (int n = 0; n < 2; n++)
      pthread_join(threads[n], NULL);
    uint64_t sum = k == 4 ? 2 * 8 * 128 : 2 * 8 * TURNS;
    assert_int_equal(memory[k], k < 2 ? sum : bits_of(kinds[k], (double)sum));
  }
  for (int n = 0; n < 2; n++)
    world_free(&workers[n].w);
}

int main(void) {
  seed = unit_seed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_model),
      cmocka_unit_test(there_are_no_others),
      cmocka_unit_test(no_number),
      cmocka_unit_test(two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
