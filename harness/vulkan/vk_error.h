/* vk_error: what went wrong first.
 *
 * Every function of the Vulkan layer that can fail returns false and has said why in the VhError of
 * its device: an outcome and one line. Only the first word counts; what fails afterwards is most
 * often its consequence. Every VkResult passes through vh_check (by way of VH_CALL, vk_device.h).
 */
#ifndef VH_ERROR_H
#define VH_ERROR_H

#include "backend/backend.h"

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#define VH_MUST_USE __attribute__((warn_unused_result))

typedef struct VhError {
  HnOutcome outcome; /* HN_PASS: nothing went wrong */
  char *text;        /* one line; NULL where there was no memory for it */
} VhError;

/* "VK_ERROR_DEVICE_LOST". */
const char *vh_result_name(VkResult result);
/* Keeps outcome and text if they are the first; always returns false. */
bool vh_fail(VhError *error, HnOutcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* True for VK_SUCCESS; else says "vkCreateBuffer: VK_ERROR_OUT_OF_DEVICE_MEMORY". A lost device
 * counts as a crash of the driver. */
bool vh_check(VhError *error, VkResult result, const char *call) VH_MUST_USE;
bool vh_out_of_memory(VhError *error);
/* Hands the text over and forgets the error. */
HnOutcome vh_error_take(VhError *error, char **text);
void vh_error_clear(VhError *error);

#endif
