/* SPDX-License-Identifier: Apache-2.0 */
/* format_pixel: reads and writes numbers of any width; converts texels to real numbers and back.
 *
 * Small floats (10, 11 and 16 bits) have one layout: a sign bit if there are 16 bits, five bits of
 * exponent with bias 15, the rest mantissa; rounded to nearest, ties to even, directly from double
 * (through float they would be rounded twice). sRGB as in IEC 61966-2-1. */
#include "spv-emu/format/format.h"

#include <math.h>
#include <string.h>

static uint64_t mask(unsigned bits) {
  return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

static uint64_t bits_get(const EmuField *field, const void *element) {
  uint64_t word = 0;
  memcpy(&word, (const uint8_t *)element + field->offset, field->unit);
  return word >> field->shift & mask(field->bits);
}

static void bits_set(const EmuField *field, uint64_t bits, void *element) {
  uint64_t word = 0, hole = mask(field->bits) << field->shift;
  uint8_t *place = (uint8_t *)element + field->offset;
  memcpy(&word, place, field->unit);
  word = (word & ~hole) | (bits << field->shift & hole);
  memcpy(place, &word, field->unit);
}

/* ---- floats of 10, 11 and 16 bits ---- */

static unsigned mantissa_bits(unsigned bits) {
  return bits == 16 ? 10 : bits - 5;
}

static double small_float_read(uint64_t bits, unsigned width) {
  unsigned mantissa = mantissa_bits(width);
  double sign = width == 16 && (bits >> 15 & 1) ? -1 : 1;
  int exponent = (int)(bits >> mantissa & 31);
  double fraction = (double)(bits & mask(mantissa));
  if (exponent == 31)
    return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
  if (exponent)
    fraction += ldexp(1, (int)mantissa);
  return sign * ldexp(fraction, (exponent ? exponent : 1) - 15 - (int)mantissa);
}

static uint64_t small_float_write(double value, unsigned width) {
  unsigned mantissa = mantissa_bits(width);
  uint64_t sign = width == 16 && signbit(value) ? 1u << 15 : 0, infinity = (uint64_t)31 << mantissa;
  if (isnan(value))
    return sign | infinity | (uint64_t)1 << (mantissa - 1);
  if (width != 16 && value < 0)
    return 0;
  if (isinf(value))
    return sign | infinity;
  int exponent;
  frexp(value, &exponent);
  exponent = value == 0 || exponent - 1 < -14 ? -14 : exponent - 1;
  if (exponent > 15)
    return sign | infinity;
  /* In units of the last place; a carry out of the mantissa goes into the exponent. */
  uint64_t units = (uint64_t)nearbyint(ldexp(fabs(value), (int)mantissa - exponent));
  uint64_t hidden = (uint64_t)1 << mantissa;
  if (units < hidden)
    return sign | units;
  return sign | (((uint64_t)(exponent + 15) << mantissa) + (units - hidden));
}

static double float_read(uint64_t bits, unsigned width) {
  float single;
  double value;
  uint32_t low = (uint32_t)bits;
  switch (width) {
  case 64:
    memcpy(&value, &bits, sizeof value);
    return value;
  case 32:
    memcpy(&single, &low, sizeof single);
    return (double)single;
  default:
    return small_float_read(bits, width);
  }
}

static uint64_t float_write(double value, unsigned width) {
  uint64_t bits;
  uint32_t low;
  float single;
  switch (width) {
  case 64:
    memcpy(&bits, &value, sizeof bits);
    return bits;
  case 32:
    /* C does not define the conversion of values past the largest float. */
    single = fabs(value) > 3.4028235677973366e38 ? copysignf(INFINITY, (float)copysign(1, value))
                                                 : (float)value;
    memcpy(&low, &single, sizeof low);
    return low;
  default:
    return small_float_write(value, width);
  }
}

/* ---- raw numbers ---- */

static bool is_signed(const EmuField *field) {
  return field->kind == EMU_FORMAT_SINT || field->kind == EMU_FORMAT_SNORM ||
         field->kind == EMU_FORMAT_SSCALED;
}

EmuNumber emu_field_get(const EmuField *field, const void *element) {
  uint64_t bits = bits_get(field, element);
  if (field->kind == EMU_FORMAT_FLOAT)
    return (EmuNumber){.d = float_read(bits, field->bits)};
  if (is_signed(field) && bits >> (field->bits - 1))
    bits |= ~mask(field->bits);
  return (EmuNumber){.u = bits};
}

void emu_field_set(const EmuField *field, EmuNumber value, void *element) {
  bool real = field->kind == EMU_FORMAT_FLOAT;
  bits_set(field, real ? float_write(value.d, field->bits) : value.u, element);
}

/* ---- texels ---- */

static double srgb_to_linear(double c) {
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

double emu_pixel_encode(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

static double real_get(const EmuField *field, const void *texel) {
  EmuNumber raw = emu_field_get(field, texel);
  double top = (double)mask(field->bits), half = (double)mask(field->bits - 1u);
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_FLOAT:
    return raw.d;
  case EMU_FORMAT_UNORM:
    return (double)raw.u / top;
  case EMU_FORMAT_SRGB: /* alpha is linear */
    return field->channel == 'A' ? (double)raw.u / top : srgb_to_linear((double)raw.u / top);
  case EMU_FORMAT_SNORM:
    return fmax((double)raw.i / half, -1);
  case EMU_FORMAT_SINT:
  case EMU_FORMAT_SSCALED:
    return (double)raw.i;
  default:
    return (double)raw.u;
  }
}

/* Rounds to the nearest whole number between the bounds; NaN is 0. The bounds are exact for up to
 * 53 bits; with more bits, a value that rounds up to the bound becomes the bound. */
static EmuNumber whole(double value, double low, double high, const EmuField *field) {
  if (isnan(value))
    value = 0;
  if (is_signed(field)) {
    int64_t most = (int64_t)mask(field->bits - 1u);
    int64_t least = field->kind == EMU_FORMAT_SNORM ? -most : -most - 1;
    int64_t i = value <= low ? least : value >= high ? most : (int64_t)nearbyint(value);
    return (EmuNumber){.i = i};
  }
  uint64_t u = value <= low ? 0 : value >= high ? mask(field->bits) : (uint64_t)nearbyint(value);
  return (EmuNumber){.u = u};
}

static void real_set(const EmuField *field, double value, void *texel) {
  double top = (double)mask(field->bits), half = (double)mask(field->bits - 1u);
  EmuNumber raw = {.d = value};
  switch ((EmuFormatKind)field->kind) {
  case EMU_FORMAT_FLOAT:
    break;
  case EMU_FORMAT_SRGB:
    if (field->channel != 'A')
      value = emu_pixel_encode(fmin(fmax(value, 0), 1));
    raw = whole(value * top, 0, top, field);
    break;
  case EMU_FORMAT_UNORM:
    raw = whole(value * top, 0, top, field);
    break;
  case EMU_FORMAT_SNORM:
    raw = whole(value * half, -half, half, field);
    break;
  case EMU_FORMAT_SINT:
  case EMU_FORMAT_SSCALED:
    raw = whole(value, -half - 1, half, field);
    break;
  default:
    raw = whole(value, 0, top, field);
  }
  emu_field_set(field, raw, texel);
}

static unsigned place_of(uint8_t channel) {
  switch (channel) {
  case 'G':
  case 'S':
    return 1;
  case 'B':
    return 2;
  case 'A':
    return 3;
  default:
    return 0;
  }
}

void emu_pixel_unpack(const EmuFormat *format, const void *texel, double rgba[4]) {
  memcpy(rgba, (double[4]){0, 0, 0, 1}, 4 * sizeof *rgba);
  for (uint32_t i = 0; i < format->field_count; i++)
    rgba[place_of(format->fields[i].channel)] = real_get(&format->fields[i], texel);
}

void emu_pixel_pack(const EmuFormat *format, const double rgba[4], void *texel) {
  memset(texel, 0, format->bytes);
  for (uint32_t i = 0; i < format->field_count; i++)
    real_set(&format->fields[i], rgba[place_of(format->fields[i].channel)], texel);
}
