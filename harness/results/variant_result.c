/* SPDX-License-Identifier: Apache-2.0 */
/* variant_result: see variant_result.h. */
#include "harness/results/variant_result.h"

#include <string.h>

static const char *const names[] = {
    [HN_PASS] = "pass",   [HN_FAIL] = "fail",       [HN_SKIP] = "skip",       [HN_SAME] = "same",
    [HN_CRASH] = "crash", [HN_TIMEOUT] = "timeout", [HN_INVALID] = "invalid", [HN_FLAKE] = "flake"};

const char *hn_outcome_name(HnOutcome outcome) {
  return names[outcome];
}

bool hn_outcome_find(const char *name, HnOutcome *outcome) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) {
      *outcome = (HnOutcome)i;
      return true;
    }
  return false;
}

HnCount hn_outcome_count(HnOutcome outcome, const char *variant) {
  switch (outcome) {
  case HN_PASS:
  case HN_FLAKE:
    return HN_COUNT_PASSED;
  case HN_SKIP:
    return HN_COUNT_SKIPPED;
  case HN_SAME:
    return HN_COUNT_NOT;
  case HN_INVALID:
    return strcmp(variant, "none") == 0 ? HN_COUNT_SKIPPED : HN_COUNT_FAILED;
  default:
    return HN_COUNT_FAILED;
  }
}
