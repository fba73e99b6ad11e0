/* SPDX-License-Identifier: Apache-2.0 */
/* trial_progress: what long trials show on a terminal: one line on standard error, which is erased
 * at the end. */
#ifndef HN_TRIAL_PROGRESS_H
#define HN_TRIAL_PROGRESS_H

#include <spv-emu/spv_emu.h>

typedef struct HnTrialProgress {
  spv_emu_progress to; /* for the runs */
  const char *path;    /* NULL: nothing is shown */
  int run, runs;       /* number of the current run, from 1 */
  uint32_t size;       /* of its subgroups */
  uint64_t issued;     /* by it */
  double begun, drawn; /* times */
  bool shown;
} HnTrialProgress;

/* `path`: what is run; nothing is shown if it is NULL, or standard error is not a terminal. */
void hn_trial_progress_begin(HnTrialProgress *p, const char *path, int runs);
void hn_trial_progress_run(HnTrialProgress *p, int run, uint32_t size);
void hn_trial_progress_end(HnTrialProgress *p);

#endif
