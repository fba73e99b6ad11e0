/* SPDX-License-Identifier: Apache-2.0 */
/* vk_scene: the objects of a script on the device that do not depend on its modules: resources,
 * samplers, descriptor sets, render passes. Created once and used by every run. */
#ifndef VH_SCENE_H
#define VH_SCENE_H

#include "harness/vulkan/vk_descriptor.h"
#include "harness/vulkan/vk_pass.h"

typedef struct VhPipeline {
  VhDescriptors descriptors;
  VhPass pass;   /* graphics only */
  VhClear clear; /* as the commands so far have set it */
} VhPipeline;

typedef struct VhScene {
  const AmberScript *script;
  VhResource *resources; /* by index in the script, as are the other two */
  VkSampler *samplers;
  VhPipeline *pipelines;
} VhScene;

/* Destroy the scene whatever the result. */
bool vh_scene_create(VhDevice *device, const AmberScript *script, VhScene *scene) VH_MUST_USE;
void vh_scene_destroy(VhDevice *device, VhScene *scene);
/* Restores the state at the start of the script. */
void vh_scene_reset(VhScene *scene);
/* These update the copies that a pipeline sees; the first is to be called before vh_begin, the
 * second just after it. */
bool vh_scene_read_buffers(VhDevice *device, VhScene *scene, uint32_t index) VH_MUST_USE;
void vh_scene_upload_images(VhDevice *device, VhScene *scene, uint32_t index);
/* These record which copies are new: after a clear of the pipeline's attachments; after a run of
 * the pipeline, which may also have written to storage. */
void vh_scene_attachments_written(VhScene *scene, uint32_t index);
void vh_scene_written(VhScene *scene, uint32_t index);

/* ---- vk_limits.c ---------------------------------------------------------------------------- */

/* Do the device's limits suffice for the script? If not, fails with a skip that names the limit. */
bool vh_limits_check(VhDevice *device, const AmberScript *script) VH_MUST_USE;

#endif
