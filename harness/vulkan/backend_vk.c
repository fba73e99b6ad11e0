/* SPDX-License-Identifier: Apache-2.0 */
/* backend_vk: opens, closes and lists Vulkan devices; see backend.h. */
#include "harness/vulkan/backend_vk.h"

#include "harness/vulkan/backend_vk_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- open and close ------------------------------------------------------------------------- */

static char *close_vulkan(HnBackend *backend) {
  HnVulkan *vulkan = (HnVulkan *)backend;
  VhDevice *device = &vulkan->device;
  if (!device->hung && vulkan->scene.script)
    vh_scene_destroy(device, &vulkan->scene);
  vh_device_close(device);
  char *messages = vh_messages_take(&device->messages);
  vh_error_clear(&device->error);
  free(vulkan);
  return messages;
}

static HnOutcome open_vulkan(const HnBackendOptions *options, const AmberScript *script,
                             HnBackend **backend, char **message) {
  HnVulkan *vulkan = calloc(1, sizeof *vulkan);
  *message = NULL;
  *backend = NULL;
  if (!vulkan)
    return HN_FAIL;
  if (amber_has_kernels(script)) {
    free(vulkan);
    *message = strdup("an OpenCL kernel: only devices emu and pocl run it as it is");
    return HN_SKIP;
  }
  VhDevice *device = &vulkan->device;
  vulkan->head.kind = &hn_backend_vk;
  vulkan->script = script;
  if (vh_device_open(device, options, script) && vh_limits_check(device, script) &&
      vh_scene_create(device, script, &vulkan->scene)) {
    *backend = &vulkan->head;
    return HN_PASS;
  }
  HnOutcome outcome = vh_error_take(&device->error, message);
  free(close_vulkan(&vulkan->head));
  return outcome;
}

/* ---- list ----------------------------------------------------------------------------------- */

static void print_version(FILE *out, uint32_t version) {
  fprintf(out, "Vulkan %u.%u.%u", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
          VK_API_VERSION_PATCH(version));
}

/* Prints a device. Fields that its version of Vulkan lacks stay empty. False: the device does not
 * match the name. */
static bool print_device(FILE *out, const VhFuncs *vk, VkPhysicalDevice physical,
                         const char *name) {
  VkPhysicalDeviceProperties plain;
  vk->GetPhysicalDeviceProperties(physical, &plain);
  if (!vh_is_called(&plain, name))
    return false;
  VkPhysicalDeviceDriverProperties driver = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceSubgroupProperties subgroup = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  if (plain.apiVersion >= VK_API_VERSION_1_2)
    subgroup.pNext = &driver;
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &subgroup};
  fprintf(out, "%s, ", plain.deviceName);
  print_version(out, plain.apiVersion);
  if (plain.apiVersion >= VK_API_VERSION_1_1) {
    vk->GetPhysicalDeviceProperties2(physical, &properties);
    if (driver.driverName[0])
      fprintf(out, ", %s%s%s", driver.driverName, driver.driverInfo[0] ? " " : "",
              driver.driverInfo);
    fprintf(out, ", subgroup size %u", subgroup.subgroupSize);
  }
  fputc('\n', out);
  return true;
}

static bool print_devices(VhDevice *device, const char *name, FILE *out) {
  VkPhysicalDevice *all;
  uint32_t count;
  bool done = vh_physical_devices(device, &all, &count), printed = false;
  for (uint32_t i = 0; done && i < count; i++)
    printed |= print_device(out, &device->vk, all[i], name);
  free(all);
  return done && (printed || vh_none_is_called(device, name));
}

static bool list_vulkan(const HnBackendOptions *options, char **text) {
  VhDevice device = {0};
  size_t size;
  *text = NULL;
  FILE *out = open_memstream(text, &size);
  if (!out)
    return false;
  bool done =
      vh_instance_open(&device, options, NULL) && print_devices(&device, options->device_name, out);
  fclose(out);
  vh_device_close(&device);
  free(vh_messages_take(&device.messages));
  if (!done) {
    free(*text);
    vh_error_take(&device.error, text);
  }
  return done;
}

const HnBackendKind hn_backend_vk = {open_vulkan, hn_vulkan_run, close_vulkan, list_vulkan};
