/* SPDX-License-Identifier: Apache-2.0 */
/* cli_limit: limits the memory and time of a command, whatever its input. Some of both goes to
 * SPIRV-Tools, which can neither be interrupted nor told how much memory there is, so the limits
 * are the process's own, and reaching one ends it with one line and exit code 1. */
#ifndef CLI_LIMIT_H
#define CLI_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CliLimit {
  uint64_t mib, seconds; /* --max-memory, --max-time; 0: the defaults */
} CliLimit;

/* Values of the options; false: wrong, as one line says. */
bool cli_limit_memory(CliLimit *limit, const char *text);
bool cli_limit_time(CliLimit *limit, const char *text);

/* The limits hold from here on. Messages name `input`. */
void cli_limit_begin(const CliLimit *limit, const char *input);
/* There is no time limit from here on: the work is done, only the output remains to be written. */
void cli_limit_end(void);
/* "FILE: out of memory …" on standard error; false: no limit was set, and nothing is said. */
bool cli_limit_say_memory(void);

#endif
