/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated runs of a variant: three outcomes in every order. A variant that both passed and failed
 * is a flake, in whatever order; else its first failure stays. */
#include "tests/unit/unit.h"

#include "harness/run/retry.h"

#include <stdlib.h>
#include <string.h>

static const HnOutcome outcomes[] = {HN_PASS, HN_FAIL, HN_CRASH, HN_TIMEOUT};
enum { OUTCOMES = sizeof outcomes / sizeof *outcomes, RUNS = 3 };

static HnResult result_of(HnOutcome outcome, unsigned run) {
  static const char *const messages[] = {"first", "second", "third"};
  return (HnResult){.outcome = outcome, .message = strdup(messages[run]), .module_hash = 1};
}

/* What is left of the runs so far. */
static HnResult merged(const HnOutcome *order, unsigned runs) {
  HnResult now = result_of(order[0], 0);
  for (unsigned run = 1; run < runs; run++) {
    HnResult earlier = now;
    now = result_of(order[run], run);
    hn_retry_merge(&earlier, &now, 1, run);
  }
  return now;
}

static void every_order(void **state) {
  (void)state;
  for (unsigned i = 0; i < OUTCOMES * OUTCOMES * OUTCOMES; i++)
    for (unsigned runs = 2; runs <= RUNS; runs++) {
      const HnOutcome order[RUNS] = {outcomes[i % OUTCOMES], outcomes[i / OUTCOMES % OUTCOMES],
                                     outcomes[i / OUTCOMES / OUTCOMES]};
      unsigned passed = 0;
      for (unsigned run = 0; run < runs; run++)
        passed += order[run] == HN_PASS;
      HnResult result = merged(order, runs);
      bool mixed = passed && passed < runs;
      if (result.outcome != (mixed ? HN_FLAKE : order[0]))
        fail_msg("%s, %s, %s: %s after %u runs", hn_outcome_name(order[0]),
                 hn_outcome_name(order[1]), hn_outcome_name(order[2]),
                 hn_outcome_name(result.outcome), runs);
      if (mixed)
        assert_non_null(strstr(result.message, "passed in run "));
      else if (!passed)
        assert_string_equal(result.message, "first");
      free(result.message);
    }
}

/* Failures with a module, crashes and timeouts are run again, unless they come from a record. */
static void what_is_run_again(void **state) {
  (void)state;
  const struct {
    HnResult result;
    bool again;
  } all[] = {{{.outcome = HN_PASS, .module_hash = 1}, false},
             {{.outcome = HN_SKIP, .module_hash = 1}, false},
             {{.outcome = HN_FLAKE, .module_hash = 1}, false},
             {{.outcome = HN_FAIL, .module_hash = 1}, true},
             {{.outcome = HN_FAIL, .module_hash = 0}, false},
             {{.outcome = HN_CRASH, .module_hash = 0}, true},
             {{.outcome = HN_TIMEOUT, .module_hash = 0}, true},
             {{.outcome = HN_CRASH, .recorded = true}, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    HnResult several[2] = {{.outcome = HN_PASS}, all[i].result};
    assert_int_equal(hn_retry_wanted(several, 2), all[i].again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_order),
      cmocka_unit_test(what_is_run_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
