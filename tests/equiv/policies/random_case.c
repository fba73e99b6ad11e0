/* SPDX-License-Identifier: Apache-2.0 */
/* random_case: see random_case.h. */
#include "tests/equiv/policies/random_case.h"

#include <stdlib.h>

RandomCase *random_case_new(const RandomRun *run, uint64_t seed, const GenOptions *gen) {
  GenFamily family = random_run_family(run, seed);
  RandomCase *random = malloc(sizeof *random);
  run_sums.of_family[family]++;
  run_random_memory(&random->start, seed);
  gen_module(family, gen_size(seed, 5, run->max_blocks), seed, gen, &random->module);
  random->c = (Case){.seed = seed,
                     .family = family,
                     .words = random->module.words,
                     .count = random->module.count,
                     .start = &random->start,
                     .keep = run->keep};
  return random;
}

void random_case_free(RandomCase *random) {
  gen_module_free(&random->module);
  free(random);
}
