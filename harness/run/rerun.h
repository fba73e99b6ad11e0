/* SPDX-License-Identifier: Apache-2.0 */
/* rerun: the command that runs a single case again with the options of a run. */
#ifndef HN_RERUN_H
#define HN_RERUN_H

#include "run/run.h"

/* Shell: `cd` to the current folder, this program and the options that change results, to be
 * followed by --device, --transform and the case. To be freed; NULL: out of memory, or /proc is
 * missing. */
char *hn_rerun_command(const HnRun *run);

#endif
