/* SPDX-License-Identifier: Apache-2.0 */
/* select: see select.h. */
#include "harness/layer/select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = LY_HASH_TEXT - 1, PATTERN_ROOM = 256 };

static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads hexadecimal digits, continued by digits `rest` (0 or 15) to the length of a hash. */
static bool read_hash(const char *text, size_t length, unsigned rest, LyHash *hash) {
  if (length == 0 || length > DIGITS)
    return false;
  *hash = (LyHash){0};
  for (size_t i = 0; i < DIGITS; i++) {
    int value = i < length ? digit(text[i]) : (int)rest;
    if (value < 0)
      return false;
    hash->high = hash->high << 4 | hash->low >> 60;
    hash->low = hash->low << 4 | (uint64_t)value;
  }
  return true;
}

static bool at_most(LyHash a, LyHash b) {
  return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

static bool read_range(const char *text, size_t length, LyRange *range) {
  const char *dash = memchr(text, '-', length);
  size_t first = dash ? (size_t)(dash - text) : length;
  const char *last = dash ? dash + 1 : text;
  return read_hash(text, first, 0, &range->first) &&
         read_hash(last, dash ? length - first - 1 : length, 15, &range->last) &&
         at_most(range->first, range->last);
}

static size_t count_entries(const char *list) {
  size_t count = 1;
  for (; *list; list++)
    count += *list == ',';
  return count;
}

void ly_select_read(LySelect *select, const char *only, const LyLog *log) {
  *select = (LySelect){.all = !only};
  if (!only)
    return;
  select->range = calloc(count_entries(only), sizeof *select->range);
  if (!select->range) {
    ly_log(log, LY_ERROR, "SPVRECONV_ONLY: out of memory; no module is changed");
    return;
  }
  for (const char *p = only;; p++) {
    size_t length = strcspn(p, ",");
    if (!read_range(p, length, &select->range[select->count])) {
      ly_log(
          log, LY_ERROR,
          "SPVRECONV_ONLY: invalid entry '%.*s'; an entry is the first 1 to %d hexadecimal digits "
          "of hashes, or FIRST-LAST of such; no module is changed",
          length < 80 ? (int)length : 80, p, DIGITS);
      ly_select_clear(select);
      return;
    }
    select->count++;
    p += length;
    if (!*p)
      break;
  }
}

void ly_select_clear(LySelect *select) {
  free(select->range);
  *select = (LySelect){0};
}

bool ly_select_has(const LySelect *select, LyHash module) {
  for (size_t i = 0; i < select->count; i++)
    if (at_most(select->range[i].first, module) && at_most(module, select->range[i].last))
      return true;
  return select->all;
}

bool ly_select_application(const char *patterns, const char *application, const char *program) {
  for (const char *p = patterns;; p++) {
    size_t length = strcspn(p, ",");
    char pattern[PATTERN_ROOM];
    if (length < sizeof pattern) {
      memcpy(pattern, p, length);
      pattern[length] = 0;
      if ((application && fnmatch(pattern, application, 0) == 0) ||
          fnmatch(pattern, program, 0) == 0)
        return true;
    }
    p += length;
    if (!*p)
      return false;
  }
}
