/* report_page: a report as one HTML page that needs no other file and no network.
 *
 * The page is a template with its style and scripts (spv-emu/report/, embedded in the program when
 * it is built), the picture of the graph, and one JSON object (report_page_data.h) from which the
 * scripts make everything else. */
#ifndef EMU_REPORT_PAGE_H
#define EMU_REPORT_PAGE_H

#include "report/report.h"
#include "report/report_recording.h"

typedef struct EmuPage {
  const EmuReport *report;
  const EmuRecording *recordings; /* of the report's rows, one each */
  const char *graph;              /* the shown program's, as SVG; NULL: there is none, … */
  const char *no_graph;           /* … and why */
  bool source;                    /* list the source, where there is one; else the disassembly */
} EmuPage;

/* The program that is shown block by block: the one that issues most under all policies together;
 * NULL: none ran. */
const spv_emu_program *emu_page_program(const EmuPage *page);
/* To be freed; NULL: out of memory. */
char *emu_page_make(const EmuPage *page);

#endif
