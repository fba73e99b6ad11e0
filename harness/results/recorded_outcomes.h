/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_outcomes: outcomes that need not be computed again, because an earlier run has recorded
 * them, or this run already has.
 *
 * Files are read into memory, without the outcomes of other setups. A merged database may be larger
 * than memory, so it is queried instead. Forked children inherit all of it. */
#ifndef HN_RECORDED_OUTCOMES_H
#define HN_RECORDED_OUTCOMES_H

#include "harness/results/results.h"

typedef struct HnRecorded HnRecorded;

/* `setups` are the hashes of this run's setups; they must outlive the result. NULL: out of
 * memory. */
HnRecorded *hn_recorded_new(const uint64_t *setups, size_t setup_count);
/* Adds the outcomes of a file; `own`: the run's own file, which it writes. On false *message is one
 * line. */
bool hn_recorded_load(HnRecorded *recorded, const char *path, bool own, char **message);
/* Adds a group that was written with hn_results_put. False: out of memory. */
bool hn_recorded_add(HnRecorded *recorded, const HnGroup *group);
/* Does the run's own file already have this group? */
bool hn_recorded_has(const HnRecorded *recorded, const HnGroup *group);
/* Looks up the outcome of a content; the caller frees its message. False: there is none. Only for
 * child processes: it opens a database at its first use. */
bool hn_recorded_find(HnRecorded *recorded, const HnOutcomeKey *key, HnResult *result);
void hn_recorded_free(HnRecorded *recorded);

#endif
