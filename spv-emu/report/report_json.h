/* report_json: the report as an object of jansson, as --json and the page have it. */
#ifndef EMU_REPORT_JSON_H
#define EMU_REPORT_JSON_H

#include "report/report.h"

#include <jansson.h>

/* To be given back with json_decref. */
json_t *emu_report_object(const EmuReport *report);

#endif
