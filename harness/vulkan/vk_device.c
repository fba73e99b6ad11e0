/* SPDX-License-Identifier: Apache-2.0 */
/* vk_device: opens and closes one Vulkan device; see vk_device.h. */
#include "harness/vulkan/vk_device.h"

#include "harness/vulkan/vk_submit.h"

#include <stdlib.h>
#include <string.h>

#define NEWEST_API VK_API_VERSION_1_3
#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"

/* ---- instance ------------------------------------------------------------------------------- */

/* The loader's message for a missing driver is hard to understand. */
static bool no_driver(VhDevice *device, const char *icd) {
  return vh_fail(&device->error, HN_FAIL, "vkCreateInstance: no usable Vulkan driver%s%s",
                 icd ? " by " : " is installed", icd ? icd : "");
}

static bool create_instance(VhDevice *device, const VhNames *extensions,
                            const HnBackendOptions *options) {
  static const char *const layers[] = {VALIDATION_LAYER};
  VkDebugUtilsMessengerCreateInfoEXT debug = vh_debug_info(&device->messages);
  VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .pApplicationName = "spv-harness",
      .apiVersion = NEWEST_API,
  };
  VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = options->validation ? &debug : NULL,
      .pApplicationInfo = &application,
      .enabledLayerCount = options->validation,
      .ppEnabledLayerNames = layers,
      .enabledExtensionCount = extensions->count,
      .ppEnabledExtensionNames = extensions->items,
  };
  VkResult result = device->vk.CreateInstance(&info, NULL, &device->instance);
  if (result == VK_ERROR_EXTENSION_NOT_PRESENT)
    return vh_instance_extensions_missing(&device->vk, extensions, &device->error);
  if (result == VK_ERROR_LAYER_NOT_PRESENT)
    return vh_fail(&device->error, HN_FAIL, "%s is not installed", VALIDATION_LAYER);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return no_driver(device, options->icd);
  return vh_check(&device->error, result, "vkCreateInstance");
}

bool vh_instance_open(VhDevice *device, const HnBackendOptions *options,
                      const AmberScript *script) {
  if (!vh_loader_open(&device->vk, &device->library, options->icd, &device->error))
    return false;
  VhNames extensions = {0};
  bool created = (!script || vh_instance_extensions(script, &extensions, &device->error)) &&
                 (!options->validation ||
                  vh_names_add(&extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, &device->error)) &&
                 create_instance(device, &extensions, options);
  vh_names_clear(&extensions);
  if (!created || !vh_loader_instance(&device->vk, device->instance, &device->error))
    return false;
  return !options->validation || vh_debug_create(&device->vk, device->instance, &device->messages,
                                                 &device->messenger, &device->error);
}

/* ---- physical device ------------------------------------------------------------------------ */

bool vh_physical_devices(VhDevice *device, VkPhysicalDevice **all, uint32_t *count) {
  *all = NULL;
  *count = 0;
  if (!VH_CALL(device, EnumeratePhysicalDevices, device->instance, count, NULL))
    return false;
  *all = calloc(*count + 1, sizeof **all);
  if (!*all)
    return vh_out_of_memory(&device->error);
  return VH_CALL(device, EnumeratePhysicalDevices, device->instance, count, *all);
}

bool vh_is_called(const VkPhysicalDeviceProperties *properties, const char *name) {
  return !name || strcasestr(properties->deviceName, name);
}

bool vh_none_is_called(VhDevice *device, const char *name) {
  if (name)
    return vh_fail(&device->error, HN_FAIL, "no Vulkan device is called '%s'", name);
  return vh_fail(&device->error, HN_FAIL, "the driver offers no Vulkan device");
}

/* Takes the first device whose name contains `name`. */
static bool take_physical(VhDevice *device, const VkPhysicalDevice *all, uint32_t count,
                          const char *name) {
  for (uint32_t i = 0; i < count; i++) {
    device->vk.GetPhysicalDeviceProperties(all[i], &device->properties);
    if (!vh_is_called(&device->properties, name))
      continue;
    device->physical = all[i];
    return true;
  }
  return vh_none_is_called(device, name);
}

static bool choose_physical(VhDevice *device, const char *name) {
  VkPhysicalDevice *all;
  uint32_t count;
  bool chosen =
      vh_physical_devices(device, &all, &count) && take_physical(device, all, count, name);
  free(all);
  if (!chosen)
    return false;
  uint32_t version = device->properties.apiVersion;
  if (version < VK_API_VERSION_1_1)
    return vh_fail(&device->error, HN_FAIL, "%s has no Vulkan 1.1", device->properties.deviceName);
  device->api_version = version < NEWEST_API ? version : NEWEST_API;
  device->vk.GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
  return true;
}

/* ---- device --------------------------------------------------------------------------------- */

static VkQueueFlags needed_queue(const AmberScript *script) {
  VkQueueFlags needed = VK_QUEUE_COMPUTE_BIT;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (script->pipelines[i].graphics)
      needed |= VK_QUEUE_GRAPHICS_BIT;
  for (uint32_t i = 0; i < script->buffer_count; i++)
    if (script->buffers[i].uses & AMBER_USE_DEPTH_STENCIL) /* copies of depth need it */
      needed |= VK_QUEUE_GRAPHICS_BIT;
  return needed;
}

