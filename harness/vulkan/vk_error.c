/* SPDX-License-Identifier: Apache-2.0 */
/* vk_error: see vk_error.h. */
#include "harness/vulkan/vk_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *vh_result_name(VkResult result) {
  switch (result) {
#define NAME(name)                                                                                 \
  case name:                                                                                       \
    return #name
    NAME(VK_SUCCESS);
    NAME(VK_NOT_READY);
    NAME(VK_TIMEOUT);
    NAME(VK_EVENT_SET);
    NAME(VK_EVENT_RESET);
    NAME(VK_INCOMPLETE);
    NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
    NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
    NAME(VK_ERROR_INITIALIZATION_FAILED);
    NAME(VK_ERROR_DEVICE_LOST);
    NAME(VK_ERROR_MEMORY_MAP_FAILED);
    NAME(VK_ERROR_LAYER_NOT_PRESENT);
    NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
    NAME(VK_ERROR_FEATURE_NOT_PRESENT);
    NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
    NAME(VK_ERROR_TOO_MANY_OBJECTS);
    NAME(VK_ERROR_FORMAT_NOT_SUPPORTED);
    NAME(VK_ERROR_FRAGMENTED_POOL);
    NAME(VK_ERROR_UNKNOWN);
    NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
    NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE);
    NAME(VK_ERROR_FRAGMENTATION);
    NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    NAME(VK_ERROR_VALIDATION_FAILED_EXT);
    NAME(VK_ERROR_INVALID_SHADER_NV);
    NAME(VK_PIPELINE_COMPILE_REQUIRED);
#undef NAME
  default:
    return "an unknown VkResult";
  }
}

bool vh_fail(VhError *error, HnOutcome outcome, const char *format, ...) {
  if (error->outcome != HN_PASS)
    return false;
  error->outcome = outcome;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&error->text, format, arguments) < 0)
    error->text = NULL;
  va_end(arguments);
  return false;
}

/* The outcome of a run in which a call returned this result. */
static HnOutcome outcome_of(VkResult result) {
  switch (result) {
  case VK_ERROR_DEVICE_LOST:
    return HN_CRASH;
  case VK_ERROR_EXTENSION_NOT_PRESENT:
  case VK_ERROR_FEATURE_NOT_PRESENT:
  case VK_ERROR_FORMAT_NOT_SUPPORTED:
    return HN_SKIP;
  default:
    return HN_FAIL;
  }
}

bool vh_check(VhError *error, VkResult result, const char *call) {
  if (result == VK_SUCCESS)
    return true;
  return vh_fail(error, outcome_of(result), "%s: %s (%d)", call, vh_result_name(result),
                 (int)result);
}

bool vh_out_of_memory(VhError *error) {
  return vh_fail(error, HN_FAIL, "out of memory");
}

HnOutcome vh_error_take(VhError *error, char **text) {
  HnOutcome outcome = error->outcome;
  *text = error->text;
  *error = (VhError){0};
  return outcome;
}

void vh_error_clear(VhError *error) {
  free(error->text);
  *error = (VhError){0};
}
