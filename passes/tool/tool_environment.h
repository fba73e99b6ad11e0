/* SPDX-License-Identifier: Apache-2.0 */
/* tool_environment: the project's environment variables, as all its command lines read them. */
#ifndef TOOL_ENVIRONMENT_H
#define TOOL_ENVIRONMENT_H

#include <stdbool.h>

/* Prints a note on standard error for each variable that no program of the project reads, but that
 * has one of the project's prefixes, or a name close to that of a variable that is read. */
void tool_environment_check(void);

/* Reads a variable that is 0 or 1; unset or empty is 0. False: the value is something else, and one
 * line says so. */
bool tool_environment_switch(const char *name, bool *on);

#endif
