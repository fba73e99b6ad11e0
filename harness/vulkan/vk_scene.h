/* vk_scene: all that stands on the device for a script whatever its modules are: resources,
 * samplers, descriptor sets, render passes. Made once and used by every run. */
#ifndef VH_SCENE_H
#define VH_SCENE_H

#include "vulkan/vk_descriptor.h"
#include "vulkan/vk_pass.h"

typedef struct VhPipeline {
  VhDescriptors descriptors;
  VhPass pass;   /* graphics only */
  VhClear clear; /* as the commands have set it so far */
} VhPipeline;

typedef struct VhScene {
  const AmberScript *script;
  VhResource *resources; /* by index in the script, as are the other two */
  VkSampler *samplers;
  VhPipeline *pipelines;
} VhScene;

/* To be destroyed whatever the result. */
bool vh_scene_create(VhDevice *device, const AmberScript *script, VhScene *scene) VH_MUST_USE;
void vh_scene_destroy(VhDevice *device, VhScene *scene);
/* Everything as at the start of the script. */
void vh_scene_reset(VhScene *scene);
/* Brings the copies that a pipeline sees up to date: before vh_begin, and just after it. */
bool vh_scene_read_buffers(VhDevice *device, VhScene *scene, uint32_t index) VH_MUST_USE;
void vh_scene_upload_images(VhDevice *device, VhScene *scene, uint32_t index);
/* A run of the pipeline of that index, or a clear of its attachments, may have written these. */
void vh_scene_attachments_written(VhScene *scene, uint32_t index);
void vh_scene_written(VhScene *scene, uint32_t index);

/* ---- vk_limits.c ---------------------------------------------------------------------------- */

/* Whether the device is large enough for the script; a skip that names the limit where not. */
bool vh_limits_check(VhDevice *device, const AmberScript *script) VH_MUST_USE;

#endif
