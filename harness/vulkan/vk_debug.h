/* vk_debug: collects what the validation layer says. */
#ifndef VH_DEBUG_H
#define VH_DEBUG_H

#include "vulkan/vk_loader.h"

#include <stddef.h>

typedef struct VhMessages {
  char *first;  /* the first message, as one line; NULL where there was none, or no memory */
  size_t count; /* of messages */
} VhMessages;

/* What to chain into VkInstanceCreateInfo (so that creation itself is watched) and to create the
 * messenger from. `messages` must outlive the instance. */
VkDebugUtilsMessengerCreateInfoEXT vh_debug_info(VhMessages *messages);
bool vh_debug_create(const VhFuncs *vk, VkInstance instance, VhMessages *messages,
                     VkDebugUtilsMessengerEXT *messenger, VhError *error) VH_MUST_USE;
/* One line about all messages so far, to be freed, which are then forgotten; NULL: there were none,
 * or memory is out. */
char *vh_messages_take(VhMessages *messages);

#endif
