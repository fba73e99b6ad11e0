/* SPDX-License-Identifier: Apache-2.0 */
/* device_request: see device_request.h. */
#include "harness/layer/runaway/device_request.h"

#include "harness/layer/support/in_chain.h"
#include "harness/vulkan/vk_newer.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

static const char extension[] = VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;

/* ---- what the device has ---- */

static bool has_extension(const LyAsker *asker, VkPhysicalDevice physical) {
  PFN_vkEnumerateDeviceExtensionProperties list =
      (PFN_vkEnumerateDeviceExtensionProperties)asker->get(asker->instance,
                                                           "vkEnumerateDeviceExtensionProperties");
  uint32_t count = 0;
  bool found = false;
  if (!list || list(physical, NULL, &count, NULL) != VK_SUCCESS)
    return false;
  VkExtensionProperties *all = calloc(count, sizeof *all);
  if (all && list(physical, NULL, &count, all) >= VK_SUCCESS)
    for (uint32_t i = 0; i < count; i++)
      found |= !strcmp(all[i].extensionName, extension);
  free(all);
  return found;
}

/* The version of Vulkan that the application may use with the device. */
static uint32_t common_version(const LyAsker *asker, VkPhysicalDevice physical) {
  PFN_vkGetPhysicalDeviceProperties get = (PFN_vkGetPhysicalDeviceProperties)asker->get(
      asker->instance, "vkGetPhysicalDeviceProperties");
  VkPhysicalDeviceProperties properties = {0};
  if (get)
    get(physical, &properties);
  return properties.apiVersion < asker->api ? properties.apiVersion : asker->api;
}

/* Sets what the request may ask for; else `refused`. */
static void ask(LyDeviceRequest *r, const LyAsker *asker, VkPhysicalDevice physical) {
  VkPhysicalDeviceBufferDeviceAddressFeatures address = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  VkPhysicalDeviceFeatures2 has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                   .pNext = &address};
  uint32_t version = common_version(asker, physical);
  PFN_vkGetPhysicalDeviceFeatures2 get =
      (PFN_vkGetPhysicalDeviceFeatures2)asker->get(asker->instance, "vkGetPhysicalDeviceFeatures2");
  if (version < VK_API_VERSION_1_1 || !get) {
    r->refused = "the application or the device has Vulkan 1.0";
    return;
  }
  r->extended = version < VK_API_VERSION_1_2;
  get(physical, &has);
  if (!address.bufferDeviceAddress || (r->extended && !has_extension(asker, physical)))
    r->refused = "the device has no bufferDeviceAddress";
  r->fragments = has.features.fragmentStoresAndAtomics;
  r->vertices = has.features.vertexPipelineStoresAndAtomics;
}

/* ---- the copy ---- */

/* The size of a structure in the chain of a device's create-info; 0: not known. */
static size_t size_in_chain(VkStructureType type) {
  static const struct {
    VkStructureType type;
    size_t size;
  } known[] = {
      {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, sizeof(VkLayerDeviceCreateInfo)},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, sizeof(VkPhysicalDeviceFeatures2)},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
       sizeof(VkPhysicalDeviceVulkan11Features)},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       sizeof(VkPhysicalDeviceVulkan12Features)},
      {VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO, sizeof(VkDeviceGroupDeviceCreateInfo)},
#define VH_FEATURES(id, type, stype, name, core, extension) {stype, sizeof(type)},
#include "harness/vulkan/vk_features.def"
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].type == type)
      return known[i].size;
  return 0;
}

static bool changes(VkStructureType type) {
  return type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 ||
         type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES ||
         type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
}

