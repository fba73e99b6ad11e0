/* SPDX-License-Identifier: Apache-2.0 */
/* cli_limit: limits the memory and time of a command, whatever its input. SPIRV-Tools
 * needs part of both, and can neither be interrupted nor told how much memory there is. So the
 * limits are the process's: reaching one ends the process with one line and exit code 1. */
#ifndef CLI_LIMIT_H
#define CLI_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CliLimit {
  uint64_t mib, seconds; /* --max-memory, --max-time; 0: the defaults */
} CliLimit;

/* Each sets a limit from an option's value; false: the value is wrong, and one line says so. */
bool cli_limit_memory(CliLimit *limit, const char *text);
bool cli_limit_time(CliLimit *limit, const char *text);

/* Sets the limits for the process from now on. Messages name `input`. */
void cli_limit_begin(const CliLimit *limit, const char *input);
/* Removes the time limit: the work is done, only the output remains to be written. */
void cli_limit_end(void);
/* Prints "FILE: out of memory …" on standard error. False: no limit was set, so nothing is
 * printed. */
bool cli_limit_say_memory(void);

#endif
