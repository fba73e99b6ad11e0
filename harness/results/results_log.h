/* SPDX-License-Identifier: Apache-2.0 */
/* results_log: a results file to which lines of text are appended, one for each group.
 *
 * Meant for the file systems of clusters, where locks may be missing and SQLite is not safe. A
 * single process writes each line with one call, and never changes earlier lines. A process or node
 * that dies leaves at most one truncated line. Each line begins with the hash of the rest, so a
 * truncated line is recognized and skipped. */
#ifndef HN_RESULTS_LOG_H
#define HN_RESULTS_LOG_H

#include "harness/results/results.h"

typedef struct HnLog HnLog;

/* Opens a log to append to. False, with one line in *message, also if another process has it open
 * (as far as the file system has locks). */
bool hn_log_open(const char *path, HnLog **log, char **message);
bool hn_log_put(HnLog *log, const HnGroup *group);
bool hn_log_note_artifacts(HnLog *log, const char *folder);
const char *hn_log_error(const HnLog *log);
void hn_log_close(HnLog *log);

/* See hn_results_read. */
bool hn_log_read(const char *path, const HnVisitor *visitor, size_t *torn, char **message);

#endif
