/* SPDX-License-Identifier: Apache-2.0 */
/* run: runs all variants of all cases on all devices, several in parallel, each case on each device
 * in a child process.
 *
 * If a child dies or does not return in time, only its current variant is lost; another child runs
 * the remaining variants of the case. */
#ifndef HN_RUN_H
#define HN_RUN_H

#include "harness/artifacts/artifacts.h"
#include "harness/results/recorded_outcomes.h"
#include "harness/run/cases.h"
#include "harness/run/devices.h"

typedef struct HnRun {
  HnCases cases;
  char **texts; /* by case: its text if it was made for a shader (new/new_case.h), else NULL; the
                   array is NULL if no case was */
  HnDevices devices;
  const char *const *variants;
  uint32_t variant_count;
  unsigned jobs;         /* parallel children */
  unsigned retries;      /* number of times that a case that fails on a device is run again there */
  double timeout;        /* seconds for a variant */
  bool validation;       /* with the Khronos validation layer */
  bool check;            /* each variant's modules are compared with the case's */
  HnDevices against;     /* at most one device, with whose results each case's results are also
                            compared */
  uint64_t ulps;         /* units in the last place by which floats may differ in that comparison */
  uint64_t *setup;       /* by device: see setup.h */
  HnResults *store;      /* NULL: results are not written */
  HnArtifacts artifacts; /* .folder NULL: failures are not written */
  HnRecorded *records;   /* results of earlier runs; this run's are added; NULL: none */
  HnResult *results;     /* by case, device, variant; see hn_run_result */
  bool *finished;        /* by case, device: it has results; see hn_run_finished */
  int signal;            /* SIGHUP, SIGINT or SIGTERM ended the run early; 0: none did */
  /* Called when all variants of a case on a device have their results. */
  void (*done)(void *user, size_t at, size_t device);
  void *user;
} HnRun;

/* Runs everything; the caller sets all fields up to `records`. On SIGHUP, SIGINT and SIGTERM,
 * unless the process ignores them, it stops and sets `signal`; they stay blocked afterwards. The
 * children's TMPDIR is a folder that is removed. On false *message is one line, which the caller
 * frees. In both cases `results` holds what was done by then. */
bool hn_run(HnRun *run, char **message);
void hn_run_free(HnRun *run);

static inline HnResult *hn_run_result(const HnRun *run, size_t at, size_t device,
                                      uint32_t variant) {
  return &run->results[(at * run->devices.count + device) * run->variant_count + variant];
}

static inline bool hn_run_finished(const HnRun *run, size_t at, size_t device) {
  return run->finished[at * run->devices.count + device];
}

#endif
