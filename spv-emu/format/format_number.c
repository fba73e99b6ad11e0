/* SPDX-License-Identifier: Apache-2.0 */
/* format_number: see format_number.h. */
#include "spv-emu/format/format_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static bool has_hex_prefix(const char *text, size_t length) {
  return length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

static bool digits(const char *text, size_t length, unsigned base, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned digit = (unsigned)digit_of(text[i]);
    if (digit >= base || *value > (UINT64_MAX - digit) / base)
      return false;
    *value = *value * base + digit;
  }
  return length > 0;
}

bool emu_number_u64(const char *text, size_t length, uint64_t *value) {
  bool hex = has_hex_prefix(text, length);
  return hex ? digits(text + 2, length - 2, 16, value) : digits(text, length, 10, value);
}

bool emu_number_double(const char *text, size_t length, double *value) {
  /* This is long enough, because 17 digits and an exponent give any double exactly. */
  char copy[400];
  if (length == 0 || length >= sizeof copy || memchr(text, '\0', length))
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  char *end;
  *value = strtod(copy, &end);
  return end == copy + length;
}

static const char *parse_float(const char *text, size_t length, const EmuField *field,
                               EmuNumber *value) {
  double exact;
  if (!emu_number_double(text, length, &exact))
    return "a number was expected";
  uint8_t place[8] = {0};
  EmuField alone = *field;
  alone.offset = 0;
  emu_field_set(&alone, (EmuNumber){.d = exact}, place);
  *value = emu_field_get(&alone, place);
  if (isfinite(exact) && !isfinite(value->d))
    return "the number is too large for its type";
  return NULL;
}

static bool is_signed(const EmuField *field) {
  return field->kind == EMU_FORMAT_SINT || field->kind == EMU_FORMAT_SNORM ||
         field->kind == EMU_FORMAT_SSCALED;
}

/* The digits after a sign, or a whole real number: "2.0". */
static const char *magnitude(const char *text, size_t length, uint64_t *size) {
  double real;
  if (emu_number_u64(text, length, size))
    return NULL;
  if (!emu_number_double(text, length, &real))
    return "an integer was expected";
  if (!(real >= 0 && real < 0x1p64 && real == floor(real)))
    return "an integer was expected that fits its type";
  *size = (uint64_t)real;
  return NULL;
}

static const char *parse_integer(const char *text, size_t length, const EmuField *field,
                                 EmuNumber *value) {
  bool negative = length && *text == '-';
  if (length && (*text == '-' || *text == '+')) {
    text++;
    length--;
  }
  uint64_t size;
  const char *why = magnitude(text, length, &size);
  if (why)
    return why;
  uint64_t all = field->bits < 64 ? ((uint64_t)1 << field->bits) - 1 : UINT64_MAX;
  if (size > (negative ? all / 2 + 1 : all) && field->kind != EMU_FORMAT_SRGB)
    return "the number does not fit its type";
  value->u = (negative ? 0 - size : size) & all;
  if (is_signed(field) && value->u > all / 2)
    value->u |= ~all;
  return NULL;
}

const char *emu_number_parse(const char *text, size_t length, const EmuField *field,
                             EmuNumber *value) {
  return field->kind == EMU_FORMAT_FLOAT ? parse_float(text, length, field, value)
                                         : parse_integer(text, length, field, value);
}

void emu_number_print(const EmuField *field, EmuNumber value, char *text, size_t size) {
  if (field->kind == EMU_FORMAT_FLOAT)
    snprintf(text, size, "%.*g", field->bits == 64 ? 17 : 9, value.d);
  else if (is_signed(field))
    snprintf(text, size, "%lld", (long long)value.i);
  else
    snprintf(text, size, "%llu", (unsigned long long)value.u);
}
