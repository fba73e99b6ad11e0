/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math: functions of OpenCL.std with OpenCL's precision, as code.
 *
 * math.def defines the functions in a small subset of C. A function is a list of `type name =
 * value;` and a last `return value;`. Types are float, int, uint and bool; operators are those of
 * C, where `?:`, && and || compute all their operands. There are no loops. A call is replaced by
 * instructions, for all components of a vector at once. A C compiler can compile the definitions,
 * and so tests/unit/transform/test_kernel_math.c measures their errors.
 *
 * Products and sums are decorated NoContraction, because some of them compute the rounding errors
 * of others. Nothing depends on whether GLSL.std.450's Fma is fused. Subnormal numbers may be
 * flushed to zero, as OpenCL allows. Value numbering merges what a sequence of calls computes
 * twice, so each function can spell out a part that it shares with others. */
#ifndef SR_KERNEL_MATH_H
#define SR_KERNEL_MATH_H

#include "passes/transform/kernel/kernel_emit.h"

typedef struct SrMath SrMath;

/* Begins a sequence of calls, for floats or integers of 32 bits, or vectors of `components`. It
 * ends where the next sequence for the same number of components begins. */
SrMath *sr_kernel_math_begin(SrEmit *e, uint32_t components);
/* Writes the function `name`, and returns the id of its value. */
uint32_t sr_kernel_math_call(SrMath *m, const char *name, const uint32_t *arguments,
                             uint32_t count);

#endif
