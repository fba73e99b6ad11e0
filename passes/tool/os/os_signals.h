/* SPDX-License-Identifier: Apache-2.0 */
/* os_signals: signals that would end the process wait until its temporary files are removed. The
 * programs that it runs meanwhile end with it.
 *
 * On POSIX the signals are blocked, not handled: no code runs in a handler, and a signal that came while it
 * was blocked ends the process as soon as it is released. On Windows nothing is held. */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef struct OsSignals {
#ifdef _WIN32
  char none;
#else
  sigset_t held;   /* signals that would end the process and are blocked meanwhile */
  sigset_t before; /* the signal mask before the hold, which children are given */
  struct sigaction child;
#endif
} OsSignals;

/* Blocks SIGHUP, SIGINT, SIGQUIT and SIGTERM, except those that are ignored or blocked already, and
 * SIGCHLD. The caller releases them in the same thread. */
void os_signals_hold(OsSignals *signals);
/* Lets the signals that arrived meanwhile take effect: does not return if one of them ends the
 * process. */
void os_signals_release(const OsSignals *signals);
/* Runs a program of PATH to its end; it writes what it prints to the file `log`, and is ended if a held signal
 * comes. The arguments end with NULL. Returns its exit code; -1: it was not run, or was ended. */
int os_signals_run(const OsSignals *signals, const char *const *arguments, const char *log);

#endif
