/* SPDX-License-Identifier: Apache-2.0 */
/* cli_heat: --heat-map and --lost-map: what each pixel of a draw, or each
 * invocation of a dispatch by its x and y, costs, as files. */
#ifndef EMU_CLI_HEAT_H
#define EMU_CLI_HEAT_H

#include "spv-emu/cli/emu_options.h"
#include "spv-emu/report/report_row.h"

/* Sets the file of an option. False: one line is on standard error. */
bool emu_cli_heat_file(const char *option, const char *text, const char **file);
/* Writes the files that are wanted, from each row that has a heat. False: as above. */
bool emu_cli_heat_write(const EmuCli *cli, const EmuRow *rows, uint32_t count);

#endif
