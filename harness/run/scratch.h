/* SPDX-License-Identifier: Apache-2.0 */
/* scratch: a run's own TMPDIR, so that the children that it kills leave no files behind.
 *
 * The run and its children hold a lock on the folder (flock). The folder of a killed run has no
 * lock; the next run of the same user removes it. */
#ifndef HN_SCRATCH_H
#define HN_SCRATCH_H

#include <limits.h>

typedef struct HnScratch {
  char folder[PATH_MAX]; /* empty: no folder was made */
  char *before;          /* TMPDIR; NULL: it was not set */
  int lock;              /* the open folder; -1: it could not be locked */
} HnScratch;

/* Makes the folder, and sets TMPDIR to it; if that fails, TMPDIR stays as it is. Removes the
 * folders of killed runs. */
void hn_scratch_open(HnScratch *scratch);
/* Removes the folder with all that is in it, and restores TMPDIR. No child must be alive. */
void hn_scratch_close(HnScratch *scratch);

#endif
