/* SPDX-License-Identifier: Apache-2.0 */
/* results_query: SQL over one or two results databases. */
#ifndef HN_RESULTS_QUERY_H
#define HN_RESULTS_QUERY_H

#include "harness/results/results_db.h"

/* A function that the SQL may call. */
typedef struct HnFunction {
  const char *name; /* NULL: the end of a list */
  int arguments;
  void (*call)(sqlite3_context *context, int count, sqlite3_value **values);
} HnFunction;

/* Calls `row` for each row that the SQL selects from the files, whose schemas are a and b (NULL:
 * none); `functions` NULL: none. On false *message is one line. */
bool hn_results_query(const char *a, const char *b, const char *sql, const HnFunction *functions,
                      void (*row)(sqlite3_stmt *s, void *user), void *user, char **message);

#endif
