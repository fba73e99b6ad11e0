/* SPDX-License-Identifier: Apache-2.0 */
/* vk_program: the shader modules and pipelines of a run, which depend on its modules.
 *
 * A VkPipeline is created when a command first needs it, and kept for the run. A pipeline of the
 * script may need several: the draw sets the topology, and DRAW_RECT and DRAW_GRID have their own
 * vertices. */
#ifndef VH_PROGRAM_H
#define VH_PROGRAM_H

#include "harness/vulkan/vk_scene.h"
#include "harness/vulkan/vk_stage.h"

/* The state of a VkPipeline that the command sets; zeros for compute. */
typedef struct VhVariant {
  VkPrimitiveTopology topology;
  bool own_vertices; /* for DRAW_RECT and DRAW_GRID: positions, two floats, at location 0 */
} VhVariant;

typedef struct VhMade {
  uint32_t pipeline; /* in the script */
  VhVariant variant;
  VkPipeline handle;
} VhMade;

typedef struct VhProgram {
  const HnModule *modules; /* by index in script->shaders, as are the shaders */
  VkShaderModule *shaders;
  VhMade *made;
  uint32_t made_count;
} VhProgram;

bool vh_program_create(VhDevice *device, const AmberScript *script, const HnModule *modules,
                       VhProgram *program) VH_MUST_USE;
void vh_program_destroy(VhDevice *device, const AmberScript *script, VhProgram *program);
bool vh_program_pipeline(VhDevice *device, const VhScene *scene, VhProgram *program, uint32_t index,
                         VhVariant variant, VkPipeline *handle) VH_MUST_USE;

/* ---- vk_graphics.c -------------------------------------------------------------------------- */

bool vh_graphics_create(VhDevice *device, const AmberPipeline *pipeline, const VhPipeline *scene,
                        const HnModule *modules, const VhStages *stages, VhVariant variant,
                        VkPipeline *handle) VH_MUST_USE;

#endif
