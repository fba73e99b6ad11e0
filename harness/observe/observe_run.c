/* SPDX-License-Identifier: Apache-2.0 */
/* observe_run: ob_setup_run of setup.h. The child writes the logs to memory that it shares with
 * this process. */
#include "harness/converge/child.h"
#include "harness/observe/observe_setup.h"
#include "harness/run/backend_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child says; the logs follow. */
typedef struct Said {
  bool ended;
  HnOutcome outcome;
  char why[160];
  uint32_t words[];
} Said;

static size_t words_of(const ObSetup *s, uint32_t pipeline) {
  return s->script.buffers[s->at[pipeline].buffer].size / sizeof(uint32_t);
}

static void say(Said *said, HnOutcome outcome, const char *why) {
  said->outcome = outcome;
  snprintf(said->why, sizeof said->why, "%s", why ? why : "out of memory");
}

/* Words of all logs of a run. */
static size_t run_words(const ObSetup *s) {
  size_t words = 0;
  for (uint32_t i = 0; i < s->count; i++)
    words += words_of(s, i);
  return words;
}

/* A failed EXPECT does not end the run, so the logs are complete. */
static void take_logs(const ObSetup *s, const HnReport *report, Said *said, uint32_t *to) {
  for (uint32_t i = 0; i < s->count; i++) {
    size_t words = words_of(s, i);
    const HnContents *log = report->buffers ? &report->buffers[s->at[i].buffer] : NULL;
    if (!log || !log->bytes || log->size < words * sizeof *to) {
      say(said, report->outcome == HN_PASS ? HN_FAIL : report->outcome,
          report->message ? report->message : "the driver returned no buffer");
      return;
    }
    memcpy(to, log->bytes, words * sizeof *to);
    to += words;
  }
  say(said, HN_PASS, "");
}

static void run_child(const ObSetup *s, const HnBackendOptions *options, double timeout,
                      uint32_t runs, Said *said) {
  HnBackend *backend;
  HnReport report;
  char *message;
  cv_child_begin();
  cv_child_limit(timeout);
  HnOutcome outcome = hn_backend_open(options, &s->script, &backend, &message);
  if (outcome != HN_PASS)
    say(said, outcome, message);
  for (uint32_t i = 0; i < runs && outcome == HN_PASS; i++) {
    hn_backend_run(backend, s->modules, &report);
    take_logs(s, &report, said, said->words + i * run_words(s));
    hn_report_clear(&report);
    outcome = said->outcome;
  }
  said->ended = true;
}

/* False: out of memory. */
static bool copy_logs(const ObSetup *s, const Said *said, uint32_t runs, uint32_t **logs) {
  const uint32_t *from = said->words;
  for (uint32_t i = 0; i < runs * s->count; i++) {
    size_t words = words_of(s, i % s->count);
    logs[i] = malloc(words * sizeof *from);
    if (!logs[i])
      return false;
    memcpy(logs[i], from, words * sizeof *from);
    from += words;
  }
  return true;
}

HnOutcome ob_setup_run(const ObSetup *setup, const HnBackendOptions *options, double timeout,
                       uint32_t runs, uint32_t **logs, char why[160]) {
  size_t size = sizeof(Said) + runs * run_words(setup) * sizeof(uint32_t);
  int status = 0;
  Said *said = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool mapped = said != MAP_FAILED;
  fflush(NULL);
  pid_t pid = mapped ? fork() : -1;
  if (pid == 0) {
    run_child(setup, options, timeout, runs, said);
    _exit(EXIT_SUCCESS);
  }
  HnOutcome outcome = HN_FAIL;
  snprintf(why, 160, "out of memory, or no process can be started");
  if (pid > 0 && waitpid(pid, &status, 0) == pid) {
    outcome = said->ended ? said->outcome : HN_CRASH;
    if (said->ended)
      memcpy(why, said->why, sizeof said->why);
    else
      cv_child_died(status, timeout, why, 160);
    if (outcome == HN_PASS && !copy_logs(setup, said, runs, logs)) {
      outcome = HN_FAIL;
      snprintf(why, 160, "out of memory");
    }
  }
  if (mapped)
    munmap(said, size);
  return outcome;
}
