/* SPDX-License-Identifier: Apache-2.0 */
/* compile_target: see compile_target.h. */
#include "passes/tool/compile/compile_target.h"

#include <string.h>

const CompileTarget compile_targets[COMPILE_TARGETS] = {
    {"spv1.0", SPV_ENV_UNIVERSAL_1_0, 10, 10},
    {"spv1.1", SPV_ENV_UNIVERSAL_1_1, 11, 11},
    {"spv1.2", SPV_ENV_UNIVERSAL_1_2, 11, 12},
    {"spv1.3", SPV_ENV_UNIVERSAL_1_3, 11, 13},
    {"spv1.4", SPV_ENV_UNIVERSAL_1_4, 12, 14},
    {"spv1.5", SPV_ENV_UNIVERSAL_1_5, 12, 15},
    {"spv1.6", SPV_ENV_UNIVERSAL_1_6, 13, 16},
    {"vulkan1.0", SPV_ENV_VULKAN_1_0, 10, 10},
    {"vulkan1.1", SPV_ENV_VULKAN_1_1, 11, 13},
    {"vulkan1.1spv1.4", SPV_ENV_VULKAN_1_1_SPIRV_1_4, 11, 14},
    {"vulkan1.2", SPV_ENV_VULKAN_1_2, 12, 15},
    {"vulkan1.3", SPV_ENV_VULKAN_1_3, 13, 16},
};

static const CompileTarget of_kernels[] = {
    {"opencl1.2", SPV_ENV_OPENCL_1_2, 0, 10}, {"opencl2.0", SPV_ENV_OPENCL_2_0, 0, 10},
    {"opencl2.1", SPV_ENV_OPENCL_2_1, 0, 10}, {"opencl2.2", SPV_ENV_OPENCL_2_2, 0, 12},
    {"spirv64", SPV_ENV_UNIVERSAL_1_6, 0, 0},
};

static const CompileTarget *find(const CompileTarget *targets, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(targets[i].name, name) == 0)
      return &targets[i];
  return NULL;
}

const CompileTarget *compile_target_find(const char *name) {
  return find(compile_targets, COMPILE_TARGETS, name);
}

const CompileTarget *compile_target_find_kernel(const char *name) {
  const CompileTarget *target = find(of_kernels, sizeof of_kernels / sizeof *of_kernels, name);
  return target ? target : compile_target_find(name);
}
