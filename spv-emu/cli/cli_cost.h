/* cli_cost: --cost=NAME|FILE[,KEY=VALUE…]. */
#ifndef EMU_CLI_COST_H
#define EMU_CLI_COST_H

#include <spv-emu/spv_emu.h>

/* Into `cost`; the default where `text` is NULL. False: one line on standard error says why, and
 * *code is the exit code: that of wrong usage, or, for what is wrong in a file, of bad input. */
bool emu_cli_cost(const char *text, spv_emu_cost *cost, int *code);
/* The models with their purposes, a line each, on standard output. */
void emu_cli_print_costs(void);

#endif
