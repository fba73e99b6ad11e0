/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_judge: see reduce_judge.h. Texts run as cases of one run (run/run.h), in parallel, each in
 * a process of its own. */
#include "harness/reduce/reduce_judge.h"

#include "harness/base/message.h"
#include "harness/reduce/reduce_sound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ---- */

static void nothing(void *user, size_t at, size_t device) {
  (void)user, (void)at, (void)device;
}

static bool set_cases(HnRun *run, const char *path, char *const *texts, size_t count) {
  run->cases.paths = calloc(count + 1, sizeof *run->cases.paths);
  run->texts = calloc(count + 1, sizeof *run->texts);
  run->setup = calloc(1, sizeof *run->setup);
  if (!run->cases.paths || !run->texts || !run->setup)
    return false;
  for (; run->cases.count < count; run->cases.count++) {
    run->cases.paths[run->cases.count] = strdup(path);
    run->texts[run->cases.count] = strdup(texts[run->cases.count]);
    if (!run->cases.paths[run->cases.count] || !run->texts[run->cases.count])
      return false;
  }
  return true;
}

bool hn_reduce_run(HnReduceJudge *j, char *const *texts, size_t count, bool against,
                   HnResult *results, char **message) {
  HnRun run = {.variants = &j->variant,
               .variant_count = 1,
               .jobs = j->jobs,
               .timeout = j->timeout,
               .validation = j->validation,
               .ulps = j->ulps,
               .done = nothing};
  bool good =
      set_cases(&run, j->path, texts, count) || hn_message_set(message, j->path, "out of memory");
  run.devices = *j->device;
  run.devices.count = 1;
  if (against)
    run.against = *j->emulator;
  good = good && hn_run(&run, message);
  for (size_t i = 0; good && i < count; i++) {
    results[i] = run.results[i];
    run.results[i].message = NULL;
  }
  j->runs += count;
  j->signal = run.signal;
  run.devices.count = run.against.count = 0; /* they are the judge's */
  run.devices.at = run.against.at = NULL;
  hn_run_free(&run);
  return good;
}

/* ---- the verdict ---- */

enum { MOST_ISSUES = 200000000, LIMIT = 4, ROOM = 10000 };
enum { SLACK = 5 }; /* seconds: the machine may have other work */

static uint64_t issues_of(const HnReduceJudge *j) {
  return j->issues ? j->issues : MOST_ISSUES;
}

/* Does the result show the failure? The text of a comparison ends in the other device's name. */
static bool shows(const HnReduceJudge *j, const HnResult *r) {
  if (r->outcome != j->wanted)
    return false;
  if (j->wanted != HN_FAIL)
    return true;
  const char *on = r->message ? strstr(r->message, " on ") : NULL;
  return on && strncmp(on + 4, j->emulator->at[0].name, strlen(j->emulator->at[0].name)) == 0;
}

/* Records the first failure: what it was, and how long it took, since trials must not take much
 * longer. */
static void note_first(HnReduceJudge *j, const HnResult *r, HnReduceSound found) {
  if (j->why[0])
    return;
  snprintf(j->why, sizeof j->why, "%s", r->message ? r->message : "");
  if (j->wanted == HN_FAIL)
    j->issues = LIMIT * found.issues + ROOM;
  j->races = found.races;
  double limit = LIMIT * (double)r->wall_us / 1e6 + SLACK;
  if (j->wanted != HN_TIMEOUT && limit < j->timeout)
    j->timeout = limit;
}

/* A trial that does not end would take the device all the time that it has. The whole case, with which no
 * failure is known, has run. */
static size_t leave_out_endless(const HnReduceJudge *j, char *const *texts, size_t count,
                                char **kept, size_t *number) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (j->wanted != HN_FAIL || !j->why[0] || hn_reduce_ends(j->path, texts[i], issues_of(j))) {
      number[left] = i;
      kept[left++] = texts[i];
    }
  return left;
}

/* Until a failure is known, the case is the whole one, whose invocations may race. */
static bool is_sound(const HnReduceJudge *j, const char *text, HnReduceSound *found) {
  return hn_reduce_sound(j->path, text, issues_of(j), j->races || !j->why[0], found);
}

bool hn_reduce_judge(HnReduceJudge *j, char *const *texts, size_t count, long *first,
                     char **message) {
  HnResult *results = calloc(count + 1, sizeof *results);
  char **kept = calloc(count + 1, sizeof *kept);
  size_t *number = calloc(count + 1, sizeof *number), left = 0;
  *first = -1;
  bool good = results && kept && number;
  if (good)
    left = leave_out_endless(j, texts, count, kept, number);
  else
    hn_message_set(message, j->path, "out of memory");
  if (good && left)
    good = hn_reduce_run(j, kept, left, j->wanted == HN_FAIL, results, message);
  for (size_t i = 0; good && i < left && *first < 0; i++) {
    HnReduceSound found = {0};
    if (!shows(j, &results[i]))
      continue;
    if (j->wanted != HN_FAIL || is_sound(j, kept[i], &found)) {
      *first = (long)number[i];
      note_first(j, &results[i], found);
    } else {
      j->unsound |= !j->why[0];
    }
  }
  for (size_t i = 0; results && i < left; i++)
    free(results[i].message);
  free(results);
  free(kept);
  free(number);
  return good;
}

bool hn_reduce_find(HnReduceJudge *j, char *text, bool *fails, char **message) {
  HnResult result = {0};
  long first = -1;
  if (!hn_reduce_run(j, &text, 1, false, &result, message))
    return false;
  *fails = result.outcome == HN_CRASH || result.outcome == HN_TIMEOUT;
  j->wanted = *fails ? result.outcome : HN_FAIL;
  if (*fails)
    note_first(j, &result, (HnReduceSound){0});
  free(result.message);
  if (*fails)
    return true;
  bool good = hn_reduce_judge(j, &text, 1, &first, message);
  *fails = first >= 0;
  return good;
}
