/* cli_limit: how much memory and time a command may take, whatever it is given. Some of it goes to
 * SPIRV-Tools, which can neither be interrupted nor told how much memory there is, so the limits
 * are the process's own, and meeting one ends it with one line and exit code 1. */
#ifndef CLI_LIMIT_H
#define CLI_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CliLimit {
  uint64_t mib, seconds; /* --max-memory, --max-time; 0: the defaults */
} CliLimit;

/* Values of the options; false: wrong, and one line says so. */
bool cli_limit_memory(CliLimit *limit, const char *text);
bool cli_limit_time(CliLimit *limit, const char *text);

/* From here on they hold. Messages name `input`. */
void cli_limit_begin(const CliLimit *limit, const char *input);
/* From here on there is no limit of time: the work is done, what is left is writing it. */
void cli_limit_end(void);
/* "FILE: out of memory …" on standard error; false: no limit was set, and nothing is said. */
bool cli_limit_say_memory(void);

#endif
