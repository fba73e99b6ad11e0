/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a device, without one: the size of its subgroups; each feature that a script may
 * name is switched on, and nothing else; each state of a pipeline asks for its feature; each limit
 * is compared at its value and one beyond it. The functions of the device are those of this file.
 */
#include "tests/unit/unit.h"

#include "harness/vulkan/vk_newer.h"
#include "harness/vulkan/vk_scene.h"
#include "harness/vulkan/vk_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device ------------------------------------------------------------------------------ */

static struct {
  const char *lists;        /* the only extension of the device, or NULL */
  VkStructureType lacks_in; /* the struct with the member that the device lacks */
  size_t lacks;             /* offset of that member in the struct; 0: nothing is lacking */
} fake;

static VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical, const char *layer,
                                           uint32_t *count, VkExtensionProperties *properties) {
  (void)physical;
  (void)layer;
  *count = fake.lists != NULL;
  if (properties && fake.lists)
    snprintf(properties->extensionName, sizeof properties->extensionName, "%s", fake.lists);
  return VK_SUCCESS;
}

static const struct {
  uint32_t group;
  VkStructureType type;
  const char *name;
  size_t size;
  uint32_t core;
  const char *extension;
} groups[] = {
    {VH_GROUP_CORE, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, "",
     sizeof(VkPhysicalDeviceFeatures2), VK_API_VERSION_1_0, NULL},
#define VH_FEATURES(id, type, stype, name, core, extension)                                        \
  {VH_GROUP_##id, stype, name, sizeof(type), core, extension},
#include "harness/vulkan/vk_features.def"
};

static const struct {
  uint32_t group;
  const char *member;
  size_t offset;
} features[] = {
#define VH_FEATURE(id, type, member) {VH_GROUP_##id, #member, offsetof(type, member)},
#include "harness/vulkan/vk_features.def"
};

enum { FEATURES = sizeof features / sizeof *features, MOST_NAME = 200 };

static size_t size_of(VkStructureType type) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (groups[i].type == type)
      return groups[i].size;
  fail_msg("the struct %d is not in the table", (int)type);
  return 0;
}

static void VKAPI_CALL have_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *first) {
  (void)physical;
  for (VkBaseOutStructure *s = (VkBaseOutStructure *)first; s; s = s->pNext) {
    size_t head = sizeof *s;
    VkBool32 *flags = (VkBool32 *)((char *)s + head);
    for (size_t i = 0; i < (size_of(s->sType) - head) / sizeof *flags; i++)
      flags[i] = VK_TRUE;
    if (fake.lacks && s->sType == fake.lacks_in)
      *(VkBool32 *)((char *)s + fake.lacks) = VK_FALSE;
  }
}

/* ---- features that a script names ------------------------------------------------------------ */

static void feature_name(size_t i, char name[MOST_NAME]) {
  const char *member = features[i].member, *dot = strchr(member, '.');
  if (features[i].group == VH_GROUP_CORE)
    snprintf(name, MOST_NAME, "%s", dot + 1);
  else
    snprintf(name, MOST_NAME, "%s.%s", groups[features[i].group].name, member);
}

typedef struct Chosen {
  bool good;
  VhNames extensions;
  VhFeatures features;
  VhError error;
} Chosen;

static Chosen choose(const char *name, uint32_t version) {
  VhFuncs vk = {.EnumerateDeviceExtensionProperties = list_extensions,
                .GetPhysicalDeviceFeatures2 = have_features};
  AmberRequirement item = {.name = name, .line = 7};
  const AmberRequirements wanted = {&item, 1};
  Chosen c = {0};
  c.good = vh_features_choose(&vk, NULL, version, &wanted, &c.extensions, &c.features, &c.error);
  return c;
}

static void drop(Chosen *c) {
  vh_names_clear(&c->extensions);
  vh_features_clear(&c->features);
  vh_error_clear(&c->error);
}

/* Every flag of the chain that is on. */
static uint32_t count_on(const VhFeatures *chosen) {
  uint32_t on = 0;
  for (const VkBaseOutStructure *s = chosen->groups[VH_GROUP_CORE]; s; s = s->pNext) {
    const VkBool32 *flags = (const VkBool32 *)((const char *)s + sizeof *s);
    for (size_t i = 0; i < (size_of(s->sType) - sizeof *s) / sizeof *flags; i++)
      on += flags[i] != 0;
  }
  return on;
}

