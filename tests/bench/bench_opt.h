/* SPDX-License-Identifier: Apache-2.0 */
/* bench_opt: LLVM's structurizer, of one version, on the IR of a module; and what LLVM's clean-up
 * leaves of its output and of spvreconv's. */
#ifndef BENCH_OPT_H
#define BENCH_OPT_H

#include "tests/bench/bench_count.h"
#include "tests/bench/bench_run.h"

#include <stddef.h>

enum { BENCH_OPTS = 2 }; /* versions that are compared at a time */

typedef struct BenchOpt {
  unsigned version;
  char opt[16]; /* the program */
} BenchOpt;

/* Finds opt of the wanted versions, or with none wanted the newest of those that are compared and
 * version 15; returns how many there are. */
size_t bench_opt_find(const unsigned *wanted, size_t count, BenchOpt *found);

/* The passes of the structurizer, and of the clean-up, as the argument of opt. The clean-up does
 * not change the graph: no simplifycfg. */
void bench_opt_structurizer(const BenchOpt *o, char *passes, size_t size);
void bench_opt_cleanup(const BenchOpt *o, char *passes, size_t size);

/* What LLVM makes of a module. */
typedef struct BenchOpted {
  BenchCounts before, after;             /* of its structurizer */
  BenchCounts clean_before, clean_after; /* both cleaned */
  BenchCounts ours_before, ours_after;   /* spvreconv's input and output, cleaned */
  double seconds;                        /* of the structurizer's passes */
  bool compared;                         /* `before` and `after` are known */
  bool cleaned, ours_cleaned;            /* the others are */
} BenchOpted;

/* Cleans IR or bitcode, and counts what is left, which goes to the file `ll`. */
bool bench_opt_clean(const BenchOpt *o, const char *in, const char *ll, const char *messages,
                     unsigned limit, BenchCounts *counts);
/* The same for a kernel in SPIR-V, which llvm-spirv-15 reads; `bc`: a file for its bitcode. */
bool bench_opt_clean_spirv(const BenchOpt *o, const char *spv, const char *bc, const char *ll,
                           const char *messages, unsigned limit, BenchCounts *counts);

#endif
