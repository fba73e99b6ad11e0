/* SPDX-License-Identifier: Apache-2.0 */
/* random_run: see random_run.h. */
#include "tests/equiv/random_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *random_run_value(const char *text, const char *name) {
  size_t length = strlen(name);
  return strncmp(text, name, length) == 0 ? text + length : NULL;
}

static bool read_blocks(const char *value, uint32_t fewest, RandomRun *run) {
  run->max_blocks = (uint32_t)strtoull(value, NULL, 0);
  return run->max_blocks > fewest;
}

bool random_run_read_size(const char *text, uint32_t fewest, RandomRun *run) {
  const char *v;
  if ((v = random_run_value(text, "--count=")))
    run->count = strtoull(v, NULL, 0);
  else if ((v = random_run_value(text, "--seed=")))
    run->seed = strtoull(v, NULL, 0);
  else
    return (v = random_run_value(text, "--max-blocks=")) && read_blocks(v, fewest, run);
  return true;
}

bool random_run_read(const char *text, RandomRun *run) {
  const char *v;
  if ((v = random_run_value(text, "--keep=")))
    run->keep = v;
  else if ((v = random_run_value(text, "--transform=")))
    run->transform = v;
  else if ((v = random_run_value(text, "--family=")))
    return (run->family = graph_family_find(v)) >= 0;
  else
    return random_run_read_size(text, 0, run);
  return true;
}

GenFamily random_run_family(const RandomRun *run, uint64_t seed) {
  return run->family >= 0 ? (GenFamily)run->family : gen_turn(seed);
}

void random_run_print(const RandomRun *run) {
  printf("seeds %llu to %llu\n", (unsigned long long)run->seed,
         (unsigned long long)(run->seed + run->count - 1));
}
