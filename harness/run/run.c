/* SPDX-License-Identifier: Apache-2.0 */
/* run: see run.h. Polls the children's pipes, and the signals that end the run; the nearest
 * deadline is the timeout of the poll. */
#include "harness/run/run.h"
#include "harness/run/job.h"
#include "harness/run/retry.h"
#include "harness/run/scratch.h"
#include "harness/run/wire.h"
#include "harness/shader/shader.h"
#include "passes/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_GIB = 4, LOG_TAIL = 4096 };

typedef struct Child {
  pid_t pid;            /* 0: the slot is free */
  int fd, log;          /* the pipe of its records; the file with its output and that of the
                           driver */
  size_t pair;          /* case * devices + device */
  uint32_t first, next; /* variants: the first one it ran, and the first one without a result */
  uint32_t at;          /* the current variant */
  bool autopsy;         /* it only writes the artifacts of variant `first`, which ended another
                           child */
  double deadline;
  bool late;
  unsigned tries;    /* earlier tries of the pair */
  HnResult *earlier; /* the results of these tries; owned, NULL: none */
  HnWireReader reader;
} Child;

typedef struct Pool {
  HnRun *run;
  Child *children;
  struct pollfd *polls; /* entries for the children, and one for the signals at the end */
  size_t next_pair, pairs;
  HnShaderTables *tables;
  pid_t self;
  char **message;
  bool good;
} Pool;

static void give_up(Pool *p, const char *what, const char *why) {
  if (p->good && asprintf(p->message, "%s: %s", what, why) < 0)
    *p->message = NULL;
  p->good = false;
}

static HnResult *result_at(const Pool *p, size_t pair, uint32_t variant) {
  return &p->run->results[pair * p->run->variant_count + variant];
}

/* ---- the child ---- */

static void limit(int what, rlim_t most) {
  setrlimit(what, &(struct rlimit){most, most});
}

/* Makes the child die with its parent, write no core, and keep to a memory limit (not with
 * sanitizers, because of their shadow memory). */
static void confine(int log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) /* the parent has died already */
    _exit(1);
  limit(RLIMIT_CORE, 0);
#ifndef SPVRECONV_SANITIZED
  limit(RLIMIT_DATA, (rlim_t)MEMORY_GIB << 30);
#endif
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
}

/* The first variant that finished, the reference for later ones. */
static uint32_t reference_of(const Pool *p, size_t pair, uint32_t next) {
  for (uint32_t v = 0; v < next; v++) {
    HnOutcome outcome = result_at(p, pair, v)->outcome;
    if (outcome == HN_PASS || outcome == HN_FAIL)
      return v;
  }
  return AMBER_NONE;
}

static HnBackendOptions backend_of(const HnRun *run, const HnDevice *device) {
  return (HnBackendOptions){.icd = device->icd,
                            .emulated = device->emulated,
                            .opencl = device->opencl,
                            .idle = device->idle,
                            .device_name = device->choice,
                            .validation = run->validation};
}

static void be_child(const Pool *p, const Child *c, int dead_log) {
  const HnRun *run = p->run;
  size_t device = c->pair % run->devices.count;
  HnJob job = {
      .path = run->cases.paths[c->pair / run->devices.count],
      .text = run->texts ? run->texts[c->pair / run->devices.count] : NULL,
      .device = run->devices.at[device].name,
      .backend = backend_of(run, &run->devices.at[device]),
      .variants = run->variants,
      .variant_count = run->variant_count,
      .check = run->check,
      .first = c->next,
      .reference = reference_of(p, c->pair, c->next),
      .setup_hash = run->setup[device],
      .records = c->tries ? NULL : run->records,
      .artifacts = run->artifacts.folder ? &run->artifacts : NULL,
      .earlier = c->earlier,
  };
  if (run->against.count)
    job.against = (HnAgainst){.name = run->against.at[0].name,
                              .backend = backend_of(run, &run->against.at[0]),
                              .ulps = run->ulps};
  confine(c->log, p->self);
  if (c->autopsy)
    hn_job_autopsy(&job, result_at(p, c->pair, c->first), dead_log);
  else
    hn_job_run(&job, c->fd);
  _exit(0);
}

/* Starts a child for the variants of a pair, beginning with `next`, in the pair's current try; or
 * for the autopsy of variant `next`, with the output of the child that died (`dead_log`, -1: no
 * autopsy). */
