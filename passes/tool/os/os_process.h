/* SPDX-License-Identifier: Apache-2.0 */
/* os_process: another program. It is looked for in PATH; nothing passes through pipes, so that a program
 * that does not read cannot block this one. */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct OsProcess {
  intptr_t id;
} OsProcess;

typedef enum OsProcessEnd { OS_PROCESS_DONE, OS_PROCESS_FAILED, OS_PROCESS_TOO_LONG } OsProcessEnd;

/* Starts a program that reads descriptor `in` and writes `out`; what it prints on standard error is
 * lost. The arguments, with the program's name first, end with NULL. Returns 0 or an error number. */
int os_process_start(OsProcess *process, const char *const *arguments, int in, int out);
/* Waits until it ends; after `seconds`, ends it. */
OsProcessEnd os_process_wait(OsProcess *process, uint64_t seconds);

#endif
