/* SPDX-License-Identifier: Apache-2.0 */
/* fit_judge: which of the tangles that a device logged does a policy explain?
 *
 * An observation is a record of the device's log (observe/instrument.h): an invocation at a point,
 * with its ballot. A policy explains it if the emulator's log under the policy has the same record
 * at the same place on the path of the same lane. After the first point at which the paths differ
 * no observation of the lane is explained. */
#ifndef FT_FIT_JUDGE_H
#define FT_FIT_JUDGE_H

#include "harness/converge/converge_judge.h"
#include "harness/observe/path.h"

#include <stddef.h>

/* A place of a program where a policy does not explain observations. */
typedef struct FtPlace {
  uint32_t program; /* index in FtFit.programs */
  size_t count;     /* of the observations; after another path, all of the rest */
  CvVerdict first;  /* the earliest on its lane's path; `lane` is in the subgroup, `must` is the
                         set under the policy */
  uint32_t subgroup;
  uint32_t block, line; /* `line` 0: not known */
  char *text;           /* as in ObPoint; owned */
} FtPlace;

/* How well a policy explains a device. */
typedef struct FtScore {
  size_t observations, explained; /* in the programs that the policy runs */
  uint32_t programs, skipped;     /* skipped: the policy does not apply to them */
  char why[160];                  /* … to the first of them, in one line */
  uint64_t hash; /* hash of its logs; policies with equal hashes form the same tangles */
  FtPlace *places;
  uint32_t count, room;
} FtScore;

/* What the device logged in one program. */
typedef struct FtLog {
  uint32_t program;
  const ObPoints *points;
  uint32_t invocations, records; /* as in ObLog */
  const uint32_t *words;
  ObPath *paths; /* by LocalInvocationIndex */
  uint32_t size; /* of the subgroups */
  size_t observations;
} FtLog;

/* Reads the paths of `words`; the other members are set. `why` is one line if the log makes no
 * sense. The caller frees the log's paths in any case. */
bool ft_log_read(FtLog *log, char why[160]);
void ft_log_free(FtLog *log);

/* Adds what the policy explains. `words`: its log. NULL: it does not run to the end, and `why` says
 * so. False: out of memory. */
bool ft_judge(const FtLog *log, const uint32_t *words, const char *why, FtScore *score);
void ft_score_free(FtScore *score);

#endif
