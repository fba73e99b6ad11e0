/* report_page_data: what the page shows, as one JSON object.
 *
 *   report     as --json has it, without blocks and buffers
 *   dispatch   what ran, in words
 *   pipelines  how many ran; the figures of `report` are of all, …
 *   pipeline   … what follows is of this one, from 1
 *   no_graph   why there is no picture of the graph; null: there is
 *   shown      null where nothing ran, or too_large is set; else
 *     functions  names
 *     blocks     [function, label id, line]
 *     parts      [block, number in it, issues]: blocks, or what calls cut them into
 *     priority   of blocks, the first first
 *     policies   by name: executions and lanes by part, schedule as in report_recording.h; opt,
 *                which has no schedule, is not among them
 *     listing    {source, cut, lines: [text, part, instructions, part, instructions, …]}
 *   too_large  blocks of a program that has more than can be shown; else null
 *
 * The object is bounded, whatever the program: what is too long is cut, and says so. */
#ifndef EMU_REPORT_PAGE_DATA_H
#define EMU_REPORT_PAGE_DATA_H

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
/* To be given back with json_decref; NULL: out of memory. */
json_t *emu_page_data(const EmuPage *page);

#endif
