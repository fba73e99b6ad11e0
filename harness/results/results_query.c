/* SPDX-License-Identifier: Apache-2.0 */
/* results_query: see results_query.h. */
#include "harness/results/results_query.h"

#include "harness/base/message.h"

#include <unistd.h>

static bool attach(sqlite3 *memory, const char *path, const char *as, char **message) {
  if (access(path, R_OK) != 0)
    return hn_message_set(message, path, "no such file, or no permission to read it");
  if (!hn_db_is(path))
    return hn_message_set(message, path, "is not a results database; merge makes one from logs");
  char *sql = sqlite3_mprintf("ATTACH %Q AS %s", path, as);
  bool good = sql && hn_db_execute(memory, sql);
  sqlite3_free(sql);
  sqlite3_stmt *s = NULL;
  sql = sqlite3_mprintf("SELECT path, device, variant, outcome, message FROM %s.result", as);
  good = good && sql && sqlite3_prepare_v2(memory, sql, -1, &s, NULL) == SQLITE_OK;
  sqlite3_finalize(s);
  sqlite3_free(sql);
  return good || hn_message_set(message, path, sqlite3_errmsg(memory));
}

static bool define(sqlite3 *memory, const HnFunction *functions) {
  for (const HnFunction *f = functions; f && f->name; f++)
    if (sqlite3_create_function(memory, f->name, f->arguments, SQLITE_UTF8, NULL, f->call, NULL,
                                NULL) != SQLITE_OK)
      return false;
  return true;
}

bool hn_results_query(const char *a, const char *b, const char *sql, const HnFunction *functions,
                      void (*row)(sqlite3_stmt *s, void *user), void *user, char **message) {
  sqlite3 *memory = NULL;
  sqlite3_stmt *s = NULL;
  if (sqlite3_open(":memory:", &memory) != SQLITE_OK || !define(memory, functions)) {
    sqlite3_close(memory);
    return hn_message_set(message, a, "out of memory");
  }
  bool good = attach(memory, a, "a", message) && (!b || attach(memory, b, "b", message));
  if (good) {
    int step = sqlite3_prepare_v2(memory, sql, -1, &s, NULL);
    while ((step == SQLITE_OK || step == SQLITE_ROW) && (step = sqlite3_step(s)) == SQLITE_ROW)
      row(s, user);
    good = step == SQLITE_DONE || hn_message_set(message, b ? b : a, sqlite3_errmsg(memory));
  }
  sqlite3_finalize(s);
  sqlite3_close(memory);
  return good;
}
