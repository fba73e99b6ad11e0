/* SPDX-License-Identifier: Apache-2.0 */
/* trial_progress: see trial_progress.h. Trials run in one thread. */
#include "harness/trial/trial_progress.h"

#include "passes/base/clock.h"

#include <stdio.h>
#include <unistd.h>

static const double FIRST = 0.5, NEXT = 0.1; /* seconds until a drawing */
static const double MILLION = 1e6;

static bool go_on(void *user, uint64_t issued, uint64_t done, uint64_t subgroups) {
  HnTrialProgress *p = user;
  double time = sr_now();
  p->issued += issued;
  if (time - p->begun < FIRST || time - p->drawn < NEXT)
    return true;
  p->drawn = time;
  p->shown = true;
  fprintf(stderr,
          "\r\033[K%s: run %d of %d, in subgroups of %u: %llu of %llu subgroups, %.1f M issues",
          p->path, p->run, p->runs, p->size, (unsigned long long)done,
          (unsigned long long)subgroups, (double)p->issued / MILLION);
  fflush(stderr);
  return true;
}

void hn_trial_progress_begin(HnTrialProgress *p, const char *path, int runs) {
  *p = (HnTrialProgress){
      .path = path && isatty(STDERR_FILENO) ? path : NULL, .runs = runs, .begun = sr_now()};
  p->to = (spv_emu_progress){p, go_on};
}

void hn_trial_progress_run(HnTrialProgress *p, int run, uint32_t size) {
  p->run = run;
  p->size = size;
  p->issued = 0;
}

void hn_trial_progress_end(HnTrialProgress *p) {
  if (p->shown)
    fputs("\r\033[K", stderr);
}
