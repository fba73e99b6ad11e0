/* SPDX-License-Identifier: Apache-2.0 */
/* random: the random numbers of made-up contents. */
#ifndef EMU_RANDOM_H
#define EMU_RANDOM_H

#include <stdint.h>

/* splitmix64, Steele et al., Fast splittable pseudorandom number generators, OOPSLA 2014. */
static inline uint64_t emu_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif
