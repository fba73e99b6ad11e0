/* SPDX-License-Identifier: Apache-2.0 */
/* compile_signals: see compile_signals.h. */
#include "passes/tool/compile/compile_signals.h"

#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>

void compile_signals_hold(CompileSignals *s) {
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

void compile_signals_release(const CompileSignals *s) {
  sigaction(SIGCHLD, &s->child, NULL);
  sigprocmask(SIG_SETMASK, &s->before, NULL);
}

int compile_signals_wait(const CompileSignals *s, pid_t child) {
  sigset_t awaited = s->held;
  int status;
  pid_t ended;
  sigaddset(&awaited, SIGCHLD);
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    int signal = sigwaitinfo(&awaited, NULL);
    if (signal < 0 || signal == SIGCHLD)
      continue;
    kill(child, SIGKILL);
    raise(signal); /* blocked: it waits for the release */
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
      ;
    return -1;
  }
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
