/* SPDX-License-Identifier: Apache-2.0 */
/* kernel: the parts of random OpenCL kernels that shaders do not have: pointers that move, also to
 * negative indices, and that are selected or compared; vload and vstore; bytes of wider memory;
 * functions of integers; gotos into and out of loops, state machines whose cases fall through.
 *
 * What C leaves undefined does not occur: signed numbers wrap through unsigned ones, no operand is
 * changed and read in one expression, pointers stay in their array, and memory is read under
 * another type only as bytes or as the signed type. */
#ifndef DIFF_KERNEL_H
#define DIFF_KERNEL_H

#include "tests/diff/source.h"

/* Macros and functions by which OpenCL C takes the templates of source.c, statement.c and
 * uniform.c. */
extern const char kernel_macros[];

/* Is this template of source.c or statement.c defined in C? */
bool kernel_has(const char *text);
/* Expressions, one level deeper than their place. */
void put_kernel_uint(Source *s);
void put_kernel_int(Source *s);
/* A line about pointers. */
void put_kernel_line(Source *s);
/* A loop with a counter of 64 bits. */
void put_kernel_counter(Source *s);
/* Gotos; the statements between them count as nested. */
void put_kernel_flow(Source *s);

#endif
