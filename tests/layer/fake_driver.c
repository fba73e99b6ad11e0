/* SPDX-License-Identifier: Apache-2.0 */
/* fake_driver: see fake_driver.h. */
#include "tests/layer/fake_driver.h"

#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

FakeCalls fake_calls;
VkResult fake_result;
bool fake_ray_tracing = true;
void (*fake_look)(const void *infos, uint32_t count);

static PFN_vkVoidFunction VKAPI_CALL next_instance(VkInstance instance, const char *name);
static PFN_vkVoidFunction VKAPI_CALL next_device(VkDevice device, const char *name);

static FakeHandle *handle_new(FakeHandle *parent) {
  FakeHandle *handle = calloc(1, sizeof *handle);
  assert_non_null(handle);
  handle->key = handle;
  handle->parent = parent;
  return handle;
}

/* ---- the driver's functions ---- */

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkInstance *instance) {
  (void)info, (void)allocator;
  *instance = (VkInstance)(void *)handle_new(NULL);
  return VK_SUCCESS;
}

static void VKAPI_CALL destroy_instance(VkInstance instance,
                                        const VkAllocationCallbacks *allocator) {
  (void)allocator;
  fake_calls.destroyed_instances++;
  free((void *)instance);
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *allocator, VkDevice *device) {
  (void)info, (void)allocator;
  *device = (VkDevice)(void *)handle_new((void *)physical);
  return VK_SUCCESS;
}

static void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks *allocator) {
  (void)allocator;
  fake_calls.destroyed_devices++;
  free((void *)device);
}

static void take_module(VkDevice device, const VkShaderModuleCreateInfo *info) {
  fake_calls.last = (void *)device;
  fake_calls.words = (uint32_t)(info->codeSize / sizeof *info->pCode);
  fake_calls.next = info->pNext;
}

static VkResult VKAPI_CALL create_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                                         const VkAllocationCallbacks *allocator,
                                         VkShaderModule *module) {
  (void)allocator, (void)module;
  fake_calls.modules++;
  take_module(device, info);
  return fake_result;
}

static void VKAPI_CALL get_identifier(VkDevice device, const VkShaderModuleCreateInfo *info,
                                      VkShaderModuleIdentifierEXT *identifier) {
  (void)identifier;
  fake_calls.identifiers++;
  take_module(device, info);
}

static VkResult take_pipelines(VkDevice device, uint32_t count, const void *infos) {
  fake_calls.pipelines++;
  fake_calls.last = (void *)device;
  fake_calls.info = infos;
  if (fake_look)
    fake_look(infos, count);
  return fake_result;
}

#define CREATE_PIPELINES(function, T)                                                              \
  static VkResult VKAPI_CALL function(VkDevice device, VkPipelineCache cache, uint32_t count,      \
                                      const T *infos, const VkAllocationCallbacks *allocator,      \
                                      VkPipeline *pipelines) {                                     \
    (void)cache, (void)allocator, (void)pipelines;                                                 \
    return take_pipelines(device, count, infos);                                                   \
  }

CREATE_PIPELINES(create_compute, VkComputePipelineCreateInfo)
CREATE_PIPELINES(create_graphics, VkGraphicsPipelineCreateInfo)
CREATE_PIPELINES(create_ray_tracing_nv, VkRayTracingPipelineCreateInfoNV)

static VkResult VKAPI_CALL create_ray_tracing(VkDevice device, VkDeferredOperationKHR operation,
                                              VkPipelineCache cache, uint32_t count,
                                              const VkRayTracingPipelineCreateInfoKHR *infos,
                                              const VkAllocationCallbacks *allocator,
                                              VkPipeline *pipelines) {
  (void)operation, (void)cache, (void)allocator, (void)pipelines;
  return take_pipelines(device, count, infos);
}

static void VKAPI_CALL destroy_operation(VkDevice device, VkDeferredOperationKHR operation,
                                         const VkAllocationCallbacks *allocator) {
  (void)operation, (void)allocator;
  fake_calls.last = (void *)device;
}

