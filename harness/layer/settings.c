/* SPDX-License-Identifier: Apache-2.0 */
/* settings: see settings.h. */
#include "layer/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MIB = 1024, DEFAULT_SECONDS = 10 };

/* An empty variable counts as unset. */
static const char *variable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : NULL;
}

static bool read_text(const char *name, const char *fallback, char **out) {
  const char *value = variable(name);
  value = value ? value : fallback;
  *out = value ? strdup(value) : NULL;
  return *out || !value;
}

static double read_number(LySettings *settings, const char *name, double fallback) {
  const char *value = variable(name);
  if (!value)
    return fallback;
  char *end;
  double number = strtod(value, &end);
  if (!*end && isfinite(number) && number > 0 && number < 1e9)
    return number;
  settings->wrong = name;
  return fallback;
}

static bool read_switch(LySettings *settings, const char *name) {
  const char *value = variable(name);
  if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
    settings->wrong = name;
  return value && strcmp(value, "1") == 0;
}

bool ly_settings_read(LySettings *settings) {
  *settings = (LySettings){0};
  settings->validate = read_switch(settings, "SPVRECONV_VALIDATE");
  settings->check = read_switch(settings, "SPVRECONV_CHECK");
  settings->seconds = read_number(settings, "SPVRECONV_MAX_SECONDS", DEFAULT_SECONDS);
  settings->bytes = (size_t)(read_number(settings, "SPVRECONV_MAX_MIB", DEFAULT_MIB) * (1 << 20));
  return read_text("SPVRECONV_TRANSFORM", "auto", &settings->transform) &&
         read_text("SPVRECONV_LOG", NULL, &settings->log) &&
         read_text("SPVRECONV_DUMP", NULL, &settings->dump) &&
         read_text("SPVRECONV_CACHE", NULL, &settings->cache);
}

void ly_settings_clear(LySettings *settings) {
  free(settings->transform);
  free(settings->log);
  free(settings->dump);
  free(settings->cache);
  *settings = (LySettings){0};
}
