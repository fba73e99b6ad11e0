/* SPDX-License-Identifier: Apache-2.0 */
/* compile_signals: signals that end the process wait until its temporary files are removed.
 *
 * The signals are blocked, not handled: no code runs in a handler, and a signal that came while it
 * was blocked ends the process as soon as it is released. */
#ifndef COMPILE_SIGNALS_H
#define COMPILE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct CompileSignals {
  sigset_t held;   /* signals that would end the process and are blocked meanwhile */
  sigset_t before; /* the signal mask before the hold, which children are given */
  struct sigaction child;
} CompileSignals;

/* Blocks SIGHUP, SIGINT, SIGQUIT and SIGTERM, except those that are ignored or blocked already, and
 * SIGCHLD. The caller releases them in the same thread. */
void compile_signals_hold(CompileSignals *signals);
/* Lets the signals that arrived meanwhile take effect: does not return if one of them ends the
 * process. */
void compile_signals_release(const CompileSignals *signals);
/* Waits for a child to end; if a held signal comes, kills the child. Returns the child's exit code;
 * -1: it was killed, or a signal ended it. */
int compile_signals_wait(const CompileSignals *signals, pid_t child);

#endif