static void start_child(Pool *p, Child *c, size_t pair, uint32_t next, int dead_log) {
  int ends[2];
  *c = (Child){.fd = -1,
               .pair = pair,
               .first = next,
               .next = next,
               .at = next,
               .autopsy = dead_log >= 0,
               .tries = c->tries,
               .earlier = c->earlier};
  c->log = memfd_create("spv-harness", MFD_CLOEXEC);
  if (c->log < 0 || pipe2(ends, O_CLOEXEC) != 0) {
    give_up(p, "cannot start a child", strerror(errno));
    return;
  }
  c->fd = ends[1];
  fflush(NULL);
  c->pid = fork();
  if (c->pid == 0) {
    close(ends[0]);
    be_child(p, c, dead_log);
  }
  close(ends[1]);
  c->fd = ends[0];
  c->deadline = sr_now() + p->run->timeout;
  if (c->pid < 0) {
    give_up(p, "cannot start a child", strerror(errno));
    close(c->fd);
    close(c->log);
    c->pid = 0;
  }
}

static void start(Pool *p, Child *c, size_t pair, uint32_t next) {
  start_child(p, c, pair, next, -1);
}

/* ---- how a child ended ---- */

/* Up to LOG_TAIL - 1 bytes of the output, beginning at `from`. */
static size_t read_log(int log, off_t from, char text[LOG_TAIL]) {
  ssize_t n = pread(log, text, LOG_TAIL - 1, from);
  text[n < 0 ? 0 : n] = 0;
  return n < 0 ? 0 : (size_t)n;
}

static void fold_into_one_line(char *line) {
  for (char *c = line; *c; c++)
    if ((unsigned char)*c < ' ')
      *c = ' ';
}

/* The last line of the output; empty if there is none. */
static void last_line(int log, char line[LOG_TAIL]) {
  off_t size = lseek(log, 0, SEEK_END), from = size > LOG_TAIL - 1 ? size - (LOG_TAIL - 1) : 0;
  size_t n = read_log(log, from, line);
  while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
    n--;
  line[n] = 0;
  char *newline = strrchr(line, '\n');
  if (newline)
    memmove(line, newline + 1, strlen(newline));
  fold_into_one_line(line);
}

/* The first message of the validation layer (vk_debug.c prints them), unless it is the last line.
 * That message is often the reason for what follows. */
static void first_message(int log, const char *last, char line[LOG_TAIL]) {
  static const char begin[] = "validation layer: ";
  char text[LOG_TAIL];
  read_log(log, 0, text);
  char *at = strstr(text, begin);
  *line = 0;
  if (!at)
    return;
  at[strcspn(at, "\n")] = 0;
  fold_into_one_line(at);
  if (strcmp(at, last) != 0 && strlen(at) < LOG_TAIL - 3)
    sprintf(line, "%s: ", at);
}

static char *say_how(const Pool *p, const Child *c, int status) {
  char how[80], last[LOG_TAIL], first[LOG_TAIL], *text = NULL;
  last_line(c->log, last);
  first_message(c->log, last, first);
  if (c->late)
    snprintf(how, sizeof how, "no result after %g s", p->run->timeout);
  else if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(how, sizeof how, "the process ended with exit code %d", WEXITSTATUS(status));
  return asprintf(&text, "%s%s%s%s", how, *last ? ": " : "", first, last) < 0 ? NULL : text;
}

/* Writes the results that the run's own file does not have yet. Those taken from other files are
 * written too, so that the file is complete. */
static void store(Pool *p, size_t pair) {
  HnRun *run = p->run;
  size_t device = pair % run->devices.count;
  const HnResult *results = result_at(p, pair, 0);
  HnGroup group = {.path = run->cases.paths[pair / run->devices.count],
                   .device = run->devices.at[device].name,
                   .variants = run->variants,
                   .results = results,
                   .count = run->variant_count,
                   .case_hash = results->case_hash,
                   .setup_hash = run->setup[device]};
  bool has = run->records && results->recorded && hn_recorded_has(run->records, &group);
  if (run->store && !has && !hn_results_put(run->store, &group))
    give_up(p, "--results", hn_results_error(run->store));
  if (run->records && !results->recorded && results->case_hash &&
      !hn_recorded_add(run->records, &group))
    give_up(p, "--resume", "out of memory");
}

/* All children of a pair know the case's hash, but one that died early has not reported it. */
static void share_hash(Pool *p, size_t pair) {
  uint64_t hash = 0;
  for (uint32_t v = 0; v < p->run->variant_count; v++)
    hash = hash ? hash : result_at(p, pair, v)->case_hash;
  for (uint32_t v = 0; v < p->run->variant_count; v++)
    result_at(p, pair, v)->case_hash = hash;
}

