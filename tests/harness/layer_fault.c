/* SPDX-License-Identifier: Apache-2.0 */
/* layer_fault: a Vulkan layer that fails like a broken driver, for tests: vkCreateShaderModule
 * aborts if the module contains the name "crash_the_driver"; with SPV_TEST_FAULT=leak
 * vkDestroyFence does nothing; with SPV_TEST_WORD=abort:N it aborts if the module contains word N,
 * and with change:N it changes that word's last bit; with SPV_TEST_BAD=FILE,... it aborts once each of these files has
 * been passed as a module; with SPV_TEST_ONCE=FILE it aborts once, and makes the file. All other
 * calls are forwarded. */
#include "tests/harness/plain_layer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PFN_vkCreateShaderModule next_create;

static bool holds(const void *bytes, size_t size, const char *text) {
  return memmem(bytes, size, text, strlen(text)) != NULL;
}

static bool is_file(const char *path, const void *bytes, size_t size) {
  FILE *in = fopen(path, "rb");
  char *content = malloc(size + 1);
  bool same =
      in && content && fread(content, 1, size + 1, in) == size && memcmp(content, bytes, size) == 0;
  free(content);
  if (in)
    fclose(in);
  return same;
}

/* Has each of the files of SPV_TEST_BAD been a module, including this one? */
static bool was_last(const void *bytes, size_t size) {
  static unsigned seen; /* one bit a file */
  const char *list = getenv("SPV_TEST_BAD");
  unsigned all = 0, bit = 1;
  char *files = list ? strdup(list) : NULL;
  for (char *rest = files, *path; (path = strsep(&rest, ",")); bit <<= 1) {
    all |= bit;
    seen |= is_file(path, bytes, size) ? bit : 0;
  }
  free(files);
  return all && seen == all;
}

/* Is this the first call of all processes? */
static bool is_first(void) {
  const char *mark = getenv("SPV_TEST_ONCE");
  FILE *made = mark ? fopen(mark, "wx") : NULL;
  return made && fclose(made) == 0;
}

/* The index of the word that SPV_TEST_WORD names after `what`, or `count`. */
static size_t find_word(const uint32_t *words, size_t count, const char *what) {
  const char *given = getenv("SPV_TEST_WORD");
  size_t at = 0;
  if (!given || strncmp(given, what, strlen(what)) != 0)
    return count;
  uint32_t wanted = (uint32_t)strtoul(given + strlen(what), NULL, 10);
  while (at < count && words[at] != wanted)
    at++;
  return at;
}

static VkResult create_changed(VkDevice device, const VkShaderModuleCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkShaderModule *module,
                               size_t at) {
  VkShaderModuleCreateInfo changed = *info;
  uint32_t *words = malloc(info->codeSize);
  if (!words)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  memcpy(words, info->pCode, info->codeSize);
  words[at] ^= 1;
  changed.pCode = words;
  VkResult result = next_create(device, &changed, allocator, module);
  free(words);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module) {
  if (holds(info->pCode, info->codeSize, "crash_the_driver") ||
      was_last(info->pCode, info->codeSize) || is_first() ||
      find_word(info->pCode, info->codeSize / 4, "abort:") < info->codeSize / 4)
    abort();
  size_t at = find_word(info->pCode, info->codeSize / 4, "change:");
  if (at < info->codeSize / 4)
    return create_changed(device, info, allocator, module, at);
  return next_create(device, info, allocator, module);
}

static VKAPI_ATTR void VKAPI_CALL leak_fence(VkDevice device, VkFence fence,
                                             const VkAllocationCallbacks *allocator) {
  (void)device, (void)fence, (void)allocator;
}

static bool leaks(void) {
  const char *fault = getenv("SPV_TEST_FAULT");
  return fault && strcmp(fault, "leak") == 0;
}

PFN_vkVoidFunction plain_hook(const char *name) {
  if (strcmp(name, "vkCreateShaderModule") == 0)
    return (PFN_vkVoidFunction)create_module;
  if (strcmp(name, "vkDestroyFence") == 0 && leaks())
    return (PFN_vkVoidFunction)leak_fence;
  return NULL;
}

void plain_created(VkInstance instance, VkPhysicalDevice physical, VkDevice device) {
  (void)instance, (void)physical;
  next_create = (PFN_vkCreateShaderModule)plain_next_device(device, "vkCreateShaderModule");
}
