/* SPDX-License-Identifier: Apache-2.0 */
/* run_report_artifacts: which results have artifacts; see report.h. */
#include "harness/run/run_report.h"

#include <stdlib.h>

char *hn_report_folder(const HnRun *run, size_t at, size_t device, uint32_t variant) {
  const char *path = run->cases.paths[at], *name = run->devices.at[device].name;
  const char *folder = run->artifacts.folder, *of = run->variants[variant];
  HnOutcome outcome = hn_run_result(run, at, device, variant)->outcome;
  bool failed = outcome == HN_FLAKE || hn_outcome_count(outcome, of) == HN_COUNT_FAILED;
  if (!folder || !failed || !hn_artifacts_exist(folder, path, name, of))
    return NULL;
  return hn_artifacts_folder(folder, path, name, of);
}

size_t hn_report_artifacts(const HnRun *run, size_t *missing) {
  size_t kept = 0;
  *missing = 0;
  for (size_t at = 0; at < run->cases.count; at++)
    for (size_t d = 0; d < run->devices.count; d++)
      for (uint32_t v = 0; hn_run_finished(run, at, d) && v < run->variant_count; v++) {
        const HnResult *r = hn_run_result(run, at, d, v);
        char *folder = hn_report_folder(run, at, d, v);
        kept += folder != NULL;
        *missing += !folder && !r->recorded &&
                    hn_outcome_count(r->outcome, run->variants[v]) == HN_COUNT_FAILED;
        free(folder);
      }
  return kept;
}
