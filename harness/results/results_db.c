/* SPDX-License-Identifier: Apache-2.0 */
/* results_db: see results_db.h. */
#include "harness/results/results_db.h"

#include "harness/base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Unsigned 64-bit numbers are stored as SQLite's signed ones. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS outcome ("
    " case_hash INTEGER NOT NULL, setup_hash INTEGER NOT NULL, variant TEXT NOT NULL,"
    " module_hash INTEGER NOT NULL, outcome TEXT NOT NULL, message TEXT, gpu_ns INTEGER NOT NULL,"
    " wall_us INTEGER NOT NULL, PRIMARY KEY (case_hash, setup_hash, variant)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS place ("
    " path TEXT NOT NULL, device TEXT NOT NULL, variant TEXT NOT NULL, case_hash INTEGER NOT NULL,"
    " setup_hash INTEGER NOT NULL, PRIMARY KEY (path, device, variant)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS artifacts (folder TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;"
    "CREATE VIEW IF NOT EXISTS result AS"
    " SELECT path, device, variant, outcome, message, gpu_ns, wall_us, case_hash, setup_hash,"
    "  module_hash FROM place JOIN outcome USING (case_hash, setup_hash, variant)";

static const char put_outcome[] =
    "INSERT OR REPLACE INTO outcome (" HN_DB_OUTCOME ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
static const char put_place[] =
    "INSERT OR REPLACE INTO place (" HN_DB_PLACE ") VALUES (?, ?, ?, ?, ?)";
static const char find_outcome[] =
    "SELECT " HN_DB_OUTCOME " FROM outcome WHERE case_hash = ? AND setup_hash = ? AND variant = ?";

struct HnDb {
  sqlite3 *handle;
  sqlite3_stmt *outcome, *place, *find;
};

/* Reads the head of the file, up to the bytes with its write mode. */
static bool read_head(const char *path, char head[20]) {
  static const char magic[16] = "SQLite format 3";
  FILE *file = fopen(path, "rb");
  bool is = file && fread(head, 20, 1, file) == 1 && memcmp(head, magic, sizeof magic) == 0;
  if (file)
    fclose(file);
  return is;
}

bool hn_db_is(const char *path) {
  char head[20];
  return read_head(path, head);
}

/* A write mode of 2 means write-ahead logging, 1 means none. */
bool hn_db_is_merged(const char *path) {
  char head[20];
  return read_head(path, head) && head[18] == 1 && head[19] == 1;
}

