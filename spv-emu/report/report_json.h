/* SPDX-License-Identifier: Apache-2.0 */
/* report_json: the report as a jansson object, for --json and the page. */
#ifndef EMU_REPORT_JSON_H
#define EMU_REPORT_JSON_H

#include "spv-emu/report/report.h"

#include <jansson.h>

/* Free it with json_decref. */
json_t *emu_report_object(const EmuReport *report);

#endif
