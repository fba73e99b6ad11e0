/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_data: what the page shows, as one JSON object.
 *
 *   report     as --json has it, without blocks and buffers; covers all pipelines
 *   dispatch   what ran, as text
 *   pipelines  how many pipelines ran
 *   pipeline   the number, from 1, of the one that the following covers
 *   no_graph   why there is no picture of the graph; null: there is one
 *   shown      null if nothing ran, or too_large is set; else
 *     functions  names
 *     blocks     [function, label id, line]
 *     parts      [block, number in it, issues]: blocks, or what calls cut them into
 *     priority   blocks, the highest priority first
 *     policies   by name: executions and lanes by part, schedule as in report_recording.h; without
 *                opt, which has no schedule
 *     listing    {source, cut, lines: [text, part, instructions, part, instructions, …]}
 *   too_large  number of blocks of a program with more than can be shown; else null
 *
 * The object's size is bounded for any program: what is too long is cut, and marked as cut. */
#ifndef EMU_REPORT_PAGE_DATA_H
#define EMU_REPORT_PAGE_DATA_H

#include "report/report.h"
#include "report/report_recording.h"

typedef struct EmuPage {
  const EmuReport *report;
  const EmuRecording *recordings; /* one for each row of the report */
  const char *graph;              /* that of the shown program, as SVG; NULL: there is none */
  const char *no_graph;           /* the reason, if there is none */
  bool source;                    /* list the source, if there is one; else the disassembly */
} EmuPage;

/* The program that is shown block by block: the one that issues most under all policies together;
 * NULL: none ran. */
const spv_emu_program *emu_page_program(const EmuPage *page);
/* To be freed with json_decref; NULL: out of memory. */
json_t *emu_page_data(const EmuPage *page);

#endif
