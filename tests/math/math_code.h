/* SPDX-License-Identifier: Apache-2.0 */
/* math_code: the functions of passes/transform/kernel/math/math.def, compiled as C. */
#ifndef MATH_CODE_H
#define MATH_CODE_H

#include "tests/math/math_function.h"

#define MATH(name, code, arguments, bound, span, exact) uint32_t math_code_##name(MathPoint p);
#define DEVICE(name, arguments, bound, span, exact)
#include "tests/math/math_function.def"
#undef DEVICE
#undef MATH

#endif
