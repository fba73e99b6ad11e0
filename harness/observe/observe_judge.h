/* SPDX-License-Identifier: Apache-2.0 */
/* observe_judge: compares the tangles in a log with those that the specification promises for the
 * paths in the log, and the paths with those of the emulator. */
#ifndef OB_OBSERVE_JUDGE_H
#define OB_OBSERVE_JUDGE_H

#include "harness/converge/converge_judge.h"
#include "harness/observe/path.h"

#include <stddef.h>

/* What was seen at a point. */
typedef struct ObFinding {
  size_t seen, wrong; /* number of observations */
  CvVerdict first;    /* the wrong one that is earliest on its invocation's path; `lane` is in the
                         subgroup, `index` on the path. For CV_PATH, `point` is where the path went;
                         SR_NONE: it ended */
  uint32_t workgroup, subgroup, other; /* other: for CV_PATH, where the emulator's path went */
  bool impossible;                     /* for CV_PATH: no branch leads there */
} ObFinding;

typedef struct ObCase {
  const ObPoints *points;
  CvMode mode;
  uint32_t invocations, workgroups, records; /* as in ObLog; workgroups of the largest dispatch */
} ObCase;

typedef struct ObTotals {
  ObFinding *at; /* by point */
  size_t observations, paths, cut;
  size_t open;   /* paths that differ from the emulator's after a result that may differ */
  uint32_t size; /* size of the largest subgroup */
  bool broken;   /* two invocations have the same place in a subgroup */
} ObTotals;

/* Judges a log. `reference`: the emulator's log, for paths; NULL: paths are not compared. The
 * caller frees totals->at in any case. False: out of memory. Only one workgroup's paths are in
 * memory at a time. */
bool ob_judge(const ObCase *c, const uint32_t *log, const uint32_t *reference, ObTotals *totals);

#endif
