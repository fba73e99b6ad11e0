/* SPDX-License-Identifier: Apache-2.0 */
/* unit: what every unit test includes: cmocka with the headers that it requires, and a small random
 * number generator (Knuth's MMIX constants), seeded by the test so that a failure can be
 * replayed. */
#ifndef UNIT_H
#define UNIT_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

/* The next random number below n. */
static inline uint32_t unit_below(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % n;
}

#endif
