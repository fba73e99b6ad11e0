/* SPDX-License-Identifier: Apache-2.0 */
/* bench_count: sizes of modules, counted in files independently of the tools, alike for SPIR-V and
 * LLVM IR. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Instructions are those of functions, including phis and terminators, without labels, merge
 * instructions and parameters. */
typedef struct BenchCounts {
  uint64_t words, blocks, instructions, phis; /* words: SPIR-V only */
} BenchCounts;

/* Count a file. False: it cannot be read or is malformed. */
bool bench_count_spirv(const char *path, BenchCounts *counts);
bool bench_count_llvm(const char *path, BenchCounts *counts);

/* The sum of the numbers that follow "KEY": in a JSON text. */
bool bench_sum_json(const char *path, const char *key, uint64_t *sum);

#endif
