/* SPDX-License-Identifier: Apache-2.0 */
/* The layer between a fake loader and a fake driver (fake_driver.c): which functions it intercepts
 * and which it forwards, several instances and devices, the create-infos that the driver sees. */
#include "tests/unit/unit.h"

#include "tests/layer/fake_driver.h"
#include "tests/layer/folders.h"
#include "tests/layer/words.h"

#include <stdlib.h>
#include <string.h>

static Words wild, tame;
static VkInstance instance;
static VkDevice device;

static int set_up(void **state) {
  fake_calls = (FakeCalls){0};
  fake_result = VK_SUCCESS;
  fake_ray_tracing = true;
  fake_look = NULL;
  return folder_set_up(state);
}

static void open_device(bool twice) {
  instance = fake_instance(twice);
  device = fake_device(instance, twice);
}

static void close_device(void) {
  fake_destroy_device(device);
  fake_destroy_instance(instance);
}

static int set_up_device(void **state) {
  set_up(state);
  open_device(false);
  return 0;
}

static int tear_down_device(void **state) {
  close_device();
  return folder_tear_down(state);
}

/* ---- finding functions ---- */

static void test_negotiation(void **state) {
  (void)state;
  VkNegotiateLayerInterface wish = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                    .loaderLayerInterfaceVersion = 7};
  assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(&wish), VK_SUCCESS);
  assert_int_equal(wish.loaderLayerInterfaceVersion, 2);
  assert_ptr_equal(wish.pfnGetInstanceProcAddr, ly_GetInstanceProcAddr);
  assert_ptr_equal(wish.pfnGetDeviceProcAddr, ly_GetDeviceProcAddr);
  wish.loaderLayerInterfaceVersion = 1;
  assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(&wish), VK_ERROR_INITIALIZATION_FAILED);
  wish.sType = LAYER_NEGOTIATE_UNINTIALIZED;
  wish.loaderLayerInterfaceVersion = 2;
  assert_int_equal(vkNegotiateLoaderLayerInterfaceVersion(&wish), VK_ERROR_INITIALIZATION_FAILED);
}

static void test_no_loader(void **state) {
  (void)state;
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance none;
  assert_int_equal(ly_CreateInstance(&info, NULL, &none), VK_ERROR_INITIALIZATION_FAILED);
  assert_null(ly_GetInstanceProcAddr(NULL, "vkEnumerateInstanceVersion"));
  ly_DestroyInstance(NULL, NULL);
  ly_DestroyDevice(NULL, NULL);
}

static void test_functions(void **state) {
  (void)state;
  fake_ray_tracing = false;
  open_device(false);
  PFN_vkVoidFunction unknown = (PFN_vkVoidFunction)fake_unknown;
  assert_ptr_equal(ly_GetDeviceProcAddr(device, "vkUnknownFAKE"), unknown);
  assert_ptr_equal(ly_GetInstanceProcAddr(instance, "vkUnknownFAKE"), unknown);
  assert_ptr_equal(ly_GetPhysicalDeviceProcAddr(instance, "vkUnknownFAKE"), unknown);
  assert_null(ly_GetPhysicalDeviceProcAddr(instance, "vkMissingFAKE"));
  assert_null(ly_GetDeviceProcAddr(device, "vkMissingFAKE"));
  assert_null(ly_GetInstanceProcAddr(instance, "vkMissingFAKE"));
  /* The layer does not offer what the driver lacks. */
  assert_null(ly_GetDeviceProcAddr(device, "vkCreateRayTracingPipelinesKHR"));
  assert_null(ly_GetInstanceProcAddr(instance, "vkCreateRayTracingPipelinesKHR"));
  assert_ptr_equal(ly_GetDeviceProcAddr(device, "vkCreateShaderModule"), ly_CreateShaderModule);
  assert_ptr_equal(ly_GetInstanceProcAddr(instance, "vkCreateShaderModule"), ly_CreateShaderModule);
  assert_ptr_equal(ly_GetDeviceProcAddr(device, "vkGetDeviceProcAddr"), ly_GetDeviceProcAddr);
  assert_ptr_equal(ly_GetInstanceProcAddr(instance, "vkGetInstanceProcAddr"),
                   ly_GetInstanceProcAddr);
  close_device();
}

/* ---- modules ---- */

