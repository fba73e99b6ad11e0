/* SPDX-License-Identifier: Apache-2.0 */
/* variable: see variable.h. */
#include "harness/layer/support/variable.h"

#include "passes/names/name_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define PREFIX "SPVRECONV_"

/* The names are without the prefix SPVRECONV_, which would make all of them near to each other. */
static const char *const known[] = {
#define SR_VARIABLE(name) #name,
#include "passes/names/variables.def"
    NULL};

const char *ly_variable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : NULL;
}

bool ly_variable_text(const char *name, const char *fallback, char **out) {
  const char *value = ly_variable(name);
  value = value ? value : fallback;
  *out = value ? strdup(value) : NULL;
  return *out || !value;
}

double ly_variable_number(const LyLog *log, const char *name, const char *unit, double fallback) {
  const char *value = ly_variable(name);
  if (!value)
    return fallback;
  char *end;
  double number = strtod(value, &end);
  if (!*end && isfinite(number) && number > 0 && number < 1e9)
    return number;
  ly_log(log, LY_ERROR, "%s: invalid value '%.80s'; it is a number of %s above 0; %g is used", name,
         value, unit, fallback);
  return fallback;
}

bool ly_variable_switch(const LyLog *log, const char *name, bool fallback) {
  const char *value = ly_variable(name);
  if (!value)
    return fallback;
  if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
    ly_log(log, LY_ERROR, "%s: invalid value '%.80s'; it is 0 or 1; %d is used", name, value,
           fallback);
    return fallback;
  }
  return *value == '1';
}

static SrNameList list_names(const char *const *names, const char *wanted, size_t length) {
  SrNameList list = {.wanted = wanted, .length = length};
  for (int i = 0; names[i]; i++)
    sr_name_list_add(&list, names[i]);
  return list;
}

int ly_variable_choice(const LyLog *log, const char *name, const char *const *names, int fallback) {
  const char *value = ly_variable(name);
  if (!value)
    return fallback;
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], value) == 0)
      return i;
  SrNameList list = list_names(names, value, strlen(value));
  ly_log(log, LY_ERROR, "%s: invalid value '%.80s'%s%s; there are: %s; %s is used", name, value,
         list.near ? ", nearest: " : "", list.near ? list.near : "", list.text, names[fallback]);
  return fallback;
}

static bool is_known(const char *name, size_t length) {
  for (int i = 0; known[i]; i++)
    if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
      return true;
  return false;
}

static void check_name(const LyLog *log, const char *name, size_t length) {
  if (is_known(name, length))
    return;
  SrNameList list = list_names(known, name, length);
  ly_log(log, LY_ERROR, "unknown variable " PREFIX "%.*s%s%s; after " PREFIX " there are: %s",
         length < 80 ? (int)length : 80, name, list.near ? ", nearest: " PREFIX : "",
         list.near ? list.near : "", list.text);
}

void ly_variables_check(const LyLog *log) {
  if (getauxval(AT_SECURE) || !environ)
    return;
  const size_t prefix = strlen(PREFIX);
  for (char *const *at = environ; *at; at++)
    if (strncmp(*at, PREFIX, prefix) == 0)
      check_name(log, *at + prefix, strcspn(*at + prefix, "="));
}
