/* SPDX-License-Identifier: Apache-2.0 */
/* vk_case: opens a case file on one of the two drivers that the tests need. */
#ifndef VK_CASE_H
#define VK_CASE_H

#include "harness/run/backend_open.h"

#include <stdbool.h>

typedef struct VkCaseDriver {
  const char *name; /* "lavapipe" */
  const char *icd;
} VkCaseDriver;

enum { VK_CASE_DRIVERS = 2 };
const VkCaseDriver *vk_case_drivers(void); /* lavapipe, swiftshader */

/* A script and its modules; the test fails if they cannot be created. */
typedef struct VkCase {
  char *text; /* of the file */
  AmberScript *script;
  HnModule *modules;
} VkCase;

VkCase vk_case_read(const char *path);
void vk_case_free(VkCase *test);

/* Keeps drivers loaded: once the loader unloads one, LeakSanitizer reports the memory that the
 * driver still refers to as leaked (about 128 bytes in lavapipe). */
void vk_case_keep_drivers(void);

/* "pass", "fail: line 3: ...", like the expectations in the case files; to be freed. */
char *vk_case_outcome(HnOutcome outcome, const char *message);

#endif
