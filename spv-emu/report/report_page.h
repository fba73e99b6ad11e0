/* SPDX-License-Identifier: Apache-2.0 */
/* report_page: a report as one HTML page that needs no other file and no network.
 *
 * The page is a template with its style and scripts (spv-emu/report/page/, embedded in the program
 * at build time), the picture of the graph, and one JSON object (report_page_data.h) from which the
 * scripts build everything else. */
#ifndef EMU_REPORT_PAGE_H
#define EMU_REPORT_PAGE_H

#include "spv-emu/report/report_page_data.h"

/* The page; the caller frees it; NULL: out of memory. */
char *emu_page_make(const EmuPage *page);

#endif