static void a_feature_is_on_alone(void **state) {
  (void)state;
  for (size_t i = 0; i < FEATURES; i++) {
    char name[MOST_NAME];
    feature_name(i, name);
    fake.lists = groups[features[i].group].extension;
    fake.lacks = 0;
    Chosen c = choose(name, VK_API_VERSION_1_3);
    const char *group = c.features.groups[features[i].group];
    if (!c.good || !group || !*(const VkBool32 *)(group + features[i].offset) ||
        count_on(&c.features) != 1)
      fail_msg("%s: %u flags are on", name, c.good ? count_on(&c.features) : 0);
    drop(&c);
    fake.lacks_in = groups[features[i].group].type;
    fake.lacks = features[i].offset;
    c = choose(name, VK_API_VERSION_1_3);
    assert_false(c.good);
    assert_int_equal(c.error.outcome, HN_SKIP);
    assert_non_null(strstr(c.error.text, name));
    drop(&c);
  }
}

/* In the version of Vulkan whose core has a struct, the struct's extension need not exist; in an
 * older one it must. */
static void before_the_core_an_extension_has_it(void **state) {
  (void)state;
  fake.lacks = 0;
  for (size_t i = 0; i < FEATURES; i++) {
    uint32_t core = groups[features[i].group].core;
    const char *extension = groups[features[i].group].extension;
    char name[MOST_NAME];
    feature_name(i, name);
    fake.lists = NULL;
    Chosen c = choose(name, core ? core : VK_API_VERSION_1_3);
    if (c.good != (core != 0) || c.extensions.count)
      fail_msg("%s: %s", name, c.good ? "an extension is asked for" : "an extension is missing");
    drop(&c);
    if (!extension || core == VK_API_VERSION_1_0)
      continue;
    uint32_t before = core ? core - VK_MAKE_API_VERSION(0, 0, 1, 0) : VK_API_VERSION_1_3;
    c = choose(name, before);
    if (c.good || c.error.outcome != HN_SKIP || !strstr(c.error.text, extension))
      fail_msg("%s before its core: %s", name, c.good ? "no extension" : c.error.text);
    drop(&c);
    fake.lists = extension;
    c = choose(name, before);
    if (!c.good || c.extensions.count != 1 || strcmp(c.extensions.items[0], extension) != 0)
      fail_msg("%s: %u extensions", name, c.extensions.count);
    drop(&c);
  }
}

/* ---- features that a pipeline needs ---------------------------------------------------------- */

typedef struct Case {
  AmberAttachedShader shader;
  AmberPipeline pipeline;
  EmuField index;
  AmberBuffer buffer;
} Case;

static void make(Case *c) {
  *c = (Case){.shader = {.stage = AMBER_VERTEX},
              .index = {.bits = 32},
              .pipeline = {.graphics = true,
                           .shader_count = 1,
                           .push_constant = AMBER_NONE,
                           .depth_stencil = AMBER_NONE,
                           .index_buffer = AMBER_NONE,
                           .raster.line_width = 1}};
  c->pipeline.shaders = &c->shader;
  c->buffer.layout.fields = &c->index;
}

/* The only feature that the case needs, "" if none; several are joined by commas. */
static void needs(Case *c, const char *feature, const char *what) {
  AmberScript script = {
      .buffers = &c->buffer, .buffer_count = 1, .pipelines = &c->pipeline, .pipeline_count = 1};
  AmberRequirements wanted;
  VhError error = {0};
  char names[512] = "";
  assert_true(vh_features_wanted(&script, &wanted, &error));
  for (uint32_t i = 0; i < wanted.count; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? "," : "",
             wanted.items[i].name);
  if (strcmp(names, feature) != 0)
    fail_msg("%s needs '%s', not '%s'", what, names, feature);
  free(wanted.items);
}

