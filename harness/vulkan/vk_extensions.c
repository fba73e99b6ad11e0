/* SPDX-License-Identifier: Apache-2.0 */
/* vk_extensions: see vk_extensions.h. */
#include "harness/vulkan/vk_extensions.h"

#include <stdlib.h>
#include <string.h>

/* Extensions that became part of core Vulkan, with the version. */
static const struct {
  const char *name;
  uint32_t version;
} promoted[] = {
    {"VK_KHR_16bit_storage", VK_API_VERSION_1_1},
    {"VK_KHR_bind_memory2", VK_API_VERSION_1_1},
    {"VK_KHR_dedicated_allocation", VK_API_VERSION_1_1},
    {"VK_KHR_descriptor_update_template", VK_API_VERSION_1_1},
    {"VK_KHR_device_group", VK_API_VERSION_1_1},
    {"VK_KHR_device_group_creation", VK_API_VERSION_1_1},
    {"VK_KHR_external_fence", VK_API_VERSION_1_1},
    {"VK_KHR_external_fence_capabilities", VK_API_VERSION_1_1},
    {"VK_KHR_external_memory", VK_API_VERSION_1_1},
    {"VK_KHR_external_memory_capabilities", VK_API_VERSION_1_1},
    {"VK_KHR_external_semaphore", VK_API_VERSION_1_1},
    {"VK_KHR_external_semaphore_capabilities", VK_API_VERSION_1_1},
    {"VK_KHR_get_memory_requirements2", VK_API_VERSION_1_1},
    {"VK_KHR_get_physical_device_properties2", VK_API_VERSION_1_1},
    {"VK_KHR_maintenance1", VK_API_VERSION_1_1},
    {"VK_KHR_maintenance2", VK_API_VERSION_1_1},
    {"VK_KHR_maintenance3", VK_API_VERSION_1_1},
    {"VK_KHR_multiview", VK_API_VERSION_1_1},
    {"VK_KHR_relaxed_block_layout", VK_API_VERSION_1_1},
    {"VK_KHR_sampler_ycbcr_conversion", VK_API_VERSION_1_1},
    {"VK_KHR_shader_draw_parameters", VK_API_VERSION_1_1},
    {"VK_KHR_storage_buffer_storage_class", VK_API_VERSION_1_1},
    {"VK_KHR_variable_pointers", VK_API_VERSION_1_1},
    {"VK_EXT_descriptor_indexing", VK_API_VERSION_1_2},
    {"VK_EXT_host_query_reset", VK_API_VERSION_1_2},
    {"VK_EXT_sampler_filter_minmax", VK_API_VERSION_1_2},
    {"VK_EXT_scalar_block_layout", VK_API_VERSION_1_2},
    {"VK_EXT_separate_stencil_usage", VK_API_VERSION_1_2},
    {"VK_EXT_shader_viewport_index_layer", VK_API_VERSION_1_2},
    {"VK_KHR_8bit_storage", VK_API_VERSION_1_2},
    {"VK_KHR_buffer_device_address", VK_API_VERSION_1_2},
    {"VK_KHR_create_renderpass2", VK_API_VERSION_1_2},
    {"VK_KHR_depth_stencil_resolve", VK_API_VERSION_1_2},
    {"VK_KHR_draw_indirect_count", VK_API_VERSION_1_2},
    {"VK_KHR_driver_properties", VK_API_VERSION_1_2},
    {"VK_KHR_image_format_list", VK_API_VERSION_1_2},
    {"VK_KHR_imageless_framebuffer", VK_API_VERSION_1_2},
    {"VK_KHR_sampler_mirror_clamp_to_edge", VK_API_VERSION_1_2},
    {"VK_KHR_separate_depth_stencil_layouts", VK_API_VERSION_1_2},
    {"VK_KHR_shader_atomic_int64", VK_API_VERSION_1_2},
    {"VK_KHR_shader_float16_int8", VK_API_VERSION_1_2},
    {"VK_KHR_shader_float_controls", VK_API_VERSION_1_2},
    {"VK_KHR_shader_subgroup_extended_types", VK_API_VERSION_1_2},
    {"VK_KHR_spirv_1_4", VK_API_VERSION_1_2},
    {"VK_KHR_timeline_semaphore", VK_API_VERSION_1_2},
    {"VK_KHR_uniform_buffer_standard_layout", VK_API_VERSION_1_2},
    {"VK_KHR_vulkan_memory_model", VK_API_VERSION_1_2},
    {"VK_EXT_4444_formats", VK_API_VERSION_1_3},
    {"VK_EXT_extended_dynamic_state", VK_API_VERSION_1_3},
    {"VK_EXT_extended_dynamic_state2", VK_API_VERSION_1_3},
    {"VK_EXT_image_robustness", VK_API_VERSION_1_3},
    {"VK_EXT_inline_uniform_block", VK_API_VERSION_1_3},
    {"VK_EXT_pipeline_creation_cache_control", VK_API_VERSION_1_3},
    {"VK_EXT_pipeline_creation_feedback", VK_API_VERSION_1_3},
    {"VK_EXT_private_data", VK_API_VERSION_1_3},
    {"VK_EXT_shader_demote_to_helper_invocation", VK_API_VERSION_1_3},
    {"VK_EXT_subgroup_size_control", VK_API_VERSION_1_3},
    {"VK_EXT_texel_buffer_alignment", VK_API_VERSION_1_3},
    {"VK_EXT_texture_compression_astc_hdr", VK_API_VERSION_1_3},
    {"VK_EXT_tooling_info", VK_API_VERSION_1_3},
    {"VK_EXT_ycbcr_2plane_444_formats", VK_API_VERSION_1_3},
    {"VK_KHR_copy_commands2", VK_API_VERSION_1_3},
    {"VK_KHR_dynamic_rendering", VK_API_VERSION_1_3},
    {"VK_KHR_format_feature_flags2", VK_API_VERSION_1_3},
    {"VK_KHR_maintenance4", VK_API_VERSION_1_3},
    {"VK_KHR_shader_integer_dot_product", VK_API_VERSION_1_3},
    {"VK_KHR_shader_non_semantic_info", VK_API_VERSION_1_3},
    {"VK_KHR_shader_terminate_invocation", VK_API_VERSION_1_3},
    {"VK_KHR_synchronization2", VK_API_VERSION_1_3},
    {"VK_KHR_zero_initialize_workgroup_memory", VK_API_VERSION_1_3},
};

