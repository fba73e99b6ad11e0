/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math_code: the functions of math.def (kernel_math.h) as straight-line code, in which
 * each step computes a value from earlier ones. A text is read once for each module. */
#ifndef SR_KERNEL_MATH_CODE_H
#define SR_KERNEL_MATH_CODE_H

#include "passes/base/vec.h"

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum SrMathKind {
  SR_MATH_FLOAT,
  SR_MATH_INT,
  SR_MATH_UINT,
  SR_MATH_BOOL,
  SR_MATH_KINDS
} SrMathKind;

enum { SR_MATH_ARGUMENTS = 6 }; /* at most */

/* Operands are values of the code: first its parameters, then a value for each step. */
typedef struct SrMathStep {
  SpvOp op; /* OpConstant and OpFunctionCall, too */
  SrMathKind kind;
  uint32_t number; /* of an instruction of GLSL.std.450; a constant's bits; the function called */
  uint32_t operand[SR_MATH_ARGUMENTS], count; /* of a call: of the kinds of the parameters */
} SrMathStep;

typedef struct SrMathCode {
  SrMathKind kind; /* of the result */
  SrMathKind parameter[SR_MATH_ARGUMENTS];
  uint32_t parameters;
  SR_VEC(SrMathStep) step;
  uint32_t result; /* a value */
  bool is_read;
} SrMathCode;

typedef struct SrMathCodes SrMathCodes;

/* An empty set of functions, which are read when they are first used. It lives as long as the
 * arena. */
SrMathCodes *sr_math_codes_new(SrArena *arena);
/* The number of the function whose name is `name`; SR_NONE: there is none. */
uint32_t sr_math_code_find(const char *name, size_t length);
/* The code of a function, which is read if it has not been. */
const SrMathCode *sr_math_code(SrMathCodes *codes, uint32_t function);
/* The instruction that converts, OpNop if no bit changes. */
SpvOp sr_math_conversion(SrMathKind from, SrMathKind to);

#endif
