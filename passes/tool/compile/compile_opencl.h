/* SPDX-License-Identifier: Apache-2.0 */
/* compile_opencl: OpenCL C to SPIR-V, by clang and the SPIR-V translator of the same LLVM. Both are
 * programs, looked up in PATH when they are needed. */
#ifndef COMPILE_OPENCL_H
#define COMPILE_OPENCL_H

/* This text comes before the source in every compilation, here and by an OpenCL driver, so that the
 * code rounds after each operation. Lines of the source keep their numbers. */
#define COMPILE_OPENCL_PREFIX                                                                      \
  "#pragma OPENCL FP_CONTRACT OFF\n"                                                               \
  "#line 1\n"

/* An option of a script as clang and OpenCL drivers take it, a part of `option`. NULL: it is a
 * clspv option about turning kernels into Vulkan shaders, and means nothing for a kernel. */
const char *compile_opencl_option(const char *option);

/* Which programs are missing, in words; NULL: none. */
const char *compile_opencl_missing(void);

#endif
