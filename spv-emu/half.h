/* half: 16-bit floats as bits, to and from float. Exact one way, rounded to nearest, ties to even,
 * the other; NaN stays NaN. In C alone, since not every compiler knows the type. */
#ifndef EMU_HALF_H
#define EMU_HALF_H

#include <stdint.h>
#include <string.h>

static inline float emu_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = half & 0x7fff, bits;
  if (rest < 0x400) { /* zero and denormals: units of 2^-24 */
    float value = (float)rest * 0x1p-24f;
    return sign ? -value : value;
  }
  if (rest < 0x7c00)
    bits = (rest << 13) + ((127 - 15) << 23);
  else
    bits = 0x7f800000 | rest << 13;
  bits |= sign;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint16_t emu_half_from_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  if (rest > 0x7f800000)
    rest = 0x7e00 | (rest >> 13 & 0x3ff);
  else if (rest >= 0x477ff000) /* rounds to 2^16 or more */
    rest = 0x7c00;
  else if (rest < 0x38800000) { /* denormal: the sum's last place is 2^-24, and it rounds */
    float sum;
    memcpy(&sum, &rest, sizeof sum);
    sum += 0.5f;
    memcpy(&rest, &sum, sizeof rest);
    rest -= 0x3f000000;
  } else
    rest = (rest + 0xfff + (rest >> 13 & 1) - ((127 - 15) << 23)) >> 13;
  return (uint16_t)(sign | rest);
}

#endif
