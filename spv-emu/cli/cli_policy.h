/* SPDX-License-Identifier: Apache-2.0 */
/* cli_policy: the list of --policy. */
#ifndef EMU_CLI_POLICY_H
#define EMU_CLI_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "all", or names separated by commas, into an array, which must be freed. False: one line is
 * on standard error. */
bool emu_cli_policies(const char *list, const char ***policies, uint32_t *count);
/* Prints all names with their purposes, one on a line. */
void emu_cli_print_policies(void);

#endif