static size_t aligned(size_t size) {
  return (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

/* The number and size of the structures to copy: all up to the last one that changes. False: one of
 * them is not known. */
static bool measure(const void *chain, uint32_t *count, size_t *bytes) {
  uint32_t at_count = 0;
  size_t at_bytes = 0;
  bool known = true;
  *count = 0;
  *bytes = 0;
  for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
    size_t size = size_in_chain(at->sType);
    known &= size > 0;
    at_count++;
    at_bytes += aligned(size);
    if (!changes(at->sType))
      continue;
    if (!known)
      return false;
    *count = at_count;
    *bytes = at_bytes;
  }
  return true;
}

static void copy_chain(LyDeviceRequest *r) {
  uint32_t count;
  size_t bytes;
  if (!measure(r->info.pNext, &count, &bytes)) {
    r->refused = "a structure unknown to this layer precedes the device's features";
    return;
  }
  char *to = r->copies = malloc(bytes ? bytes : 1);
  if (!to) {
    r->refused = "out of memory";
    return;
  }
  const VkBaseInStructure *at = r->info.pNext;
  if (count)
    r->info.pNext = to;
  for (uint32_t i = 0; i < count; i++, at = at->pNext) {
    size_t size = size_in_chain(at->sType);
    memcpy(to, at, size);
    if (i + 1 < count)
      ((VkBaseOutStructure *)(void *)to)->pNext = (void *)(to + aligned(size));
    to += aligned(size);
  }
}

/* ---- what is asked for ---- */

static void ask_addresses(LyDeviceRequest *r) {
  VkPhysicalDeviceVulkan12Features *core =
      ly_in_chain(r->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  VkPhysicalDeviceBufferDeviceAddressFeatures *given =
      ly_in_chain(r->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
  if (core)
    core->bufferDeviceAddress = VK_TRUE;
  else if (given)
    given->bufferDeviceAddress = VK_TRUE;
  if (core || given)
    return;
  r->address = (VkPhysicalDeviceBufferDeviceAddressFeatures){
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
      .pNext = (void *)(uintptr_t)r->info.pNext,
      .bufferDeviceAddress = VK_TRUE};
  r->info.pNext = &r->address;
}

static void ask_stores(LyDeviceRequest *r) {
  VkPhysicalDeviceFeatures2 *given =
      ly_in_chain(r->info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceFeatures *features = given ? &given->features : &r->features;
  if (!given) {
    if (r->info.pEnabledFeatures)
      r->features = *r->info.pEnabledFeatures;
    r->info.pEnabledFeatures = &r->features;
  }
  features->fragmentStoresAndAtomics |= r->fragments;
  features->vertexPipelineStoresAndAtomics |= r->vertices;
}

static void ask_extension(LyDeviceRequest *r) {
  uint32_t count = r->info.enabledExtensionCount;
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(r->info.ppEnabledExtensionNames[i], extension))
      return;
  r->extensions = malloc((count + 1) * sizeof *r->extensions);
  if (!r->extensions) {
    r->refused = "out of memory";
    return;
  }
  if (count)
    memcpy(r->extensions, r->info.ppEnabledExtensionNames, count * sizeof *r->extensions);
  r->extensions[count] = extension;
  r->info.ppEnabledExtensionNames = r->extensions;
  r->info.enabledExtensionCount = count + 1;
}

/* The extension of the same purpose that came before excludes the one that is needed. */
static bool has_older(const VkDeviceCreateInfo *info) {
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
    if (!strcmp(info->ppEnabledExtensionNames[i], VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME))
      return true;
  return false;
}

const VkDeviceCreateInfo *ly_request_make(LyDeviceRequest *r, const LyAsker *asker,
                                          VkPhysicalDevice physical,
                                          const VkDeviceCreateInfo *info) {
  *r = (LyDeviceRequest){.info = *info};
  ask(r, asker, physical);
  if (!r->refused && has_older(info))
    r->refused = "the application uses " VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME;
  if (!r->refused)
    copy_chain(r);
  if (!r->refused) {
    ask_stores(r);
    ask_addresses(r);
  }
  if (!r->refused && r->extended)
    ask_extension(r);
  return r->refused ? info : &r->info;
}

void ly_request_free(LyDeviceRequest *r) {
  free(r->copies);
  free(r->extensions);
  *r = (LyDeviceRequest){0};
}
