/* SPDX-License-Identifier: Apache-2.0 */
/* bench_report: tables, fitted exponents and targets, as text or JSON. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "tests/bench/bench_measure.h"

/* The targets; the report says `ok` or `above`. */
#define BENCH_COPY_MICROSECONDS 2.0         /* a block, from 10,000 blocks on */
#define BENCH_STRUCTURIZE_MICROSECONDS 15.0 /* a block */
#define BENCH_KERNEL_MICROSECONDS 20.0      /* a block, with inlining */
#define BENCH_SHARE_OF_BACKWARDS 1.0        /* of the time of llvm-spirv -r */
#define BENCH_CHECK_SHARE 3.0    /* times structurize's time, in addition, at 1,000 blocks */
#define BENCH_TIMED_FUNCTION 500 /* blocks; this target does not apply to functions with fewer */
#define BENCH_EXPONENT 1.15
#define BENCH_RECONVERGE_EXPONENT 1.2
#define BENCH_SHARE_OF_VAL (1.0 / 3.0) /* at 10,000 blocks */
#define BENCH_SHARE_OF_LLVM_LOCAL 1.0  /* of LLVM's additions */
#define BENCH_SHARE_OF_LLVM_IRREDUCIBLE 0.5
#define BENCH_CLEANED_FUNCTION 500
#define BENCH_SHARE_OF_LLVM_CLEANED 1.0 /* after the same clean-up, functions of 200 and 500 */
#define BENCH_PEAK 40.0                 /* times the module's size, above 1 MB */
#define BENCH_SMALL_MILLISECONDS 3.0    /* a process on a small module */

typedef struct BenchResults {
  BenchCase *cases; /* by family, then size of function, then blocks */
  size_t count;
  double small[BENCH_TOOLS];
  uint64_t seed;
  const BenchOpt *opt; /* versions of LLVM */
  size_t opts;
} BenchResults;

void bench_print_head(FILE *out);
void bench_print_case(FILE *out, const BenchCase *c);
/* The parts that need all cases: growth, exponents, small modules, targets. */
void bench_print_rest(FILE *out, const BenchResults *r);
void bench_print_json(FILE *out, const BenchResults *r);

#endif
