/* SPDX-License-Identifier: Apache-2.0 */
/* vk_error: the first error of a device.
 *
 * Every function of this folder that can fail returns false and sets the VhError of its device: an
 * outcome and one line. Only the first error is kept, since later ones are mostly its consequences.
 * Every VkResult passes through vh_check (by VH_CALL, vk_device.h). */
#ifndef VH_ERROR_H
#define VH_ERROR_H

#include "harness/backend/backend.h"

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#define VH_MUST_USE __attribute__((warn_unused_result))

typedef struct VhError {
  HnOutcome outcome; /* HN_PASS: no error */
  char *text;        /* one line; NULL: out of memory */
} VhError;

/* "VK_ERROR_DEVICE_LOST". */
const char *vh_result_name(VkResult result);
/* Records an outcome and its text, unless there already is an error. Always returns false. */
bool vh_fail(VhError *error, HnOutcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* True for VK_SUCCESS. Else records an error whose text is the call and the result, for example
 * "vkCreateBuffer: VK_ERROR_OUT_OF_DEVICE_MEMORY". A lost device counts as a crash of the
 * driver. */
bool vh_check(VhError *error, VkResult result, const char *call) VH_MUST_USE;
bool vh_out_of_memory(VhError *error);
/* Returns and clears the error; the caller frees *text. */
HnOutcome vh_error_take(VhError *error, char **text);
void vh_error_clear(VhError *error);

#endif
