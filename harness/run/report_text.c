/* SPDX-License-Identifier: Apache-2.0 */
/* report_text: see report.h. */
#include "run/report.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 30 };

void hn_progress_begin(HnProgress *progress, const HnRun *run, FILE *out) {
  *progress = (HnProgress){.run = run,
                           .out = out,
                           .bar = isatty(fileno(out)),
                           .total = run->cases.count * run->devices.count};
}

static void erase(const HnProgress *p) {
  if (p->bar)
    fputs("\r\033[K", p->out);
}

static void draw(const HnProgress *p) {
  if (!p->bar || !p->total)
    return;
  size_t full = p->done * BAR / p->total;
  fprintf(p->out, "\r[%.*s%*s] %zu of %zu, %zu failed", (int)full, "##############################",
          (int)(BAR - full), "", p->done, p->total, p->failed);
  fflush(p->out);
}

/* Have all variants passed, with nothing to report? */
static bool all_well(const HnProgress *p, size_t at, size_t device) {
  for (uint32_t v = 0; v < p->run->variant_count; v++) {
    HnOutcome outcome = hn_run_result(p->run, at, device, v)->outcome;
    if (outcome != HN_PASS && outcome != HN_SAME)
      return false;
  }
  return true;
}

/* Is it the failure of a case that cannot be read, which another device has reported? */
static bool told_already(const HnProgress *p, size_t at, size_t device) {
  for (uint32_t v = 0; v < p->run->variant_count; v++)
    if (hn_run_result(p->run, at, device, v)->outcome != HN_SAME)
      return false;
  return true;
}

static void print_line(const HnProgress *p, size_t at, size_t device) {
  const HnRun *run = p->run;
  fprintf(p->out, "%s %s:", run->devices.at[device].name, run->cases.paths[at]);
  for (uint32_t v = 0; v < run->variant_count; v++)
    fprintf(p->out, "%s %s %s", v ? ";" : "", run->variants[v],
            hn_outcome_name(hn_run_result(run, at, device, v)->outcome));
  fputc('\n', p->out);
}

/* The reasons, or what was not compared; once if it is the same for all variants. */
static void print_reasons(const HnProgress *p, size_t at, size_t device) {
  const char *last = NULL;
  for (uint32_t v = 0; v < p->run->variant_count; v++) {
    const HnResult *r = hn_run_result(p->run, at, device, v);
    if (r->outcome == HN_SAME || !r->message)
      continue;
    if (!last || strcmp(last, r->message) != 0)
      fprintf(p->out, "    %s: %s\n", hn_outcome_name(r->outcome), r->message);
    last = r->message;
  }
}

void hn_progress_done(void *user, size_t at, size_t device) {
  HnProgress *p = user;
  p->done++;
  for (uint32_t v = 0; v < p->run->variant_count; v++) {
    HnCount count =
        hn_outcome_count(hn_run_result(p->run, at, device, v)->outcome, p->run->variants[v]);
    p->passed += count == HN_COUNT_PASSED;
    p->failed += count == HN_COUNT_FAILED;
    p->skipped += count == HN_COUNT_SKIPPED;
  }
  if (!told_already(p, at, device) && !(p->bar && all_well(p, at, device))) {
    erase(p);
    print_line(p, at, device);
    print_reasons(p, at, device);
  }
  draw(p);
}

void hn_progress_end(HnProgress *progress) {
  erase(progress);
  fflush(progress->out);
}