static void create_module(VkDevice on, Words words, const void *next) {
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .pNext = next,
                                   .codeSize = words.bytes,
                                   .pCode = words.at};
  VkShaderModule module;
  assert_int_equal(FAKE_FIND(on, CreateShaderModule)(on, &info, NULL, &module), fake_result);
}

static void test_module(void **state) {
  (void)state;
  VkShaderModuleValidationCacheCreateInfoEXT next = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT};
  create_module(device, wild, &next);
  assert_int_equal(fake_calls.words, tame.bytes / 4);
  assert_ptr_equal(fake_calls.next, &next);
  fake_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  create_module(device, tame, NULL);
  assert_int_equal(fake_calls.words, tame.bytes / 4);
  /* The identifier of a create-info is that of its module. */
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = wild.bytes,
                                   .pCode = wild.at};
  VkShaderModuleIdentifierEXT identifier;
  FAKE_FIND(device, GetShaderModuleCreateInfoIdentifierEXT)(device, &info, &identifier);
  assert_int_equal(fake_calls.identifiers, 1);
  assert_int_equal(fake_calls.words, tame.bytes / 4);
}

static void test_several(void **state) {
  (void)state;
  enum { COUNT = 5 };
  VkInstance instances[COUNT];
  VkDevice devices[COUNT][2];
  for (int i = 0; i < COUNT; i++) {
    instances[i] = fake_instance(false);
    for (int k = 0; k < 2; k++)
      devices[i][k] = fake_device(instances[i], false);
  }
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < 2; k++) {
      create_module(devices[i][k], wild, NULL);
      assert_ptr_equal(fake_calls.last, devices[i][k]);
      assert_int_equal(fake_calls.words, tame.bytes / 4);
    }
  /* Destroyed in a different order; one device outlives its instance, against Vulkan's rules. */
  for (int i = COUNT; i-- > 0;)
    fake_destroy_device(devices[i][i % 2]);
  for (int i = 0; i < COUNT; i += 2)
    fake_destroy_instance(instances[i]);
  for (int i = 0; i < COUNT; i++) {
    create_module(devices[i][1 - i % 2], wild, NULL);
    fake_destroy_device(devices[i][1 - i % 2]);
  }
  for (int i = 1; i < COUNT; i += 2)
    fake_destroy_instance(instances[i]);
  assert_int_equal(fake_calls.modules, 3 * COUNT);
  assert_int_equal(fake_calls.destroyed_devices, 2 * COUNT);
  assert_int_equal(fake_calls.destroyed_instances, COUNT);
}

/* Where the device has no records for loops, they are bounded all the same, and the log says why. */
static void test_no_records(void **state) {
  (void)state;
  setenv("SPVRECONV_TRANSFORM", "bound-loops:9,structurize", 1);
  open_device(false);
  unsetenv("SPVRECONV_TRANSFORM");
  create_module(device, wild, NULL);
  assert_int_equal(fake_calls.modules, 1);
  close_device();
  char *text = folder_text(folder_log);
  assert_non_null(strstr(text, "loops are bounded, but which of them ran away is not recorded: the "
                               "application or the device has Vulkan 1.0"));
  free(text);
}

/* Loaded by the environment and implicitly: one conversion, and the driver's functions are called
 * once. */
static void test_twice_in_the_chain(void **state) {
  (void)state;
  char *dump = folder_new();
  setenv("SPVRECONV_DUMP", dump, 1);
  open_device(true);
  unsetenv("SPVRECONV_DUMP");
  create_module(device, wild, NULL);
  assert_int_equal(fake_calls.modules, 1);
  assert_int_equal(fake_calls.words, tame.bytes / 4);
  assert_int_equal(folder_count(dump, ".before.spv", NULL), 1);
  close_device();
  assert_int_equal(fake_calls.destroyed_devices, 1);
  assert_int_equal(fake_calls.destroyed_instances, 1);
  free(dump);
}

/* ---- chains of stages ---- */

/* A stage with the chain: required subgroup size, module, robustness. */
typedef struct Chain {
  VkPipelineRobustnessCreateInfoEXT robustness;
  VkShaderModuleCreateInfo module;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size;
  VkPipelineShaderStageCreateInfo stage;
} Chain;

static void make_chain(Chain *chain, Words words) {
  *chain = (Chain){
      .robustness = {.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT},
      .module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                 .pNext = &chain->robustness,
                 .codeSize = words.bytes,
                 .pCode = words.at},
      .size = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
               .pNext = &chain->module,
               .requiredSubgroupSize = 32},
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = &chain->size,
                .pName = "main"}};
}

