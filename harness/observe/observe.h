/* SPDX-License-Identifier: Apache-2.0 */
/* observe: the command spv-harness converge FILE: runs a shader or a case with a log of its tangles
 * (instrument.h), and reports where they are not those that the specification promises. */
#ifndef OB_OBSERVE_H
#define OB_OBSERVE_H

#include "harness/converge/converge.h"
#include "harness/new/new_case.h"

typedef struct ObOptions {
  HnNewCase shader;        /* the file; the other members are for a shader without a case */
  const CvOptions *common; /* mode, devices, subgroup_size, policy, timeout */
  bool mode_given;         /* the mode of `common` replaces the shader's promise */
} ObOptions;

/* Returns the exit code: 1 if anything is wrong or cannot be done; messages have been printed. */
int ob_observe(const ObOptions *options);

#endif
