/* SPDX-License-Identifier: Apache-2.0 */
/* settings: the layer's settings, from the environment. Read once, when an instance is created. */
#ifndef LY_SETTINGS_H
#define LY_SETTINGS_H

#include "harness/layer/select.h"
#include "harness/layer/support/log.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct LySettings {
  char *transform; /* SPVRECONV_TRANSFORM, or "auto" */
  char *dump;      /* SPVRECONV_DUMP: a folder, or NULL */
  char *cache;     /* SPVRECONV_CACHE: a folder, or NULL */
  bool validate;   /* SPVRECONV_VALIDATE=1: SPIRV-Tools' validator checks the result */
  bool check;      /* SPVRECONV_CHECK=1: the checker compares the result with the original */
  size_t bytes;    /* SPVRECONV_MAX_MIB: memory limit for a module */
  double seconds;  /* SPVRECONV_MAX_SECONDS: time limit for a module */
  LySelect only;   /* SPVRECONV_ONLY */
  bool chosen;     /* SPVRECONV_APPS selects this application, or is unset */
} LySettings;

/* Opens the log (SPVRECONV_LOG, SPVRECONV_LOG_LEVEL) and requests the line at exit (layer_stats.h)
 * if SPVRECONV_STATS is 1, or is unset while SPVRECONV_LOG is set. */
LyLog ly_settings_log(void);
/* False: out of memory. Clear the settings in either case. Unknown variables and invalid values get
 * a line in the log. `application`: the name that the application gives to Vulkan, or NULL. */
bool ly_settings_read(LySettings *settings, const char *application, const LyLog *log);
void ly_settings_clear(LySettings *settings);

#endif
