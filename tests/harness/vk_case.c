/* SPDX-License-Identifier: Apache-2.0 */
/* vk_case: opens a case file on one of the two drivers; see vk_case.h. */
#include "tests/harness/vk_case.h"

#include "harness/shader/shader.h"
#include "tests/harness/amber_text.h"
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

/* Mesa 25's manifest no longer has the architecture in its name. */
static const VkCaseDriver patterns[VK_CASE_DRIVERS] = {
    {"lavapipe", "/usr/share/vulkan/icd.d/lvp_icd*.json"},
    {"swiftshader", "/usr/lib/chromium/vk_swiftshader_icd.json"},
};

const VkCaseDriver *vk_case_drivers(void) {
  static VkCaseDriver drivers[VK_CASE_DRIVERS];
  static char paths[VK_CASE_DRIVERS][256];
  for (int i = 0; i < VK_CASE_DRIVERS && !drivers[i].name; i++) {
    glob_t found;
    bool any = glob(patterns[i].icd, 0, NULL, &found) == 0;
    snprintf(paths[i], sizeof paths[i], "%s", any ? found.gl_pathv[0] : patterns[i].icd);
    if (any)
      globfree(&found);
    drivers[i] = (VkCaseDriver){patterns[i].name, paths[i]};
  }
  return drivers;
}

VkCase vk_case_read(const char *path) {
  VkCase test = {0};
  size_t size;
  test.text = amber_text_file(path, &size);
  if (!test.text)
    fail_msg("cannot read %s", path);
  AmberFiles none = {0};
  AmberMessage message;
  if (amber_parse(test.text, size, &none, &test.script, &message) != AMBER_OK)
    fail_msg("%s: %s", path, message.text);
  char *why;
  if (hn_shaders_make(test.script, &test.modules, &why) != HN_PASS)
    fail_msg("%s: %s", path, why);
  return test;
}

void vk_case_free(VkCase *test) {
  hn_shaders_free(test->modules, test->script->shader_count);
  amber_destroy(test->script);
  free(test->text);
}

void vk_case_keep_drivers(void) {
  dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE);
  dlopen("/usr/lib/chromium/libvk_swiftshader.so", RTLD_NOW | RTLD_NODELETE);
}

char *vk_case_outcome(HnOutcome outcome, const char *message) {
  static const char *const names[] = {"pass",  "fail",    "skip",   "same",
                                      "crash", "timeout", "invalid"};
  char *text = NULL;
  if (asprintf(&text, "%s%s%s", names[outcome], message ? ": " : "", message ? message : "") < 0)
    fail();
  return text;
}
