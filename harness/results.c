/* results: see results.h. */
#include "results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Any 64-bit number as SQLite's signed one. `id` grows with time: the newest row has the largest.
 */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS result ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " path TEXT NOT NULL, device TEXT NOT NULL, variant TEXT NOT NULL,"
    " case_hash INTEGER NOT NULL, setup_hash INTEGER NOT NULL, module_hash INTEGER NOT NULL,"
    " outcome TEXT NOT NULL, message TEXT, gpu_ns INTEGER NOT NULL, wall_us INTEGER NOT NULL,"
    " UNIQUE (path, device, variant, case_hash, setup_hash) ON CONFLICT REPLACE)";

static const char insert[] =
    "INSERT INTO result (path, device, variant, case_hash, setup_hash, module_hash, outcome,"
    " message, gpu_ns, wall_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

struct HnResults {
  sqlite3 *db;
  sqlite3_stmt *insert;
};

static bool tell(char **message, const char *path, const char *what) {
  if (asprintf(message, "%s: %s", path, what) < 0)
    *message = NULL;
  return false;
}

static bool execute(HnResults *r, const char *sql) {
  return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Write-ahead logging, so that a commit costs no wait for the disk; a crash of the machine, not of
 * the process, may lose the last ones. */
static bool open_file(HnResults *r, const char *path, int flags) {
  return sqlite3_open_v2(path, &r->db, flags, NULL) == SQLITE_OK &&
         sqlite3_busy_timeout(r->db, 10000) == SQLITE_OK &&
         execute(r, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") &&
         execute(r, schema) && sqlite3_prepare_v2(r->db, insert, -1, &r->insert, NULL) == SQLITE_OK;
}

/* For SQLite these are databases that nobody else ever sees. */
static bool is_file_name(const char *path) {
  return *path && strcmp(path, ":memory:") != 0;
}

bool hn_results_open(const char *path, HnResults **results, char **message) {
  *results = NULL;
  if (!is_file_name(path))
    return tell(message, *path ? path : "''", "is no name of a file of results");
  HnResults *r = calloc(1, sizeof *r);
  if (!r)
    return tell(message, path, "out of memory");
  if (open_file(r, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) {
    *results = r;
    return true;
  }
  tell(message, path, hn_results_error(r));
  hn_results_close(r);
  return false;
}

void hn_results_close(HnResults *results) {
  if (!results)
    return;
  sqlite3_finalize(results->insert);
  sqlite3_close(results->db);
  free(results);
}

bool hn_results_begin(HnResults *results) {
  return execute(results, "BEGIN");
}

bool hn_results_put(HnResults *results, const char *path, const char *device, const char *variant,
                    uint64_t setup_hash, const HnResult *result) {
  sqlite3_stmt *s = results->insert;
  sqlite3_reset(s);
  sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, device, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 3, variant, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s, 4, (sqlite3_int64)result->case_hash);
  sqlite3_bind_int64(s, 5, (sqlite3_int64)setup_hash);
  sqlite3_bind_int64(s, 6, (sqlite3_int64)result->module_hash);
  sqlite3_bind_text(s, 7, hn_outcome_name(result->outcome), -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 8, result->message, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s, 9, (sqlite3_int64)result->gpu_ns);
  sqlite3_bind_int64(s, 10, (sqlite3_int64)result->wall_us);
  return sqlite3_step(s) == SQLITE_DONE;
}

bool hn_results_commit(HnResults *results) {
  return execute(results, "COMMIT");
}

const char *hn_results_error(const HnResults *results) {
  return sqlite3_errmsg(results->db);
}

/* ---- earlier runs, in memory ---- */

typedef struct Row {
  uint64_t key;
  HnResult result;
} Row;

struct HnRecorded {
  Row *rows; /* by key */
  size_t count, room;
};

static uint64_t key_of(const char *path, const char *device, const char *variant,
                       uint64_t case_hash, uint64_t setup_hash) {
  XXH3_state_t *state = XXH3_createState();
  XXH3_64bits_reset(state);
  XXH3_64bits_update(state, path, strlen(path) + 1);
  XXH3_64bits_update(state, device, strlen(device) + 1);
  XXH3_64bits_update(state, variant, strlen(variant) + 1);
  XXH3_64bits_update(state, &case_hash, sizeof case_hash);
  XXH3_64bits_update(state, &setup_hash, sizeof setup_hash);
  uint64_t key = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return key;
}

static int by_key(const void *a, const void *b) {
  const Row *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static const char *text_of(sqlite3_stmt *s, int column) {
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text ? text : "";
}

/* A row with an outcome we do not know counts as none. */
static bool add_row(HnRecorded *all, sqlite3_stmt *s) {
  Row row = {.result = {.case_hash = (uint64_t)sqlite3_column_int64(s, 3),
                        .module_hash = (uint64_t)sqlite3_column_int64(s, 4),
                        .gpu_ns = (uint64_t)sqlite3_column_int64(s, 7),
                        .wall_us = (uint64_t)sqlite3_column_int64(s, 8),
                        .recorded = true}};
  if (!hn_outcome_find(text_of(s, 5), &row.result.outcome))
    return true;
  row.key = key_of(text_of(s, 0), text_of(s, 1), text_of(s, 2), row.result.case_hash,
                   (uint64_t)sqlite3_column_int64(s, 9));
  if (all->count == all->room) {
    size_t room = all->room ? 2 * all->room : 256;
    Row *rows = realloc(all->rows, room * sizeof *rows);
    if (!rows)
      return false;
    all->rows = rows;
    all->room = room;
  }
  const char *message = (const char *)sqlite3_column_text(s, 6);
  row.result.message = message ? strdup(message) : NULL;
  all->rows[all->count++] = row;
  return true;
}

HnRecorded *hn_recorded_read(HnResults *results, char **message) {
  HnRecorded *all = calloc(1, sizeof *all);
  sqlite3_stmt *s = NULL;
  bool good = all && sqlite3_prepare_v2(results->db,
                                        "SELECT path, device, variant, case_hash, module_hash,"
                                        " outcome, message, gpu_ns, wall_us, setup_hash"
                                        " FROM result",
                                        -1, &s, NULL) == SQLITE_OK;
  int step = SQLITE_DONE;
  while (good && (step = sqlite3_step(s)) == SQLITE_ROW && add_row(all, s))
    ;
  sqlite3_finalize(s);
  if (!good || step != SQLITE_DONE) {
    tell(message, "--resume", step == SQLITE_ROW ? "out of memory" : hn_results_error(results));
    hn_recorded_free(all);
    return NULL;
  }
  if (all->count)
    qsort(all->rows, all->count, sizeof *all->rows, by_key);
  return all;
}

const HnResult *hn_recorded_find(const HnRecorded *recorded, const char *path, const char *device,
                                 const char *variant, uint64_t case_hash, uint64_t setup_hash) {
  Row key = {.key = key_of(path, device, variant, case_hash, setup_hash)};
  const Row *row =
      recorded->count ? bsearch(&key, recorded->rows, recorded->count, sizeof key, by_key) : NULL;
  return row ? &row->result : NULL;
}

void hn_recorded_free(HnRecorded *recorded) {
  if (!recorded)
    return;
  for (size_t i = 0; i < recorded->count; i++)
    free(recorded->rows[i].result.message);
  free(recorded->rows);
  free(recorded);
}

/* ---- whole files ---- */

static bool attach(HnResults *r, const char *path, const char *as, char **message) {
  if (access(path, R_OK) != 0)
    return tell(message, path, "no such file, or it may not be read");
  char *sql = sqlite3_mprintf("ATTACH %Q AS %s", path, as);
  bool good = sql && execute(r, sql);
  sqlite3_free(sql);
  sqlite3_stmt *s = NULL;
  sql = sqlite3_mprintf("SELECT id, path, device, variant, outcome, message FROM %s.result", as);
  good = good && sql && sqlite3_prepare_v2(r->db, sql, -1, &s, NULL) == SQLITE_OK;
  sqlite3_finalize(s);
  sqlite3_free(sql);
  return good || tell(message, path, hn_results_error(r));
}

static bool in_memory(HnResults *r, char **message) {
  *r = (HnResults){0};
  return open_file(r, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) ||
         tell(message, "memory", hn_results_error(r));
}

static void close_memory(HnResults *r) {
  sqlite3_finalize(r->insert);
  sqlite3_close(r->db);
}

/* The newest row of each place in both files, side by side. */
static const char differences[] =
    "WITH x AS (SELECT path, device, variant, outcome, message, max(id) FROM a.result"
    "           GROUP BY path, device, variant),"
    "     y AS (SELECT path, device, variant, outcome, message, max(id) FROM b.result"
    "           GROUP BY path, device, variant)"
    " SELECT x.path, x.device, x.variant, x.outcome, y.outcome, y.message FROM x"
    "  LEFT JOIN y USING (path, device, variant) WHERE x.outcome IS NOT y.outcome"
    " UNION ALL"
    " SELECT y.path, y.device, y.variant, NULL, y.outcome, y.message FROM y"
    "  LEFT JOIN x USING (path, device, variant) WHERE x.outcome IS NULL"
    " ORDER BY 1, 2, 3";

static void print_difference(sqlite3_stmt *s) {
  const char *before = (const char *)sqlite3_column_text(s, 3);
  const char *after = (const char *)sqlite3_column_text(s, 4);
  const char *message = (const char *)sqlite3_column_text(s, 5);
  printf("%s, %s, %s: %s -> %s%s%s\n", text_of(s, 0), text_of(s, 1), text_of(s, 2),
         before ? before : "not run", after ? after : "not run", message ? ": " : "",
         message ? message : "");
}

bool hn_results_compare(const char *a, const char *b, unsigned *changes, char **message) {
  HnResults r;
  sqlite3_stmt *s = NULL;
  *changes = 0;
  bool good = in_memory(&r, message) && attach(&r, a, "a", message) && attach(&r, b, "b", message);
  if (good) {
    int step = sqlite3_prepare_v2(r.db, differences, -1, &s, NULL);
    while (step == SQLITE_OK || step == SQLITE_ROW) {
      step = sqlite3_step(s);
      if (step != SQLITE_ROW)
        break;
      print_difference(s);
      ++*changes;
    }
    good = step == SQLITE_DONE || tell(message, b, hn_results_error(&r));
  }
  sqlite3_finalize(s);
  close_memory(&r);
  return good;
}

static bool copy_row(HnResults *out, sqlite3_stmt *row) {
  sqlite3_reset(out->insert);
  for (int i = 0; i < sqlite3_column_count(row); i++)
    sqlite3_bind_value(out->insert, i + 1, sqlite3_column_value(row, i));
  return sqlite3_step(out->insert) == SQLITE_DONE;
}

/* Rows go through two connections: a database cannot be attached inside a transaction. */
static bool merge_one(HnResults *out, const char *path, char **message) {
  static const char rows[] = "SELECT path, device, variant, case_hash, setup_hash, module_hash,"
                             " outcome, message, gpu_ns, wall_us FROM result ORDER BY id";
  sqlite3 *in = NULL;
  sqlite3_stmt *row = NULL;
  int step = sqlite3_open_v2(path, &in, SQLITE_OPEN_READWRITE, NULL);
  if (step == SQLITE_OK)
    step = sqlite3_prepare_v2(in, rows, -1, &row, NULL);
  if (step == SQLITE_OK)
    while ((step = sqlite3_step(row)) == SQLITE_ROW && copy_row(out, row))
      ;
  bool good = step == SQLITE_DONE;
  if (!good)
    tell(message, path, step == SQLITE_ROW ? hn_results_error(out) : sqlite3_errmsg(in));
  sqlite3_finalize(row);
  sqlite3_close(in);
  return good;
}

/* One transaction: all of them or none. */
static bool merge_all(HnResults *out, const char *path, char *const *in, int count,
                      char **message) {
  bool good = hn_results_begin(out) || tell(message, path, hn_results_error(out));
  for (int i = 0; good && i < count; i++)
    good = merge_one(out, in[i], message);
  if (good && !hn_results_commit(out))
    good = tell(message, path, hn_results_error(out));
  if (!good)
    execute(out, "ROLLBACK");
  return good;
}

bool hn_results_merge(const char *out, char *const *in, int count, char **message) {
  HnResults *r;
  bool made = access(out, F_OK) != 0;
  if (!hn_results_open(out, &r, message))
    return false;
  bool good = merge_all(r, out, in, count, message);
  hn_results_close(r);
  if (!good && made)
    unlink(out);
  return good;
}
