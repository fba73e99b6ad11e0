/* SPDX-License-Identifier: Apache-2.0 */
/* cli_cost: --cost=NAME|FILE[,KEY=VALUE…]. */
#ifndef EMU_CLI_COST_H
#define EMU_CLI_COST_H

#include <spv-emu/spv_emu.h>

/* Reads the option into `cost`; `text` NULL: the default. False: one line is on standard error, and
 * *code is the exit code: that of wrong usage, or, for an error in a file, of bad input. */
bool emu_cli_cost(const char *text, spv_emu_cost *cost, int *code);
/* Prints the models with their purposes, one on a line. */
void emu_cli_print_costs(void);

#endif