#ifdef VK_EXT_shader_object
static VkResult VKAPI_CALL create_shaders(VkDevice device, uint32_t count,
                                          const VkShaderCreateInfoEXT *infos,
                                          const VkAllocationCallbacks *allocator,
                                          VkShaderEXT *shaders) {
  (void)allocator, (void)shaders;
  return take_pipelines(device, count, infos);
}
#endif

void VKAPI_CALL fake_unknown(void) {}

/* ---- finding them ---- */

typedef struct Function {
  const char *name;
  PFN_vkVoidFunction function;
} Function;

#define FUNCTION(name, function)                                                                   \
  { name, (PFN_vkVoidFunction)(function) }

static const Function functions[] = {
    FUNCTION("vkGetInstanceProcAddr", next_instance),
    FUNCTION("vkGetDeviceProcAddr", next_device),
    FUNCTION("vkCreateInstance", create_instance),
    FUNCTION("vkDestroyInstance", destroy_instance),
    FUNCTION("vkCreateDevice", create_device),
    FUNCTION("vkDestroyDevice", destroy_device),
    FUNCTION("vkCreateShaderModule", create_module),
    FUNCTION("vkGetShaderModuleCreateInfoIdentifierEXT", get_identifier),
    FUNCTION("vkCreateComputePipelines", create_compute),
    FUNCTION("vkCreateGraphicsPipelines", create_graphics),
    FUNCTION("vkCreateRayTracingPipelinesKHR", create_ray_tracing),
    FUNCTION("vkCreateRayTracingPipelinesNV", create_ray_tracing_nv),
    FUNCTION("vkDestroyDeferredOperationKHR", destroy_operation),
#ifdef VK_EXT_shader_object
    FUNCTION("vkCreateShadersEXT", create_shaders),
#endif
    FUNCTION("vkUnknownFAKE", fake_unknown),
};

static PFN_vkVoidFunction find(const char *name) {
  if (!fake_ray_tracing && strstr(name, "RayTracing"))
    return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return functions[i].function;
  return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL next_instance(VkInstance instance, const char *name) {
  (void)instance;
  return find(name);
}

static PFN_vkVoidFunction VKAPI_CALL next_device(VkDevice device, const char *name) {
  (void)device;
  return find(name);
}

/* ---- the loader's part ---- */

static PFN_vkVoidFunction VKAPI_CALL next_physical(VkInstance instance, const char *name) {
  (void)instance;
  return strcmp(name, "vkUnknownFAKE") == 0 ? (PFN_vkVoidFunction)fake_unknown : NULL;
}

VkInstance fake_instance(bool twice) {
  VkLayerInstanceLink driver = {NULL, next_instance, next_physical};
  VkLayerInstanceLink again = {&driver, ly_GetInstanceProcAddr, ly_GetPhysicalDeviceProcAddr};
  VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = twice ? &again : &driver};
  VkLayerInstanceCreateInfo other = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                     .pNext = &link,
                                     .function = VK_LOADER_DATA_CALLBACK};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &other};
  VkInstance instance;
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)ly_GetInstanceProcAddr(NULL, "vkCreateInstance");
  assert_int_equal(create(&info, NULL, &instance), VK_SUCCESS);
  return instance;
}

VkDevice fake_device(VkInstance instance, bool twice) {
  VkLayerDeviceLink driver = {NULL, next_instance, next_device};
  VkLayerDeviceLink again = {&driver, ly_GetInstanceProcAddr, ly_GetDeviceProcAddr};
  VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                  .function = VK_LAYER_LINK_INFO,
                                  .u.pLayerInfo = twice ? &again : &driver};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &link};
  FakeHandle physical = {.key = *(void **)instance};
  VkDevice device;
  PFN_vkCreateDevice create =
      (PFN_vkCreateDevice)ly_GetInstanceProcAddr(instance, "vkCreateDevice");
  assert_int_equal(create((VkPhysicalDevice)(void *)&physical, &info, NULL, &device), VK_SUCCESS);
  return device;
}

void fake_destroy_instance(VkInstance instance) {
  ((PFN_vkDestroyInstance)ly_GetInstanceProcAddr(instance, "vkDestroyInstance"))(instance, NULL);
}

void fake_destroy_device(VkDevice device) {
  FAKE_FIND(device, DestroyDevice)(device, NULL);
}
