/* SPDX-License-Identifier: Apache-2.0 */
/* capture: see capture.h. */
#include "harness/capture/capture_device.h"
#include "harness/layer/support/in_chain.h"

#include <stdlib.h>
#include <string.h>

/* ---- hooks ----------------------------------------------------------------------------------- */

PFN_vkVoidFunction cp_hook(const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction hook;
  } hooks[] = {
#define CP_HOOK(name) {"vk" #name, (PFN_vkVoidFunction)cp_##name},
#define CP_ALIAS(name, other) {"vk" #other, (PFN_vkVoidFunction)cp_##name},
#include "harness/capture/capture_hooks.def"
  };
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (strcmp(hooks[i].name, name) == 0)
      return hooks[i].hook;
  return NULL;
}

static void load(CpDevice *d, PFN_vkGetDeviceProcAddr get) {
#define CP_HOOK(name) d->next.name = (PFN_vk##name)get(d->handle, "vk" #name);
#define CP_CALL(name) d->next.name = (PFN_vk##name)get(d->handle, "vk" #name);
#include "harness/capture/capture_hooks.def"
#define CP_ALIAS(name, other)                                                                      \
  if (!d->next.name)                                                                               \
    d->next.name = (PFN_vk##name)get(d->handle, "vk" #other);
#include "harness/capture/capture_hooks.def"
}

/* ---- devices --------------------------------------------------------------------------------- */

/* False: out of memory. */
static bool ask_physical(CpDevice *d, const CpAttach *a) {
#define CP_ASK(name) PFN_vk##name name = (PFN_vk##name)a->get_instance(a->instance, "vk" #name)
  CP_ASK(GetPhysicalDeviceProperties);
  CP_ASK(GetPhysicalDeviceMemoryProperties);
  CP_ASK(GetPhysicalDeviceQueueFamilyProperties);
  if (!GetPhysicalDeviceProperties || !GetPhysicalDeviceMemoryProperties ||
      !GetPhysicalDeviceQueueFamilyProperties)
    return false;
  VkPhysicalDeviceProperties properties;
  GetPhysicalDeviceProperties(a->physical, &properties);
  memcpy(d->name, properties.deviceName, sizeof d->name);
  d->nanoseconds = (double)properties.limits.timestampPeriod;
  GetPhysicalDeviceMemoryProperties(a->physical, &d->memory);
  GetPhysicalDeviceQueueFamilyProperties(a->physical, &d->family_count, NULL);
  d->families = calloc(d->family_count + 1u, sizeof *d->families);
  if (d->families)
    GetPhysicalDeviceQueueFamilyProperties(a->physical, &d->family_count, d->families);
  return d->families != NULL;
}

/* Vulkan 1.1 or later. */
static void ask_subgroups(CpDevice *d, const CpAttach *a) {
  CP_ASK(GetPhysicalDeviceProperties2);
  VkPhysicalDeviceProperties plain;
  CP_ASK(GetPhysicalDeviceProperties);
  GetPhysicalDeviceProperties(a->physical, &plain);
  if (a->api < VK_API_VERSION_1_1 || plain.apiVersion < VK_API_VERSION_1_1)
    return;
  VkPhysicalDeviceSubgroupProperties subgroups = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &subgroups};
  if (GetPhysicalDeviceProperties2)
    GetPhysicalDeviceProperties2(a->physical, &properties);
  d->subgroup_size = subgroups.subgroupSize;
}

static void note_features(CpDevice *d, const VkDeviceCreateInfo *info) {
  const VkPhysicalDeviceFeatures2 *chained =
      ly_in_chain(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  const VkPhysicalDeviceFeatures *features = chained ? &chained->features : info->pEnabledFeatures;
  d->robust = features && features->robustBufferAccess;
  d->stores = features && features->fragmentStoresAndAtomics;
}

static void name_device(const CpDevice *d) {
  pthread_mutex_lock(&d->session->lock);
  if (!d->session->device)
    d->session->device = strdup(d->name);
  pthread_mutex_unlock(&d->session->lock);
}

CpDevice *cp_attach(const CpAttach *attach) {
  CpSession *session = cp_session();
  CpDevice *d = session ? calloc(1, sizeof *d) : NULL;
  if (!d)
    return NULL;
  d->handle = attach->device;
  d->session = session;
  d->physical = attach->physical;
  d->surface = (PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR)attach->get_instance(
      attach->instance, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  pthread_mutex_init(&d->lock, NULL);
  load(d, attach->get);
  if (ask_physical(d, attach) && cp_device_add(d)) {
    ask_subgroups(d, attach);
    note_features(d, attach->info);
    name_device(d);
    return d;
  }
  free(d->families);
  free(d);
  return NULL;
}
