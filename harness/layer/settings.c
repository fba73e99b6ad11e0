/* SPDX-License-Identifier: Apache-2.0 */
/* settings: see settings.h. */
#include "harness/layer/settings.h"

#include "harness/layer/layer_stats.h"
#include "harness/layer/support/variable.h"

#include <errno.h>
#include <stdlib.h>

enum { DEFAULT_MIB = 1024, DEFAULT_SECONDS = 10 };

LyLog ly_settings_log(void) {
  static const char *const levels[] = {"quiet", "error", "info", "debug", NULL};
  const char *path = ly_variable("SPVRECONV_LOG");
  LyLog log = ly_log_open(path);
  log.level = (LyLevel)ly_variable_choice(&log, "SPVRECONV_LOG_LEVEL", levels, LY_ERROR);
  if (ly_variable_switch(&log, "SPVRECONV_STATS", path))
    ly_stats_ask(&log, path);
  return log;
}

static bool is_chosen(const char *application, const LyLog *log) {
  const char *patterns = ly_variable("SPVRECONV_APPS");
  const char *program = program_invocation_short_name;
  if (!patterns || ly_select_application(patterns, application, program))
    return true;
  ly_log(log, LY_INFO,
         "application '%.80s' (program %.80s) is not in SPVRECONV_APPS; no module is changed",
         application ? application : "", program);
  return false;
}

bool ly_settings_read(LySettings *settings, const char *application, const LyLog *log) {
  *settings = (LySettings){0};
  ly_variables_check(log);
  settings->validate = ly_variable_switch(log, "SPVRECONV_VALIDATE", false);
  settings->check = ly_variable_switch(log, "SPVRECONV_CHECK", false);
  settings->seconds = ly_variable_number(log, "SPVRECONV_MAX_SECONDS", "seconds", DEFAULT_SECONDS);
  double mib = ly_variable_number(log, "SPVRECONV_MAX_MIB", "MiB", DEFAULT_MIB);
  settings->bytes = (size_t)(mib * (1 << 20));
  settings->chosen = is_chosen(application, log);
  ly_select_read(&settings->only, ly_variable("SPVRECONV_ONLY"), log);
  return ly_variable_text("SPVRECONV_TRANSFORM", "auto", &settings->transform) &&
         ly_variable_text("SPVRECONV_DUMP", NULL, &settings->dump) &&
         ly_variable_text("SPVRECONV_CACHE", NULL, &settings->cache);
}

void ly_settings_clear(LySettings *settings) {
  free(settings->transform);
  free(settings->dump);
  free(settings->cache);
  ly_select_clear(&settings->only);
  *settings = (LySettings){0};
}
