/* SPDX-License-Identifier: Apache-2.0 */
/* gen_results: writes logs of results like those of a run over many cases, to time merges.
 *
 *   gen_results CASES LOGS FOLDER
 *
 * Three variants for each case, random hashes, unordered paths: the input of a merge is not sorted
 * in any way. */
#include "harness/results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VARIANTS = 3 };

static const char *const variants[VARIANTS] = {"none", "auto", "strip-merges,structurize"};

static bool put_case(HnResults *log, uint64_t number) {
  char path[80], same[] = "the modules are those of auto";
  uint64_t hash = XXH3_64bits(&number, sizeof number);
  snprintf(path, sizeof path, "/corpus/part-%03u/module-%08llu.spv", (unsigned)(hash % 1000),
           (unsigned long long)number);
  HnResult results[VARIANTS];
  for (int v = 0; v < VARIANTS; v++)
    results[v] = (HnResult){.outcome = v == 2 ? HN_SAME : HN_PASS,
                            .message = v == 2 ? same : NULL,
                            .wall_us = hash % 5000,
                            .case_hash = hash,
                            .module_hash = hash + (v > 0)};
  HnGroup group = {.path = path,
                   .device = "none",
                   .variants = variants,
                   .results = results,
                   .count = VARIANTS,
                   .setup_hash = 0x5eed};
  return hn_results_put(log, &group);
}

static bool write_log(const char *folder, uint64_t first, uint64_t step, uint64_t count) {
  char path[512], *message = NULL;
  HnResults *log;
  snprintf(path, sizeof path, "%s/%llu.log", folder, (unsigned long long)first);
  if (!hn_results_open(path, &log, &message)) {
    fprintf(stderr, "gen_results: %s\n", message);
    free(message);
    return false;
  }
  bool good = true;
  for (uint64_t i = first; good && i < count; i += step)
    good = put_case(log, i);
  hn_results_close(log);
  return good;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: gen_results CASES LOGS FOLDER\n");
    return 2;
  }
  uint64_t count = strtoull(argv[1], NULL, 10), logs = strtoull(argv[2], NULL, 10);
  for (uint64_t i = 0; i < logs; i++)
    if (!write_log(argv[3], i, logs, count))
      return EXIT_FAILURE;
  return EXIT_SUCCESS;
}
