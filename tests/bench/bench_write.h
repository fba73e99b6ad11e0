/* SPDX-License-Identifier: Apache-2.0 */
/* bench_write: a random module as SPIR-V and as LLVM IR, in files. */
#ifndef BENCH_WRITE_H
#define BENCH_WRITE_H

#include "tests/bench/bench_graph.h"

#include <stdio.h>

/* What to generate. `each` is the size of a function: `blocks` gives one function. The seed and
 * these three fields decide the module. */
typedef struct BenchShape {
  BenchFamily family;
  uint32_t blocks, each;
  uint64_t seed;
} BenchShape;

/* Writes the module's SPIR-V to `spv` and the same functions as LLVM IR to `ll` (NULL: no file).
 * False, with a message: a file cannot be written. */
bool bench_write(const BenchShape *shape, const char *spv, const char *ll);
/* The same with a kernel that calls each function, as SPIR-V. */
bool bench_write_kernel(const BenchShape *shape, const char *spv);

/* Adds a function. */
typedef struct BenchSpirv BenchSpirv;
BenchSpirv *bench_spirv_begin(void);
void bench_spirv_function(BenchSpirv *s, const BenchFunction *f, uint32_t number);
void bench_spirv_kernel(BenchSpirv *s);                /* after the functions */
bool bench_spirv_end(BenchSpirv *s, const char *path); /* frees s */

void bench_llvm_function(FILE *out, const BenchFunction *f, uint32_t number);

#endif