/* The driver must get such a stage unchanged except for the code. */
static void expect_chain(const VkPipelineShaderStageCreateInfo *stage, const Chain *given) {
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = stage->pNext;
  assert_int_equal(size->sType, given->size.sType);
  assert_int_equal(size->requiredSubgroupSize, 32);
  const VkShaderModuleCreateInfo *module = size->pNext;
  assert_int_equal(module->sType, given->module.sType);
  assert_ptr_equal(module->pNext, &given->robustness);
  assert_int_equal(module->codeSize, tame.bytes);
  assert_memory_equal(module->pCode, tame.at, tame.bytes);
  assert_string_equal(stage->pName, "main");
}

static const Chain *looked_for; /* two chains */

static void look_compute(const void *infos, uint32_t count) {
  const VkComputePipelineCreateInfo *compute = infos;
  assert_int_equal(count, 3);
  expect_chain(&compute[0].stage, &looked_for[0]);
  assert_ptr_equal(compute[1].stage.pNext, NULL);
  expect_chain(&compute[2].stage, &looked_for[1]);
}

static void test_compute(void **state) {
  (void)state;
  Chain chains[2];
  make_chain(&chains[0], wild);
  make_chain(&chains[1], wild);
  looked_for = chains;
  fake_look = look_compute;
  VkComputePipelineCreateInfo infos[3] = {
      {.stage = chains[0].stage}, {0}, {.stage = chains[1].stage}};
  VkPipeline pipelines[3];
  fake_result = VK_PIPELINE_COMPILE_REQUIRED;
  assert_int_equal(
      FAKE_FIND(device, CreateComputePipelines)(device, VK_NULL_HANDLE, 3, infos, NULL, pipelines),
      VK_PIPELINE_COMPILE_REQUIRED);
  assert_ptr_not_equal(fake_calls.info, infos);
  /* If no module changes, the application's own create-infos are passed on. */
  fake_look = NULL;
  make_chain(&chains[0], tame);
  FAKE_FIND(device, CreateComputePipelines)(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
  assert_ptr_equal(fake_calls.info, infos);
}

/* Unchanged chains: a stage with a VkShaderModule; a chain that cannot be copied; an invalid
 * module. */
static void test_chains_that_stay(void **state) {
  (void)state;
  Chain chain;
  make_chain(&chain, wild);
  VkComputePipelineCreateInfo info = {.stage = chain.stage};
  VkPipeline pipeline;
  PFN_vkCreateComputePipelines create = FAKE_FIND(device, CreateComputePipelines);
  info.stage.module = (VkShaderModule)(uintptr_t)0x1234;
  create(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  assert_ptr_equal(fake_calls.info, &info);
  info.stage.module = VK_NULL_HANDLE;
  assert_int_equal(folder_lines(folder_log), 0);
  chain.size.sType = (VkStructureType)0x7ffffff0;
  create(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  assert_ptr_equal(fake_calls.info, &info);
  assert_int_equal(folder_lines(folder_log), 1);
  chain.size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  const VkBaseInStructure strange = {.sType = (VkStructureType)0x7ffffff0,
                                     .pNext = (const VkBaseInStructure *)&chain.size};
  info.stage.pNext = &strange; /* in front of one that can be copied */
  create(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  assert_ptr_equal(fake_calls.info, &info);
  assert_int_equal(folder_lines(folder_log), 2);
  info.stage.pNext = &chain.module;
  chain.module.codeSize = 12;
  create(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  assert_ptr_equal(fake_calls.info, &info);
  assert_int_equal(folder_lines(folder_log), 3);
}

static void look_graphics(const void *infos, uint32_t count) {
  const VkGraphicsPipelineCreateInfo *graphics = infos;
  assert_int_equal(count, 2);
  assert_int_equal(graphics[1].stageCount, 3);
  expect_chain(&graphics[1].pStages[0], &looked_for[0]);
  assert_ptr_equal(graphics[1].pStages[1].pNext, NULL);
  expect_chain(&graphics[1].pStages[2], &looked_for[1]);
}

/* pStages of a pipeline part without shaders may be invalid. */
static void test_graphics(void **state) {
  (void)state;
  Chain chains[2];
  make_chain(&chains[0], wild);
  make_chain(&chains[1], wild);
  looked_for = chains;
  fake_look = look_graphics;
  const VkPipelineShaderStageCreateInfo *nowhere = (void *)(uintptr_t)64;
  VkPipelineShaderStageCreateInfo stages[3] = {chains[0].stage, {0}, chains[1].stage};
  VkGraphicsPipelineLibraryCreateInfoEXT part = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT};
  VkGraphicsPipelineLibraryCreateInfoEXT shaders = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT};
  VkPipelineLibraryCreateInfoKHR linked = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2};
  VkGraphicsPipelineCreateInfo infos[2] = {{.pNext = &part, .stageCount = 9, .pStages = nowhere},
                                           {.pNext = &shaders, .stageCount = 3, .pStages = stages}};
  VkPipeline pipelines[2];
  PFN_vkCreateGraphicsPipelines create = FAKE_FIND(device, CreateGraphicsPipelines);
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
  infos[1].pNext = NULL;
  infos[0].pNext = &linked;
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
  VkPipelineLibraryCreateInfoKHR no_parts = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR}; /* links nothing */
  infos[1].pNext = &no_parts;
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
  infos[1].pNext = NULL;
  infos[0].pNext = NULL;
  infos[0].flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
#ifdef VK_KHR_maintenance5
  VkPipelineCreateFlags2CreateInfoKHR flags = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
      .flags = VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR};
  infos[0].pNext = &flags;
  infos[0].flags = 0;
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
  /* The new flags replace the old ones. */
  VkPipelineCreateFlags2CreateInfoKHR none = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR};
  infos[1].pNext = &none;
  infos[1].flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  create(device, VK_NULL_HANDLE, 2, infos, NULL, pipelines);
