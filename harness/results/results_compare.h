/* results_compare: what a database of results holds, and what changed from one to another. */
#ifndef HN_RESULTS_COMPARE_H
#define HN_RESULTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/* Prints each place whose outcome is another in `b` than in `a`, or that only one of them has;
 * *changes counts them. On false *message is one line. */
bool hn_results_compare(const char *a, const char *b, size_t *changes, char **message);

/* Prints a line a place, in their order, with tabs between: case, device, variant, outcome, hash of
 * the case, hash of its modules, message. Nothing that two runs of the same may differ in, such as
 * durations. */
bool hn_results_dump(const char *path, char **message);

#endif
