/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math_token: see kernel_math_token.h. */
#include "passes/transform/kernel/kernel_math_token.h"

#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static int digit_of(char c, int base) {
  int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : base;
  return digit < base ? digit : -1;
}

/* Reads digits; *after counts those after a point. Only the first 16 digits have weight. */
static uint64_t read_digits(const char **at, int base, int *after) {
  uint64_t value = 0;
  bool point = false;
  for (*after = 0;; ++*at) {
    int digit = digit_of(**at, base);
    if (**at == '.')
      point = true;
    else if (digit < 0)
      return value;
    else
      value = value * (unsigned)base + (unsigned)digit, *after += point;
  }
}

static int read_exponent(const char **at, char letter) {
  int after, sign = 1;
  if (**at != letter)
    return 0;
  ++*at;
  if (**at == '-' || **at == '+')
    sign = *(*at)++ == '-' ? -1 : 1;
  return sign * (int)read_digits(at, 10, &after);
}

/* value * base^exponent, rounded once for the exponents of math/: powers of 2, and of 10 up to 22. */
static double scaled(double value, int base, int exponent) {
  double factor = 1;
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
    factor *= base;
  return exponent < 0 ? value / factor : value * factor;
}

static void read_number(const char **at, SrMathToken *t) {
  int after, base = (*at)[0] == '0' && (*at)[1] == 'x' ? 16 : 10;
  *at += base == 16 ? 2 : 0;
  uint64_t digits = read_digits(at, base, &after);
  int exponent = read_exponent(at, base == 16 ? 'p' : 'e');
  t->bits = (uint32_t)digits;
  t->kind = **at == 'u' || digits > INT32_MAX ? SR_TOKEN_UINT : SR_TOKEN_INT;
  if (**at == 'f') {
    float value = (float)(base == 16 ? scaled((double)digits, 2, exponent - 4 * after)
                                     : scaled((double)digits, 10, exponent - after));
    t->kind = SR_TOKEN_FLOAT;
    memcpy(&t->bits, &value, sizeof value);
  }
  *at += **at == 'u' || **at == 'f';
}

SrMathToken sr_math_token_next(const char **at) {
  static const char pairs[] = "== != <= >= << >> && ||";
  *at += strspn(*at, " ");
  SrMathToken t = {SR_TOKEN_END, *at, 0, 0};
  if (is_digit(**at)) {
    read_number(at, &t);
  } else if (is_name(**at)) {
    t.kind = SR_TOKEN_NAME;
    while (is_name(**at))
      ++*at;
  } else if (**at) {
    char pair[] = {(*at)[0], (*at)[1], 0};
    t.kind = SR_TOKEN_SIGN;
    *at += pair[1] && pair[1] != ' ' && strstr(pairs, pair) ? 2 : 1;
  }
  t.length = (size_t)(*at - t.text);
  return t;
}

bool sr_math_token_is(const SrMathToken *t, const char *text) {
  size_t i = 0;
  while (i < t->length && text[i] == t->text[i])
    i++;
  return i == t->length && !text[i];
}
