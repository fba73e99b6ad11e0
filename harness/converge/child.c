/* SPDX-License-Identifier: Apache-2.0 */
/* child: see child.h. */
#include "harness/converge/child.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Drivers print what they like when they fail. */
static void be_quiet(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
}

void cv_child_begin(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGALRM, SIG_DFL);
  signal(SIGPROF, SIG_DFL);
  be_quiet();
}

static void limit(int clock, double seconds) {
  double whole = floor(seconds);
  const struct itimerval timer = {
      .it_value = {(time_t)whole, (suseconds_t)((seconds - whole) * 1e6)}};
  setitimer(clock, &timer, NULL);
}

/* On a busy machine a driver needs much longer than its processor time; one that waits for ever
 * needs none. */
void cv_child_limit(double seconds) {
  limit(ITIMER_PROF, seconds);
  limit(ITIMER_REAL, 10 * seconds);
}

void cv_child_died(int status, double seconds, char *why, size_t room) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    snprintf(why, room, "no result in %g s", seconds);
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    snprintf(why, room, "no result in %g s on the clock", 10 * seconds);
  else if (WIFSIGNALED(status))
    snprintf(why, room, "crash: %s", strsignal(WTERMSIG(status)));
  else
    snprintf(why, room, "crash: exit code %d", WEXITSTATUS(status));
}
