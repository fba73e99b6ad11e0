/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_math: functions of OpenCL.std with OpenCL's precision, as code.
 *
 * math.def has the functions in a small part of C: a function is a list of `type name = value;`
 * and a last `return value;`. Types are float, int, uint and bool; operators are those of C, where
 * `?:`, && and || compute all their operands. There are no loops: a call becomes instructions in
 * its place, for all components of a vector at once. So the functions can be read, and compiled by
 * a C compiler, which is how tests/unit/transform/test_kernel_math.c measures their errors.
 *
 * Products and sums are decorated NoContraction, since the errors of some are computed by others.
 * Nothing depends on whether GLSL.std.450's Fma is fused. Subnormal numbers may be flushed to zero,
 * as OpenCL allows. What a sequence of calls computes twice has one instruction
 * (value numbering), so functions that share a part each name it. */
#ifndef SR_KERNEL_MATH_H
#define SR_KERNEL_MATH_H

#include "passes/transform/kernel/kernel_emit.h"

typedef struct SrMath SrMath;

/* Begins a sequence of calls, for floats or integers of 32 bits, or vectors of `components`. It ends
 * where another one for as many components begins. */
SrMath *sr_kernel_math_begin(SrEmit *e, uint32_t components);
/* Writes the function `name`, and returns the id of its value. */
uint32_t sr_kernel_math_call(SrMath *m, const char *name, const uint32_t *arguments,
                             uint32_t count);

#endif
