/* SPDX-License-Identifier: Apache-2.0 */
/* converge: the command spv-harness converge: runs random programs on devices, and reports where
 * tangles are not those that the specification promises; or writes the programs as cases. */
#ifndef CV_CONVERGE_H
#define CV_CONVERGE_H

#include "harness/converge/device.h"

typedef struct CvOptions {
  CvMode mode;
  uint64_t seed; /* seed of the first program */
  size_t count;  /* number of programs, with consecutive seeds */
  const HnDevices *devices;
  uint32_t subgroup_size; /* 0: the device's */
  const char *policy;     /* of device emu; with `table` a list. NULL: structured, all */
  bool table;             /* only count the programs that conform */
  bool every_mode;        /* with `table`: all modes, not only `mode` */
  unsigned jobs, reduce;  /* number of parallel processes; number of failures, of different kinds,
                             that are reduced */
  double timeout;         /* seconds for a program */
  bool two_exits;         /* as in CvProgram */
  const char *write;      /* write cases to this folder instead of running them; NULL: run */
  const char *artifacts;  /* the folder for reduced programs; NULL: they are only printed */
} CvOptions;

/* Returns the exit code: 1 if anything is wrong or cannot be done; messages have been printed. */
int cv_converge(const CvOptions *options);

#endif
