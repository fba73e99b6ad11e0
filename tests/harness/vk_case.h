/* vk_case: opens a case file on one of the two drivers that the tests need. */
#ifndef VK_CASE_H
#define VK_CASE_H

#include "backend/backend.h"

#include <stdbool.h>

typedef struct VkCaseDriver {
  const char *name; /* "lavapipe" */
  const char *icd;
} VkCaseDriver;

enum { VK_CASE_DRIVERS = 2 };
const VkCaseDriver *vk_case_drivers(void); /* lavapipe, swiftshader */

/* A script and its modules; the test fails where they cannot be made. */
typedef struct VkCase {
  char *text; /* of the file */
  AmberScript *script;
  HnModule *modules;
} VkCase;

VkCase vk_case_read(const char *path);
void vk_case_free(VkCase *test);

/* Drivers that the loader unloads take with them what they still point to, and LeakSanitizer then
 * takes it for lost: lavapipe keeps 128 bytes or so. Keeps them loaded. */
void vk_case_keep_drivers(void);

/* "pass", "fail: line 3: ...", as the case files say what they expect; to be freed. */
char *vk_case_outcome(HnOutcome outcome, const char *message);

#endif
