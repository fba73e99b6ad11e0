/* SPDX-License-Identifier: Apache-2.0 */
/* random_run: which random modules a test makes, and what it does with them, as its command line
 * says. */
#ifndef RANDOM_RUN_H
#define RANDOM_RUN_H

#include "tests/equiv/gen/gen.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RandomRun {
  uint64_t count, seed; /* how many modules; the first one's seed */
  uint32_t max_blocks;
  int family;            /* a GenFamily; -1: they take turns */
  const char *keep;      /* where to write the module that fails, or NULL */
  const char *transform; /* instead of the test's own lists, or NULL */
} RandomRun;

/* Reads one of --count=N, --seed=N and --max-blocks=N, the last one above `fewest`. False: it is
 * none of these. */
bool random_run_read_size(const char *text, uint32_t fewest, RandomRun *run);
/* The same, and --family=NAME, --keep=FILE and --transform=LIST, for every member. */
bool random_run_read(const char *text, RandomRun *run);
/* The rest of `text` if it begins with `name`, such as "--lists="; else NULL. */
const char *random_run_value(const char *text, const char *name);
/* The family of the module with that seed. */
GenFamily random_run_family(const RandomRun *run, uint64_t seed);
/* Prints the seeds. */
void random_run_print(const RandomRun *run);

#endif
