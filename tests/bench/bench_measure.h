/* SPDX-License-Identifier: Apache-2.0 */
/* bench_measure: all tools on one module. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "tests/bench/bench_count.h"
#include "tests/bench/bench_opt.h"
#include "tests/bench/bench_run.h"
#include "tests/bench/bench_write.h"

typedef enum BenchTool {
  BENCH_COPY,         /* spvreconv --no-validate --transform=none */
  BENCH_STRUCTURIZE,  /* spvreconv --no-validate --transform=structurize */
  BENCH_RECONVERGE,   /* spvreconv --no-validate --transform=reconverge; reducible families */
  BENCH_ITERATIONS,   /* spvreconv --no-validate --transform=merge-iterations:all */
  BENCH_SPECULATIVE,  /* spvreconv --no-validate --transform=speculative:all */
  BENCH_MELD,         /* spvreconv --no-validate --transform=meld:0 */
  BENCH_KERNEL,       /* spvreconv --no-validate --transform=kernel-to-shader, of a module with a
                         kernel that calls all functions */
  BENCH_CHECK,        /* structurize with --check */
  BENCH_VAL,          /* spirv-val */
  BENCH_OPT,          /* spirv-opt --skip-validation */
  BENCH_MERGE_RETURN, /* spirv-opt --skip-validation --merge-return */
  BENCH_LLVM,         /* LLVM's structurizer, less the cost of opt without passes; newest version */
  BENCH_DIS,          /* spirv-dis */
  BENCH_BACKWARDS,    /* llvm-spirv-15 -r, of the module with the kernel: how it gets to clspv */
  BENCH_TOOLS
} BenchTool;

extern const char *const bench_tool_names[BENCH_TOOLS];

/* How to measure; files are in `folder`. `failed` is set if a tool does not run or refuses a
 * module; `notes` gets a line for everything that was skipped. */
typedef struct BenchPlan {
  const char *ours, *folder;
  unsigned runs;  /* how many, of which the best counts */
  double enough;  /* seconds after which no further run is started */
  unsigned limit; /* seconds for one run */
  bool quick, full;
  bool duel;                /* only structurize and LLVM */
  BenchOpt opt[BENCH_OPTS]; /* versions of LLVM to compare with */
  size_t opts;
  bool failed;
  FILE *notes;
} BenchPlan;

typedef struct BenchCase {
  BenchShape shape;
  double seconds[BENCH_TOOLS]; /* 0: not measured */
  long peak;                   /* of structurize */
  BenchCounts before, after;
  BenchOpted llvm[BENCH_OPTS];
} BenchCase;

/* Measures all tools on the module of a shape. False: a file cannot be written or read. */
bool bench_measure(BenchPlan *plan, const BenchShape *shape, BenchCase *out);

/* Mean CPU seconds of one process over `runs`, on a module of about 20 blocks. */
bool bench_measure_small(BenchPlan *plan, uint64_t seed, unsigned runs,
                         double seconds[BENCH_TOOLS]);

#endif
