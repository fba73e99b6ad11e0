/* results_merge: the results of several files in one database, and what two of them disagree in. */
#ifndef HN_RESULTS_MERGE_H
#define HN_RESULTS_MERGE_H

#include <stdbool.h>
#include <stddef.h>

/* Puts all that the files and `out`, where it is there already, hold into the database `out`, later
 * files winning. It appears whole or not at all. *torn counts lines of logs that were cut short. On
 * false *message is one line. */
bool hn_results_merge(const char *out, char *const *in, int count, size_t *torn, char **message);

#endif
