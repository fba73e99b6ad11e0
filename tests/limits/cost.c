/* SPDX-License-Identifier: Apache-2.0 */
/* cost: runs a command without its output, and prints its cost.
 *
 *   cost LOG COMMAND ARGUMENT…     prints "SECONDS MB STATUS"
 *
 * These are processor time, peak resident memory, and the exit code, or 128 plus the signal's
 * number. Standard error goes to LOG. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **argv) {
  int nothing = open("/dev/null", O_WRONLY), log = creat(argv[1], 0666);
  if (nothing < 0 || log < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
    _exit(126);
  execv(argv[2], argv + 2);
  _exit(127);
}

static double seconds(struct timeval t) {
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int argc, char **argv) {
  struct rusage usage;
  int status;
  if (argc < 3)
    return fputs("usage: cost LOG COMMAND…\n", stderr), 2;
  pid_t child = fork();
  if (child == 0)
    run(argv);
  if (child < 0 || wait4(child, &status, 0, &usage) != child)
    return perror("cost"), 2;
  printf("%.2f %ld %d\n", seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss / 1000,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
