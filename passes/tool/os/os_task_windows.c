/* SPDX-License-Identifier: Apache-2.0 */
/* os_task_windows: see os_task.h. The standard streams are replaced while a task runs. */
#include "passes/tool/os/os_task.h"

#include <stdlib.h>
#include <unistd.h>

static int kept[3] = {-1, -1, -1}; /* standard output and standard error while a task runs */

void os_task_begin(void) {}

size_t os_task_processors(void) {
  return 1;
}

size_t os_task_most_files(void) {
  return 512; /* of the C library */
}

FILE *os_task_shared_file(void) {
  return tmpfile();
}

void os_task_leave(void) {
  for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
    if (kept[i] >= 0) {
      dup2(kept[i], i);
      close(kept[i]);
      kept[i] = -1;
    }
}

bool os_task_start(OsTask *task, FILE *out, FILE *err, int (*run)(void *user, size_t i), void *user,
                   size_t i) {
  fflush(NULL);
  kept[STDOUT_FILENO] = dup(STDOUT_FILENO);
  kept[STDERR_FILENO] = dup(STDERR_FILENO);
  if (kept[STDOUT_FILENO] < 0 || kept[STDERR_FILENO] < 0)
    return false;
  bool good = dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0;
  *task = (OsTask){.id = 1, .code = good ? run(user, i) : EXIT_FAILURE};
  if (fflush(stdout) != 0)
    task->code = EXIT_FAILURE;
  fflush(stderr);
  os_task_leave();
  return true;
}

size_t os_task_wait(OsTask *tasks, size_t from, size_t to, OsTaskEnd *end) {
  for (size_t i = from; i < to; i++)
    if (tasks[i].id) {
      tasks[i].id = 0;
      *end = (OsTaskEnd){.code = tasks[i].code};
      return i;
    }
  return to;
}
