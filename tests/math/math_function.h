/* SPDX-License-Identifier: Apache-2.0 */
/* math_function: functions of OpenCL.std (math_function.def), points at which they are measured, and how far a result is
 * from the exact one.
 *
 * The exact results are those of the C library's long double, whose last place is 2^40 times finer than a float's where it
 * has 64 bits. An error is counted in units in the last place as OpenCL C 3.0, section 7.4, defines them. Results and
 * arguments that are subnormal may be zero instead. */
#ifndef MATH_FUNCTION_H
#define MATH_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MathPoint {
  float x, y, z;
  int32_t n;
} MathPoint;

typedef struct MathFunction {
  const char *name;
  const char *arguments; /* types: of the result, then of each argument */
  float bound, span;
  long double (*exact)(long double x, long double y, long double z, int32_t n);
  uint32_t (*code)(MathPoint p); /* the result's bits, by the code of math.def as C; or NULL */
} MathFunction;

extern const MathFunction math_functions[];
extern const size_t math_function_count;

/* Point `i` of a sequence for the function: first all pairs of special values, then random ones. */
MathPoint math_point(const MathFunction *f, uint32_t i);
/* The error of a result, given by its bits; infinite if it is wrong altogether. */
double math_error(const MathFunction *f, MathPoint p, uint32_t result);

#endif
