/* SPDX-License-Identifier: Apache-2.0 */
/* random_case: a random module with random memory, as tests that run modules make them. */
#ifndef POLICIES_RANDOM_CASE_H
#define POLICIES_RANDOM_CASE_H

#include "tests/equiv/policies/run.h"
#include "tests/equiv/random_run.h"

typedef struct RandomCase {
  GenModule module;
  Memory start;
  Case c; /* refers to the members above */
} RandomCase;

/* The module with that seed, of 5 to run->max_blocks blocks; counts its family in
 * run_sums.of_family. To be freed. */
RandomCase *random_case_new(const RandomRun *run, uint64_t seed, const GenOptions *gen);
void random_case_free(RandomCase *random);

#endif
