/* SPDX-License-Identifier: Apache-2.0 */
/* vk_debug: collects the messages of the validation layer; see vk_debug.h. Each is also printed to
 * standard error immediately, since the driver may crash before the run can report it.
 *
 * Errors and warnings about the use of Vulkan count; messages of the loader and advice on
 * performance do not. */
#include "harness/vulkan/vk_debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fold_into_one_line(char *text) {
  for (char *at = text; *at; at++)
    if ((unsigned char)*at < ' ')
      *at = ' ';
}

/* The layer's text without the leading handles, which differ from run to run, and without the
 * quoted sentence of the specification, which the rule's name identifies. */
static char *essence(const VkDebugUtilsMessengerCallbackDataEXT *data) {
  const char *rule = data->pMessageIdName ? data->pMessageIdName : "message";
  const char *text = data->pMessage ? data->pMessage : "";
  const char *id = strstr(text, "| MessageID = "), *rest = id ? strstr(id + 1, " | ") : NULL;
  if (rest)
    text = rest + strlen(" | ");
  const char *end = strstr(text, " The Vulkan spec states:");
  char *line = NULL;
  if (asprintf(&line, "%s: %.*s", rule, (int)(end ? end - text : (ptrdiff_t)strlen(text)), text) <
      0)
    return NULL;
  fold_into_one_line(line);
  return line;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL collect(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                              VkDebugUtilsMessageTypeFlagsEXT types,
                                              const VkDebugUtilsMessengerCallbackDataEXT *data,
                                              void *user) {
  (void)severity;
  (void)types;
  VhMessages *messages = user;
  char *text = essence(data);
  fprintf(stderr, "validation layer: %s\n", text ? text : "(no memory for its text)");
  if (messages->count++ == 0)
    messages->first = text;
  else
    free(text);
  return VK_FALSE; /* the call continues, as the specification requires */
}

VkDebugUtilsMessengerCreateInfoEXT vh_debug_info(VhMessages *messages) {
  return (VkDebugUtilsMessengerCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = collect,
      .pUserData = messages,
  };
}

bool vh_debug_create(const VhFuncs *vk, VkInstance instance, VhMessages *messages,
                     VkDebugUtilsMessengerEXT *messenger, VhError *error) {
  if (!vk->CreateDebugUtilsMessengerEXT || !vk->DestroyDebugUtilsMessengerEXT)
    return vh_fail(error, HN_FAIL, "the validation layer has no VK_EXT_debug_utils");
  VkDebugUtilsMessengerCreateInfoEXT info = vh_debug_info(messages);
  return vh_check(error, vk->CreateDebugUtilsMessengerEXT(instance, &info, NULL, messenger),
                  "vkCreateDebugUtilsMessengerEXT");
}

char *vh_messages_take(VhMessages *messages) {
  char *text = NULL;
  const char *first = messages->first ? messages->first : "(no memory for its text)";
  int length = 0;
  if (messages->count == 1)
    length = asprintf(&text, "validation layer: %s", first);
  else if (messages->count > 1)
    length = asprintf(&text, "validation layer: %s (and %zu more)", first, messages->count - 1);
  if (length < 0)
    text = NULL;
  free(messages->first);
  *messages = (VhMessages){0};
  return text;
}
