/* SPDX-License-Identifier: Apache-2.0 */
/* settings: the layer's settings, from the environment. Read once, when an instance is created, and
 * not at all in a process with more privileges than its user (secure_getenv). */
#ifndef LY_SETTINGS_H
#define LY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct LySettings {
  char *transform;   /* SPVRECONV_TRANSFORM, or "auto" */
  char *log;         /* SPVRECONV_LOG: a file; NULL: standard error */
  char *dump;        /* SPVRECONV_DUMP: a folder, or NULL */
  char *cache;       /* SPVRECONV_CACHE: a folder, or NULL */
  bool validate;     /* SPVRECONV_VALIDATE=1: SPIRV-Tools' validator checks the result */
  bool check;        /* SPVRECONV_CHECK=1: the checker compares the result with the original */
  size_t bytes;      /* SPVRECONV_MAX_MIB: memory limit for a module */
  double seconds;    /* SPVRECONV_MAX_SECONDS: time limit for a module */
  const char *wrong; /* a variable with an invalid value, for which its default is used; or NULL */
} LySettings;

/* False: out of memory. To be cleared in either case. */
bool ly_settings_read(LySettings *settings);
void ly_settings_clear(LySettings *settings);

#endif
