/* SPDX-License-Identifier: Apache-2.0 */
/* tool_usage: see tool_usage.h. */
#include "passes/tool/tool_usage.h"

#include "passes/names/nearest.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_wrong(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: ", tool_program);
  vfprintf(stderr, format, args);
  fputs("; see --help\n", stderr);
  va_end(args);
  return false;
}

/* Prints a message that ends with, say, "; there are --stats, --strip-debug". */
static bool refuse_ambiguous(const char *text, size_t length, const struct option *table) {
  fprintf(stderr, "%s: ambiguous option '--%.*s'; there are", tool_program, (int)length, text);
  const char *before = "";
  for (; table->name; table++)
    if (strncmp(table->name, text, length) == 0) {
      fprintf(stderr, "%s --%s", before, table->name);
      before = ",";
    }
  fputc('\n', stderr);
  return false;
}

/* Reports a long option that getopt_long refuses: none has its name, or several begin with it. */
static bool refuse_long(const char *text, const struct option *table) {
  size_t length = strcspn(text, "="), distance = 0;
  const char *near = NULL;
  for (const struct option *o = table; o->name; o++) {
    if (length && strncmp(o->name, text, length) == 0)
      return refuse_ambiguous(text, length, table);
    sr_nearest_try(text, length, o->name, &near, &distance);
  }
  if (near)
    return tool_wrong("unknown option '--%.*s', nearest: --%s", (int)length, text, near);
  return tool_wrong("unknown option '--%.*s'", (int)length, text);
}

bool tool_refuse(int key, const char *text, int first_long, const struct option *table) {
  if (key == ':')
    return tool_wrong("option '%s' needs a value", text);
  if (optopt >= first_long)
    return tool_wrong("option '%.*s' takes no value", (int)strcspn(text, "="), text);
  if (optopt)
    return tool_wrong("unknown option '-%c'", optopt);
  return refuse_long(text + strspn(text, "-"), table);
}

void tool_print_version(const char *version) {
  printf("%s %s\nApache-2.0, without warranty; https://www.apache.org/licenses/LICENSE-2.0\n",
         tool_program, version);
}

bool tool_number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return !*end && !errno && *value >= least && *value <= most;
}

bool tool_target(const char *option, const char *kind, const char *text, const char **target) {
  *target = text;
  return (*text && strcmp(text, "-") != 0) ||
         tool_wrong("%s expects %s, not '%s'", option, kind, text);
}

bool tool_sizes(const char *option, const char *text, uint32_t sizes[3]) {
  const char *p = text;
  sizes[1] = sizes[2] = 1;
  for (int i = 0; i < 3; i++) {
    char part[16];
    size_t length = strcspn(p, ",");
    uint64_t value;
    snprintf(part, sizeof part, "%.*s", (int)length, p);
    if (length >= sizeof part || !tool_number(part, 1, UINT32_MAX, &value))
      break;
    sizes[i] = (uint32_t)value;
    p += length;
    if (!*p)
      return true;
    p++;
  }
  return tool_wrong("%s expects X,Y,Z, each 1 or more, not '%s'", option, text);
}

bool tool_framebuffer(const char *text, uint32_t sides[2]) {
  enum { MOST_SIDE = 16384, DIGITS = 8 };
  char width[DIGITS];
  uint64_t w, h;
  size_t length = strcspn(text, "x");
  snprintf(width, sizeof width, "%.*s", (int)(length < DIGITS ? length : DIGITS - 1), text);
  if (length >= DIGITS || !text[length] || !tool_number(width, 1, MOST_SIDE, &w) ||
      !tool_number(text + length + 1, 1, MOST_SIDE, &h))
    return tool_wrong("--framebuffer expects WIDTHxHEIGHT, in pixels, 1x1 to %dx%d, not '%s'",
                      MOST_SIDE, MOST_SIDE, text);
  sides[0] = (uint32_t)w;
  sides[1] = (uint32_t)h;
  return true;
}
