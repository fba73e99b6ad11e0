/* SPDX-License-Identifier: Apache-2.0 */
/* hook_instance: creates and destroys instances and devices, and their records.
 *
 * The layer may be in a chain twice (once by the environment, once implicitly); both see the same
 * handle. The one closer to the driver returns first and adds the record; the other one finds that
 * a record exists and only forwards calls, so that a module is converted once. */
#include "harness/layer/dispatch.h"

#include <stdlib.h>

/* ---- instances ---- */

static void free_instance(LyInstance *instance) {
  ly_converter_release(instance->converter);
  free(instance);
}

/* False: out of memory. */
static bool record_instance(VkInstance handle, const VkLayerInstanceLink *link,
                            const VkApplicationInfo *application) {
  LyInstance *instance = calloc(1, sizeof *instance);
  if (!instance)
    return false;
  instance->record.key = ly_key(handle);
  instance->handle = handle;
  instance->get = link->pfnNextGetInstanceProcAddr;
  instance->get_physical = link->pfnNextGetPhysicalDeviceProcAddr;
  instance->destroy = (PFN_vkDestroyInstance)instance->get(handle, "vkDestroyInstance");
  instance->api = application ? application->apiVersion : 0;
  instance->converter = ly_converter_new(application ? application->pApplicationName : NULL);
  if (!ly_instance_add(instance))
    free_instance(instance);
  return true;
}

VkResult VKAPI_CALL ly_CreateInstance(const VkInstanceCreateInfo *info,
                                      const VkAllocationCallbacks *allocator,
                                      VkInstance *instance) {
  VkLayerInstanceCreateInfo *chain = ly_instance_link(info);
  if (!chain || !chain->u.pLayerInfo)
    return VK_ERROR_INITIALIZATION_FAILED;
  const VkLayerInstanceLink *link = chain->u.pLayerInfo;
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)link->pfnNextGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance");
  if (!create)
    return VK_ERROR_INITIALIZATION_FAILED;
  chain->u.pLayerInfo = link->pNext;
  VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS || record_instance(*instance, link, info->pApplicationInfo))
    return result;
  PFN_vkDestroyInstance destroy =
      (PFN_vkDestroyInstance)link->pfnNextGetInstanceProcAddr(*instance, "vkDestroyInstance");
  destroy(*instance, allocator);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void VKAPI_CALL ly_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  LyInstance *instance = handle ? ly_instance_take(handle) : NULL;
  if (!instance)
    return;
  instance->destroy(handle, allocator);
  free_instance(instance);
}

/* ---- devices ---- */

static void free_device(LyDevice *device) {
  while (device->deferred) {
    LyDeferred *deferred = device->deferred;
    device->deferred = deferred->next;
    ly_patch_free(&deferred->patch);
    free(deferred);
  }
  pthread_mutex_destroy(&device->lock);
  ly_converter_release(device->converter);
  free(device);
}

/* False: out of memory. */
static bool record_device(VkDevice handle, PFN_vkGetDeviceProcAddr get, LyConverter *converter) {
  LyDevice *device = calloc(1, sizeof *device);
  if (!device)
    return false;
  device->record.key = ly_key(handle);
  device->converter = ly_converter_share(converter);
  device->get = get;
  pthread_mutex_init(&device->lock, NULL);
#define LY_DEVICE(name) device->name = (PFN_vk##name)get(handle, "vk" #name);
#include "harness/layer/hooks.def"
  if (!ly_device_add(device))
    free_device(device);
  return true;
}

static LyAsker asker_of(const LyInstance *instance) {
  return (LyAsker){instance->handle, instance->get, instance->api};
}

/* If records are wanted, creates the device with the features that they need, and if that fails,
 * without them. */
static VkResult create_device(const LyInstance *instance, PFN_vkCreateDevice create,
                              VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *device,
                              LyDeviceRequest *request) {
  VkLayerDeviceCreateInfo *chain = ly_device_link(info);
  VkLayerDeviceLink *next = chain->u.pLayerInfo->pNext;
  const LyAsker asker = asker_of(instance);
  const VkDeviceCreateInfo *wanted = info;
  chain->u.pLayerInfo = next;
  if (!ly_converter_bounds_loops(instance->converter))
    return create(physical, info, allocator, device);
  request->refused = ly_converter_refuses_records(instance->converter);
  if (!request->refused)
    wanted = ly_request_make(request, &asker, physical, info);
  VkResult result = create(physical, wanted, allocator, device);
  if (result == VK_SUCCESS || wanted == info)
    return result;
  request->refused = "the device cannot be created with the features that this needs";
  chain->u.pLayerInfo = next;
  return create(physical, info, allocator, device);
}

static void make_records(const LyInstance *instance, VkPhysicalDevice physical, VkDevice handle,
                         const LyDeviceRequest *request) {
  LyDevice *device = ly_device_find(handle);
  const LyAsker asker = asker_of(instance);
  if (device && !device->runaways && ly_converter_bounds_loops(device->converter))
    device->runaways = ly_runaways_new(request, &asker, physical, handle, device->get,
                                       ly_converter_log(device->converter));
}

VkResult ly_device_create(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                          const VkAllocationCallbacks *allocator, VkDevice *device) {
  VkLayerDeviceCreateInfo *chain = ly_device_link(info);
  LyInstance *instance = ly_instance_find(physical);
  if (!chain || !chain->u.pLayerInfo || !instance)
    return VK_ERROR_INITIALIZATION_FAILED;
  const VkLayerDeviceLink *link = chain->u.pLayerInfo;
  PFN_vkCreateDevice create =
      (PFN_vkCreateDevice)link->pfnNextGetInstanceProcAddr(instance->handle, "vkCreateDevice");
  if (!create)
    return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkGetDeviceProcAddr get = link->pfnNextGetDeviceProcAddr;
  LyDeviceRequest request = {0};
  VkResult result = create_device(instance, create, physical, info, allocator, device, &request);
  if (result == VK_SUCCESS && !record_device(*device, get, instance->converter)) {
    PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)get(*device, "vkDestroyDevice");
    destroy(*device, allocator);
    result = VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (result == VK_SUCCESS)
    make_records(instance, physical, *device, &request);
  ly_request_free(&request);
  return result;
}

void VKAPI_CALL ly_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator) {
  LyDevice *device = handle ? ly_device_take(handle) : NULL;
  if (!device)
    return;
  ly_runaways_free(device->runaways);
  device->DestroyDevice(handle, allocator);
  free_device(device);
}
