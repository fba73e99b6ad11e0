/* SPDX-License-Identifier: Apache-2.0 */
/* record_sets: the sets of descriptors that a command buffer binds; see record.h. */
#include "harness/capture/record.h"

CpSet *cp_record_set(CpDevice *d, const CpBindPoint *c, uint32_t set) {
  if (set >= CP_MOST_SETS)
    return NULL;
  return c->sets[set].pushed ? c->sets[set].pushed
                             : cp_handles_find(&d->sets, CP_HANDLE(c->sets[set].handle));
}

CpBindPoint *cp_record_point(CpCommands *c, VkPipelineBindPoint point) {
  return point == VK_PIPELINE_BIND_POINT_COMPUTE    ? &c->points[CP_COMPUTE]
         : point == VK_PIPELINE_BIND_POINT_GRAPHICS ? &c->points[CP_GRAPHICS]
                                                    : NULL;
}

CpSet *cp_record_pushed(CpDevice *d, VkCommandBuffer commands, VkPipelineBindPoint point,
                        VkPipelineLayout layout, uint32_t set) {
  CpCommands *c = cp_handles_find(&d->commands, CP_HANDLE(commands));
  const CpPipelineLayout *l = cp_handles_find(&d->pipeline_layouts, CP_HANDLE(layout));
  CpBindPoint *state = c ? cp_record_point(c, point) : NULL;
  if (!state || !l || set >= l->set_count || set >= CP_MOST_SETS || !l->sets[set])
    return NULL;
  CpBoundSet *bound = &state->sets[set];
  if (bound->pushed && bound->pushed->layout == l->sets[set])
    return bound->pushed;
  cp_set_free(bound->pushed);
  *bound =
      (CpBoundSet){.pushed = cp_set_new(l->sets[set], VK_NULL_HANDLE), .dynamic = bound->dynamic};
  return bound->pushed;
}

void cp_record_add(CpCommands *c, CpShot *shot) {
  CpShot **at = &c->shots;
  while (*at)
    at = &(*at)->next;
  *at = shot;
}
