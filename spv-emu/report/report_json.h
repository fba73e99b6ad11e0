/* SPDX-License-Identifier: Apache-2.0 */
/* report_json: the report as a jansson object, for --json and the page. */
#ifndef EMU_REPORT_JSON_H
#define EMU_REPORT_JSON_H

#include "spv-emu/report/report.h"

#include <jansson.h>

/* The object of an input that was not read. Free it with json_decref. */
json_t *emu_report_unread(const char *module);
/* The object of a report; free it as above. */
json_t *emu_report_object(const EmuReport *report);

#endif
