/* SPDX-License-Identifier: Apache-2.0 */
/* rng: splitmix64, the one source of randomness of the property tests (Steele, Lea, Flood, "Fast
 * splittable pseudorandom number generators", 2014): a seed gives the same module everywhere. */
#ifndef EQUIV_RNG_H
#define EQUIV_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Rng {
  uint64_t state;
} Rng;

static inline uint64_t rng_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint64_t rng_next(Rng *r) {
  r->state += 0x9e3779b97f4a7c15u;
  return rng_mix(r->state);
}

/* 0 .. n-1; n must not be 0. */
static inline uint32_t rng_below(Rng *r, uint32_t n) {
  return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

static inline uint32_t rng_range(Rng *r, uint32_t lo, uint32_t hi) {
  return lo + rng_below(r, hi - lo + 1);
}

static inline bool rng_percent(Rng *r, uint32_t percent) {
  return rng_below(r, 100) < percent;
}

/* How many random draws in a row succeed, each with `percent` percent; at most `limit`. */
static inline uint32_t rng_geometric(Rng *r, uint32_t percent, uint32_t limit) {
  uint32_t n = 0;
  while (n < limit && rng_percent(r, percent))
    n++;
  return n;
}

#endif
