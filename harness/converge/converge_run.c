/* SPDX-License-Identifier: Apache-2.0 */
/* converge_run: see converge_run.h. Programs run in batches, so that even a run of millions keeps
 * only one batch in memory. */
#include "harness/converge/converge_run.h"

#include "harness/converge/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PORTION = 512 };

static void note(CvTotals *t, uint64_t seed, const CvVerdict *v) {
  switch (v->state) {
  case CV_PASS:
    t->passed++;
    return;
  case CV_SKIP:
    t->skipped++;
    snprintf(t->why_skipped, sizeof t->why_skipped, "%s", v->why);
    return;
  default:
    cv_totals_add(t, seed, v);
  }
}

static size_t shown_total, shown_before;

static void show(size_t done) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%zu of %zu", shown_before + done, shown_total);
}

static bool run_all(const CvOptions *o, const CvDevice *device, CvTotals *totals) {
  CvProgram *programs = calloc(PORTION, sizeof *programs);
  CvVerdict *verdicts = calloc(PORTION, sizeof *verdicts);
  bool good = programs && verdicts;
  shown_total = o->count;
  for (size_t from = 0; good && from < o->count; from += PORTION) {
    size_t count = o->count - from < PORTION ? o->count - from : PORTION;
    for (size_t i = 0; i < count; i++)
      cv_generate(o->seed + from + i, o->mode, o->two_exits, &programs[i]);
    shown_before = from;
    good = cv_device_run(device, programs, count, CV_NONE, verdicts, show);
    for (size_t i = 0; good && i < count; i++)
      note(totals, o->seed + from + i, &verdicts[i]);
  }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%*s\r", 40, "");
  free(programs);
  free(verdicts);
  return good;
}

void cv_run_failed(const CvDevice *device) {
  fprintf(stderr, "spv-harness: %s: out of memory, or no process can be started\n",
          device->device->name);
}

bool cv_run(const CvOptions *o, CvDevice *device, HnShaderTables *tables, CvTotals *totals) {
  char *message = NULL;
  if (!cv_device_open(device, tables, &message)) {
    fprintf(stderr, "spv-harness: %s\n", message ? message : "out of memory");
    free(message);
    return false;
  }
  if (!o->table)
    cv_report_device(device);
  if (run_all(o, device, totals))
    return true;
  cv_run_failed(device);
  return false;
}