#endif
  assert_int_equal(folder_lines(folder_log), 0);
}

/* ---- what may precede a module ---- */

typedef union Preceding {
  VkBaseInStructure base;
  VkDebugUtilsObjectNameInfoEXT name;
  VkPipelineRobustnessCreateInfoEXT robustness;
  VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size;
  VkShaderModuleValidationCacheCreateInfoEXT cache;
} Preceding;

static const Preceding *preceding;
static size_t preceding_size;

/* A copy of the structure, then the changed module. */
static void look_preceding(const void *infos, uint32_t count) {
  const VkComputePipelineCreateInfo *compute = infos;
  const VkBaseInStructure *copy = compute->stage.pNext;
  size_t head = sizeof *copy;
  assert_int_equal(count, 1);
  assert_ptr_not_equal(copy, preceding);
  assert_int_equal(copy->sType, preceding->base.sType);
  assert_memory_equal((const char *)copy + head, (const char *)preceding + head,
                      preceding_size - head);
  const VkShaderModuleCreateInfo *module = (const void *)copy->pNext;
  assert_int_equal(module->sType, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  assert_int_equal(module->codeSize, tame.bytes);
}

/* Every structure that Vulkan allows in a stage's chain is copied whole. */
static void test_what_precedes_a_module(void **state) {
  (void)state;
  static const struct {
    VkStructureType type;
    size_t size;
  } all[] = {
      {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, sizeof(VkDebugUtilsObjectNameInfoEXT)},
      {VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
       sizeof(VkPipelineRobustnessCreateInfoEXT)},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
       sizeof(VkPipelineShaderStageModuleIdentifierCreateInfoEXT)},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
       sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)},
      {VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT,
       sizeof(VkShaderModuleValidationCacheCreateInfoEXT)},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = wild.bytes,
                                       .pCode = wild.at};
    Preceding first;
    VkPipeline pipeline;
    memset(&first, (int)i + 1, sizeof first);
    first.base.sType = all[i].type;
    first.base.pNext = (const VkBaseInStructure *)&module;
    preceding = &first;
    preceding_size = all[i].size;
    fake_look = look_preceding;
    VkComputePipelineCreateInfo info = {.stage.pNext = &first};
    FAKE_FIND(device, CreateComputePipelines)(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  }
  assert_int_equal(folder_lines(folder_log), 0);
}

/* ---- ray tracing ---- */

static void look_ray_tracing(const void *infos, uint32_t count) {
  const VkRayTracingPipelineCreateInfoKHR *ray = infos;
  assert_int_equal(count, 1);
  expect_chain(&ray[0].pStages[0], &looked_for[0]);
}

