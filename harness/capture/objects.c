/* SPDX-License-Identifier: Apache-2.0 */
/* objects: see objects.h. */
#include "harness/capture/objects.h"

#include "harness/capture/render_state.h"

#include <stdlib.h>

void cp_layout_release(CpSetLayout *layout) {
  if (!layout || --layout->shares)
    return;
  for (uint32_t i = 0; i < layout->binding_count; i++)
    free(layout->bindings[i].immutable);
  free(layout->bindings);
  free(layout);
}

CpSet *cp_set_new(CpSetLayout *layout, VkDescriptorPool pool) {
  CpSet *set = calloc(1, sizeof *set);
  CpDescriptor *descriptors = calloc(layout->descriptor_count + 1u, sizeof *descriptors);
  if (!set || !descriptors) {
    free(set);
    free(descriptors);
    return NULL;
  }
  *set = (CpSet){.layout = layout, .pool = pool, .descriptors = descriptors};
  layout->shares++;
  return set;
}

void cp_set_free(CpSet *set) {
  if (!set)
    return;
  cp_layout_release(set->layout);
  free(set->descriptors);
  free(set);
}

const CpBinding *cp_layout_find(const CpSetLayout *layout, uint32_t binding) {
  for (uint32_t i = 0; i < layout->binding_count; i++)
    if (layout->bindings[i].binding == binding)
      return &layout->bindings[i];
  return NULL;
}

void cp_pipeline_layout_free(CpPipelineLayout *layout) {
  if (!layout)
    return;
  for (uint32_t i = 0; i < layout->set_count; i++)
    cp_layout_release(layout->sets[i]);
  free(layout->sets);
  free(layout);
}

void cp_module_release(CpModule *module) {
  if (!module || --module->shares)
    return;
  free(module->words);
  free(module->name);
  free(module);
}

void cp_pipeline_release(CpPipeline *pipeline) {
  if (!pipeline || --pipeline->shares)
    return;
  cp_pipeline_release(pipeline->next); /* there are at most five stages */
  free(pipeline->graphics);
  cp_module_release(pipeline->module);
  cp_face_free(pipeline->face);
  free(pipeline->entry);
  free(pipeline->constants);
  free(pipeline->constant_bytes);
  free(pipeline);
}