bool vh_names_add(VhNames *names, const char *name, VhError *error) {
  for (uint32_t i = 0; i < names->count; i++)
    if (!strcmp(names->items[i], name))
      return true;
  const char **items = realloc(names->items, (names->count + 1) * sizeof *items);
  if (!items)
    return vh_out_of_memory(error);
  names->items = items;
  names->items[names->count++] = name;
  return true;
}

void vh_names_clear(VhNames *names) {
  free(names->items);
  *names = (VhNames){0};
}

static bool in_core(const char *name, uint32_t api_version) {
  for (size_t i = 0; i < sizeof promoted / sizeof *promoted; i++)
    if (!strcmp(promoted[i].name, name))
      return promoted[i].version <= api_version;
  return false;
}

bool vh_instance_extensions(const AmberScript *script, VhNames *names, VhError *error) {
  for (uint32_t i = 0; i < script->instance_extensions.count; i++) {
    const char *name = script->instance_extensions.items[i].name;
    if (!in_core(name, VK_API_VERSION_1_1) && !vh_names_add(names, name, error))
      return false;
  }
  return true;
}

static bool lists(const VkExtensionProperties *offered, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(offered[i].extensionName, name))
      return true;
  return false;
}

bool vh_instance_extensions_missing(const VhFuncs *vk, const VhNames *names, VhError *error) {
  uint32_t count = 0;
  if (!vh_check(error, vk->EnumerateInstanceExtensionProperties(NULL, &count, NULL),
                "vkEnumerateInstanceExtensionProperties"))
    return false;
  VkExtensionProperties *offered = calloc(count + 1, sizeof *offered);
  if (!offered)
    return vh_out_of_memory(error);
  if (vh_check(error, vk->EnumerateInstanceExtensionProperties(NULL, &count, offered),
               "vkEnumerateInstanceExtensionProperties"))
    for (uint32_t i = 0; i < names->count; i++)
      if (!lists(offered, count, names->items[i]))
        vh_fail(error, HN_SKIP, "there is no instance extension %s", names->items[i]);
  free(offered);
  return false;
}

/* Does the device list the extension? */
static bool device_lists(const VhFuncs *vk, VkPhysicalDevice physical, const char *name,
                         bool *found, VhError *error) {
  uint32_t count = 0;
  *found = false;
  if (!vh_check(error, vk->EnumerateDeviceExtensionProperties(physical, NULL, &count, NULL),
                "vkEnumerateDeviceExtensionProperties"))
    return false;
  VkExtensionProperties *offered = calloc(count + 1, sizeof *offered);
  if (!offered)
    return vh_out_of_memory(error);
  bool done =
      vh_check(error, vk->EnumerateDeviceExtensionProperties(physical, NULL, &count, offered),
               "vkEnumerateDeviceExtensionProperties");
  *found = done && lists(offered, count, name);
  free(offered);
  return done;
}

bool vh_device_extension(const VhFuncs *vk, VkPhysicalDevice physical, uint32_t api_version,
                         const AmberRequirement *wanted, VhNames *names, VhError *error) {
  bool found;
  if (!device_lists(vk, physical, wanted->name, &found, error))
    return false;
  if (found)
    return vh_names_add(names, wanted->name, error);
  if (in_core(wanted->name, api_version))
    return true;
  return vh_fail(error, HN_SKIP, "line %u: the device lacks the extension %s", wanted->line,
                 wanted->name);
}
