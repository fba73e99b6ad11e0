/* SPDX-License-Identifier: Apache-2.0 */
/* fit: the command spv-harness fit: which reconvergence policy explains a device?
 *
 * Programs on which policies form different tangles (fit_programs.h, and random ones of converge)
 * run with a log of the tangles of every block, on the device and in the emulator under each
 * policy; fit_judge.h compares the logs. Loops that lanes leave one by one are timed
 * (fit_times.h). */
#ifndef FT_FIT_H
#define FT_FIT_H

#include "harness/backend/backend_policy.h"
#include "harness/fit/fit_judge.h"
#include "harness/fit/fit_times.h"
#include "harness/run/devices.h"
#include "harness/shader/outcome.h"

typedef struct FtOptions {
  const HnDevices *devices;
  CvMode mode;            /* what the programs declare, on devices that have its extension */
  uint32_t subgroup_size; /* 0: the device's */
  const char *policy;     /* of device emu; NULL: structured */
  uint64_t seed;          /* of the first random program */
  uint32_t count;         /* random programs */
  double timeout;         /* seconds for a program */
  bool json;
  const char *write; /* the folder for the programs as cases, and nothing runs; NULL: they run */
} FtOptions;

/* What a program did on the device. */
typedef struct FtRun {
  char name[32];
  HnOutcome outcome; /* HN_PASS: it has been observed */
  char why[160];     /* otherwise: why not, in one line */
  size_t observations;
} FtRun;

/* A device, and how well each policy explains it. */
typedef struct FtFit {
  const FtOptions *options;
  CvDevice device;
  HnPolicy policies[HN_POLICIES];
  FtScore scores[HN_POLICIES];
  uint32_t policy_count;
  FtScore repeat; /* of a second run on the device, instead of a policy */
  FtRun *runs;
  uint32_t run_count;
  size_t observations;
  FtTimes times;
} FtFit;

/* Returns the exit code: 1 if a device cannot be observed; messages have been printed. */
int ft_fit(const FtOptions *options);

/* ---- fit_run.c ---- */

/* Runs the AmberScript on the device and under all policies, and adds to the scores. `transform`:
 * makes its modules structured; NULL: they are. False: out of memory, or the text is wrong, which
 * run->why says. */
bool ft_run(FtFit *fit, const char *text, const char *transform, FtRun *run);

#endif