bool hn_db_execute(sqlite3 *handle, const char *sql) {
  return sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool prepare(HnDb *db, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v2(db->handle, sql, -1, statement, NULL) == SQLITE_OK;
}

/* Write-ahead logging, so that a commit does not wait for the disk; a crash of the machine, but not
 * of the process, may lose the last commits. */
static const char written[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
static const char fresh[] = "PRAGMA journal_mode = OFF; PRAGMA cache_size = -65536";

/* "unix-none" is SQLite's file access without locks. */
static bool open_file(HnDb *db, const char *path, HnDbUse use) {
  int flags =
      use == HN_DB_LOOKUP ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const char *vfs = use == HN_DB_WRITE ? NULL : "unix-none";
  if (sqlite3_open_v2(path, &db->handle, flags, vfs) != SQLITE_OK ||
      sqlite3_busy_timeout(db->handle, 10000) != SQLITE_OK)
    return false;
  if (use == HN_DB_LOOKUP)
    return prepare(db, find_outcome, &db->find);
  return hn_db_execute(db->handle, use == HN_DB_FRESH ? fresh : written) &&
         hn_db_execute(db->handle, schema) && prepare(db, put_outcome, &db->outcome) &&
         prepare(db, put_place, &db->place);
}

bool hn_db_open(const char *path, HnDbUse use, HnDb **db, char **message) {
  *db = calloc(1, sizeof **db);
  if (!*db)
    return hn_message_set(message, path, "out of memory");
  if (open_file(*db, path, use))
    return true;
  hn_message_set(message, path, hn_db_error(*db));
  hn_db_close(*db);
  *db = NULL;
  return false;
}

void hn_db_close(HnDb *db) {
  if (!db)
    return;
  sqlite3_finalize(db->outcome);
  sqlite3_finalize(db->place);
  sqlite3_finalize(db->find);
  sqlite3_close(db->handle);
  free(db);
}

sqlite3 *hn_db_handle(HnDb *db) {
  return db->handle;
}

const char *hn_db_error(const HnDb *db) {
  return sqlite3_errmsg(db->handle);
}

/* ---- rows ---- */

static void bind_number(sqlite3_stmt *s, int at, uint64_t number) {
  sqlite3_bind_int64(s, at, (sqlite3_int64)number);
}

static void bind_text(sqlite3_stmt *s, int at, const char *text) {
  sqlite3_bind_text(s, at, text, -1, SQLITE_STATIC);
}

void hn_db_bind_outcome(sqlite3_stmt *s, const HnOutcomeKey *key, const HnResult *result) {
  sqlite3_reset(s);
  bind_number(s, 1, key->case_hash);
  bind_number(s, 2, key->setup_hash);
  bind_text(s, 3, key->variant);
  bind_number(s, 4, result->module_hash);
  bind_text(s, 5, hn_outcome_name(result->outcome));
  bind_text(s, 6, result->message);
  bind_number(s, 7, result->gpu_ns);
  bind_number(s, 8, result->wall_us);
}

void hn_db_bind_place(sqlite3_stmt *s, const char *path, const char *device,
                      const HnOutcomeKey *key) {
  sqlite3_reset(s);
  bind_text(s, 1, path);
  bind_text(s, 2, device);
  bind_text(s, 3, key->variant);
  bind_number(s, 4, key->case_hash);
  bind_number(s, 5, key->setup_hash);
}

const char *hn_db_text(sqlite3_stmt *s, int column) {
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text ? text : "";
}

static uint64_t number_of(sqlite3_stmt *s, int column) {
  return (uint64_t)sqlite3_column_int64(s, column);
}

static HnOutcomeKey key_of(sqlite3_stmt *s, int hashes, int variant) {
  return (HnOutcomeKey){number_of(s, hashes), number_of(s, hashes + 1), hn_db_text(s, variant)};
}

/* Reads columns as in HN_DB_OUTCOME; SQLite owns the message. False: an unknown outcome. */
static bool result_of(sqlite3_stmt *s, HnResult *result) {
  *result = (HnResult){.message = (char *)sqlite3_column_text(s, 5),
                       .gpu_ns = number_of(s, 6),
                       .wall_us = number_of(s, 7),
                       .case_hash = number_of(s, 0),
                       .module_hash = number_of(s, 3),
                       .recorded = true};
  return hn_outcome_find(hn_db_text(s, 4), &result->outcome);
}

/* ---- a group, an outcome ---- */

static bool put_row(HnDb *db, const HnGroup *group, uint32_t v) {
  const HnOutcomeKey key = {group->case_hash, group->setup_hash, group->variants[v]};
  hn_db_bind_outcome(db->outcome, &key, &group->results[v]);
  hn_db_bind_place(db->place, group->path, group->device, &key);
  return sqlite3_step(db->outcome) == SQLITE_DONE && sqlite3_step(db->place) == SQLITE_DONE;
}

bool hn_db_put(HnDb *db, const HnGroup *group) {
  bool good = hn_db_execute(db->handle, "BEGIN");
  for (uint32_t v = 0; good && v < group->count; v++)
    good = put_row(db, group, v);
  sqlite3_reset(db->outcome);
  sqlite3_reset(db->place);
  return good && hn_db_execute(db->handle, "COMMIT");
}

bool hn_db_note_artifacts(HnDb *db, const char *folder) {
  sqlite3_stmt *s = NULL;
  bool good = prepare(db, "INSERT OR IGNORE INTO artifacts VALUES (?)", &s);
  if (good) {
    bind_text(s, 1, folder);
    good = sqlite3_step(s) == SQLITE_DONE;
  }
  sqlite3_finalize(s);
  return good;
}

bool hn_db_find(HnDb *db, const HnOutcomeKey *key, HnResult *result) {
  sqlite3_stmt *s = db->find;
  sqlite3_reset(s);
  bind_number(s, 1, key->case_hash);
  bind_number(s, 2, key->setup_hash);
  bind_text(s, 3, key->variant);
  bool found = sqlite3_step(s) == SQLITE_ROW && result_of(s, result);
  if (found && result->message)
    result->message = strdup(result->message);
  return found;
}

/* ---- all of a file ---- */

/* Skips outcomes that this version does not know. */
static int visit_outcomes(sqlite3_stmt *s, const HnVisitor *visitor) {
  int step;
  while ((step = sqlite3_step(s)) == SQLITE_ROW) {
    HnResult result;
    HnOutcomeKey key = key_of(s, 0, 2);
    if (result_of(s, &result) && !visitor->outcome(visitor->user, &key, &result))
      return SQLITE_ABORT;
  }
  return step;
}

static int visit_places(sqlite3_stmt *s, const HnVisitor *visitor) {
  int step;
  while ((step = sqlite3_step(s)) == SQLITE_ROW) {
    HnOutcomeKey key = key_of(s, 3, 2);
    if (!visitor->place(visitor->user, hn_db_text(s, 0), hn_db_text(s, 1), &key))
      return SQLITE_ABORT;
  }
  return step;
}

static int visit(sqlite3 *handle, const char *sql, const HnVisitor *visitor,
                 int (*rows)(sqlite3_stmt *, const HnVisitor *)) {
  sqlite3_stmt *s = NULL;
  int code = sqlite3_prepare_v2(handle, sql, -1, &s, NULL);
  if (code == SQLITE_OK)
    code = rows(s, visitor);
  sqlite3_finalize(s);
  return code;
}

/* Files of older versions do not have the table. */
static int visit_artifacts(sqlite3 *handle, const HnVisitor *visitor) {
  sqlite3_stmt *s = NULL;
  int step = sqlite3_prepare_v2(handle, "SELECT folder FROM artifacts", -1, &s, NULL);
  if (step != SQLITE_OK)
    return SQLITE_DONE;
  while ((step = sqlite3_step(s)) == SQLITE_ROW)
    if (!visitor->artifacts(visitor->user, hn_db_text(s, 0))) {
      step = SQLITE_ABORT;
      break;
    }
  sqlite3_finalize(s);
  return step;
}

/* Opens the file for writing, so that SQLite merges the last rows of a killed run, which are in a
 * file next to it. */
bool hn_db_read(const char *path, const HnVisitor *visitor, char **message) {
  sqlite3 *handle = NULL;
  int code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK)
    code = visit(handle, "SELECT " HN_DB_OUTCOME " FROM outcome", visitor, visit_outcomes);
  if (code == SQLITE_DONE)
    code = visit(handle, "SELECT " HN_DB_PLACE " FROM place", visitor, visit_places);
  if (code == SQLITE_DONE && visitor->artifacts)
    code = visit_artifacts(handle, visitor);
  if (code != SQLITE_DONE && code != SQLITE_ABORT)
    hn_message_set(message, path, sqlite3_errmsg(handle));
  sqlite3_close(handle);
  return code == SQLITE_DONE;
}
