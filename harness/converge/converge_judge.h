/* SPDX-License-Identifier: Apache-2.0 */
/* converge_judge: compares what the lanes of a device recorded with what the model expects. */
#ifndef CV_CONVERGE_JUDGE_H
#define CV_CONVERGE_JUDGE_H

#include "harness/converge/model.h"

#include <stdio.h>

typedef enum CvState {
  CV_NOT_RUN,
  CV_RUNNING,
  CV_PASS,
  CV_WRONG,   /* an observation is not what it must be */
  CV_SKIP,    /* the device cannot run it */
  CV_FAILS,   /* the driver refuses it, or crashes, or does not end */
  CV_DISPUTE, /* the emulator and the model disagree: a bug of this program */
} CvState;

typedef enum CvFault {
  CV_MISSING, /* lanes that must be in the tangle are not */
  CV_EXTRA,   /* lanes that may not be in the tangle are */
  CV_OTHER,   /* an operation that does not show the lanes has a wrong result */
  CV_UNEQUAL, /* a ballot names a lane that did not get the same ballot equally often */
  CV_PATH,    /* the lane took another path */
  CV_FAULTS
} CvFault;

typedef struct CvVerdict {
  CvState state;
  CvFault fault;
  CvEvent event;
  uint32_t wrong;              /* number of observations that are wrong */
  uint32_t point, lane, index; /* of the first wrong one: its point, its lane, its index among the
                                  lane's observations */
  CvSet got, must, may;
  char why[160]; /* unless CV_PASS or CV_WRONG: one line */
} CvVerdict;

/* Sets *shown to what the observation of a lane shows if its set is exact. False: the set is not
 * exact, so devices may differ. */
bool cv_shown(const CvProgram *program, const CvRecord *record, uint32_t subgroup_size,
              uint32_t lane, CvSet *shown);

/* `told`: the words of the buffer (glsl.h). `pin`: only observations at this point count; CV_NONE:
 * all count. Sets the verdict; the first wrong observation is the earliest in the model's walk. */
void cv_judge(const CvProgram *program, const CvExpected *expected, uint32_t subgroup_size,
              const uint32_t *told, uint32_t pin, CvVerdict *verdict);

/* Are the two mistakes the same? */
bool cv_same_fault(const CvVerdict *a, const CvVerdict *b);
/* A few words for the mistake, as in a table. */
void cv_fault_name(const CvVerdict *verdict, char text[64]);
/* The rule that is broken. */
const char *cv_rule(const CvVerdict *verdict, CvMode mode);
/* Prints the sets of a wrong tangle: "lanes {0 4}, expected {0-7}", and a newline. */
void cv_sets_print(const CvVerdict *verdict, uint32_t subgroup_size, FILE *out);
/* Prints what is wrong: lanes, observation, sets. */
void cv_explain(const CvProgram *program, const CvVerdict *verdict, uint32_t subgroup_size,
                FILE *out);

#endif
