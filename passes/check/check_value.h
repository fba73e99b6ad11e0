/* check_value: what an id holds on a walk.
 *
 * Integers of up to 64 bits and booleans are numbers (an integer's bits, above them zeros); all
 * else is a hash. A number that was drawn, not computed, remembers the hash it was drawn for, its
 * *term*, so that the search can ask for another one. */
#ifndef SR_CHECK_VALUE_H
#define SR_CHECK_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* All components of a vector of booleans are the same. */
typedef enum SrCheckSplat { SR_SPLAT_NO, SR_SPLAT_FALSE, SR_SPLAT_TRUE } SrCheckSplat;

typedef struct SrCheckValue {
  uint64_t a;     /* the number, or the hash */
  uint64_t term;  /* of a number: what it was drawn for, or 0. Of a hash that a widening made: the
                     hash of the narrow value, or 0 */
  uint32_t epoch; /* the walk that set it */
  bool undefined; /* before: anything may stand for it; after: poison */
  uint8_t splat;  /* SrCheckSplat */
} SrCheckValue;

/* Values of the module level hold on all walks. */
#define SR_CHECK_ALWAYS UINT32_MAX

/* One step of a hash: multiply, rotate, multiply. Not cryptographic; nobody attacks it. */
static inline uint64_t sr_check_mix(uint64_t h, uint64_t x) {
  h ^= x * 0x9e3779b97f4a7c15u;
  h = (h << 29 | h >> 35) * 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

/* The bits of an integer type; `width` 1 is a boolean. */
static inline uint64_t sr_check_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static inline int64_t sr_check_signed(uint64_t bits, unsigned width) {
  unsigned above = 64 - width;
  return (int64_t)(bits << above) >> above;
}

#endif
