/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: the same modules as OpenCL kernels, with 64-bit addresses. The buffers are parameters, of
 * the helpers too:
 *
 *   in, out   global, as in world.h, with arrays of fixed sizes
 *   uniform   constant
 *   push      global
 *
 * While a function is written, World.v_in and the others are its parameters. Pointers of all
 * address spaces may be phis. There is no Private memory, matrix or image, and no decoration of
 * shaders. */
#ifndef EQUIV_KERNEL_H
#define EQUIV_KERNEL_H

#include "tests/equiv/gen/body.h"

void kernel_capabilities(World *w);
void kernel_types(World *w); /* of the parameters */
uint32_t kernel_gid_type(World *w);
void kernel_parameters(World *w);
void kernel_memory(World *w);
uint32_t kernel_invocation(Body *b);
/* A kind of values that is not in all modules, or of pointers. */
Kind kernel_kind(Body *b);
uint32_t kernel_word_pointer(Body *b);
void kernel_float_pointer(Body *b); /* adds one */
void kernel_copy(Body *b);          /* OpCopyMemorySized */

/* opencl.c: an instruction of OpenCL.std with a pointer */
void kernel_extended(Body *b);

#endif
