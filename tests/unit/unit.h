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

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Prints and returns the seed of random tests: 1, or that of the environment variable TEST_SEED,
 * which is a number or "random". */
static inline uint64_t unit_seed(void) {
  const char *given = getenv("TEST_SEED");
  uint64_t seed = 1;
  if (given)
    seed = strcmp(given, "random") == 0 ? (uint64_t)time(NULL) : strtoull(given, NULL, 0);
  print_message("TEST_SEED=%llu\n", (unsigned long long)seed);
  return seed;
}

/* How many random cases a loop tries: n, or an eighth of them under sanitizers, which are slow. */
static inline uint64_t unit_seeds(uint64_t n) {
#ifdef SPVRECONV_SANITIZED
  n = (n + 7) / 8;
#endif
  return n;
}

/* The next random number below n. */
static inline uint32_t unit_below(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % n;
}

#endif
