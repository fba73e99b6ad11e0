/* SPDX-License-Identifier: Apache-2.0 */
/* converge_table: how many programs conform on each device and under each policy, as a table in
 * Markdown. */
#ifndef CV_CONVERGE_TABLE_H
#define CV_CONVERGE_TABLE_H

#include "harness/converge/converge.h"

/* Prints a row for each device; for device emu a row for each policy. Returns the exit code: 1 if a
 * device cannot be opened; messages have been printed. */
int cv_table(const CvOptions *options);

#endif
