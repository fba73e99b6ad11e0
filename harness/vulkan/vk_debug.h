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

/* Describes the messenger. Chain it into VkInstanceCreateInfo to collect messages about the
 * creation of the instance, too. vh_debug_create also uses it. `messages` must outlive the
 * instance. */
VkDebugUtilsMessengerCreateInfoEXT vh_debug_info(VhMessages *messages);
bool vh_debug_create(const VhFuncs *vk, VkInstance instance, VhMessages *messages,
                     VkDebugUtilsMessengerEXT *messenger, VhError *error) VH_MUST_USE;
/* Summarizes the messages so far in one line, and clears them. The caller frees the line. NULL:
 * none, or out of memory. */
char *vh_messages_take(VhMessages *messages);

#endif
