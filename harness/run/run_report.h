/* SPDX-License-Identifier: Apache-2.0 */
/* run_report: reports a run: a line for each case, or a progress bar on a terminal; the totals; and
 * files for other programs. */
#ifndef HN_RUN_REPORT_H
#define HN_RUN_REPORT_H

#include "harness/run/run.h"

#include <stdio.h>

/* ---- as the run goes: report_text.c ---- */

typedef struct HnProgress {
  const HnRun *run;
  FILE *out;
  bool bar; /* `out` is a terminal: lines only for cases with something to report, above a progress
               bar */
  size_t done, total;             /* number of pairs of case and device */
  size_t passed, failed, skipped; /* numbers of variants */
  size_t flakes;                  /* among those that passed */
  size_t recorded;                /* pairs whose results come from an earlier run */
  size_t lines;                   /* cases with a line of their own */
} HnProgress;

void hn_progress_begin(HnProgress *progress, const HnRun *run, FILE *out);
/* Of type HnRun.done; `user` is the HnProgress. */
void hn_progress_done(void *user, size_t at, size_t device);
/* Removes the bar; if several lines were printed, lists the failures and flakes again. */
void hn_progress_end(HnProgress *progress);

/* ---- at the end ---- */

/* The folder of a variant's artifacts. The caller frees it. NULL: the variant has none. */
char *hn_report_folder(const HnRun *run, size_t at, size_t device, uint32_t variant);
/* Counts the failures and flakes that have artifacts; *missing: failures of this run that have
 * none. */
size_t hn_report_artifacts(const HnRun *run, size_t *missing);

bool hn_report_json(const HnProgress *progress, FILE *out);
/* JUnit's XML as Jenkins and GitLab read it: a suite for each device, a test case for each
 * variant. */
bool hn_report_junit(const HnRun *run, const char *path);

#endif
