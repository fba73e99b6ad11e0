/* SPDX-License-Identifier: Apache-2.0 */
/* reduction: the smallest case that still fails on a device as a given case does: it crashes, hangs, or
 * computes something else than the emulator.
 *
 * The modules of the failing variant replace the shaders, so that the case needs no transform
 * (unless the transform itself is wrong). Then the search removes statements of the script,
 * workgroups, and parts of the modules, as long as the case still fails in the same way. Every
 * trial runs in a process of its own. */
#ifndef HN_REDUCTION_H
#define HN_REDUCTION_H

#include "harness/new/new_case.h"
#include "harness/run/devices.h"

typedef struct HnReduce {
  HnNewCase shader; /* its path is the path of the case; the other fields are for a shader without a
                       case */
  const char *output;
  HnDevices *device;           /* one */
  HnDevices *emulator;         /* one, device emu */
  const char *const *variants; /* lists of transforms, in the order in which they are tried */
  uint32_t variant_count;
  unsigned jobs;
  double timeout;
  uint64_t ulps;
  uint64_t most; /* runs */
  bool validation;
} HnReduce;

/* Writes the case; prints what failed, and how much smaller it is. The exit code: 0; 1: nothing
 * fails, or the case cannot be read or written. */
int hn_reduce(const HnReduce *wanted);

#endif
