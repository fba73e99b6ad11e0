/* SPDX-License-Identifier: Apache-2.0 */
/* results: results files, which --results writes and --resume and --reuse read.
 *
 * Results are looked up by content. The key of an *outcome* consists of the hashes of everything
 * that it depends on: the case's files, and the setup (driver and its version, options, the list of
 * variants, and the program itself). A *place* (case, device, variant) refers to its newest
 * outcome. So a case that is in a corpus twice, or was run before, need not run again.
 *
 * There are two kinds of files. A file is created as a log if its name ends in .log, else as a
 * database; when a file is read, its content shows which it is:
 *   database  SQLite (results_db.c); a group is a transaction
 *   log       text that is only appended to (results_log.c), for file systems without locks
 *
 * In either kind of file, a killed run keeps every group that it has written. */
#ifndef HN_RESULTS_H
#define HN_RESULTS_H

#include "harness/results/variant_result.h"

#include <stdbool.h>

/* All variants of one case on one device. */
typedef struct HnGroup {
  const char *path, *device;
  const char *const *variants;
  const HnResult *results; /* by variant; all have the same case_hash */
  uint32_t count;
  uint64_t case_hash; /* never 0; the hash of the path if the case cannot be read */
  uint64_t setup_hash;
} HnGroup;

/* ---- writing ---- */

typedef struct HnResults HnResults;

/* Can a results file have this name? On false *message is one line, which the caller frees. */
bool hn_results_may_name(const char *path, char **message);
/* Opens a file, creating it if needed. On false *message is one line, which the caller frees. */
bool hn_results_open(const char *path, HnResults **results, char **message);
/* Writes the whole group or nothing of it; fills in its `case_hash`. Replaces earlier outcomes with
 * the same keys, and earlier references of its places. */
bool hn_results_put(HnResults *results, HnGroup *group);
/* Records the folder of a run's artifacts, an absolute path. */
bool hn_results_note_artifacts(HnResults *results, const char *folder);
/* The last error. */
const char *hn_results_error(const HnResults *results);
void hn_results_close(HnResults *results);

/* ---- reading ---- */

typedef struct HnOutcomeKey {
  uint64_t case_hash, setup_hash;
  const char *variant;
} HnOutcomeKey;

/* Receives the contents of a file, in the order of writing if that matters. Strings are valid only
 * during the call. Returning false stops the reading. */
typedef struct HnVisitor {
  void *user;
  bool (*outcome)(void *user, const HnOutcomeKey *key, const HnResult *result);
  bool (*place)(void *user, const char *path, const char *device, const HnOutcomeKey *key);
  bool (*artifacts)(void *user, const char *folder); /* NULL: not needed */
} HnVisitor;

/* *torn counts the lines of a log that were truncated when a run was killed; these are skipped. On
 * false *message is one line, or NULL if out of memory or if the visitor stopped the reading. */
bool hn_results_read(const char *path, const HnVisitor *visitor, size_t *torn, char **message);

#endif
