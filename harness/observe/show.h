/* SPDX-License-Identifier: Apache-2.0 */
/* show: prints the findings of observe. */
#ifndef OB_SHOW_H
#define OB_SHOW_H

#include "harness/observe/observe_judge.h"

/* Prints the places where tangles or paths are wrong, the earliest first, or that there are none;
 * and what was not compared. */
void ob_show(const char *pipeline, const ObCase *c, const ObTotals *totals);
/* Prints that the emulator and the model disagree, and where. */
void ob_show_dispute(const ObCase *c, const ObTotals *totals);

#endif
