/* backend_vk: the backend over Vulkan; what backend_vk.c and backend_vk_run.c share. */
#ifndef HN_BACKEND_VK_H
#define HN_BACKEND_VK_H

#include "vk_draw.h"

struct HnBackend {
  const AmberScript *script;
  VhDevice device;
  VhScene scene;
};

#endif
