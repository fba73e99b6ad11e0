/* SPDX-License-Identifier: Apache-2.0 */
/* backend_vk: the backend over Vulkan. */
#ifndef HN_BACKEND_VK_H
#define HN_BACKEND_VK_H

#include "harness/backend/backend_kind.h"

extern const HnBackendKind hn_backend_vk;

#endif
