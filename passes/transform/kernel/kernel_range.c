/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_range: see kernel_range.h. Blocks are swept in order until nothing changes; a range grows
 * at most WIDEN times before it is unknown, so the number of sweeps has a bound. */
#include "passes/transform/kernel/kernel_range.h"

#include "passes/ir/integer.h"
#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_counter.h"
#include "passes/transform/kernel/kernel_intern.h"

enum { WIDEN = 3 };

typedef struct Range {
  int64_t low, high; /* low > high: no value is known yet */
  uint32_t grown;
} Range;

struct SrKernelRanges {
  Range *of; /* by id */
  uint32_t room;
  const SrGraph *graph; /* of the current kernel, as is dom */
  const SrDom *dom;
};

static const Range none = {1, 0, 0}, any = {INT64_MIN, INT64_MAX, 0};

static bool is_none(Range r) {
  return r.low > r.high;
}

static bool is_any(Range r) {
  return r.low == INT64_MIN || r.high == INT64_MAX;
}

static Range between(int64_t low, int64_t high) {
  return (Range){low, high, 0};
}

static Range get(const SrKernels *k, uint32_t id) {
  SrInteger value;
  if (sr_integer_constant(k->m, id, &value))
    return between(sr_integer_signed(value), sr_integer_signed(value));
  return id < k->ranges->room ? k->ranges->of[id] : any;
}

