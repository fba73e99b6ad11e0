/* SPDX-License-Identifier: Apache-2.0 */
/* tool_environment: see tool_environment.h. */
#include "passes/tool/tool_environment.h"

#include "passes/names/nearest.h"
#include "passes/tool/tool_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SPV_EMU_ISA, SPV_HARNESS_TEST and SPV_HARNESS_KERNELS are for tests: which instruction set the
 * emulator uses, a planted error, and where kernels are kept that are compiled. */
static const char *const known[] = {
#define SR_VARIABLE(name) "SPVRECONV_" #name,
#include "passes/names/variables.def"
    "SPV_EMU_ISA", "SPV_EMU_NATIVE", "SPV_HARNESS_KERNELS", "SPV_HARNESS_TEST", NULL};

/* The length of the project's prefix at the start of the name; 0: it has none. */
static size_t prefix_length(const char *name) {
  static const char *const prefixes[] = {"SPVRECONV_", "SPV_EMU_", "SPV_HARNESS_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return strlen(prefixes[i]);
  return 0;
}

/* Names with the same prefix are compared without the prefix, which would make all of them near. */
static const char *nearest(const char *name, size_t length, size_t prefix) {
  const char *near = NULL;
  size_t distance = 0;
  for (int i = 0; known[i]; i++) {
    if (strncmp(known[i], name, prefix) == 0)
      sr_nearest_try(name + prefix, length - prefix, known[i] + prefix, &near, &distance);
  }
  return near ? near - prefix : NULL;
}

static bool is_known(const char *name, size_t length) {
  for (int i = 0; known[i]; i++)
    if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
      return true;
  return false;
}

static void say_unknown(const char *name, size_t length, size_t prefix, const char *near) {
  fprintf(stderr, "%s: note: nothing reads the environment variable %.*s", tool_program,
          length < 80 ? (int)length : 80, name);
  if (near)
    fprintf(stderr, ", nearest: %s", near);
  const char *before = "; there are ";
  for (int i = 0; !near && known[i]; i++)
    if (strncmp(known[i], name, prefix) == 0) {
      fprintf(stderr, "%s%s", before, known[i]);
      before = ", ";
    }
  fputc('\n', stderr);
}

void tool_environment_check(void) {
  for (char *const *at = environ; at && *at; at++) {
    size_t length = strcspn(*at, "="), prefix = prefix_length(*at);
    if (strncmp(*at, "SPV", 3) != 0 || is_known(*at, length))
      continue;
    const char *near = nearest(*at, length, prefix);
    if (prefix || near)
      say_unknown(*at, length, prefix, near);
  }
}

bool tool_environment_switch(const char *name, bool *on) {
  const char *value = getenv(name);
  *on = value && strcmp(value, "1") == 0;
  return *on || !value || !*value || strcmp(value, "0") == 0 ||
         tool_wrong("the environment variable %s is 0 or 1, not '%s'", name, value);
}
