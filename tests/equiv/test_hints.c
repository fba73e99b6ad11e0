/* SPDX-License-Identifier: Apache-2.0 */
/* test_hints: random structured modules through lists of transforms that drop merge instructions
 * and make others: the controls of loops and branches (Unroll, Flatten, PeelCount 2, …) survive.
 *
 *   test_hints [--count=N] [--seed=S] [--max-blocks=N]
 */
#include "tests/equiv/check.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/random_run.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>

/* strict: the loops iterate as before, and have the same header. */
static const struct List {
  const char *transforms;
  bool strict;
} lists[] = {{"strip-merges,structurize", true},
             {"strip-merges,structurize:portable", true},
             {"strip-merges,strip-merges,structurize:0:issues", true},
             {"reconverge,structurize:portable", false},
             {"strip-merges,inline,structurize:portable", true},
             {"strip-merges,best", false},
             {"undispatch,structurize:portable", false},
             {"unstructure:1,structurize:portable", false},
             {"merge-copies,struct-copy", false}};
enum { LISTS = sizeof lists / sizeof *lists };

typedef struct Test {
  RandomRun run;
  uint64_t runs, failed;
  CheckHints found;
} Test;

static void check(Test *t, uint64_t seed, const struct List *list, const GenModule *in) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = list->transforms;
  o.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *r;
  spvreconv_status status = spvreconv_run(&o, in->words, in->count, &r);
  const char *why = status == SPVRECONV_OK ? NULL : spvreconv_result_message(r);
  char message[200];
  t->runs++;
  if (status == SPVRECONV_OK) {
    CheckModule out;
    out.words = spvreconv_result_words(r, &out.count);
    if (!check_hints((CheckModule){in->words, in->count}, out, list->strict, &t->found, message,
                     sizeof message))
      why = message;
  }
  if (why) {
    printf("FAIL: seed %llu, %s: %s\n", (unsigned long long)seed, list->transforms, why);
    t->failed++;
  }
  spvreconv_result_destroy(r);
}

static void test_module(Test *t, uint64_t seed) {
  GenOptions options = {.rich = true, .calls = seed % 4 == 0, .merges = 1};
  GenModule m;
  gen_module(seed % 2 ? GEN_STRUCTURED : GEN_BREAKS, gen_size(seed, 8, t->run.max_blocks), seed,
             &options, &m);
  for (size_t i = 0; i < LISTS; i++)
    check(t, seed, &lists[i], &m);
  gen_module_free(&m);
}

int main(int argc, char **argv) {
  Test t = {.run = {.seed = 1, .count = 60, .max_blocks = 60}};
  for (int i = 1; i < argc; i++)
    if (!random_run_read_size(argv[i], 8, &t.run))
      return fputs("usage: test_hints [--count=N] [--seed=S] [--max-blocks=N]\n", stderr), 2;
  for (uint64_t seed = t.run.seed; seed < t.run.seed + t.run.count; seed++)
    test_module(&t, seed);
  printf("%llu runs: controls of %u loops and %u branches are there; %llu failures\n",
         (unsigned long long)t.runs, t.found.loops, t.found.selections,
         (unsigned long long)t.failed);
  return t.failed || !t.found.loops || !t.found.selections;
}