static void look_ray_tracing_nv(const void *infos, uint32_t count) {
  const VkRayTracingPipelineCreateInfoNV *ray = infos;
  assert_int_equal(count, 1);
  expect_chain(&ray[0].pStages[0], &looked_for[0]);
}

/* The copies for a deferred operation are valid until it is used again or destroyed. */
static void test_ray_tracing(void **state) {
  (void)state;
  Chain chain;
  make_chain(&chain, wild);
  looked_for = &chain;
  fake_look = look_ray_tracing;
  VkRayTracingPipelineCreateInfoKHR info = {.stageCount = 1, .pStages = &chain.stage};
  VkRayTracingPipelineCreateInfoNV nv = {.stageCount = 1, .pStages = &chain.stage};
  VkPipeline pipeline;
  PFN_vkCreateRayTracingPipelinesKHR create = FAKE_FIND(device, CreateRayTracingPipelinesKHR);
  create(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
  for (uintptr_t i = 1; i <= 3; i++)
    for (int round = 0; round < 2; round++) {
      VkDeferredOperationKHR operation = (VkDeferredOperationKHR)i;
      fake_result = round ? VK_OPERATION_DEFERRED_KHR : VK_OPERATION_NOT_DEFERRED_KHR;
      assert_int_equal(create(device, operation, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
                       fake_result);
      if (round)
        look_ray_tracing(fake_calls.info, 1); /* the driver still reads */
    }
  FAKE_FIND(device, DestroyDeferredOperationKHR)
  (device, (VkDeferredOperationKHR)(uintptr_t)2, NULL);
  FAKE_FIND(device, DestroyDeferredOperationKHR)(device, VK_NULL_HANDLE, NULL);
  look_ray_tracing(fake_calls.info, 1); /* of operation 3; 1 and 3 are freed with the device */
  fake_look = look_ray_tracing_nv;
  fake_result = VK_SUCCESS;
  FAKE_FIND(device, CreateRayTracingPipelinesNV)(device, VK_NULL_HANDLE, 1, &nv, NULL, &pipeline);
  assert_int_equal(fake_calls.pipelines, 8);
}

/* ---- shader objects ---- */

#ifdef VK_EXT_shader_object
static void look_shaders(const void *infos, uint32_t count) {
  const VkShaderCreateInfoEXT *shaders = infos;
  assert_int_equal(count, 2);
  assert_int_equal(shaders[0].codeSize, wild.bytes);
  assert_ptr_equal(shaders[0].pCode, wild.at);
  assert_int_equal(shaders[1].codeSize, tame.bytes);
  assert_memory_equal(shaders[1].pCode, tame.at, tame.bytes);
}
#endif

static void test_shader_objects(void **state) {
  (void)state;
#ifdef VK_EXT_shader_object
  fake_look = look_shaders;
  VkShaderCreateInfoEXT infos[2] = {
      {.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT, .codeSize = wild.bytes, .pCode = wild.at},
      {.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT, .codeSize = wild.bytes, .pCode = wild.at}};
  VkShaderEXT shaders[2];
  FAKE_FIND(device, CreateShadersEXT)(device, 2, infos, NULL, shaders);
  assert_int_equal(fake_calls.pipelines, 1);
#else
  print_message("skipped: Vulkan's headers have no VK_EXT_shader_object; test_layer_newer has\n");
#endif
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, folder_tear_down)
#define TEST_DEVICE(name) cmocka_unit_test_setup_teardown(name, set_up_device, tear_down_device)
  const struct CMUnitTest tests[] = {
      TEST(test_negotiation),
      TEST(test_no_loader),
      TEST(test_functions),
      TEST_DEVICE(test_module),
      TEST(test_several),
      TEST(test_no_records),
      TEST(test_twice_in_the_chain),
      TEST_DEVICE(test_compute),
      TEST_DEVICE(test_chains_that_stay),
      TEST_DEVICE(test_graphics),
      TEST_DEVICE(test_what_precedes_a_module),
      TEST_DEVICE(test_ray_tracing),
      TEST_DEVICE(test_shader_objects),
  };
  wild = words_of(WORDS_UNSTRUCTURED);
  tame = words_structurized(WORDS_UNSTRUCTURED);
  int failures = cmocka_run_group_tests(tests, NULL, NULL);
  free(wild.at);
  free(tame.at);
  return failures;
}
