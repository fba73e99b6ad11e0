/* SPDX-License-Identifier: Apache-2.0 */
/* compile_target: the target environments that a shader can be compiled for. */
#ifndef COMPILE_TARGET_H
#define COMPILE_TARGET_H

#include <spirv-tools/libspirv.h>

typedef struct CompileTarget {
  const char *name; /* as spirv-val and AmberScript's TARGET_ENV call it */
  spv_target_env env;
  unsigned vulkan, spirv; /* versions: 10 * major + minor; 0: not of Vulkan */
} CompileTarget;

enum { COMPILE_PLAIN_TARGETS = 7, COMPILE_TARGETS = 12 }; /* first spv1.0 to spv1.6 */

extern const CompileTarget compile_targets[COMPILE_TARGETS];
/* The target of GLSL or HLSL with this name; NULL: there is none. */
const CompileTarget *compile_target_find(const char *name);
/* The target of OpenCL C with this name: also opencl1.2 to opencl2.2, and spirv64, which asks for
 * clang's own code generator for SPIR-V (its version `spirv` is 0: the generator's). */
const CompileTarget *compile_target_find_kernel(const char *name);

#endif
