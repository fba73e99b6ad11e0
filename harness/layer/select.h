/* SPDX-License-Identifier: Apache-2.0 */
/* select: chooses the modules to transform: those of the applications in SPVRECONV_APPS, and of
 * these the modules whose hashes SPVRECONV_ONLY names, so that a bad module can be found by
 * bisection. */
#ifndef LY_SELECT_H
#define LY_SELECT_H

#include "harness/layer/support/hash.h"
#include "harness/layer/support/log.h"

#include <stdbool.h>

typedef struct LyRange {
  LyHash first, last;
} LyRange;

typedef struct LySelect {
  LyRange *range; /* malloc'd */
  size_t count;
  bool all; /* SPVRECONV_ONLY is not set */
} LySelect;

/* Reads `only`: a list of HASH and FIRST-LAST, separated by commas; a prefix selects all hashes
 * that begin with it. NULL: all modules. An invalid list, or lack of memory, selects none and gets
 * a line in the log. */
void ly_select_read(LySelect *select, const char *only, const LyLog *log);
void ly_select_clear(LySelect *select);
bool ly_select_has(const LySelect *select, LyHash module);

/* Does one of the patterns (as of a shell, with commas) match `application`, the name that the
 * application gives to Vulkan (NULL: none), or `program`, the name of the program's file? */
bool ly_select_application(const char *patterns, const char *application, const char *program);

#endif
