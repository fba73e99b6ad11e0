/* SPDX-License-Identifier: Apache-2.0 */
/* os_process_posix: see os_process.h. */
#include "passes/tool/os/os_process.h"

#include "passes/base/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 5 };

int os_process_start(OsProcess *process, const char *const *arguments, int in, int out) {
  extern char **environ;
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  error = posix_spawnp(&child, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  process->id = child;
  return error;
}

OsProcessEnd os_process_wait(OsProcess *process, uint64_t seconds) {
  const struct timespec poll = {.tv_nsec = POLL_MILLISECONDS * 1000000};
  double end = sr_now() + (double)seconds;
  pid_t child = (pid_t)process->id, ended;
  int status = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && sr_now() < end)
    nanosleep(&poll, NULL);
  if (ended)
    return ended == child && status == 0 ? OS_PROCESS_DONE : OS_PROCESS_FAILED;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return OS_PROCESS_TOO_LONG;
}
