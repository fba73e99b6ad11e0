/* SPDX-License-Identifier: Apache-2.0 */
/* layer_stats: counts what the layer does in a process, and writes one line about it when the
 * process exits.
 *
 * The counts belong to the process, not to an instance: programs have several instances, and many
 * end without destroying them. So the library stays loaded until the process exits (-z nodelete). A
 * process that ends by a signal or _exit writes no line, nor does a forked child that has created
 * no instance. */
#ifndef LY_LAYER_STATS_H
#define LY_LAYER_STATS_H

#include "harness/layer/layer_result.h"
#include "harness/layer/support/log.h"

#include <stdbool.h>

/* Requests the line at exit. It goes to the log, whose path is `path` (NULL: standard error); the
 * log may be closed before the process exits. */
void ly_stats_ask(const LyLog *log, const char *path);
/* Counts a module. Any number of threads may call this. */
void ly_stats_count(const LyResult *result, bool from_cache, double seconds);
/* Counts a module that SPVRECONV_ONLY or SPVRECONV_APPS excludes. */
void ly_stats_count_left_out(void);

enum { LY_STATS_ROOM = 512 };
/* Writes the line, without prefix and newline. */
void ly_stats_print(char line[LY_STATS_ROOM]);

#endif
