/* SPDX-License-Identifier: Apache-2.0 */
/* What the layer asks a device for, so that loops can be recorded: besides what the application asks
 * for, in copies of its structures. */
#include "harness/layer/runaway/device_request.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* ---- a device ---- */

static uint32_t device_version;
static bool has_addresses, has_stores, lists_extension;

static void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out) {
  (void)physical;
  *out = (VkPhysicalDeviceProperties){.apiVersion = device_version};
}

static void VKAPI_CALL get_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out) {
  (void)physical;
  out->features.fragmentStoresAndAtomics = has_stores;
  VkPhysicalDeviceBufferDeviceAddressFeatures *address = out->pNext;
  address->bufferDeviceAddress = has_addresses;
}

static VkResult VKAPI_CALL get_extensions(VkPhysicalDevice physical, const char *layer,
                                          uint32_t *count, VkExtensionProperties *out) {
  (void)physical, (void)layer;
  if (out && *count)
    snprintf(out->extensionName, sizeof out->extensionName, "%s",
             VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
  *count = lists_extension;
  return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_CALL get(VkInstance instance, const char *name) {
  (void)instance;
  if (!strcmp(name, "vkGetPhysicalDeviceProperties"))
    return (PFN_vkVoidFunction)get_properties;
  if (!strcmp(name, "vkGetPhysicalDeviceFeatures2"))
    return (PFN_vkVoidFunction)get_features;
  return strcmp(name, "vkEnumerateDeviceExtensionProperties") ? NULL
                                                              : (PFN_vkVoidFunction)get_extensions;
}

static int set_up(void **state) {
  (void)state;
  device_version = VK_API_VERSION_1_3;
  has_addresses = has_stores = lists_extension = true;
  return 0;
}

static const VkDeviceCreateInfo *make(LyDeviceRequest *r, uint32_t api,
                                      const VkDeviceCreateInfo *info) {
  const LyAsker asker = {NULL, get, api};
  return ly_request_make(r, &asker, NULL, info);
}

static const void *find(const VkDeviceCreateInfo *info, VkStructureType type) {
  const VkBaseInStructure *at = info->pNext;
  while (at && at->sType != type)
    at = at->pNext;
  return at;
}

/* ---- what is asked for ---- */

static void test_nothing_given(void **state) {
  (void)state;
  const VkPhysicalDeviceFeatures given = {.geometryShader = VK_TRUE};
  const VkDeviceCreateInfo info = {.pEnabledFeatures = &given};
  LyDeviceRequest r;
  const VkDeviceCreateInfo *asked = make(&r, VK_API_VERSION_1_2, &info);
  assert_null(r.refused);
  assert_true(r.fragments && !r.vertices && !r.extended);
  const VkPhysicalDeviceBufferDeviceAddressFeatures *address =
      find(asked, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
  assert_true(address && address->bufferDeviceAddress);
  assert_true(asked->pEnabledFeatures->geometryShader);
  assert_true(asked->pEnabledFeatures->fragmentStoresAndAtomics);
  assert_false(asked->pEnabledFeatures->vertexPipelineStoresAndAtomics);
  assert_false(given.fragmentStoresAndAtomics);
  assert_int_equal(asked->enabledExtensionCount, 0);
  ly_request_free(&r);
}

/* Structures of the application change in copies; what follows the last of them is its own. */
static void test_chain(void **state) {
  (void)state;
  VkPhysicalDeviceRobustness2FeaturesEXT last = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  VkPhysicalDeviceVulkan12Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
      .pNext = &last,
      .shaderInt8 = VK_TRUE};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                        .pNext = &core};
  VkPhysicalDeviceVulkan11Features first = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features};
  const VkDeviceCreateInfo info = {.pNext = &first};
  LyDeviceRequest r;
  const VkDeviceCreateInfo *asked = make(&r, VK_API_VERSION_1_3, &info);
  assert_null(r.refused);
  const VkPhysicalDeviceVulkan12Features *copy =
      find(asked, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  assert_true(copy != &core && copy->bufferDeviceAddress && copy->shaderInt8);
  assert_ptr_equal(copy->pNext, &last);
  assert_false(core.bufferDeviceAddress);
  const VkPhysicalDeviceFeatures2 *stores =
      find(asked, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  assert_true(stores != &features && stores->features.fragmentStoresAndAtomics);
  assert_null(asked->pEnabledFeatures);
  assert_null(find(asked, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES));
  ly_request_free(&r);
}

static void test_extension(void **state) {
  (void)state;
  const char *const own[] = {"VK_KHR_swapchain"};
  const VkDeviceCreateInfo info = {.enabledExtensionCount = 1, .ppEnabledExtensionNames = own};
  LyDeviceRequest r;
  const VkDeviceCreateInfo *asked = make(&r, VK_API_VERSION_1_1, &info);
  assert_true(r.extended);
  assert_int_equal(asked->enabledExtensionCount, 2);
  assert_string_equal(asked->ppEnabledExtensionNames[0], own[0]);
  assert_string_equal(asked->ppEnabledExtensionNames[1],
                      VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
  ly_request_free(&r);
}

/* ---- what is refused ---- */

static void refuses(uint32_t api, const VkDeviceCreateInfo *info, const char *why) {
  LyDeviceRequest r;
  assert_ptr_equal(make(&r, api, info), info);
  assert_non_null(r.refused);
  assert_non_null(strstr(r.refused, why));
  ly_request_free(&r);
}

static void test_refusals(void **state) {
  (void)state;
  const VkDeviceCreateInfo plain = {.pNext = NULL};
  refuses(0, &plain, "Vulkan 1.0");
  const char *const older[] = {VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
  const VkDeviceCreateInfo clash = {.enabledExtensionCount = 1, .ppEnabledExtensionNames = older};
  refuses(VK_API_VERSION_1_2, &clash, "VK_EXT_buffer_device_address");
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkBaseOutStructure unknown = {.sType = VK_STRUCTURE_TYPE_MAX_ENUM,
                                .pNext = (VkBaseOutStructure *)(void *)&features};
  const VkDeviceCreateInfo hidden = {.pNext = &unknown};
  refuses(VK_API_VERSION_1_2, &hidden, "a structure unknown to this layer");
  lists_extension = false;
  refuses(VK_API_VERSION_1_1, &plain, "no bufferDeviceAddress");
  has_addresses = false;
  refuses(VK_API_VERSION_1_3, &plain, "no bufferDeviceAddress");
  device_version = VK_API_VERSION_1_0;
  refuses(VK_API_VERSION_1_3, &plain, "Vulkan 1.0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_nothing_given, set_up),
      cmocka_unit_test_setup(test_chain, set_up),
      cmocka_unit_test_setup(test_extension, set_up),
      cmocka_unit_test_setup(test_refusals, set_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
