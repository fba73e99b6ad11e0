/* SPDX-License-Identifier: Apache-2.0 */
/* pairs_run: see pairs.h. A pair that crashes or takes too long ends its process; what it had
 * measured is in shared memory. */
#include "harness/base/message.h"
#include "harness/pairs/pairs.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Children {
  HnPairs *pairs;
  pid_t *pids; /* by pair; 0: none is running */
  size_t running, next;
  bool shows; /* progress, on a terminal */
} Children;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

/* SIGALRM ends the process. */
static void limit_time(double seconds) {
  double whole = floor(seconds);
  const struct itimerval timer = {
      .it_value = {(time_t)whole, (suseconds_t)((seconds - whole) * 1e6)}};
  signal(SIGALRM, SIG_DFL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static bool start(Children *c, char **message) {
  HnPairs *p = c->pairs;
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0)
    return hn_message_set(message, p->at[c->next].path, strerror(errno));
  if (!pid) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    limit_time(p->options->timeout);
    hn_pair_measure(p->options, &p->at[c->next]);
    _exit(EXIT_SUCCESS);
  }
  c->pids[c->next++] = pid;
  c->running++;
  return true;
}

/* Notes why the module that was being measured ended the process. */
static void note_death(const HnPairs *p, HnPair *pair, int status) {
  if (pair->phase > 1)
    return;
  HnPairSide *side = &pair->side[pair->phase];
  for (uint32_t i = 0; i < p->options->policy_count; i++)
    pair->runs[pair->phase][i] = (HnPairRun){0};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    snprintf(side->why, sizeof side->why, "more than %g seconds (--timeout)", p->options->timeout);
  else if (WIFSIGNALED(status))
    snprintf(side->why, sizeof side->why, "a bug of spv-harness: %s", strsignal(WTERMSIG(status)));
  else
    snprintf(side->why, sizeof side->why, "it could not be measured: there are no temporary files");
}

static void finish(Children *c, pid_t pid, int status) {
  for (size_t i = 0; i < c->next; i++)
    if (c->pids[i] == pid) {
      HnPair *pair = &c->pairs->at[i];
      c->pids[i] = 0;
      c->running--;
      c->pairs->done++;
      if (pair->phase < 3)
        note_death(c->pairs, pair, status);
    }
  if (c->shows)
    fprintf(stderr, "\r%zu of %zu", c->pairs->done, c->pairs->count);
}

/* Waits for the end of a child. False: there was an interrupt. */
static bool wait_for_one(Children *c) {
  int status;
  pid_t pid = waitpid(-1, &status, 0);
  if (pid > 0)
    finish(c, pid, status);
  return !interrupted;
}

static void end_children(Children *c) {
  for (size_t i = 0; i < c->next; i++)
    if (c->pids[i])
      kill(c->pids[i], SIGKILL);
  for (size_t i = 0; i < c->next; i++)
    if (c->pids[i])
      waitpid(c->pids[i], NULL, 0);
}

/* Keeps only the pairs that have been measured. */
static void keep_done(Children *c) {
  HnPairs *p = c->pairs;
  size_t kept = 0;
  for (size_t i = 0; i < p->count; i++) {
    bool done = i < c->next && !c->pids[i];
    char *path = p->paths[i];
    if (!done) {
      free(path);
      continue;
    }
    p->at[kept] = p->at[i];
    p->paths[kept++] = path;
  }
  p->count = kept;
  p->interrupted = true;
}

static bool run_all(Children *c, char **message) {
  HnPairs *p = c->pairs;
  bool good = true;
  while (good && !interrupted && (c->next < p->count || c->running)) {
    while (good && c->running < p->options->jobs && c->next < p->count)
      good = start(c, message);
    good = good && (wait_for_one(c) || interrupted);
  }
  if (c->shows)
    fputs("\r\x1b[K", stderr);
  end_children(c);
  return good;
}

bool hn_pairs_run(HnPairs *p, char **message) {
  Children c = {
      .pairs = p, .pids = calloc(p->count + 1, sizeof *c.pids), .shows = isatty(STDERR_FILENO)};
  if (!c.pids)
    return hn_message_set(message, p->options->folders[0], "out of memory");
  const struct sigaction stop = {.sa_handler = interrupt};
  struct sigaction before[2];
  sigaction(SIGINT, &stop, &before[0]);
  sigaction(SIGTERM, &stop, &before[1]);
  signal(SIGCHLD, SIG_DFL);
  bool good = run_all(&c, message);
  sigaction(SIGINT, &before[0], NULL);
  sigaction(SIGTERM, &before[1], NULL);
  if (good && interrupted)
    keep_done(&c);
  free(c.pids);
  if (good)
    hn_pairs_sort(p);
  return good;
}
