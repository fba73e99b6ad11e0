/* SPDX-License-Identifier: Apache-2.0 */
/* scratch: a run's own TMPDIR, so that nothing stays of the children that it kills. */
#ifndef HN_SCRATCH_H
#define HN_SCRATCH_H

#include <limits.h>

typedef struct HnScratch {
  char folder[PATH_MAX]; /* empty: none was made */
  char *before;          /* TMPDIR; NULL: it was not set */
} HnScratch;

/* Makes the folder, and sets TMPDIR to it; if that fails, TMPDIR stays as it is. */
void hn_scratch_open(HnScratch *scratch);
/* Removes the folder with all that is in it, and restores TMPDIR. No child must be alive. */
void hn_scratch_close(HnScratch *scratch);

#endif
