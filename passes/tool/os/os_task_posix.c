/* SPDX-License-Identifier: Apache-2.0 */
/* os_task_posix: see os_task.h. */
#include "passes/tool/os/os_task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void os_task_begin(void) {
  signal(SIGCHLD, SIG_DFL); /* a caller may have ignored it, which would hide exit codes */
}

size_t os_task_processors(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (size_t)processors : 1;
}

size_t os_task_most_files(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur
                                                                            : SIZE_MAX;
}

FILE *os_task_shared_file(void) {
  FILE *file = tmpfile();
  if (file && fcntl(fileno(file), F_SETFL, O_APPEND) == 0)
    return file;
  if (file)
    fclose(file);
  return NULL;
}

void os_task_leave(void) {}

bool os_task_start(OsTask *task, FILE *out, FILE *err, int (*run)(void *user, size_t i), void *user,
                   size_t i) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    bool good = dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0;
    int code = good ? run(user, i) : EXIT_FAILURE;
    _exit(fflush(stdout) == 0 ? code : EXIT_FAILURE);
  }
  task->id = child > 0 ? child : 0;
  return child > 0;
}

/* Does the signal mean that the process failed by itself? The other signals come from elsewhere, as
 * from a user, or from a system that lacks memory. */
static bool is_fault(int signal_number) {
  return signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGFPE ||
         signal_number == SIGILL || signal_number == SIGABRT;
}

/* This process may have other children, from the program that it was before exec. */
size_t os_task_wait(OsTask *tasks, size_t from, size_t to, OsTaskEnd *end) {
  for (;;) {
    int status;
    pid_t child = waitpid(-1, &status, 0);
    if (child < 0 && errno == EINTR)
      continue;
    if (child < 0)
      return to;
    for (size_t i = from; i < to; i++)
      if (tasks[i].id == child) {
        tasks[i].id = 0;
        *end = (OsTaskEnd){.code = WEXITSTATUS(status)};
        if (WIFSIGNALED(status))
          *end = (OsTaskEnd){.signal = strsignal(WTERMSIG(status)),
                             .fault = is_fault(WTERMSIG(status))};
        return i;
      }
  }
}
