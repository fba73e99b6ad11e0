/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_judge: does a smaller case still fail on the device as the whole one did? */
#ifndef HN_REDUCE_JUDGE_H
#define HN_REDUCE_JUDGE_H

#include "harness/run/run.h"

typedef struct HnReduceJudge {
  const char *path;    /* of the case; the files that its text names are beside it */
  HnDevices *device;   /* one */
  HnDevices *emulator; /* one; what it computes is right */
  const char *variant; /* of the transforms */
  unsigned jobs;
  double timeout;
  uint64_t ulps;
  bool validation;
  HnOutcome wanted; /* HN_FAIL: the device's buffers differ from the emulator's */
  uint64_t issues;  /* that the emulator may take for a trial; 0: as many as for a whole case */
  bool races;       /* invocations of a workgroup race in the whole case, so in a trial they may */
  bool unsound;     /* a whole case failed, but the device may not be to blame (reduce_sound.h) */
  char why[256];    /* what was wrong in the first case that failed; empty: none has */
  uint64_t runs;    /* how many cases have run */
  uint64_t most;    /* an upper bound of that */
  int signal;       /* ended a run; 0: none did */
} HnReduceJudge;

/* How does the whole case fail? A case that crashes or hangs computes nothing, so that comes first.
 * If *fails, `wanted` is set. False: *message is one line, which the caller frees. */
bool hn_reduce_find(HnReduceJudge *j, char *text, bool *fails, char **message);

/* The index of the first text that fails as wanted; -1: none does. If results must differ, the text
 * must leave no doubt who is wrong (reduce_sound.h). False: *message is one line, which the caller
 * frees. */
bool hn_reduce_judge(HnReduceJudge *j, char *const *texts, size_t count, long *first,
                     char **message);

/* Runs each text; results[i] gets the outcome of text i, which the caller frees (message). Without
 * `against` a case is judged by its EXPECTs only. */
bool hn_reduce_run(HnReduceJudge *j, char *const *texts, size_t count, bool against,
                   HnResult *results, char **message);

#endif
