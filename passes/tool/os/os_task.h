/* SPDX-License-Identifier: Apache-2.0 */
/* os_task: parts of this program's work. If the system has fork, each part runs in its own process.
 * On Windows each part runs in this process, when it is started. */
#ifndef OS_TASK_H
#define OS_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct OsTask {
  long id; /* 0: it is not running */
  int code;
} OsTask;

typedef struct OsTaskEnd {
  int code;           /* its exit code, unless a signal ended it */
  const char *signal; /* the name of the signal; NULL: none ended it */
  bool fault;         /* the signal means that the task failed by itself */
} OsTaskEnd;

/* In WebAssembly there are no processes, and what a part prints cannot be led to a file. */
static inline bool os_task_possible(void) {
#ifdef __EMSCRIPTEN__
  return false;
#else
  return true;
#endif
}

/* Starts run(user, i), whose result is the exit code; what it prints goes to the files. False: it cannot be started,
 * errno says why. */
bool os_task_start(OsTask *task, FILE *out, FILE *err, int (*run)(void *user, size_t i), void *user,
                   size_t i);
/* Waits until one of tasks[from … to - 1] ends, and returns which one, and how it ended. `to`: none
 * is known to run. */
size_t os_task_wait(OsTask *tasks, size_t from, size_t to, OsTaskEnd *end);
/* Prepares for starting tasks: whatever the caller of this program set, exit codes are known. */
void os_task_begin(void);
/* How many tasks can run at the same time. */
size_t os_task_processors(void);
/* How many files this process may have open. */
size_t os_task_most_files(void);
/* A temporary file that tasks add to, each at its end; NULL with errno. */
FILE *os_task_shared_file(void);
/* Before the process ends within a task: what is printed from now on is for the user. */
void os_task_leave(void);

#endif
