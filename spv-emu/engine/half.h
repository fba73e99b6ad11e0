/* SPDX-License-Identifier: Apache-2.0 */
/* half: converts 16-bit floats, as bits, to and from float. The conversion to float is exact; the
 * one from float rounds to nearest, ties to even. NaN stays NaN, but becomes quiet. The code is
 * plain C, since not every compiler has _Float16, and has no branches, so that loops over lanes
 * vectorize. */
#ifndef EMU_HALF_H
#define EMU_HALF_H

#include <stdint.h>
#include <string.h>

static inline float emu_half_to_float(uint16_t half) {
  uint32_t rest = (uint32_t)(half & 0x7fff) << 13, number;
  float value;
  memcpy(&value, &rest, sizeof value);
  value *= 0x1p112f; /* the difference of the exponents' biases; denormals become correct, too */
  memcpy(&number, &value, sizeof number);
  uint32_t special = rest | 0x7f800000 | (rest > 0x0f800000 ? 0x00400000 : 0);
  uint32_t bits = (rest < 0x0f800000 ? number : special) | (uint32_t)(half & 0x8000) << 16;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint16_t emu_half_from_float(float value) {
  uint32_t bits, rest, small;
  memcpy(&bits, &value, sizeof bits);
  rest = bits & 0x7fffffff;
  float sum;
  memcpy(&sum, &rest, sizeof sum);
  sum += 0.5f; /* denormal: the sum's last place is 2^-24, and it rounds */
  memcpy(&small, &sum, sizeof small);
  uint32_t normal = (rest + 0xfff + (rest >> 13 & 1) - ((127 - 15) << 23)) >> 13;
  uint32_t special = rest > 0x7f800000 ? 0x7e00 | (rest >> 13 & 0x3ff) : 0x7c00;
  uint32_t half = rest < 0x38800000 ? small - 0x3f000000 : rest < 0x47800000 ? normal : special;
  return (uint16_t)(half | (bits >> 16 & 0x8000));
}

#endif
