/* SPDX-License-Identifier: Apache-2.0 */
/* tool_limit: limits the memory and time of a command, whatever its input. SPIRV-Tools uses much of
 * both, and can neither be interrupted nor told how much memory it may use. So the limits hold for
 * the process: a process that reaches a limit ends with one line and exit code 1. */
#ifndef TOOL_LIMIT_H
#define TOOL_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ToolLimit {
  uint64_t mib, seconds; /* --max-memory, --max-time; 0: the defaults */
} ToolLimit;

/* Each sets one of the limits from an option's value. False: the value is wrong, and one line says
 * so. */
bool tool_limit_memory(ToolLimit *limit, const char *text);
bool tool_limit_time(ToolLimit *limit, const char *text);

/* Sets the limits for the process from now on. Messages name `input`. */
void tool_limit_begin(const ToolLimit *limit, const char *input);
/* Removes the time limit: the work is done, only the output remains to be written. */
void tool_limit_end(void);
/* Prints "FILE: out of memory …" on standard error. False: no limit was set, so nothing is
 * printed. */
bool tool_limit_say_memory(void);

#endif