static bool choose_queue(VhDevice *device, const AmberScript *script) {
  VkQueueFlags needed = needed_queue(script);
  uint32_t count = 0;
  device->vk.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, NULL);
  VkQueueFamilyProperties *families = calloc(count + 1, sizeof *families);
  if (!families)
    return vh_out_of_memory(&device->error);
  device->vk.GetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
  uint32_t family = 0;
  while (family < count && (families[family].queueFlags & needed) != needed)
    family++;
  if (family < count) {
    device->queue_family = family;
    device->timestamp_bits = families[family].timestampValidBits;
  }
  free(families);
  return family < count ||
         vh_fail(&device->error, HN_SKIP, "the device has no queue for what the script does");
}

static bool create_device(VhDevice *device, const VhFeatures *features, const VhNames *extensions) {
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueFamilyIndex = device->queue_family,
      .queueCount = 1,
      .pQueuePriorities = &priority,
  };
  VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = features->groups[VH_GROUP_CORE],
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = extensions->count,
      .ppEnabledExtensionNames = extensions->items,
  };
  if (!VH_CALL(device, CreateDevice, device->physical, &info, NULL, &device->handle) ||
      !vh_loader_device(&device->vk, device->handle, &device->error))
    return false;
  device->vk.GetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
  return true;
}

static bool add_extension(VhDevice *device, const char *name, uint32_t line, VhNames *extensions) {
  AmberRequirement wanted = {.name = name, .line = line};
  return vh_device_extension(&device->vk, device->physical, device->api_version, &wanted,
                             extensions, &device->error);
}

static bool blends_advanced(const AmberPipeline *pipeline) {
  const EmuBlendState *blend = &pipeline->raster.blend;
  return blend->enabled &&
         (blend->color_op >= VK_BLEND_OP_ZERO_EXT || blend->alpha_op >= VK_BLEND_OP_ZERO_EXT);
}

static bool mirrors_once(const EmuSamplerState *sampler) {
  const uint32_t mode = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
  return sampler->address_mode_u == mode || sampler->address_mode_v == mode ||
         sampler->address_mode_w == mode;
}

/* The extensions that the script names, and those that its state needs beyond core Vulkan. */
static bool add_extensions(VhDevice *device, const AmberScript *script, VhNames *extensions) {
  for (uint32_t i = 0; i < script->device_extensions.count; i++)
    if (!add_extension(device, script->device_extensions.items[i].name,
                       script->device_extensions.items[i].line, extensions))
      return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (blends_advanced(&script->pipelines[i]) &&
        !add_extension(device, VK_EXT_BLEND_OPERATION_ADVANCED_EXTENSION_NAME,
                       script->pipelines[i].line, extensions))
      return false;
  for (uint32_t i = 0; i < script->sampler_count; i++)
    if (mirrors_once(&script->samplers[i]) &&
        !add_extension(device, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME,
                       script->samplers[i].line, extensions))
      return false;
  return true;
}

static bool new_enough(VhDevice *device, const AmberScript *script) {
  uint32_t asked = script->vulkan_version;
  return device->api_version >= asked ||
         vh_fail(&device->error, HN_SKIP, "the script needs Vulkan %u.%u.%u, the device has %u.%u",
                 VK_API_VERSION_MAJOR(asked), VK_API_VERSION_MINOR(asked),
                 VK_API_VERSION_PATCH(asked), VK_API_VERSION_MAJOR(device->api_version),
                 VK_API_VERSION_MINOR(device->api_version));
}

/* Creates the device with the features and extensions that the script requires. */
static bool open_as_required(VhDevice *device, const AmberScript *script) {
  AmberRequirements wanted = {0};
  VhFeatures features = {0};
  VhNames extensions = {0};
  bool done = vh_features_wanted(script, &wanted, &device->error) &&
              vh_properties_check(&device->vk, device->physical, &wanted, &device->error) &&
              add_extensions(device, script, &extensions) &&
              vh_features_choose(&device->vk, device->physical, device->api_version, &wanted,
                                 &extensions, &features, &device->error) &&
              create_device(device, &features, &extensions);
  vh_names_clear(&extensions);
  vh_features_clear(&features);
  free(wanted.items);
  return done;
}

bool vh_device_open(VhDevice *device, const HnBackendOptions *options, const AmberScript *script) {
  device->fence_timeout_ns =
      script->fence_timeout_ms ? (uint64_t)script->fence_timeout_ms * 1000000 : UINT64_MAX;
  return vh_instance_open(device, options, script) &&
         choose_physical(device, options->device_name) && new_enough(device, script) &&
         choose_queue(device, script) && open_as_required(device, script) &&
         vh_submit_create(device);
}

/* If a handle exists, its destroyer has been loaded, because opening fails unless the table of
 * functions is complete. A device that hangs may never answer again, so it is left open until the
 * process ends. */
void vh_device_close(VhDevice *device) {
  if (device->hung)
    return;
  if (device->pool)
    vh_submit_destroy(device);
  if (device->handle && device->vk.DestroyDevice)
    device->vk.DestroyDevice(device->handle, NULL);
  if (device->messenger)
    device->vk.DestroyDebugUtilsMessengerEXT(device->instance, device->messenger, NULL);
  if (device->instance && device->vk.DestroyInstance)
    device->vk.DestroyInstance(device->instance, NULL);
  vh_loader_close(device->library);
}
