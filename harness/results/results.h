/* results: files of results: what --results writes and --resume and --reuse read.
 *
 * Results are found by content: an *outcome* belongs to the hashes of all that it depends on: the
 * case's files, and the setup: driver and its version, options, the list of variants, and this very
 * program. A *place* (case, device, variant) says which outcome is the newest there. So what stands
 * in a corpus twice, or was run before, need not run again.
 *
 * A file is of one of two kinds, told by its name where it is made (.log) and by its content where
 * it is read:
 *   database  SQLite (results_db.c); a group is a transaction
 *   log       text that is only appended to (results_log.c), for file systems without locks
 * Either way a run that is killed keeps every group that it has put. */
#ifndef HN_RESULTS_H
#define HN_RESULTS_H

#include "results/result.h"

#include <stdbool.h>

/* All variants of one case on one device. */
typedef struct HnGroup {
  const char *path, *device;
  const char *const *variants;
  const HnResult *results; /* by variant; all have the same case_hash */
  uint32_t count;
  uint64_t case_hash; /* never 0: of the path, where the case could not be read */
  uint64_t setup_hash;
} HnGroup;

/* ---- writing ---- */

typedef struct HnResults HnResults;

/* Opens a file, made if it is not there. On false *message is one line, to be freed. */
bool hn_results_open(const char *path, HnResults **results, char **message);
/* Keeps a group, or nothing of it; `case_hash` of the group is filled in. What the file has of the
 * same places and contents is replaced. */
bool hn_results_put(HnResults *results, HnGroup *group);
/* What went wrong last. */
const char *hn_results_error(const HnResults *results);
void hn_results_close(HnResults *results);

/* ---- reading ---- */

typedef struct HnOutcomeKey {
  uint64_t case_hash, setup_hash;
  const char *variant;
} HnOutcomeKey;

/* Is handed all that a file holds, in the order of writing where that matters. Strings are the
 * reader's. False, with *message where it is not memory that ran out: stop. */
typedef struct HnVisitor {
  void *user;
  bool (*outcome)(void *user, const HnOutcomeKey *key, const HnResult *result);
  bool (*place)(void *user, const char *path, const char *device, const HnOutcomeKey *key);
} HnVisitor;

/* *torn counts lines of a log that were cut short by a kill, and are left out. On false *message is
 * one line. */
bool hn_results_read(const char *path, const HnVisitor *visitor, size_t *torn, char **message);

/* Writes "PATH: WHAT" to *message; returns false. */
bool hn_results_tell(char **message, const char *path, const char *what);

#endif
