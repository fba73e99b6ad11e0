/* SPDX-License-Identifier: Apache-2.0 */
/* Every 16-bit float, converted to float, compared with its definition; and back; and floats
 * between two halves. */
#include "spv-emu/engine/half.h"
#include "tests/unit/unit.h"

#include <math.h>

static float value_of(uint32_t half) {
  int exponent = half >> 10 & 31;
  double fraction = half & 1023, value;
  if (exponent == 31)
    value = fraction > 0 ? NAN : INFINITY;
  else
    value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return (float)(half >> 15 ? -value : value);
}

static void every_half(void **state) {
  (void)state;
  for (uint32_t half = 0; half < 0x10000; half++) {
    float value = emu_half_to_float((uint16_t)half), wanted = value_of(half);
    if (isnan(wanted)) {
      assert_true(isnan(value) && isnan(emu_half_to_float(emu_half_from_float(value))));
      continue;
    }
    assert_memory_equal(&value, &wanted, sizeof value);
    assert_int_equal(emu_half_from_float(value), half);
  }
}

static void between_halves(void **state) {
  (void)state;
  for (uint32_t half = 0; half < 0x7c00; half++) {
    /* the next one; after the largest, 2^16 */
    float low = value_of(half), high = half == 0x7bff ? 65536 : value_of(half + 1);
    float middle = (low + high) / 2;
    assert_int_equal(emu_half_from_float(nextafterf(middle, 0)), half);
    assert_int_equal(emu_half_from_float(middle), half + (half & 1));
    assert_int_equal(emu_half_from_float(nextafterf(middle, INFINITY)), half + 1);
    assert_int_equal(emu_half_from_float(-nextafterf(middle, INFINITY)), 0x8000 | (half + 1));
  }
  assert_int_equal(emu_half_from_float(0x1p100f), 0x7c00);
  assert_int_equal(emu_half_from_float(-0x1p-140f), 0x8000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_half),
      cmocka_unit_test(between_halves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
