/* SPDX-License-Identifier: Apache-2.0 */
/* cli_page: --report=FILE.html: while policies run, it is counted what each subgroup issues; after
 * that they run again, and the schedules of the subgroups that the page shows are recorded
 * (report_recording.h); then the page is written. */
#ifndef EMU_CLI_PAGE_H
#define EMU_CLI_PAGE_H

#include "spv-emu/cli/cli_cases.h"
#include "spv-emu/report/report_page.h"

typedef struct EmuCliPage {
  const char *file; /* NULL: not wanted */
  bool source;      /* list the source, if there is one */
  char *advise;     /* the command that the page names: cli_advise.h; owned; NULL: none */
  EmuRecording *recordings;
  uint32_t count;
} EmuCliPage;

/* Creates recordings for `count` runs, if a page is wanted. False: one line is on standard error.
 * Close the page in any case. */
bool emu_cli_page_open(EmuCliPage *page, uint32_t count);
/* The schedule for the options of run number `run`; NULL: no page is wanted. */
const spv_emu_schedule *emu_cli_page_listen(const EmuCliPage *page, uint32_t run);
/* Runs all cases again, if a page is wanted, and records schedules. `cost` NULL: a cycle for each
 * issue. What the cases' rows say of memory is no longer valid then. False: as above. */
bool emu_cli_page_record(EmuCliPage *page, const EmuCli *cli, const EmuCliCases *cases,
                         const spv_emu_cost *cost);
/* Writes the page, if one is wanted; the report's rows are those of the runs. False: as above, and
 * there is no file. */
bool emu_cli_page_write(const EmuCliPage *page, const EmuReport *report);
void emu_cli_page_close(EmuCliPage *page);

#endif
