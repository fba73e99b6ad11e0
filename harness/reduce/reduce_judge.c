/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_judge: see reduce_judge.h. Texts run as cases of one run (run/run.h), in parallel, each in
 * a process of its own. */
#include "harness/reduce/reduce_judge.h"

#include "harness/base/message.h"
#include "harness/reduce/reduce_sound.h"

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

/* Does the result show the failure? The text of a comparison ends in the other device's name. */
static bool shows(const HnReduceJudge *j, const HnResult *r) {
  if (r->outcome != j->wanted)
    return false;
  if (j->wanted != HN_FAIL)
    return true;
  const char *on = r->message ? strstr(r->message, " on ") : NULL;
  return on && strncmp(on + 4, j->emulator->at[0].name, strlen(j->emulator->at[0].name)) == 0;
}

bool hn_reduce_judge(HnReduceJudge *j, char *const *texts, size_t count, long *first,
                     char **message) {
  HnResult *results = calloc(count + 1, sizeof *results);
  *first = -1;
  bool good = results ? hn_reduce_run(j, texts, count, j->wanted == HN_FAIL, results, message)
                      : hn_message_set(message, j->path, "out of memory");
  for (size_t i = 0; good && i < count && *first < 0; i++)
    if (shows(j, &results[i]) && (j->wanted != HN_FAIL || hn_reduce_sound(j->path, texts[i])))
      *first = (long)i;
  for (size_t i = 0; results && i < count; i++)
    free(results[i].message);
  free(results);
  return good;
}
