/* bench_count: sizes of modules, counted in files and from outside, alike for SPIR-V and LLVM IR.
 */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Instructions are those of functions: phis and terminators too; labels, merge instructions and
 * parameters not. */
typedef struct BenchCounts {
  uint64_t words, blocks, instructions, phis; /* words: SPIR-V only */
} BenchCounts;

/* False where the file cannot be read or makes no sense. */
bool bench_count_spirv(const char *path, BenchCounts *counts);
bool bench_count_llvm(const char *path, BenchCounts *counts);

/* The sum of the numbers that follow "KEY": in a JSON text. */
bool bench_sum_json(const char *path, const char *key, uint64_t *sum);

#endif