#define NEEDS(feature, change)                                                                     \
  do {                                                                                             \
    Case c;                                                                                        \
    make(&c);                                                                                      \
    change;                                                                                        \
    needs(&c, feature, #change);                                                                   \
  } while (0)

static void a_state_needs_its_feature(void **state) {
  (void)state;
  NEEDS("", (void)0);
  NEEDS("tessellationShader", c.shader.stage = AMBER_TESSELLATION_CONTROL);
  NEEDS("tessellationShader", c.shader.stage = AMBER_TESSELLATION_EVALUATION);
  NEEDS("geometryShader", c.shader.stage = AMBER_GEOMETRY);
  NEEDS("", c.shader.stage = AMBER_FRAGMENT);
  NEEDS("SubgroupSizeControl.subgroupSizeControl", c.shader.varying_size = true);
  NEEDS("SubgroupSizeControl.subgroupSizeControl", c.shader.required_size = AMBER_SUBGROUP_EXACT);
  NEEDS("SubgroupSizeControl.subgroupSizeControl", c.shader.required_size = AMBER_SUBGROUP_MIN);
  NEEDS("SubgroupSizeControl.subgroupSizeControl", c.shader.required_size = AMBER_SUBGROUP_MAX);
  NEEDS("SubgroupSizeControl.computeFullSubgroups", c.shader.fully_populated = true);
  NEEDS("fillModeNonSolid", c.pipeline.raster.polygon_mode = VK_POLYGON_MODE_LINE);
  NEEDS("fillModeNonSolid", c.pipeline.raster.polygon_mode = VK_POLYGON_MODE_POINT);
  NEEDS("depthClamp", c.pipeline.raster.depth.clamp = true);
  NEEDS("depthBounds", c.pipeline.raster.depth.bounds_test = true);
  NEEDS("", c.pipeline.raster.depth.bias = true);
  NEEDS("", c.pipeline.raster.depth.bias_clamp = 1);
  NEEDS("depthBiasClamp", c.pipeline.raster.depth.bias = true;
        c.pipeline.raster.depth.bias_clamp = 1);
  NEEDS("wideLines", c.pipeline.raster.line_width = 2);
  NEEDS("logicOp", c.pipeline.raster.logic_op_enabled = true);
  NEEDS("", c.pipeline.index_buffer = 0);
  NEEDS("IndexTypeUint8Features.indexTypeUint8", c.pipeline.index_buffer = 0; c.index.bits = 8);
  NEEDS("", c.pipeline.index_buffer = 0; c.index.bits = 16);
  NEEDS("", c.pipeline.graphics = false; c.pipeline.raster.depth.clamp = true);
}

/* Each factor of each of the four places. */
static void a_second_source_needs_its_feature(void **state) {
  (void)state;
  for (uint32_t factor = VK_BLEND_FACTOR_ZERO; factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
       factor++)
    for (int place = 0; place < 4; place++)
      for (int enabled = 0; enabled < 2; enabled++) {
        bool second = factor == VK_BLEND_FACTOR_SRC1_COLOR ||
                      factor == VK_BLEND_FACTOR_SRC1_ALPHA ||
                      factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR ||
                      factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
        Case c;
        make(&c);
        EmuBlendState *blend = &c.pipeline.raster.blend;
        uint32_t *factors[] = {&blend->src_color_factor, &blend->dst_color_factor,
                               &blend->src_alpha_factor, &blend->dst_alpha_factor};
        blend->enabled = enabled;
        *factors[place] = factor;
        char what[64];
        snprintf(what, sizeof what, "factor %u at place %d", factor, place);
        needs(&c, enabled && second ? "dualSrcBlend" : "", what);
      }
}

/* ---- limits ---------------------------------------------------------------------------------- */

enum { LIMIT = 64, MOST_BINDINGS = 65536 };

typedef struct Scene {
  AmberDescriptor descriptor;
  AmberBinding binding;
  AmberVertexInput inputs[LIMIT + 1];
  AmberAttachment color;
  AmberAttachedShader shader;
  AmberBuffer buffer;
  AmberPipeline pipeline;
  AmberCommand command;
} Scene;

static VkFormatFeatureFlags format_features;

static void VKAPI_CALL have_format(VkPhysicalDevice physical, VkFormat format,
                                   VkFormatProperties *properties) {
  (void)physical;
  (void)format;
  *properties = (VkFormatProperties){format_features, format_features, format_features};
}

static void make_scene(Scene *s) {
  memset(s, 0, sizeof *s);
  s->descriptor = (AmberDescriptor){.range = 4};
  s->binding = (AmberBinding){.kind = AMBER_BIND_STORAGE, .descriptor_count = 1};
  s->binding.descriptors = &s->descriptor;
  s->buffer = (AmberBuffer){.layout.stride = 4, .size = 4};
  s->buffer.format = emu_format_find("R32_UINT");
  s->shader.stage = AMBER_VERTEX;
  for (uint32_t i = 0; i <= LIMIT; i++)
    s->inputs[i].format = s->buffer.format;
  s->pipeline = (AmberPipeline){.graphics = true,
                                .shader_count = 1,
                                .binding_count = 1,
                                .color_count = 1,
                                .vertex_input_count = 1,
                                .push_constant = AMBER_NONE,
                                .raster.width = 1,
                                .raster.height = 1};
  s->pipeline.shaders = &s->shader;
  s->pipeline.bindings = &s->binding;
  s->pipeline.colors = &s->color;
  s->pipeline.vertex_inputs = s->inputs;
  s->command = (AmberCommand){.kind = AMBER_RUN_COMPUTE, .run = {1, 1, 1}};
}

/* True: the device takes it; else *why is to be freed. */
static bool fits(Scene *s, VkPhysicalDeviceLimits limits, char **why) {
  VhDevice device = {.vk.GetPhysicalDeviceFormatProperties = have_format};
  AmberScript script = {.buffers = &s->buffer,
                        .buffer_count = 1,
                        .pipelines = &s->pipeline,
                        .pipeline_count = 1,
                        .commands = &s->command,
                        .command_count = 1};
  device.properties.limits = limits;
  bool good = vh_limits_check(&device, &script);
  assert_int_equal(vh_error_take(&device.error, why), good ? HN_PASS : HN_SKIP);
  return good;
}

static VkPhysicalDeviceLimits wide_limits(void) {
  return (VkPhysicalDeviceLimits){.maxUniformBufferRange = 1000,
                                  .maxStorageBufferRange = 1000,
                                  .maxTexelBufferElements = 1000,
                                  .minUniformBufferOffsetAlignment = 1,
                                  .minStorageBufferOffsetAlignment = 1,
                                  .minTexelBufferOffsetAlignment = 1,
                                  .maxBoundDescriptorSets = 1000,
                                  .maxVertexInputBindings = 1000,
                                  .maxVertexInputAttributes = 1000,
                                  .maxVertexInputBindingStride = 1000,
                                  .maxFramebufferWidth = 1000,
                                  .maxFramebufferHeight = 1000,
                                  .maxTessellationPatchSize = 1000,
                                  .maxColorAttachments = 1000,
                                  .maxPushConstantsSize = 1000,
                                  .maxComputeWorkGroupCount = {1000, 1000, 1000}};
}

/* With the limit at LIMIT, `change` sets the thing to x: LIMIT passes; LIMIT + 1 is too much. */
#define AT_MOST(limit, most, what, change)                                                         \
  for (uint32_t beyond = 0; beyond < 2; beyond++) {                                                \
    uint32_t x = (most) + beyond;                                                                  \
    VkPhysicalDeviceLimits limits = wide_limits();                                                 \
    limits.limit = LIMIT;                                                                          \
    make_scene(&s);                                                                                \
    change;                                                                                        \
    bool good = fits(&s, limits, &why);                                                            \
    if (good != !beyond || (!good && !strstr(why, what)))                                          \
      fail_msg(#limit ": %u: %s", x, good ? "fits" : why);                                         \
    free(why);                                                                                     \
  }

static void a_limit_is_the_largest_that_fits(void **state) {
  (void)state;
  Scene s;
  char *why = NULL;
  format_features = UINT32_MAX;
  make_scene(&s);
  assert_true(fits(&s, wide_limits(), &why));
  AT_MOST(maxBoundDescriptorSets, LIMIT - 1, "the descriptor set", s.binding.set = x);
  AT_MOST(maxBoundDescriptorSets, MOST_BINDINGS - 1, "the binding", s.binding.binding = x);
  AT_MOST(maxStorageBufferRange, LIMIT, "the storage buffer's size", s.descriptor.range = x);
  AT_MOST(maxStorageBufferRange, LIMIT, "the storage buffer's size", s.descriptor.range = x;
          s.binding.kind = AMBER_BIND_STORAGE_DYNAMIC);
  AT_MOST(maxUniformBufferRange, LIMIT, "the uniform buffer's size", s.descriptor.range = x;
          s.binding.kind = AMBER_BIND_UNIFORM);
  AT_MOST(maxUniformBufferRange, LIMIT, "the uniform buffer's size", s.descriptor.range = x;
          s.binding.kind = AMBER_BIND_UNIFORM_DYNAMIC);
  AT_MOST(maxTexelBufferElements, LIMIT, "the texel buffer's length", s.descriptor.range = 4 * x;
          s.binding.kind = AMBER_BIND_STORAGE_TEXEL_BUFFER);
  AT_MOST(maxTexelBufferElements, LIMIT, "the texel buffer's length", s.descriptor.range = 4 * x;
          s.binding.kind = AMBER_BIND_UNIFORM_TEXEL_BUFFER);
  AT_MOST(minStorageBufferOffsetAlignment, LIMIT, "alignment", s.descriptor.offset = x);
  AT_MOST(minStorageBufferOffsetAlignment, LIMIT, "alignment", s.descriptor.dynamic_offset = x);
  AT_MOST(minUniformBufferOffsetAlignment, LIMIT, "alignment", s.descriptor.offset = x;
          s.binding.kind = AMBER_BIND_UNIFORM);
  AT_MOST(minTexelBufferOffsetAlignment, LIMIT, "alignment", s.descriptor.offset = x;
          s.binding.kind = AMBER_BIND_UNIFORM_TEXEL_BUFFER);
  AT_MOST(maxVertexInputBindings, LIMIT, "the number of vertex inputs",
          s.pipeline.vertex_input_count = x);
  AT_MOST(maxVertexInputAttributes, LIMIT - 1, "the vertex input's location",
          s.inputs[0].location = x);
  AT_MOST(maxVertexInputBindingStride, LIMIT, "the vertex input's stride", s.inputs[0].stride = x);
  AT_MOST(maxFramebufferWidth, LIMIT, "width", s.pipeline.raster.width = x);
  AT_MOST(maxFramebufferHeight, LIMIT, "height", s.pipeline.raster.height = x);
  AT_MOST(maxTessellationPatchSize, LIMIT, "patch control points",
          s.pipeline.raster.patch_control_points = x;
          s.shader.stage = AMBER_TESSELLATION_CONTROL);
  AT_MOST(maxColorAttachments, LIMIT - 1, "the colour's location", s.color.location = x);
  AT_MOST(maxPushConstantsSize, LIMIT, "the push constants' size", s.pipeline.push_constant = 0;
          s.buffer.size = x);
  AT_MOST(maxComputeWorkGroupCount[0], LIMIT, "workgroups in x", s.command.run.x = x);
  AT_MOST(maxComputeWorkGroupCount[1], LIMIT, "workgroups in y", s.command.run.y = x);
  AT_MOST(maxComputeWorkGroupCount[2], LIMIT, "workgroups in z", s.command.run.z = x);
}

/* Every format of vertices must be readable; only formats of colours that are blended must support
 * blending. */
static void formats_are_asked_for(void **state) {
  (void)state;
  const VkFormatFeatureFlags vertex = VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT,
                             blend = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  for (int blends = 0; blends < 2; blends++)
    for (int has = 0; has < 4; has++) {
      Scene s;
      char *why;
      make_scene(&s);
      s.pipeline.raster.blend.enabled = blends;
      format_features = (has & 1 ? vertex : 0) | (has & 2 ? blend : 0);
      assert_int_equal(fits(&s, wide_limits(), &why), has & 1 && (!blends || has & 2));
      free(why);
    }
}

/* ---- stages ---------------------------------------------------------------------------------- */

enum { LEAST_LANES = 8, MOST_LANES = 64 };

static void VKAPI_CALL have_sizes(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *first) {
  (void)physical;
  VkPhysicalDeviceSubgroupSizeControlProperties *sizes = first->pNext;
  assert_int_equal(sizes->sType,
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  sizes->minSubgroupSize = LEAST_LANES;
  sizes->maxSubgroupSize = MOST_LANES;
  sizes->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
}

static VkResult VKAPI_CALL make_module(VkDevice device, const VkShaderModuleCreateInfo *info,
                                       const VkAllocationCallbacks *allocator,
                                       VkShaderModule *module) {
  (void)device;
  (void)info;
  (void)allocator;
  *module = VK_NULL_HANDLE;
  return VK_SUCCESS;
}

/* The size that the stage requires, 0: none, UINT32_MAX: the device is said not to have it. */
static uint32_t size_of_stage(const AmberAttachedShader *attached,
                              VkPipelineShaderStageCreateFlags *flags) {
  AmberShader shader = {.name = "s"};
  AmberAttachedShader copy = *attached;
  AmberPipeline pipeline = {.shaders = &copy, .shader_count = 1};
  const AmberScript script = {.shaders = &shader, .shader_count = 1};
  uint32_t words[] = {0, 0x10000, 0, 0, 0};
  const HnModule module = {.words = words, .count = 5};
  VkShaderModule handle = VK_NULL_HANDLE;
  VhDevice device = {
      .vk = {.GetPhysicalDeviceProperties2 = have_sizes, .CreateShaderModule = make_module}};
  VhStages stages = {0};
  uint32_t size = UINT32_MAX;
  if (vh_stages_create(&device, &script, &pipeline, &module, &handle, &stages)) {
    const VhRequiredSize *required = stages.infos[0].pNext;
    size = required ? required->requiredSubgroupSize : 0;
    *flags = stages.infos[0].flags;
  } else {
    assert_int_equal(device.error.outcome, HN_SKIP);
  }
  vh_stages_destroy(&stages);
  vh_error_clear(&device.error);
  return size;
}

static void a_stage_has_the_size_that_is_asked_for(void **state) {
  (void)state;
  static const struct {
    AmberStage stage;
    AmberSubgroupSize kind;
    uint32_t asked, size;
  } cases[] = {
      {AMBER_COMPUTE, AMBER_SUBGROUP_ANY, 0, 0},
      {AMBER_VERTEX, AMBER_SUBGROUP_ANY, 0, 0},
      {AMBER_COMPUTE, AMBER_SUBGROUP_MIN, 0, LEAST_LANES},
      {AMBER_COMPUTE, AMBER_SUBGROUP_MAX, 0, MOST_LANES},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, LEAST_LANES, LEAST_LANES},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, 16, 16},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, MOST_LANES, MOST_LANES},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, LEAST_LANES / 2, UINT32_MAX},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, MOST_LANES * 2, UINT32_MAX},
      {AMBER_COMPUTE, AMBER_SUBGROUP_EXACT, 24, UINT32_MAX},
      {AMBER_VERTEX, AMBER_SUBGROUP_MIN, 0, UINT32_MAX},
      {AMBER_FRAGMENT, AMBER_SUBGROUP_EXACT, 16, UINT32_MAX},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int varying = 0; varying < 2; varying++)
      for (int full = 0; full < 2; full++) {
        const AmberAttachedShader shader = {.stage = cases[i].stage,
                                            .entry_point = (char[]){"main"},
                                            .required_size = cases[i].kind,
                                            .subgroup_size = cases[i].asked,
                                            .varying_size = varying,
                                            .fully_populated = full};
        VkPipelineShaderStageCreateFlags flags = 0, wanted = 0;
        assert_int_equal(size_of_stage(&shader, &flags), cases[i].size);
        if (varying && cases[i].kind == AMBER_SUBGROUP_ANY)
          wanted |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
        if (full)
          wanted |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
        assert_int_equal(flags, cases[i].size == UINT32_MAX ? 0 : wanted);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_feature_is_on_alone),
      cmocka_unit_test(before_the_core_an_extension_has_it),
      cmocka_unit_test(a_state_needs_its_feature),
      cmocka_unit_test(a_second_source_needs_its_feature),
      cmocka_unit_test(a_limit_is_the_largest_that_fits),
      cmocka_unit_test(formats_are_asked_for),
      cmocka_unit_test(a_stage_has_the_size_that_is_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
