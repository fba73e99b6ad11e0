/* SPDX-License-Identifier: Apache-2.0 */
/* converge_reduce: finds a shorter program with the same mistake at the same observation. */
#ifndef CV_CONVERGE_REDUCE_H
#define CV_CONVERGE_REDUCE_H

#include "harness/converge/device.h"

/* Replaces `program` and `verdict`, which is not CV_PASS, by the shortest ones found; `runs`: the
 * number of programs run. Deterministic if the device is. False: as cv_device_run. */
bool cv_reduce(const CvDevice *device, CvProgram *program, CvVerdict *verdict, uint32_t *runs);

#endif
