/* SPDX-License-Identifier: Apache-2.0 */
/* converge_run: runs all programs of a command on one device. */
#ifndef CV_CONVERGE_RUN_H
#define CV_CONVERGE_RUN_H

#include "harness/converge/converge.h"
#include "harness/converge/converge_report.h"

/* Opens the device (cv_device_open), prints what it is unless the programs are for a table, and
 * adds to the totals. False: it cannot be opened, or as cv_device_run; a message has been
 * printed. */
bool cv_run(const CvOptions *options, CvDevice *device, HnShaderTables *tables, CvTotals *totals);
/* Prints that memory or processes ran out. */
void cv_run_failed(const CvDevice *device);

#endif
