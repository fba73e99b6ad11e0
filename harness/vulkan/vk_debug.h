/* SPDX-License-Identifier: Apache-2.0 */
/* vk_debug: collects the messages of the validation layer. */
#ifndef VH_DEBUG_H
#define VH_DEBUG_H

#include "harness/vulkan/vk_loader.h"

#include <stddef.h>

typedef struct VhMessages {
  char *first;  /* the first message, as one line; NULL: none, or out of memory */
  size_t count; /* of messages */
} VhMessages;

/* To be chained into VkInstanceCreateInfo, so that messages about the creation are collected, too;
 * the messenger is created from it as well. `messages` must outlive the instance. */
VkDebugUtilsMessengerCreateInfoEXT vh_debug_info(VhMessages *messages);
bool vh_debug_create(const VhFuncs *vk, VkInstance instance, VhMessages *messages,
                     VkDebugUtilsMessengerEXT *messenger, VhError *error) VH_MUST_USE;
/* Sums up and clears the messages so far: one line, which the caller frees; NULL: none, or out of
 * memory. */
char *vh_messages_take(VhMessages *messages);

#endif
