/* SPDX-License-Identifier: Apache-2.0 */
/* results_merge: merges results files into one database. */
#ifndef HN_RESULTS_MERGE_H
#define HN_RESULTS_MERGE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the contents of the files, and of `out` if it exists, to the database `out`; among results
 * with the same key, the last file's is kept. `out` is replaced atomically. *torn counts truncated
 * lines of logs. On false *message is one line. */
bool hn_results_merge(const char *out, char *const *in, int count, size_t *torn, char **message);

#endif
