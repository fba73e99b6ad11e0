/* SPDX-License-Identifier: Apache-2.0 */
/* retry: see retry.h. */
#include "harness/run/retry.h"

#include <stdio.h>
#include <stdlib.h>

static bool has_failed(const HnResult *r) {
  return r->outcome == HN_CRASH || r->outcome == HN_TIMEOUT ||
         (r->outcome == HN_FAIL && r->module_hash);
}

bool hn_retry_wanted(const HnResult *results, uint32_t count) {
  for (uint32_t v = 0; v < count; v++)
    if (has_failed(&results[v]) && !results[v].recorded)
      return true;
  return false;
}

static void swap(HnResult *a, HnResult *b) {
  HnResult other = *a;
  *a = *b;
  *b = other;
}

/* The result becomes a flake: run `passed` of it passed, and run `failed` failed as `failure`. */
static void mark(HnResult *r, const HnResult *failure, unsigned passed, unsigned failed) {
  char *message;
  if (asprintf(&message, "passed in run %u, but run %u was %s%s%s", passed, failed,
               hn_outcome_name(failure->outcome), failure->message ? ": " : "",
               failure->message ? failure->message : "") < 0)
    message = NULL;
  free(r->message);
  r->message = message;
  r->outcome = HN_FLAKE;
}

static void merge(HnResult *earlier, HnResult *now, unsigned tries) {
  bool flake = earlier->outcome == HN_FLAKE;
  if (has_failed(earlier) && now->outcome == HN_PASS) {
    mark(now, earlier, tries + 1, 1);
  } else if (earlier->outcome == HN_PASS && has_failed(now)) {
    mark(earlier, now, 1, tries + 1);
    swap(earlier, now);
  } else if (flake || (has_failed(earlier) && has_failed(now))) {
    swap(earlier, now);
  }
  free(earlier->message);
}

void hn_retry_merge(HnResult *earlier, HnResult *results, uint32_t count, unsigned tries) {
  for (uint32_t v = 0; earlier && v < count; v++)
    merge(&earlier[v], &results[v], tries);
}

void hn_retry_drop(HnResult *earlier, uint32_t count) {
  for (uint32_t v = 0; earlier && v < count; v++)
    free(earlier[v].message);
  free(earlier);
}
