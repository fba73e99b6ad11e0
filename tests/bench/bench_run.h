/* SPDX-License-Identifier: Apache-2.0 */
/* bench_run: runs other programs and measures their cost. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdbool.h>

typedef enum BenchEnd {
  BENCH_DONE,   /* exit code 0 */
  BENCH_FAILED, /* another exit code, or a signal */
  BENCH_LATE,   /* exceeded its time */
  BENCH_ABSENT  /* there is no such program */
} BenchEnd;

typedef struct BenchCost {
  BenchEnd end;
  double seconds; /* user and system time */
  long peak;      /* peak resident memory, bytes */
} BenchCost;

/* `argv` as for execvp, ended by NULL. Output goes to the file `out`, messages to `messages`.
 * `limit`: seconds of CPU time. */
BenchCost bench_run(const char *const *argv, const char *out, const char *messages, unsigned limit);

/* Does `work` in its own process, so that its memory does not count: the kernel starts a child's
 * peak at its parent's memory. */
bool bench_isolate(bool (*work)(const void *), const void *argument);

#endif
