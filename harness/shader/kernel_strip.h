/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_strip: a module with some of its kernels only. A file of OpenCL C may have a hundred, of
 * which a case runs one; each of the others would be transformed, validated and decoded with it. */
#ifndef HN_KERNEL_STRIP_H
#define HN_KERNEL_STRIP_H

#include "harness/shader/shader.h"

/* Keeps the entry points that the script's pipelines attach with shader number `shader`, the
 * functions that they can reach, and all types, constants and variables. Words to be freed; NULL:
 * *why says why, in static text. */
HnModule hn_kernel_strip(const AmberScript *script, uint32_t shader, HnModule module,
                         const char **why);

#endif
