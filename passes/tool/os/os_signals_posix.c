/* SPDX-License-Identifier: Apache-2.0 */
/* os_signals_posix: see os_signals.h. */
#include "passes/tool/os/os_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { NOT_RUN = 127 };

void os_signals_hold(OsSignals *s) {
  static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &s->before);
  sigemptyset(&s->held);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction action;
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
        !sigismember(&s->before, ends[i]))
      sigaddset(&s->held, ends[i]);
  }
  blocked = s->held;
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  /* A caller may have ignored SIGCHLD. Then the signal would not be sent, and exit codes would be
   * lost. */
  sigaction(SIGCHLD, &plain, &s->child);
}

void os_signals_release(const OsSignals *s) {
  sigaction(SIGCHLD, &s->child, NULL);
  sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* Waits for a child to end; if a held signal comes, kills the child. */
static int wait_for(const OsSignals *s, pid_t child) {
  sigset_t awaited = s->held;
  int status;
  pid_t ended;
  sigaddset(&awaited, SIGCHLD);
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    int signal;
    if (sigwait(&awaited, &signal) != 0 || signal == SIGCHLD)
      continue;
    kill(child, SIGKILL);
    raise(signal); /* blocked: it waits for the release */
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
      ;
    return -1;
  }
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In the child: becomes the program, which on Linux ends when the parent ends, for whatever reason. */
static void become(const OsSignals *s, const char *const *arguments, const char *log,
                   pid_t parent) {
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (out < 0 || getppid() != parent)
    _exit(NOT_RUN);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &s->before, NULL);
  execvp(arguments[0], (char *const *)arguments);
  _exit(NOT_RUN);
}

int os_signals_run(const OsSignals *s, const char *const *arguments, const char *log) {
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    become(s, arguments, log, parent);
  return child > 0 ? wait_for(s, child) : -1;
}
