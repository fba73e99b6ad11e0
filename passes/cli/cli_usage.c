/* SPDX-License-Identifier: Apache-2.0 */
/* cli_usage: see cli_usage.h. */
#include "cli/cli_usage.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_wrong(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s: ", cli_program);
  vfprintf(stderr, format, args);
  fputs("; see --help\n", stderr);
  va_end(args);
  return false;
}

bool cli_refuse(int key, const char *text, int first_long) {
  if (key == ':')
    return cli_wrong("option '%s' needs a value", text);
  if (optopt >= first_long)
    return cli_wrong("option '%.*s' takes no value", (int)strcspn(text, "="), text);
  if (optopt)
    return cli_wrong("unknown option '-%c'", optopt);
  return cli_wrong("unknown or ambiguous option '%s'", text);
}

bool cli_number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return !*end && !errno && *value >= least && *value <= most;
}
