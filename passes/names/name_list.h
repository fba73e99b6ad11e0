/* SPDX-License-Identifier: Apache-2.0 */
/* name_list: the known names, as "a, b, c", for a message about an unknown name, and the known name
 * that is nearest to it.
 *
 * The text has room for a fixed number of characters, so that it needs no memory of its own. Names
 * that do not fit are left out, and ", ..." at its end says so; no name is cut. */
#ifndef SR_NAME_LIST_H
#define SR_NAME_LIST_H

#include "passes/base/compiler.h"
#include "passes/names/nearest.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { SR_NAME_LIST_ROOM = 512 };

/* Starts as {0}; `wanted`, of `length` characters, may be set before the first name is added. */
typedef struct SrNameList {
  const char *wanted; /* the name that is not known; need not be terminated. NULL: there is none */
  size_t length;
  const char *near; /* the name that is nearest to it; NULL: none is near */
  size_t distance;  /* of `near` */
  size_t used;
  bool full; /* names were left out */
  char text[SR_NAME_LIST_ROOM];
} SrNameList;

/* Adds the formatted text as a name that is not compared with `wanted`. */
SR_PRINTF(2, 3) static inline void sr_name_list_print(SrNameList *list, const char *format, ...) {
  static const char more[] = ", ...";
  const size_t most = sizeof list->text - sizeof more; /* so that `more` fits after the names */
  const char *comma = list->used ? ", " : "";
  char name[SR_NAME_LIST_ROOM];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(name, sizeof name, format, args);
  va_end(args);
  if (list->full || length < 0)
    return;
  list->full = list->used + strlen(comma) + (size_t)length > most;
  list->used +=
      (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
                       list->full ? (list->used ? more : more + 2) : comma, list->full ? "" : name);
}

/* Adds a name, which must live as long as `near` is used. */
static inline void sr_name_list_add(SrNameList *list, const char *name) {
  sr_name_list_print(list, "%s", name);
  if (list->wanted)
    sr_nearest_try(list->wanted, list->length, name, &list->near, &list->distance);
}

#endif
