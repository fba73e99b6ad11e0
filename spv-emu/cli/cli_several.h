/* SPDX-License-Identifier: Apache-2.0 */
/* cli_several: runs several inputs (cli_inputs.h), each in a process of its own, and reports them
 * together: as one table, as CSV with one header, or as JSON, an object in a line each. */
#ifndef EMU_CLI_SEVERAL_H
#define EMU_CLI_SEVERAL_H

#include "spv-emu/cli/emu_options.h"
#include "spv-emu/report/report.h"

/* Calls `run` for each input, in its process, with cli->input set; it prints its report with
 * emu_cli_several_report. `head`: a report without rows that has the columns of all. Returns the
 * exit code: 1 if an input failed. On a terminal an interrupt ends the inputs that are running, and
 * those that are done are reported. */
int emu_cli_several(EmuCli *cli, const EmuReport *head, int (*run)(EmuCli *cli, void *user),
                    void *user);
/* Prints the report of one of several inputs, for the command's own process. False: it cannot be
 * written. */
bool emu_cli_several_report(const EmuCli *cli, const EmuReport *report);

#endif
