/* SPDX-License-Identifier: Apache-2.0 */
/* app_chained: modules in the pNext chains of pipeline stages, as VK_EXT_graphics_pipeline_library
 * allows, on both drivers, under the validation layer.
 *
 * Each case runs as in the harness, without the layer, and again with the layer and with every
 * module moved into the chains of the stages that use it: both must give the same bytes. A case
 * with unstructured modules must pass its EXPECTs in the second run. To be linked with
 * --wrap=vh_features_choose: the wrapper switches the extension on. */
#include "tests/layer/app_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const cases[] = {
    "tests/layer/picture.amber",           "shaders/graphics/two_targets.amber",
    "tests/harness/vk/tessellation.amber", "tests/harness/vk/subgroup.amber",
    "shaders/graphics/irreducible.amber",  "shaders/irreducible/two_entries.amber",
};

static bool chained; /* does this run have its modules in chains? */

/* ---- the device ---- */

bool __real_vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                               const AmberRequirements *wanted, VhNames *extensions,
                               VhFeatures *features, VhError *error);
bool __wrap_vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                               const AmberRequirements *wanted, VhNames *extensions,
                               VhFeatures *features, VhError *error);

static VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};

bool __wrap_vh_features_choose(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                               const AmberRequirements *wanted, VhNames *extensions,
                               VhFeatures *features, VhError *error) {
  if (!__real_vh_features_choose(vk, physical, api_version, wanted, extensions, features, error))
    return false;
  if (!chained)
    return true;
  VkBaseOutStructure *last = features->groups[VH_GROUP_CORE];
  while (last->pNext)
    last = last->pNext;
  last->pNext = (VkBaseOutStructure *)&library_feature;
  return vh_names_add(extensions, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, error) &&
         vh_names_add(extensions, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME, error);
}

/* ---- modules into chains ---- */

static PFN_vkCreateComputePipelines create_compute;
static PFN_vkCreateGraphicsPipelines create_graphics;

enum { MOST_STAGES = 8 };

/* The "module" is a copy of its create-info. */
static VkResult VKAPI_CALL keep_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                                       const VkAllocationCallbacks *allocator,
                                       VkShaderModule *module) {
  (void)device, (void)allocator;
  VkShaderModuleCreateInfo *copy = malloc(sizeof *copy);
  *copy = *info;
  *module = (VkShaderModule)copy;
  return VK_SUCCESS;
}

static void VKAPI_CALL drop_module(VkDevice device, VkShaderModule module,
                                   const VkAllocationCallbacks *allocator) {
  (void)device, (void)allocator;
  free((void *)module);
}

/* Appends to the chain, so that the layer has structures to copy. */
static void move_module(VkPipelineShaderStageCreateInfo *stage, VkShaderModuleCreateInfo *info) {
  *info = *(const VkShaderModuleCreateInfo *)stage->module;
  stage->module = VK_NULL_HANDLE;
  VkBaseOutStructure *last = (VkBaseOutStructure *)stage;
  while (last->pNext)
    last = last->pNext;
  last->pNext = (VkBaseOutStructure *)info;
}

static VkResult VKAPI_CALL chain_compute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                         const VkComputePipelineCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkPipeline *pipeline) {
  VkComputePipelineCreateInfo copy = *info;
  VkShaderModuleCreateInfo module;
  move_module(&copy.stage, &module);
  return create_compute(device, cache, count, &copy, allocator, pipeline);
}

static VkResult VKAPI_CALL chain_graphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                          const VkGraphicsPipelineCreateInfo *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkPipeline *pipeline) {
  VkGraphicsPipelineCreateInfo copy = *info;
  VkPipelineShaderStageCreateInfo stages[MOST_STAGES];
  VkShaderModuleCreateInfo modules[MOST_STAGES];
  memcpy(stages, info->pStages, info->stageCount * sizeof *stages);
  for (uint32_t i = 0; i < info->stageCount; i++)
    move_module(&stages[i], &modules[i]);
  copy.pStages = stages;
  return create_graphics(device, cache, count, &copy, allocator, pipeline);
}

static void chain_modules(HnVulkan *vulkan) {
  VhFuncs *vk = &vulkan->device.vk;
  create_compute = vk->CreateComputePipelines;
  create_graphics = vk->CreateGraphicsPipelines;
  vk->CreateComputePipelines = chain_compute;
  vk->CreateGraphicsPipelines = chain_graphics;
  vk->CreateShaderModule = keep_module;
  vk->DestroyShaderModule = drop_module;
}

/* ---- the cases ---- */

static bool passes(const AppAnswer *answer) {
  return strcmp(answer->outcome, "pass") == 0 && !*answer->said;
}

static bool run_case(const VkCaseDriver *driver, const char *path) {
  VkCase test = vk_case_read(path);
  AppRun run = {.driver = driver, .test = &test};
  chained = false;
  AppAnswer plain = app_run(&run);
  bool valid = passes(&plain);
  run.transform = valid ? "strip-merges,structurize" : "auto";
  run.change = chain_modules;
  chained = true;
  AppAnswer moved = app_run(&run);
  bool good = passes(&moved);
  if (valid && good)
    good = moved.size == plain.size && memcmp(moved.bytes, plain.bytes, plain.size) == 0;
  good = good || strncmp(plain.outcome, "skip", 4) == 0;
  printf("%s %s: %s, chained: %s%s\n%s", driver->name, path, plain.outcome, moved.outcome,
         good ? "" : " (FAILED: it fails, or its bytes differ)", moved.said);
  app_answer_free(&plain);
  app_answer_free(&moved);
  vk_case_free(&test);
  return good;
}

int main(void) {
  unsigned failed = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int k = 0; k < VK_CASE_DRIVERS; k++)
      failed += !run_case(&vk_case_drivers()[k], cases[i]);
  return failed > 0;
}
