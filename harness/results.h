/* results: the SQLite file that keeps results: what --results writes, --resume reads, and `compare`
 * and `merge` work on.
 *
 * A row is one (case, device, variant), and the hashes of all that its outcome depends on: the
 * case's files, and the setup: driver and its version, options, the list of variants, and this very
 * program. Each result is a transaction, so a run that is killed keeps what it has finished. */
#ifndef HN_RESULTS_H
#define HN_RESULTS_H

#include "result.h"

#include <stdbool.h>

typedef struct HnResults HnResults;

/* Opens a file, made if it is not there. On false *message is one line, to be freed. */
bool hn_results_open(const char *path, HnResults **results, char **message);
void hn_results_close(HnResults *results);

/* The rows of one (case, device): all variants or none. Rows of the same place and hashes are
 * replaced. */
bool hn_results_begin(HnResults *results);
bool hn_results_put(HnResults *results, const char *path, const char *device, const char *variant,
                    uint64_t setup_hash, const HnResult *result);
bool hn_results_commit(HnResults *results);
/* What went wrong last, in SQLite's words. */
const char *hn_results_error(const HnResults *results);

/* ---- earlier runs, in memory ---- */

typedef struct HnRecorded HnRecorded;

/* All rows. NULL: *message says why. */
HnRecorded *hn_recorded_read(HnResults *results, char **message);
const HnResult *hn_recorded_find(const HnRecorded *recorded, const char *path, const char *device,
                                 const char *variant, uint64_t case_hash, uint64_t setup_hash);
void hn_recorded_free(HnRecorded *recorded);

/* ---- whole files ---- */

/* Prints what changed from file `a` to file `b`, by the newest row of each place; *changes counts
 * it. On false *message is one line. */
bool hn_results_compare(const char *a, const char *b, unsigned *changes, char **message);
/* Puts all rows of the other files into `out`, later files winning. */
bool hn_results_merge(const char *out, char *const *in, int count, char **message);

#endif
