/* SPDX-License-Identifier: Apache-2.0 */
/* app_case: runs a case of the harness on a driver, with or without the layer, in a process of its
 * own, because the modules may crash the driver. */
#ifndef APP_CASE_H
#define APP_CASE_H

#include "harness/vulkan/backend_vk_run.h"
#include "tests/harness/vk_case.h"

/* The result of a run. */
typedef struct AppAnswer {
  char *outcome; /* "pass", "fail: ...", or "crash" */
  char *said;    /* what the run wrote to standard error */
  char *bytes;   /* contents of all buffers and attachments that the case's pipelines name */
  size_t size;
} AppAnswer;

typedef struct AppRun {
  const VkCaseDriver *driver;
  const VkCase *test;
  const char *transform; /* SPVRECONV_TRANSFORM of the layer; NULL: without the layer */
  const char *dump;      /* SPVRECONV_DUMP, or NULL */
  bool unchecked;        /* without the validation layer: the driver gets invalid modules, too */
  /* Called in the child with the open device, or NULL. */
  void (*change)(HnVulkan *vulkan);
} AppRun;

/* Runs the case, with the validation layer next to the driver unless it is unchecked. Then a driver
 * that needs more than some seconds and gigabytes has crashed. */
AppAnswer app_run(const AppRun *run);
void app_answer_free(AppAnswer *answer);

/* Makes the loader find the layer of the build tree, and use it or not. Changes the environment of
 * the process. */
void app_use_layer(bool used);

#endif
