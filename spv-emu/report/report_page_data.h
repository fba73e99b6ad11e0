/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_data: the contents of the page, as one JSON object.
 *
 *   report     as --json prints it, without blocks and buffers; covers all pipelines
 *   dispatch   what ran, as text
 *   advise     the command that measures which transforms help; null: there is none for these options
 *   purposes   by policy: one line
 *   pipelines  how many pipelines ran
 *   earlier    true if some figures belong to shaders that run before a fragment shader
 *   dispatches how many dispatches ran
 *   too_large  number of blocks of a program, if they are too many to be shown; otherwise null
 *   pixels     report_page_pixels.h
 *   programs   empty if nothing ran, or too_large is set; else, for each variant, the pipelines that
 *              issue most:
 *     variant    its name; null: there is only one
 *     pipeline   its number, from 1
 *     functions  names
 *     files      names of the source's files
 *     calls      that were inlined: [function that contains the call, file, line, outer call]
 *     blocks     [function, label id, line, file, last line, source function, call]: the first and
 *                last line in the file; the function that the lines are in, inlined or not; the
 *                inlined call that they come from
 *     parts      [block, number in it, issues]: blocks, or the parts into which calls cut them
 *     priority   blocks, the highest priority first
 *     listing    {source, cut, lines: [text, part, instructions, part, instructions, …], sections,
 *                unplaced}; for source, sections are runs of consecutive lines of one file,
 *                [file, index of the first in lines, its number, is the text known], and unplaced
 *                is like a line, with the instructions that have no line; or the number of an
 *                earlier program with the same listing
 *     graph      the number of the picture; null: there is none, and no_graph says why
 *   runs       of a program under a policy; none under opt, which has no schedule
 *     result     index in report.results
 *     program    index
 *     dispatch   null: all dispatches of the program; else the number of one, from 1
 *     lanes      of a subgroup
 *     causes     report_causes.h; not there if `dispatch` is a number
 *     issued, lane_instructions
 *     executions, lane_sums   by part
 *     subgroups  the schedules of some subgroups (report_recording.h); if `dispatch` is null, of
 *                the first dispatch
 *     scheduled  the number of the dispatch that these subgroups belong to
 *     worst      the slot of the subgroup with the most inactive lane slots; null: none has any
 *
 * Unknown values are null, an unknown line is 0. If there are many files or calls, only the first
 * ones are listed; references to the rest are null. The object's size is bounded for any program:
 * parts that are too long are cut, and marked as cut. */
#ifndef EMU_REPORT_PAGE_DATA_H
#define EMU_REPORT_PAGE_DATA_H

#include "spv-emu/report/report.h"
#include "spv-emu/report/report_recording.h"

enum { EMU_PAGE_PROGRAMS = 8 };

typedef struct EmuPageProgram { /* a program that is shown block by block */
  const spv_emu_program *program;
  const char *variant;  /* NULL: there is only one */
  uint32_t part;        /* index in EmuRow.parts */
  char *graph;          /* as SVG; owned by the caller; NULL: `same` has it, or there is none */
  const char *no_graph; /* why there is none */
  uint32_t same;        /* the program that has this one's picture: this one, or an earlier one */
} EmuPageProgram;

typedef struct EmuPage {
  const EmuReport *report;
  EmuRecording *recordings; /* one for each row of the report */
  EmuPageProgram programs[EMU_PAGE_PROGRAMS];
  uint32_t program_count;
  const char *advise; /* the command with --advise; NULL: none */
  bool source;        /* list the source, if there is one; else the disassembly */
} EmuPage;

/* Chooses the programs: for each variant, the pipelines that issue most under all policies. */
void emu_page_choose(EmuPage *page);
/* Free it with json_decref; NULL: out of memory. */
json_t *emu_page_data(const EmuPage *page);

#endif
