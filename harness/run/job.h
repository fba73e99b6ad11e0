/* SPDX-License-Identifier: Apache-2.0 */
/* job: runs all variants of one case on one device, one after the other, in a separate process. */
#ifndef HN_JOB_H
#define HN_JOB_H

#include "harness/artifacts/artifacts.h"
#include "harness/backend/backend.h"
#include "harness/results/recorded_outcomes.h"
#include "harness/run/against.h"

typedef struct HnJob {
  const char *path;   /* of the case */
  const char *text;   /* text of a case that was made for the shader at `path`; NULL: it is in
                         the file */
  const char *device; /* its name in results */
  HnBackendOptions backend;
  const char *const *variants;
  uint32_t variant_count;
  bool check;          /* each variant's modules are compared with the case's */
  uint32_t first;      /* the first variant to run; earlier ones have results already */
  uint32_t reference;  /* an earlier variant to run again if a reference is needed; or AMBER_NONE */
  HnAgainst against;   /* another device, with which the first variant is compared */
  uint64_t setup_hash; /* of everything besides the case that a result depends on */
  HnRecorded *records; /* results of earlier runs; NULL: none */
  const HnArtifacts *artifacts; /* where failures are written; NULL: nowhere */
  const HnResult *earlier; /* results of an earlier run, whose failures are not written again; NULL:
                              there are none */
} HnJob;

/* Runs the variants and writes a record for each to `fd`; after a variant that loses the device,
 * the remaining ones are left to another child. Only for child processes: it truncates standard
 * error, and the driver may corrupt or end the process. */
void hn_job_run(const HnJob *given, int fd);

/* Did the variant already fail in `earlier`? Then the artifacts of that failure are kept. */
bool hn_job_has_artifacts(const HnJob *given, uint32_t variant);

/* Writes the artifacts of variant `first`, which ended another child process: the modules, which
 * are not run again, and the output of that child (`log`). Also only for child processes. */
void hn_job_autopsy(const HnJob *given, const HnResult *result, int log);

#endif
