/* SPDX-License-Identifier: Apache-2.0 */
/* bitset: fixed-size sets of small integers. */
#ifndef SR_BITSET_H
#define SR_BITSET_H

#include "passes/base/arena.h"
#include <stdbool.h>

typedef uint64_t SrBits;

static inline SrBits *sr_bits_new(SrArena *arena, size_t count) {
  return SR_NEW(arena, SrBits, (count + 63) / 64);
}
static inline bool sr_bit(const SrBits *set, uint32_t i) {
  return set[i / 64] >> (i % 64) & 1;
}
static inline void sr_bit_set(SrBits *set, uint32_t i) {
  set[i / 64] |= (SrBits)1 << (i % 64);
}
static inline void sr_bit_clear(SrBits *set, uint32_t i) {
  set[i / 64] &= ~((SrBits)1 << (i % 64));
}

#endif
