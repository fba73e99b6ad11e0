/* SPDX-License-Identifier: Apache-2.0 */
/* cli_environment: the project's environment variables, as all its command lines read them. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

#include <stdbool.h>

/* Prints a note on standard error for each variable that has one of the project's prefixes and that
 * no program reads, or whose name is close to that of a variable that is read. */
void cli_environment_check(void);

/* A variable that is 0 or 1; unset or empty is 0. False: it is something else, and one line says
 * so. */
bool cli_environment_switch(const char *name, bool *on);

#endif
