/* SPDX-License-Identifier: Apache-2.0 */
/* rerun: the command that runs a single case again with the options of a run. */
#ifndef HN_RERUN_H
#define HN_RERUN_H

#include "harness/new/new_case.h"
#include "harness/run/run.h"

/* Shell: `cd` to the current folder, then this program and the options that change results;
 * --device, --transform and the case follow. `shader`: how the cases of shaders are made (its
 * path is not used); NULL: there are none. The caller frees the text; NULL: out of memory, or no
 * /proc. */
char *hn_rerun_command(const HnRun *run, const HnNewCase *shader);

#endif
