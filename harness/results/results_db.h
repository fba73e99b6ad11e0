/* SPDX-License-Identifier: Apache-2.0 */
/* results_db: a results file that is an SQLite database.
 *
 *   outcome  by content: (case_hash, setup_hash, variant)
 *   place    by name: (path, device, variant), and the content of the newest outcome there
 *   artifacts  the folders of the runs' artifacts
 *   result   a view of outcome and place, for people: path, device, variant, outcome, message, …
 *
 * The tables are sorted by their keys, so that a merge writes them sequentially. A database needs
 * a file system with locks; on the file system of a cluster, tasks write logs instead. */
#ifndef HN_RESULTS_DB_H
#define HN_RESULTS_DB_H

#include "harness/results/results.h"

#include <sqlite3.h>

typedef struct HnDb HnDb;

typedef enum HnDbUse {
  HN_DB_WRITE,  /* created if needed */
  HN_DB_FRESH,  /* a new private file, without locks and journal; valid only after it is closed */
  HN_DB_LOOKUP, /* read by several programs at once, and written by none */
} HnDbUse;

/* Does the file begin like a database? */
bool hn_db_is(const char *path);
/* Was the database made by a merge, with no run written to it since? Then it may be opened for
 * HN_DB_LOOKUP, which takes no locks. */
bool hn_db_is_merged(const char *path);
/* On false *message is one line. */
bool hn_db_open(const char *path, HnDbUse use, HnDb **db, char **message);
bool hn_db_put(HnDb *db, const HnGroup *group);
bool hn_db_note_artifacts(HnDb *db, const char *folder);
const char *hn_db_error(const HnDb *db);
void hn_db_close(HnDb *db);

/* Looks up the outcome of a content; the caller frees its message. False: there is none. */
bool hn_db_find(HnDb *db, const HnOutcomeKey *key, HnResult *result);
bool hn_db_read(const char *path, const HnVisitor *visitor, char **message);

/* ---- for files with SQL of their own ---- */

sqlite3 *hn_db_handle(HnDb *db);
bool hn_db_execute(sqlite3 *handle, const char *sql);
/* Bind an outcome, in the order of HN_DB_OUTCOME, or a place, to the parameters; the first has
 * number 1. */
void hn_db_bind_outcome(sqlite3_stmt *s, const HnOutcomeKey *key, const HnResult *result);
void hn_db_bind_place(sqlite3_stmt *s, const char *path, const char *device,
                      const HnOutcomeKey *key);
/* A column's text; "" if NULL. */
const char *hn_db_text(sqlite3_stmt *s, int column);

#define HN_DB_OUTCOME                                                                              \
  "case_hash, setup_hash, variant, module_hash, outcome, message, gpu_ns, wall_us"
#define HN_DB_PLACE "path, device, variant, case_hash, setup_hash"

#endif
