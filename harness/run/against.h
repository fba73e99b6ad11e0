/* SPDX-License-Identifier: Apache-2.0 */
/* against: compares the results of a case on a device with its results on another device. */
#ifndef HN_AGAINST_H
#define HN_AGAINST_H

#include "harness/backend/backend.h"

typedef struct HnAgainst {
  const char *name; /* of the other device; NULL: none */
  HnBackendOptions backend;
  uint64_t ulps; /* number of units in the last place by which floats may always differ */
} HnAgainst;

/* Runs the script's own modules (`modules`) on the other device and compares the buffers with those
 * of `report`. Floats may differ by as much as the errors that OpenCL C allows can change them. To
 * find out, the modules that ran on `own` run there again with such errors (shader/perturb.h), and
 * the other device's numbers must lie in the range of their results (backend/range.h). The report
 * becomes HN_FAIL if a number lies outside, and HN_SKIP if the other device cannot run the case or
 * the case changes no buffer, each with a message. If contents differ, *other has those of the
 * other device, and the caller clears it; else it is empty. */
void hn_against(const HnAgainst *against, const AmberScript *script, const HnModule *modules,
                const HnModule *own_modules, HnBackend *own, HnReport *report, HnReport *other);

#endif
