/* SPDX-License-Identifier: Apache-2.0 */
/* alu_bits: functions on the bits of integers, written so that they vectorize. */
#ifndef EMU_ALU_BITS_H
#define EMU_ALU_BITS_H

#include <stdint.h>

static inline uint32_t count32(uint32_t a) {
  a -= a >> 1 & 0x55555555;
  a = (a & 0x33333333) + (a >> 2 & 0x33333333);
  a = (a + (a >> 4)) & 0x0f0f0f0f;
  a += a >> 8;
  return (a + (a >> 16)) & 0xff;
}
static inline uint64_t count64(uint64_t a) {
  return count32((uint32_t)a) + count32((uint32_t)(a >> 32));
}

static inline uint32_t reverse32(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
  return a >> 16 | a << 16;
}
static inline uint64_t reverse64(uint64_t a) {
  return (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32));
}

/* Sets all bits below the highest one that is set. */
static inline uint32_t smear32(uint32_t a) {
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  return a | a >> 16;
}
static inline uint64_t smear64(uint64_t a) {
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  return a | a >> 32;
}

#endif
