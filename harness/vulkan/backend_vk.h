/* backend_vk: the backend over Vulkan; what backend_vk.c and backend_vk_run.c share. */
#ifndef HN_BACKEND_VK_H
#define HN_BACKEND_VK_H

#include "backend/backend_kind.h"
#include "vulkan/vk_draw.h"

typedef struct HnVulkan {
  HnBackend head;
  const AmberScript *script;
  VhDevice device;
  VhScene scene;
} HnVulkan;

/* backend_vk_run.c */
void hn_vulkan_run(HnBackend *backend, const HnModule *modules, HnReport *report);

#endif
