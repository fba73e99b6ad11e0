/* SPDX-License-Identifier: Apache-2.0 */
/* cli_stats: the figures of a run as text tables of at most 80 columns. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <spvreconv/spvreconv.h>
#include <stdio.h>

typedef enum CliStats {
  CLI_STATS_NONE,
  CLI_STATS_SUM, /* --stats: what matters, all functions together, in ten lines */
  CLI_STATS_ALL, /* --stats=all: every figure of every function */
} CliStats;

/* Prints the table; `check`: with the results of --check. */
void cli_print_stats(const spvreconv_result *result, const char *file, CliStats kind, bool check,
                     FILE *out);
/* Prints one line: the coverage of --check, or of --against (the file `against`, else NULL); or
 * that nothing was compared. */
void cli_print_check(const spvreconv_result *result, const char *file, const char *against,
                     FILE *out);
/* Did walks compare anything? */
bool cli_has_compared(const spvreconv_check *check);
/* Prints the time of each pass, and its share, on standard error. */
void cli_print_times(const spvreconv_result *result);

#endif
