/* SPDX-License-Identifier: Apache-2.0 */
/* compile_registers: the registers of HLSL as bindings.
 *
 * HLSL numbers its resources by class: b0 (constant buffers), t0 (what is read), u0 (what may be
 * written) and s0 (samplers) are four resources. glslang makes the number the binding, so that they
 * share one. DXC's options -fvk-t-shift and so on add a number for each class; here it is added
 * where two classes share a binding, as
 *
 *   b N: binding N       t N: 100 + N       u N: 200 + N       s N: 300 + N
 *
 * with 1000, 2000, 3000 and so on if a binding would still be shared. Constant buffers keep their
 * numbers, which stages share, unless one collides with a binding that [[vk::binding]] states: such
 * a binding stays. */
#ifndef COMPILE_REGISTERS_H
#define COMPILE_REGISTERS_H

#include "passes/tool/compile/compile.h"

/* Do two classes share a binding? */
bool compile_registers_collide(const CompileResult *result);
/* Changes the bindings of a module that glslang has compiled from HLSL (`text`: the source after
 * preprocessing), and sets the result's note. The module stays as it is if memory runs out. */
void compile_registers_shift(CompileResult *result, const char *text);

#endif
