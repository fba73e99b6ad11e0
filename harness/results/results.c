/* SPDX-License-Identifier: Apache-2.0 */
/* results: see results.h. Dispatches to the kind of file. */
#include "harness/results/results.h"
#include "harness/results/results_db.h"
#include "harness/results/results_log.h"

#include "harness/base/message.h"
#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct HnResults {
  HnDb *db; /* one of these two is set */
  HnLog *log;
};

/* SQLite takes '' and ':memory:' for private, temporary databases; '-' would be read as standard
 * output, which cannot hold one. */
bool hn_results_may_name(const char *path, char **message) {
  return (*path && strcmp(path, ":memory:") != 0 && strcmp(path, "-") != 0) ||
         hn_message_set(message, *path ? path : "''", "is not the name of a results file");
}

bool hn_results_open(const char *path, HnResults **results, char **message) {
  *results = NULL;
  if (!hn_results_may_name(path, message))
    return false;
  HnResults *r = calloc(1, sizeof *r);
  if (!r)
    return hn_message_set(message, path, "out of memory");
  bool good = tool_has_suffix(path, ".log") ? hn_log_open(path, &r->log, message)
                                            : hn_db_open(path, HN_DB_WRITE, &r->db, message);
  if (good)
    *results = r;
  else
    free(r);
  return good;
}

bool hn_results_put(HnResults *results, HnGroup *group) {
  group->case_hash = group->results[0].case_hash;
  if (!group->case_hash)
    group->case_hash = XXH3_64bits(group->path, strlen(group->path));
  return results->log ? hn_log_put(results->log, group) : hn_db_put(results->db, group);
}

bool hn_results_note_artifacts(HnResults *results, const char *folder) {
  return results->log ? hn_log_note_artifacts(results->log, folder)
                      : hn_db_note_artifacts(results->db, folder);
}

const char *hn_results_error(const HnResults *results) {
  return results->log ? hn_log_error(results->log) : hn_db_error(results->db);
}

void hn_results_close(HnResults *results) {
  if (!results)
    return;
  hn_log_close(results->log);
  hn_db_close(results->db);
  free(results);
}

bool hn_results_read(const char *path, const HnVisitor *visitor, size_t *torn, char **message) {
  *torn = 0;
  return hn_db_is(path) ? hn_db_read(path, visitor, message)
                        : hn_log_read(path, visitor, torn, message);
}
