/* cli_policy: the list of --policy. */
#ifndef EMU_CLI_POLICY_H
#define EMU_CLI_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/* "all", or names with commas between, into an array to be freed. False: one line on standard error
 * says what is wrong. */
bool emu_cli_policies(const char *list, const char ***policies, uint32_t *count);
/* All names with their purposes, a line each, on standard output. */
void emu_cli_print_policies(void);

#endif
