/* SPDX-License-Identifier: Apache-2.0 */
/* cli_annotate: --annotate: the source or the disassembly, with the cost of each line. A program is
 * listed once, with a column for each policy. */
#ifndef EMU_CLI_ANNOTATE_H
#define EMU_CLI_ANNOTATE_H

#include "spv-emu/cli/emu_options.h"
#include "spv-emu/report/report.h"

/* Prints the listings of all programs of the report. False: out of memory, with a line on standard
 * error. */
bool emu_cli_annotate(const EmuCli *cli, const EmuReport *report);

#endif
