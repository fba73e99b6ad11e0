/* SPDX-License-Identifier: Apache-2.0 */
/* bench_run: posix_spawn and wait4; the time limit is the kernel's (RLIMIT_CPU). */
#include "tests/bench/bench_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static int start(const char *const *argv, const char *out, const char *messages, pid_t *child) {
  posix_spawn_file_actions_t files;
  int error = posix_spawn_file_actions_init(&files);
  if (error)
    return error;
  const int create = O_WRONLY | O_CREAT | O_TRUNC;
  error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, create, 0600);
  if (!error)
    error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages, create, 0600);
  if (!error)
    error = posix_spawnp(child, argv[0], &files, NULL, (char *const *)argv, environ);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

static int wait_for(pid_t child, int *status, struct rusage *usage) {
  pid_t got;
  do
    got = wait4(child, status, 0, usage);
  while (got < 0 && errno == EINTR);
  return got == child ? 0 : -1;
}

BenchCost bench_run(const char *const *argv, const char *out, const char *messages,
                    unsigned limit) {
  BenchCost cost = {BENCH_ABSENT, 0, 0};
  pid_t child;
  int status;
  struct rusage usage;
  if (start(argv, out, messages, &child) != 0)
    return cost;
  prlimit(child, RLIMIT_CPU, &(struct rlimit){limit, limit + 1}, NULL);
  cost.end = BENCH_FAILED;
  if (wait_for(child, &status, &usage) != 0)
    return cost;
  cost.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peak = usage.ru_maxrss * 1024;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    cost.end = BENCH_DONE;
  else if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) &&
           cost.seconds >= limit)
    cost.end = BENCH_LATE;
  return cost;
}

bool bench_isolate(bool (*work)(const void *), const void *argument) {
  int status;
  struct rusage usage;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    bool good = work(argument);
    fflush(NULL);
    _exit(good ? 0 : 1);
  }
  return child > 0 && wait_for(child, &status, &usage) == 0 && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}