static Range join(Range a, Range b) {
  if (is_none(a) || is_none(b))
    return is_none(a) ? b : a;
  return between(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
}

/* ---- operations ---- */

static Range add(Range a, Range b) {
  int64_t low, high;
  if (is_any(a) || is_any(b) || __builtin_add_overflow(a.low, b.low, &low) ||
      __builtin_add_overflow(a.high, b.high, &high))
    return any;
  return between(low, high);
}

static Range subtract(Range a, Range b) {
  return is_any(b) ? any : add(a, between(-b.high, -b.low));
}

static Range multiply(Range a, Range b) {
  int64_t p[4];
  if (is_any(a) || is_any(b) || __builtin_mul_overflow(a.low, b.low, &p[0]) ||
      __builtin_mul_overflow(a.low, b.high, &p[1]) ||
      __builtin_mul_overflow(a.high, b.low, &p[2]) || __builtin_mul_overflow(a.high, b.high, &p[3]))
    return any;
  Range r = between(p[0], p[0]);
  for (int i = 1; i < 4; i++)
    r = join(r, between(p[i], p[i]));
  return r;
}

static Range mask(Range a, Range b) {
  if (a.low < 0 && b.low < 0)
    return any;
  if (a.low < 0 || b.low < 0)
    return between(0, a.low < 0 ? b.high : a.high);
  return between(0, a.high < b.high ? a.high : b.high);
}

/* Of numbers that are not negative. */
static Range divide(Range a, Range b) {
  return a.low < 0 || b.low < 1 ? any : between(a.low / b.high, a.high / b.low);
}

static Range remainder_of(Range a, Range b) {
  if (a.low < 0 || b.low < 1)
    return any;
  return between(0, a.high < b.high - 1 ? a.high : b.high - 1);
}

/* v << 32 >> n: the low half of v, extended, and shifted by the rest. */
static Range of_half(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  SrRef inner = sr_def(m, sr_words(m, r)[3]);
  SrInteger left, right;
  if (inner == SR_NONE || sr_inst(m, inner)->op != SpvOpShiftLeftLogical ||
      !sr_integer_constant(m, sr_words(m, inner)[4], &left) || left.bits != 32 ||
      !sr_integer_constant(m, sr_words(m, r)[4], &right) || right.bits > 63)
    return any;
  bool sign = sr_inst(m, r)->op == SpvOpShiftRightArithmetic;
  int64_t most = INT64_MAX >> right.bits;
  return sign ? between(-most - 1, most) : right.bits ? between(0, 2 * most + 1) : any;
}

static Range shift(Range a, Range b, bool left) {
  if (b.low != b.high || b.low < 0 || b.low > 62)
    return any;
  Range power = between(INT64_C(1) << b.low, INT64_C(1) << b.low);
  return left ? multiply(a, power) : divide(a, power);
}

/* ---- counters ---- */

/* A counter that steps over the bound of `counter != bound` counts until it overflows. A step of at
 * most MOST_STEP from below 2^30 takes 2^26 iterations to leave 31 bits: such a loop does not end. */
enum { MOST_STEP = 16 };

/* The largest value for which the counter's test holds; INT64_MAX: not known. */
static int64_t most_that_goes_on(const SrKernelCounter *c, Range start, Range bound) {
  int64_t below = bound.high == INT64_MIN ? bound.high : bound.high - 1;
  switch (c->test) {
  case SpvOpULessThan:
    return bound.low < 0 ? INT64_MAX : below;
  case SpvOpULessThanEqual:
    return bound.low < 0 ? INT64_MAX : bound.high;
  case SpvOpSLessThan:
    return below;
  case SpvOpSLessThanEqual:
    return bound.high;
  default:
    if (c->fixed && c->step == 1 && start.high < bound.low + !c->of_next)
      return below;
    if (c->step > MOST_STEP || start.high > INT32_MAX / 2)
      return INT64_MAX;
    return bound.high > INT32_MAX ? bound.high : INT32_MAX;
  }
}

/* The phi's range if it counts upwards by a constant, until a comparison ends the loop. */
static Range count(const SrKernels *k, SrRef r) {
  SrKernelCounter c;
  if (!sr_kernel_counter_find(k, k->ranges->graph, k->ranges->dom, r, &c))
    return none;
  Range start = get(k, c.start), bound = get(k, c.bound);
  if (is_none(start) || is_none(bound) || is_any(start) || is_any(bound))
    return none;
  int64_t most = most_that_goes_on(&c, start, bound);
  if (most == INT64_MAX || (!c.of_next && __builtin_add_overflow(most, c.step, &most)))
    return none;
  return between(start.low, start.high > most ? start.high : most);
}

static Range of_phi(const SrKernels *k, SrRef r) {
  const SrModule *m = k->m;
  Range all = count(k, r);
  if (!is_none(all))
    return all;
  for (uint32_t i = 3; i < sr_word_count(m, r); i += 2)
    all = join(all, get(k, sr_words(m, r)[i]));
  return all;
}

/* ---- the sweep ---- */

static Range of_builtin(const SrKernels *k, uint32_t id) {
  SrRef r = sr_def(k->m, id);
  if (r == SR_NONE || sr_inst(k->m, r)->op != SpvOpLoad)
    return any;
  const SrKernelBase *b = sr_kernel_base_of(k, sr_words(k->m, r)[3]);
  return b && b->place == SR_PLACE_BUILTIN ? between(0, UINT32_MAX) : any;
}

/* The bits that a value of up to 32 bits can have: clang writes (uchar)x as x & 255. */
static int64_t bits_of(const SrModule *m, uint32_t id, int64_t all) {
  SrRef r = sr_def(m, id);
  SrInteger bits;
  if (r != SR_NONE && sr_inst(m, r)->op == SpvOpBitwiseAnd &&
      sr_integer_constant(m, sr_words(m, r)[4], &bits))
    return all & (int64_t)bits.bits;
  return all;
}

static Range of_conversion(const SrKernels *k, SrRef r) {
  const uint32_t from = sr_words(k->m, r)[3],
                 bits = sr_kernel_bits(k->m, sr_kernel_type_of(k->m, from));
  if (bits >= 64)
    return get(k, from);
  int64_t all = (INT64_C(1) << bits) - 1;
  return sr_inst(k->m, r)->op == SpvOpUConvert ? between(0, bits_of(k->m, from, all))
                                               : between(-all / 2 - 1, all / 2);
}

static Range evaluate(const SrKernels *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  uint32_t words = w[0] >> 16;
  Range a = words > 3 ? get(k, w[3]) : any, b = words > 4 ? get(k, w[4]) : any;
  switch (sr_inst(k->m, r)->op) {
  case SpvOpShiftRightArithmetic:
    return of_half(k, r);
  case SpvOpUConvert:
  case SpvOpSConvert:
    return of_conversion(k, r);
  case SpvOpCompositeExtract:
    return of_builtin(k, w[3]);
  case SpvOpLoad:
    return of_builtin(k, w[2]);
  case SpvOpPhi:
    return of_phi(k, r);
  case SpvOpSelect:
    return join(b, get(k, w[5]));
  case SpvOpCopyObject:
    return a;
  default:
    break;
  }
  if (is_none(a) || is_none(b))
    return none;
  switch (sr_inst(k->m, r)->op) {
  case SpvOpIAdd:
    return add(a, b);
  case SpvOpISub:
    return subtract(a, b);
  case SpvOpIMul:
    return multiply(a, b);
  case SpvOpBitwiseAnd:
    return mask(a, b);
  case SpvOpUDiv:
    return divide(a, b);
  case SpvOpUMod:
    return remainder_of(a, b);
  case SpvOpShiftLeftLogical:
    return shift(a, b, true);
  case SpvOpShiftRightLogical:
    return is_any(of_half(k, r)) ? shift(a, b, false) : of_half(k, r);
  default:
    return any;
  }
}

static bool update(SrKernels *k, SrRef r) {
  uint32_t id = sr_inst(k->m, r)->result;
  Range *old = &k->ranges->of[id], now = join(*old, evaluate(k, r));
  if (is_none(now) || (now.low == old->low && now.high == old->high))
    return false;
  if (old->grown >= WIDEN)
    now = any;
  now.grown = old->grown + 1;
  *old = now;
  return true;
}

/* The table has the ids of all kernels; those that conversions add are not asked for. */
static void open_table(SrKernels *k) {
  k->ranges = SR_NEW(k->arena, struct SrKernelRanges, 1);
  k->ranges->room = sr_bound(k->m);
  k->ranges->of = SR_NEW_RAW(k->arena, Range, k->ranges->room);
  for (uint32_t i = 0; i < k->ranges->room; i++)
    k->ranges->of[i] = any;
}

void sr_kernel_range_find(SrKernels *k) {
  SrModule *m = k->m;
  if (!k->ranges)
    open_table(k);
  k->ranges->graph = sr_cfg_build(k->arena, m, k->f);
  k->ranges->dom = sr_dom_build(k->arena, k->ranges->graph, 0);
  SR_VEC(SrRef) wide = {0};
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list)) {
      uint32_t type = sr_inst(m, r)->type;
      if (!type || sr_def_op(m, type) != SpvOpTypeInt || sr_kernel_bits(m, type) != 64)
        continue;
      k->ranges->of[sr_inst(m, r)->result] = none;
      SR_PUSH(k->arena, &wide, r);
    }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < wide.count; i++)
      again |= update(k, wide.at[i]);
  }
}

/* ---- questions ---- */

bool sr_kernel_range_unsigned(const SrKernels *k, uint32_t id) {
  Range r = get(k, id);
  return r.low >= 0 && r.high <= UINT32_MAX;
}

bool sr_kernel_range_signed(const SrKernels *k, uint32_t id) {
  Range r = get(k, id);
  return r.low >= INT32_MIN && r.high <= INT32_MAX;
}

bool sr_kernel_range_narrows(const SrKernels *k, SrRef r) {
  uint32_t a = sr_words(k->m, r)[3], b = sr_words(k->m, r)[4];
  switch (sr_inst(k->m, r)->op) {
  case SpvOpUDiv:
  case SpvOpUMod:
    return sr_kernel_range_unsigned(k, a) && sr_kernel_range_unsigned(k, b);
  case SpvOpShiftRightLogical:
    return sr_kernel_range_unsigned(k, a) && get(k, b).low >= 0 && get(k, b).high < 32;
  case SpvOpShiftRightArithmetic:
    return sr_kernel_range_signed(k, a) && get(k, b).low >= 0 && get(k, b).high < 32;
  default:
    return sr_kernel_range_signed(k, a) && sr_kernel_range_signed(k, b) &&
           get(k, a).low > INT32_MIN;
  }
}
