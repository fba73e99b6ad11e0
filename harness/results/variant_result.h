/* SPDX-License-Identifier: Apache-2.0 */
/* variant_result: the result of one variant of one case on one device. */
#ifndef HN_VARIANT_RESULT_H
#define HN_VARIANT_RESULT_H

#include "harness/backend/backend.h"

typedef struct HnResult {
  HnOutcome outcome;
  char *message; /* the reason, or for a pass what was not compared; one line, owned; or NULL */
  uint64_t gpu_ns, wall_us;
  uint64_t case_hash;   /* of the case's file and the files that it names */
  uint64_t module_hash; /* of the variant's modules; 0: none */
  bool recorded;        /* taken from an earlier run */
} HnResult;

/* Converts an outcome to its word ("pass", "fail", …) and back; false: no such word. */
const char *hn_outcome_name(HnOutcome outcome);
bool hn_outcome_find(const char *name, HnOutcome *outcome);

/* How the last line of a run's report counts an outcome. `same` is not counted; a refused input
 * (`invalid` of variant none) counts as skipped, and a flake as passed. */
typedef enum HnCount { HN_COUNT_PASSED, HN_COUNT_FAILED, HN_COUNT_SKIPPED, HN_COUNT_NOT } HnCount;

HnCount hn_outcome_count(HnOutcome outcome, const char *variant);

#endif