/* No module was made, so no device took part: the case fails in the same way on all devices. */
static bool fails_without_device(const HnResult *result) {
  return result->outcome == HN_FAIL && !result->module_hash && result->message;
}

/* The name of another device on which the case failed in the same way; NULL: none. Devices that
 * have not finished have no message. */
static const char *same_failure(const Pool *p, size_t pair) {
  const HnRun *run = p->run;
  size_t first = pair / run->devices.count * run->devices.count;
  for (size_t d = 0; d < run->devices.count; d++) {
    const HnResult *other = result_at(p, first + d, 0);
    if (first + d != pair && fails_without_device(other) &&
        strcmp(other->message, result_at(p, pair, 0)->message) == 0)
      return run->devices.at[d].name;
  }
  return NULL;
}

/* A case that cannot be read fails once, not once for each device (nor for each variant: job.c). */
static void fold_failure(Pool *p, size_t pair) {
  HnResult *result = result_at(p, pair, 0);
  const char *device = fails_without_device(result) ? same_failure(p, pair) : NULL;
  if (!device)
    return;
  free(result->message);
  result->outcome = HN_SAME;
  if (asprintf(&result->message, "it fails as on %s", device) < 0)
    result->message = NULL;
}

static void end_pair(Pool *p, size_t pair) {
  HnRun *run = p->run;
  fold_failure(p, pair);
  store(p, pair);
  run->finished[pair] = true;
  run->done(run->user, pair / run->devices.count, pair % run->devices.count);
}

/* All variants of the pair have run: the pair is done, or is run again. */
static void end_try(Pool *p, Child *c) {
  uint32_t count = p->run->variant_count;
  HnResult *results = result_at(p, c->pair, 0);
  share_hash(p, c->pair);
  hn_retry_merge(c->earlier, results, count, c->tries);
  free(c->earlier);
  c->earlier = NULL;
  if (c->tries < p->run->retries && hn_retry_wanted(results, count) &&
      (c->earlier = calloc(count, sizeof *results))) {
    memcpy(c->earlier, results, count * sizeof *results);
    memset(results, 0, count * sizeof *results);
    c->tries++;
    start(p, c, c->pair, 0);
    return;
  }
  c->tries = 0;
  end_pair(p, c->pair);
}

/* The child is gone: another one runs the remaining variants, beginning with `next`. */
static void run_rest(Pool *p, Child *c) {
  if (c->next < p->run->variant_count)
    start(p, c, c->pair, c->next);
  else
    end_try(p, c);
}

/* Waits for the child; returns how it ended. */
static int reap(Child *c) {
  int status = 0;
  close(c->fd);
  kill(c->pid, SIGKILL); /* it may still run although it has closed its pipe */
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
    ;
  c->pid = 0;
  return status;
}

/* Called when the child has closed its pipe. */
static void finish(Pool *p, Child *c) {
  HnRun *run = p->run;
  int status = reap(c), log = c->log;
  if (c->autopsy) {
    c->next = c->first + 1;
    close(log);
    run_rest(p, c);
    return;
  }
  /* A child that exits normally before its last variant has lost its device, and has reported it in
   * a result. */
  bool peace = !c->late && WIFEXITED(status) && WEXITSTATUS(status) == 0 && c->next > c->first;
  if (c->next < run->variant_count && !peace) {
    uint32_t at = c->at > c->next ? c->at : c->next;
    *result_at(p, c->pair, at) =
        (HnResult){.outcome = c->late ? HN_TIMEOUT : HN_CRASH, .message = say_how(p, c, status)};
    c->next = at + 1;
    if (run->artifacts.folder)
      start_child(p, c, c->pair, at, log);
  }
  close(log);
  if (!c->autopsy)
    run_rest(p, c);
}

/* ---- output of a child ---- */

static void take(Pool *p, Child *c, const HnWire *record) {
  switch ((HnWireKind)record->kind) {
  case HN_WIRE_WARM:
    if (p->tables)
      hn_shader_tables_warm(p->tables, record->table);
    break;
  case HN_WIRE_START:
    c->at = record->variant;
    c->deadline = sr_now() + p->run->timeout;
    break;
  case HN_WIRE_RESULT:
  case HN_WIRE_RECORDED:
    if (record->variant != c->next || c->next == p->run->variant_count)
      break;
    *result_at(p, c->pair, c->next++) = hn_wire_to_result(record);
    break;
  }
}

