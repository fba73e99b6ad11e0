/* SPDX-License-Identifier: Apache-2.0 */
/* results_compare: prints a results database, and the changes between two. */
#ifndef HN_RESULTS_COMPARE_H
#define HN_RESULTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum HnChange {
  HN_REGRESSION, /* fails now and did not before, or has become a flake */
  HN_FIX,        /* passes now, and did not before */
  HN_OTHER_CHANGE,
  HN_CHANGES,
} HnChange;

/* The kind of change from the outcome `before` to `after`. NULL: the place was not run. */
HnChange hn_change_of(const char *before, const char *after, const char *variant);

typedef enum HnCompareFormat {
  HN_COMPARE_TEXT, /* by kind of change, without the counts */
  HN_COMPARE_CSV,  /* a line for each change */
  HN_COMPARE_JSON, /* one object, with the counts */
} HnCompareFormat;

/* Prints each place whose outcome differs between `a` and `b`, or that only one of them has;
 * changes[kind] counts them. On false *message is one line; NULL: out of memory. */
bool hn_results_compare(const char *a, const char *b, HnCompareFormat format,
                        size_t changes[HN_CHANGES], char **message);

/* How many places are in both files? False: as above. */
bool hn_results_common(const char *a, const char *b, size_t *count, char **message);

/* Prints a line for each place, sorted, with tabs between the fields: case, device, variant,
 * outcome, hash of the case, hash of its modules, message. Leaves out everything that may differ
 * between identical runs, such as durations. */
bool hn_results_dump(const char *path, char **message);

#endif
