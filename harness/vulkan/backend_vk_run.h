/* SPDX-License-Identifier: Apache-2.0 */
/* backend_vk_run: runs a script on an open Vulkan device. */
#ifndef HN_BACKEND_VK_RUN_H
#define HN_BACKEND_VK_RUN_H

#include "harness/backend/backend_kind.h"
#include "harness/vulkan/vk_draw.h"

typedef struct HnVulkan {
  HnBackend head;
  const AmberScript *script;
  VhDevice device;
  VhScene scene;
} HnVulkan;

/* See hn_backend_run. */
void hn_vulkan_run(HnBackend *backend, const HnModule *modules, HnReport *report);

#endif
