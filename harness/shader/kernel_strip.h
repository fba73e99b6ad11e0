/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_strip: reduces a module to some of its kernels. A file of OpenCL C may have a hundred
 * kernels, and a case runs one of them. Otherwise all others would also be transformed, validated
 * and decoded. */
#ifndef HN_KERNEL_STRIP_H
#define HN_KERNEL_STRIP_H

#include "harness/shader/shader.h"

/* Is it a module of kernels, and of no shaders? */
bool hn_kernel_strip_applies(HnModule module);

/* Keeps the entry points that the script's pipelines attach with shader number `shader`, the
 * functions that they can reach, and all types, constants and variables. The caller frees the
 * words; NULL: *why says why, in static text. */
HnModule hn_kernel_strip(const AmberScript *script, uint32_t shader, HnModule module,
                         const char **why);

#endif
