/* results_db: a file of results that is an SQLite database.
 *
 *   outcome  by content: (case_hash, setup_hash, variant)
 *   place    by name: (path, device, variant), and the content of the newest outcome there
 *   result   a view of both, for people: path, device, variant, outcome, message, …
 *
 * Both tables are kept in the order of their keys, so that a merge writes them from front to end.
 * A database needs a file system with locks: on a cluster's, tasks write logs. */
#ifndef HN_RESULTS_DB_H
#define HN_RESULTS_DB_H

#include "results/results.h"

#include <sqlite3.h>

typedef struct HnDb HnDb;

typedef enum HnDbUse {
  HN_DB_WRITE,  /* made if it is not there */
  HN_DB_FRESH,  /* a new file of our own, without locks and journal: worthless until it is closed */
  HN_DB_LOOKUP, /* read by several programs at once, and written by none */
} HnDbUse;

/* Does the file begin as databases do? */
bool hn_db_is(const char *path);
/* Is it one that a merge has made, and no run has written to since? Those may be looked up. */
bool hn_db_is_merged(const char *path);
/* On false *message is one line. */
bool hn_db_open(const char *path, HnDbUse use, HnDb **db, char **message);
bool hn_db_put(HnDb *db, const HnGroup *group);
const char *hn_db_error(const HnDb *db);
void hn_db_close(HnDb *db);

/* The outcome of that content; its message is to be freed. */
bool hn_db_find(HnDb *db, const HnOutcomeKey *key, HnResult *result);
bool hn_db_read(const char *path, const HnVisitor *visitor, char **message);

/* ---- for those who have SQL of their own ---- */

sqlite3 *hn_db_handle(HnDb *db);
bool hn_db_execute(sqlite3 *handle, const char *sql);
/* Binds an outcome to the parameters from 1 on, in the order of HN_DB_OUTCOME; a place likewise. */
void hn_db_bind_outcome(sqlite3_stmt *s, const HnOutcomeKey *key, const HnResult *result);
void hn_db_bind_place(sqlite3_stmt *s, const char *path, const char *device,
                      const HnOutcomeKey *key);
/* A column's text; "" for none. */
const char *hn_db_text(sqlite3_stmt *s, int column);

#define HN_DB_OUTCOME                                                                              \
  "case_hash, setup_hash, variant, module_hash, outcome, message, gpu_ns, wall_us"
#define HN_DB_PLACE "path, device, variant, case_hash, setup_hash"

#endif
