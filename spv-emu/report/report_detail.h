/* SPDX-License-Identifier: Apache-2.0 */
/* report_detail: where lanes are lost, as JSON: functions, calls, loops and branches. */
#ifndef EMU_REPORT_DETAIL_H
#define EMU_REPORT_DETAIL_H

#include "spv-emu/report/report_row.h"

#include <jansson.h>

/* Adds to a row's object what the run has counted, of all programs: "functions" and "calls"; with
 * spv_emu_run_options.causes also "loops" and "branches". */
void emu_detail_set(json_t *o, const EmuRow *row);

#endif
