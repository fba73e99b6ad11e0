/* SPDX-License-Identifier: Apache-2.0 */
/* vk_wanted: the features that a script names or implies; see vk_features.h.
 *
 * A script implies the features of the fixed functions and stages that its pipelines use. As in
 * google/amber, a script has to name the features that the capabilities of its shaders need. */
#include "harness/vulkan/vk_features.h"

#include <stdlib.h>
#include <string.h>

typedef struct Wanted {
  AmberRequirements list;
  uint32_t capacity;
  VhError *error;
} Wanted;

static bool add(Wanted *wanted, const AmberRequirement *item) {
  if (wanted->list.count == wanted->capacity) {
    uint32_t capacity = wanted->capacity ? 2 * wanted->capacity : 16;
    AmberRequirement *items = realloc(wanted->list.items, capacity * sizeof *items);
    if (!items)
      return vh_out_of_memory(wanted->error);
    wanted->list.items = items;
    wanted->capacity = capacity;
  }
  wanted->list.items[wanted->list.count++] = *item;
  return true;
}

static bool want(Wanted *wanted, bool condition, const char *name, uint32_t line) {
  return !condition || add(wanted, &(AmberRequirement){.name = name, .line = line});
}

static bool are_properties(Wanted *wanted, const AmberRequirements *properties) {
  for (uint32_t i = 0; i < properties->count; i++)
    if (!vh_property_known(properties->items[i].name))
      return vh_fail(wanted->error, HN_FAIL, "line %u: there is no such device property (at '%s')",
                     properties->items[i].line, properties->items[i].name);
  return true;
}

static bool spelled_out(Wanted *wanted, const AmberRequirements *features) {
  for (uint32_t i = 0; i < features->count; i++)
    if (!add(wanted, &features->items[i]))
      return false;
  return true;
}

/* Adds the features that Vulkan requires for those already required. */
static bool needed_by_others(Wanted *wanted, const AmberRequirements *features) {
  for (uint32_t i = 0; i < features->count; i++)
    if (!want(wanted,
              amber_requires(&features->items[i], "VariablePointerFeatures.variablePointers"),
              "VariablePointerFeatures.variablePointersStorageBuffer", features->items[i].line))
      return false;
  return true;
}

static bool needed_by_stage(Wanted *wanted, const AmberAttachedShader *shader) {
  bool tessellation =
      shader->stage == AMBER_TESSELLATION_CONTROL || shader->stage == AMBER_TESSELLATION_EVALUATION;
  bool sized = shader->varying_size || shader->required_size != AMBER_SUBGROUP_ANY;
  return want(wanted, tessellation, "tessellationShader", shader->line) &&
         want(wanted, shader->stage == AMBER_GEOMETRY, "geometryShader", shader->line) &&
         want(wanted, sized, "SubgroupSizeControl.subgroupSizeControl", shader->line) &&
         want(wanted, shader->fully_populated, "SubgroupSizeControl.computeFullSubgroups",
              shader->line);
}

static bool is_second_source(uint32_t factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

static bool needed_by_fixed_functions(Wanted *wanted, const AmberScript *script,
                                      const AmberPipeline *pipeline) {
  const EmuDepthState *depth = &pipeline->raster.depth;
  const EmuBlendState *blend = &pipeline->raster.blend;
  bool dual =
      is_second_source(blend->src_color_factor) || is_second_source(blend->dst_color_factor) ||
      is_second_source(blend->src_alpha_factor) || is_second_source(blend->dst_alpha_factor);
  bool small_index = pipeline->index_buffer != AMBER_NONE &&
                     script->buffers[pipeline->index_buffer].layout.fields[0].bits == 8;
  return want(wanted, pipeline->raster.polygon_mode != VK_POLYGON_MODE_FILL, "fillModeNonSolid",
              pipeline->line) &&
         want(wanted, depth->clamp, "depthClamp", pipeline->line) &&
         want(wanted, depth->bounds_test, "depthBounds", pipeline->line) &&
         want(wanted, depth->bias && depth->bias_clamp != 0, "depthBiasClamp", pipeline->line) &&
         want(wanted, blend->enabled && dual, "dualSrcBlend", pipeline->line) &&
         want(wanted, pipeline->raster.line_width != 1, "wideLines", pipeline->line) &&
         want(wanted, pipeline->raster.logic_op_enabled, "logicOp", pipeline->line) &&
         want(wanted, pipeline->raster.negative_one_to_one,
              "DepthClipControlFeatures.depthClipControl", pipeline->line) &&
         want(wanted, pipeline->raster.provoking_last,
              "ProvokingVertexFeatures.provokingVertexLast", pipeline->line) &&
         want(wanted, small_index, "IndexTypeUint8Features.indexTypeUint8", pipeline->line);
}

static bool needed_by_pipeline(Wanted *wanted, const AmberScript *script,
                               const AmberPipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    if (!needed_by_stage(wanted, &pipeline->shaders[i]))
      return false;
  return !pipeline->graphics || needed_by_fixed_functions(wanted, script, pipeline);
}

bool vh_features_wanted(const AmberScript *script, AmberRequirements *wanted, VhError *error) {
  Wanted all = {.error = error};
  bool done = are_properties(&all, &script->properties) && spelled_out(&all, &script->features) &&
              spelled_out(&all, &script->properties) && needed_by_others(&all, &script->features);
  for (uint32_t i = 0; done && i < script->pipeline_count; i++)
    done = needed_by_pipeline(&all, script, &script->pipelines[i]);
  *wanted = all.list;
  return done;
}
