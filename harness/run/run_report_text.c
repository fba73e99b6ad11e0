/* SPDX-License-Identifier: Apache-2.0 */
/* run_report_text: see report.h. */
#include "harness/run/run_report.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 30, MOST_LISTED = 100 };

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

/* Have all variants passed, without anything to report? */
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

/* A case that cannot be read has no variants, only a reason; NULL: it has variants. (A transform
 * that refuses a module names the shader.) */
static const HnResult *unread(const HnProgress *p, size_t at, size_t device) {
  const HnResult *first = hn_run_result(p->run, at, device, 0);
  bool refused = (first->outcome == HN_FAIL || first->outcome == HN_SKIP) && !first->module_hash &&
                 first->message && strncmp(first->message, "shader ", 7) != 0;
  for (uint32_t v = 1; refused && v < p->run->variant_count; v++) {
    const HnResult *r = hn_run_result(p->run, at, device, v);
    refused = r->outcome == HN_SAME ||
              (r->outcome == HN_SKIP && r->message && strcmp(r->message, first->message) == 0);
    refused &= !r->module_hash;
  }
  return refused ? first : NULL;
}

static void print_line(const HnProgress *p, size_t at, size_t device) {
  const HnRun *run = p->run;
  fprintf(p->out, "%s %s:", run->devices.at[device].name, run->cases.paths[at]);
  for (uint32_t v = 0; v < run->variant_count; v++)
    fprintf(p->out, "%s %s %s", v ? ";" : "", run->variants[v],
            hn_outcome_name(hn_run_result(run, at, device, v)->outcome));
  fputc('\n', p->out);
}

/* Prints the reasons, or what was not compared. A message equal to the one before is not
 * repeated. */
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

static void print_case(HnProgress *p, size_t at, size_t device) {
  const HnResult *reason = unread(p, at, device);
  p->lines++;
  if (reason) {
    fprintf(p->out, "%s %s: %s: %s\n", p->run->devices.at[device].name, p->run->cases.paths[at],
            hn_outcome_name(reason->outcome), reason->message);
    return;
  }
  print_line(p, at, device);
  print_reasons(p, at, device);
}

void hn_progress_done(void *user, size_t at, size_t device) {
  HnProgress *p = user;
  p->done++;
  p->recorded += hn_run_result(p->run, at, device, 0)->recorded;
  for (uint32_t v = 0; v < p->run->variant_count; v++) {
    HnOutcome outcome = hn_run_result(p->run, at, device, v)->outcome;
    HnCount count = hn_outcome_count(outcome, p->run->variants[v]);
    p->flakes += outcome == HN_FLAKE;
    p->passed += count == HN_COUNT_PASSED;
    p->failed += count == HN_COUNT_FAILED;
    p->skipped += count == HN_COUNT_SKIPPED;
  }
  if (!told_already(p, at, device) && !(p->bar && all_well(p, at, device))) {
    erase(p);
    print_case(p, at, device);
  }
  draw(p);
}

/* ---- at the end ---- */

static bool is_failure(HnOutcome outcome, const char *variant) {
  return hn_outcome_count(outcome, variant) == HN_COUNT_FAILED;
}

static bool is_flake(HnOutcome outcome, const char *variant) {
  (void)variant;
  return outcome == HN_FLAKE;
}

static void list_one(const HnProgress *p, size_t at, size_t device, uint32_t variant) {
  const HnRun *run = p->run;
  const HnResult *r = hn_run_result(run, at, device, variant);
  fprintf(p->out, "    %s %s", run->devices.at[device].name, run->cases.paths[at]);
  if (!unread(p, at, device))
    fprintf(p->out, ", %s", run->variants[variant]);
  fprintf(p->out, ": %s%s%s\n", hn_outcome_name(r->outcome), r->message ? ": " : "",
          r->message ? r->message : "");
}

/* Lists the `count` results of this kind, a line for each. */
static void list(const HnProgress *p, const char *title, size_t count,
                 bool (*is)(HnOutcome outcome, const char *variant)) {
  const HnRun *run = p->run;
  size_t listed = 0;
  if (!count)
    return;
  fprintf(p->out, "%s:\n", title);
  for (size_t at = 0; at < run->cases.count; at++)
    for (size_t d = 0; d < run->devices.count; d++)
      for (uint32_t v = 0; hn_run_finished(run, at, d) && v < run->variant_count; v++)
        if (is(hn_run_result(run, at, d, v)->outcome, run->variants[v]) && listed++ < MOST_LISTED)
          list_one(p, at, d, v);
  if (count > MOST_LISTED)
    fprintf(p->out, "    and %zu more; --results=FILE or --json has all\n", count - MOST_LISTED);
}

void hn_progress_end(HnProgress *progress) {
  erase(progress);
  if (progress->lines > 1) {
    list(progress, "failures", progress->failed, is_failure);
    list(progress, "flakes", progress->flakes, is_flake);
  }
  fflush(progress->out);
}
