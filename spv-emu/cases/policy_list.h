/* SPDX-License-Identifier: Apache-2.0 */
/* policy_list: the list of --policy. */
#ifndef EMU_POLICY_LIST_H
#define EMU_POLICY_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "all", or names separated by commas, into an array. The caller frees it. False: one line is
 * on standard error. */
bool emu_policy_list(const char *list, const char ***policies, uint32_t *count);
/* Prints all names with their purposes, one on a line. */
void emu_policy_list_print(void);

#endif
