/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math_token: the tokens of the functions in math.def (kernel_math.h): names, numbers and
 * operators of C. */
#ifndef SR_KERNEL_MATH_TOKEN_H
#define SR_KERNEL_MATH_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SrMathTokenKind {
  SR_TOKEN_END,
  SR_TOKEN_NAME,
  SR_TOKEN_FLOAT, /* with the suffix f */
  SR_TOKEN_INT,
  SR_TOKEN_UINT, /* with the suffix u, or at least 2^31 */
  SR_TOKEN_SIGN, /* an operator or bracket of one or two characters */
} SrMathTokenKind;

typedef struct SrMathToken {
  SrMathTokenKind kind;
  const char *text;
  size_t length;
  uint32_t bits; /* of a number */
} SrMathToken;

/* Reads the token at *at, and moves *at past it. Does not depend on the locale. */
SrMathToken sr_math_token_next(const char **at);
bool sr_math_token_is(const SrMathToken *t, const char *text);

#endif