static void listen(Pool *p, Child *c) {
  bool more = hn_wire_fill(&c->reader, c->fd);
  HnWire record;
  while (hn_wire_take(&c->reader, &record))
    take(p, c, &record);
  if (!more)
    finish(p, c);
}

/* ---- the pool ---- */

static void start_waiting(Pool *p) {
  for (unsigned i = 0; i < p->run->jobs && p->good && p->next_pair < p->pairs; i++)
    if (!p->children[i].pid)
      start(p, &p->children[i], p->next_pair++, 0);
}

/* Kills children past their deadline; returns milliseconds to the nearest deadline; -1: no child is
 * left. */
static int watch(Pool *p) {
  double nearest = -1, time = sr_now();
  for (unsigned i = 0; i < p->run->jobs; i++) {
    Child *c = &p->children[i];
    p->polls[i] = (struct pollfd){.fd = c->pid ? c->fd : -1, .events = POLLIN};
    if (!c->pid)
      continue;
    if (time >= c->deadline && !c->late) {
      c->late = true;
      kill(c->pid, SIGKILL);
    }
    double left = c->late ? 1 : c->deadline - time;
    nearest = nearest < 0 || left < nearest ? left : nearest;
  }
  return nearest < 0 ? -1 : (int)(1000 * nearest) + 1;
}

/* Has a signal ended the run? */
static bool ended(const Pool *p) {
  struct signalfd_siginfo info;
  const struct pollfd *signals = &p->polls[p->run->jobs];
  if (signals->revents && read(signals->fd, &info, sizeof info) == sizeof info)
    p->run->signal = (int)info.ssi_signo;
  return p->run->signal;
}

static void kill_all(Pool *p) {
  for (unsigned i = 0; i < p->run->jobs; i++) {
    Child *c = &p->children[i];
    if (!c->pid)
      continue;
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
      ;
    close(c->fd);
    close(c->log);
    hn_retry_drop(c->earlier, p->run->variant_count);
  }
}

static void run_all(Pool *p) {
  for (;;) {
    start_waiting(p);
    int wait = watch(p);
    if (wait < 0)
      break;
    if (poll(p->polls, p->run->jobs + 1, wait) < 0)
      continue;
    if (ended(p)) {
      kill_all(p);
      break;
    }
    for (unsigned i = 0; i < p->run->jobs; i++)
      if (p->children[i].pid && p->polls[i].revents)
        listen(p, &p->children[i]);
  }
}

/* Signals are read instead of handled, and children inherit the blocked signals. So if the terminal
 * signals a child, too, the parent does not mistake this for a crash. */
static int open_signals(void) {
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    struct sigaction action;
    if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&set, ends[i]);
  }
  sigprocmask(SIG_BLOCK, &set, NULL);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool hn_run(HnRun *run, char **message) {
  Pool p = {.run = run, .self = getpid(), .message = message, .good = true};
  p.pairs = run->cases.count * run->devices.count;
  p.children = calloc(run->jobs, sizeof *p.children);
  p.polls = calloc(run->jobs + 1, sizeof *p.polls);
  run->results = calloc(p.pairs * run->variant_count + 1, sizeof *run->results);
  run->finished = calloc(p.pairs + 1, sizeof *run->finished);
  if (!p.children || !p.polls || !run->results || !run->finished)
    give_up(&p, "cannot begin", "out of memory");
  p.tables = hn_shader_tables_open();
  if (p.good) {
    HnScratch scratch;
    p.polls[run->jobs] = (struct pollfd){.fd = open_signals(), .events = POLLIN};
    hn_scratch_open(&scratch);
    run_all(&p);
    hn_scratch_close(&scratch);
    close(p.polls[run->jobs].fd);
  }
  hn_shader_tables_close(p.tables);
  free(p.children);
  free(p.polls);
  return p.good;
}

void hn_run_free(HnRun *run) {
  size_t count = run->cases.count * run->devices.count * run->variant_count;
  for (size_t i = 0; run->results && i < count; i++)
    free(run->results[i].message);
  for (size_t i = 0; run->texts && i < run->cases.count; i++)
    free(run->texts[i]);
  free(run->texts);
  free(run->results);
  free(run->finished);
  free(run->setup);
  hn_artifacts_free(&run->artifacts);
  hn_cases_free(&run->cases);
  hn_devices_free(&run->devices);
  hn_devices_free(&run->against);
  hn_recorded_free(run->records);
  hn_results_close(run->store);
}
