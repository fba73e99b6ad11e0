/* SPDX-License-Identifier: Apache-2.0 */
/* opencl: OpenCL C to SPIR-V, by clang and the SPIR-V translator of the same LLVM. Both are
 * programs, looked up in PATH when they are needed. */
#ifndef HN_OPENCL_H
#define HN_OPENCL_H

#include "shader/shader.h"

/* Comes before the source in every compilation, here and by an OpenCL driver: the compilers round
 * after each operation, and lines keep their numbers. */
#define HN_OPENCL_PREFIX                                                                           \
  "#pragma OPENCL FP_CONTRACT OFF\n"                                                               \
  "#line 1\n"

/* Which programs are missing, in words; NULL: none. */
const char *hn_opencl_missing(void);
/* Compiles the source of an AMBER_OPENCL_C shader with its options; blocks are in an order that
 * SPIR-V allows. On false `text` is one line, and *line that of the source, from 1, or 0. */
bool hn_opencl_make(const AmberShader *shader, HnModule *module, unsigned *line, char *text,
                    size_t text_size);

#endif
