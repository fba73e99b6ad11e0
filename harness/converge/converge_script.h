/* SPDX-License-Identifier: Apache-2.0 */
/* converge_script: a program as an AmberScript case. */
#ifndef CV_CONVERGE_SCRIPT_H
#define CV_CONVERGE_SCRIPT_H

#include "harness/converge/model.h"

typedef struct CvScript {
  const CvProgram *program;
  CvMode mode;
  uint32_t subgroup_size;
  bool requires_size; /* the case requires subgroups of this size */
  bool declares;      /* the shader declares the mode, and the case requires its feature */
  bool expects;  /* the case has EXPECTs of all observations that are the same on all devices */
  uint64_t seed; /* for the case's comment */
} CvScript;

/* The device feature that a mode needs; NULL: none. */
extern const char *const cv_features[CV_MODES];

/* To be freed; NULL: out of memory. */
char *cv_script(const CvScript *script);

#endif
