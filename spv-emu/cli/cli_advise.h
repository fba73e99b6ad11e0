/* SPDX-License-Identifier: Apache-2.0 */
/* cli_advise: --advise: measures which transforms help the input, on the same data, and reports that
 * with the lines that waste lanes (report_advise.h). */
#ifndef EMU_CLI_ADVISE_H
#define EMU_CLI_ADVISE_H

#include "spv-emu/cli/cli_case.h"
#include "spv-emu/report/report.h"

/* Can the other options be used with --advise? Then adds policy opt to those of the command line.
 * False: one line is on standard error. */
bool emu_cli_advise_check(EmuCli *cli);
/* The command that gives advice on a report's run; several policies are left out. Owned by the
 * caller; NULL: an option does not go with --advise, or out of memory. */
char *emu_cli_advise_command(const EmuCli *cli);
/* Prints the advice; with --json puts it in report->advise. The rows of the report are those of the
 * case, under the policy and under opt. If the first did not end well, there is no advice, but the
 * table. False: one line is on standard error. */
bool emu_cli_advise(const EmuCli *cli, const EmuCase *c, EmuReport *report);

#endif
