/* SPDX-License-Identifier: Apache-2.0 */
/* results_merge: see results_merge.h.
 *
 * The rows of all files arrive in any order, and once a table is larger than memory, each random
 * insertion takes a seek. So all rows are first appended to unsorted tables in a temporary file;
 * SQLite sorts them with memory bounded by its cache (an external merge sort); and the tables of
 * `out` are written sequentially. That is n log n with a small constant: docs/scale.md has figures.
 * `out` is written under a different name and renamed. */
#include "harness/results/results_merge.h"
#include "harness/results/results_db.h"

#include "harness/base/message.h"
#include "passes/tool/tool_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows are not unique. Of several rows with the same name or content, the last one is kept. */
static const char unordered[] = "PRAGMA temp_store = FILE; PRAGMA temp.journal_mode = OFF;"
                                "CREATE TEMP TABLE some_outcome (" HN_DB_OUTCOME ");"
                                "CREATE TEMP TABLE some_place (" HN_DB_PLACE ");"
                                "BEGIN";
static const char in_order[] =
    "INSERT OR REPLACE INTO outcome SELECT " HN_DB_OUTCOME " FROM some_outcome"
    " ORDER BY case_hash, setup_hash, variant, rowid;"
    "INSERT OR REPLACE INTO place SELECT " HN_DB_PLACE " FROM some_place"
    " ORDER BY path, device, variant, rowid;"
    "COMMIT";

typedef struct Merge {
  HnDb *db;
  sqlite3_stmt *outcome, *place; /* statements that append to the unsorted tables */
  size_t *torn;
  char **message;
} Merge;

static bool prepare(const Merge *m, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v2(hn_db_handle(m->db), sql, -1, statement, NULL) == SQLITE_OK;
}

static bool take_outcome(void *user, const HnOutcomeKey *key, const HnResult *result) {
  Merge *m = user;
  hn_db_bind_outcome(m->outcome, key, result);
  return sqlite3_step(m->outcome) == SQLITE_DONE;
}

static bool take_place(void *user, const char *path, const char *device, const HnOutcomeKey *key) {
  Merge *m = user;
  hn_db_bind_place(m->place, path, device, key);
  return sqlite3_step(m->place) == SQLITE_DONE;
}

static bool take_artifacts(void *user, const char *folder) {
  Merge *m = user;
  return hn_db_note_artifacts(m->db, folder);
}

static bool take_file(Merge *m, const char *path) {
  const HnVisitor visitor = {m, take_outcome, take_place, take_artifacts};
  size_t torn;
  *m->message = NULL;
  bool good = hn_results_read(path, &visitor, &torn, m->message);
  *m->torn += torn;
  if (!good && !*m->message)
    hn_message_set(m->message, path, hn_db_error(m->db));
  return good;
}

static bool merge_into(Merge *m, const char *out, char *const *in, int count) {
  sqlite3 *handle = hn_db_handle(m->db);
  bool good = hn_db_execute(handle, unordered) &&
              prepare(m, "INSERT INTO some_outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?)", &m->outcome) &&
              prepare(m, "INSERT INTO some_place VALUES (?, ?, ?, ?, ?)", &m->place);
  if (!good)
    return hn_message_set(m->message, out, hn_db_error(m->db));
  if (access(out, F_OK) == 0)
    good = take_file(m, out);
  for (int i = 0; good && i < count; i++)
    good = take_file(m, in[i]);
  sqlite3_reset(m->outcome);
  sqlite3_reset(m->place);
  if (good && !hn_db_execute(handle, in_order))
    good = hn_message_set(m->message, out, hn_db_error(m->db));
  return good;
}

static bool merge_to(const char *out, const char *temporary, char *const *in, int count,
                     size_t *torn, char **message) {
  Merge m = {.torn = torn, .message = message};
  if (!hn_db_open(temporary, HN_DB_FRESH, &m.db, message))
    return false;
  bool good = merge_into(&m, out, in, count);
  sqlite3_finalize(m.outcome);
  sqlite3_finalize(m.place);
  hn_db_close(m.db);
  return good;
}

/* Removes the rows that a killed run left next to an earlier `out`, since they are merged by
 * now. */
static bool rename_to(const char *temporary, const char *out, char **message) {
  static const char *const sides[] = {"-wal", "-shm"};
  if (rename(temporary, out) != 0)
    return hn_message_set(message, out, strerror(errno));
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    char *side;
    if (asprintf(&side, "%s%s", out, sides[i]) < 0)
      return hn_message_set(message, out, "out of memory");
    unlink(side);
    free(side);
  }
  return true;
}

bool hn_results_merge(const char *out, char *const *in, int count, size_t *torn, char **message) {
  char *temporary;
  *torn = 0;
  if (!hn_results_may_name(out, message))
    return false;
  if (tool_has_suffix(out, ".log"))
    return hn_message_set(message, out, "a merge writes a database, but .log is the name of a log");
  if (asprintf(&temporary, "%s.%ld.tmp", out, (long)getpid()) < 0)
    return hn_message_set(message, out, "out of memory");
  bool good =
      merge_to(out, temporary, in, count, torn, message) && rename_to(temporary, out, message);
  if (!good)
    unlink(temporary);
  free(temporary);
  return good;
}
