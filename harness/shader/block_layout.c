/* SPDX-License-Identifier: Apache-2.0 */
/* block_layout: see block_layout.h. */
#include "harness/shader/block_layout.h"

const HnBlockLayout hn_block_layouts[HN_BLOCK_LAYOUTS] = {
    {"UniformBufferStandardLayoutFeatures.uniformBufferStandardLayout",
     spvValidatorOptionsSetUniformBufferStandardLayout},
    {"ScalarBlockLayoutFeatures.scalarBlockLayout", spvValidatorOptionsSetScalarBlockLayout},
    {"WorkgroupMemoryExplicitLayoutFeatures.workgroupMemoryExplicitLayoutScalarBlockLayout",
     spvValidatorOptionsSetWorkgroupScalarBlockLayout},
};

/* Is the module valid with this feature, or without any (NULL)? */
static bool is_valid(spv_const_context context, const HnBlockLayout *layout, const uint32_t *words,
                     size_t count) {
  spv_validator_options options = spvValidatorOptionsCreate();
  spv_const_binary_t binary = {words, count};
  if (layout)
    layout->set(options, true);
  bool valid = spvValidateWithOptions(context, options, &binary, NULL) == SPV_SUCCESS;
  spvValidatorOptionsDestroy(options);
  return valid;
}

const char *hn_block_layout(const uint32_t *words, size_t count) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  const char *feature = NULL;
  bool valid = is_valid(context, NULL, words, count);
  for (int i = 0; i < HN_BLOCK_LAYOUTS && !valid; i++) {
    valid = is_valid(context, &hn_block_layouts[i], words, count);
    feature = valid ? hn_block_layouts[i].feature : NULL;
  }
  spvContextDestroy(context);
  return feature;
}
