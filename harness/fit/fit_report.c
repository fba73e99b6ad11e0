/* SPDX-License-Identifier: Apache-2.0 */
/* fit_report: the text; see fit_report.h. */
#include "harness/fit/fit_report.h"

#include <string.h>

enum { NAMES = 30, SCORE = 16, MOST_PLACES = 20 };

static void put_runs(const FtFit *f, FILE *out) {
  uint32_t observed = 0;
  for (uint32_t i = 0; i < f->run_count; i++)
    observed += f->runs[i].outcome == HN_PASS;
  fprintf(out, "%u programs, %zu observations\n", observed, f->observations);
  for (uint32_t i = 0; i < f->run_count; i++) {
    const FtRun *run = &f->runs[i];
    if (run->outcome != HN_PASS)
      fprintf(out, "not observed: %s: %s\n", run->name, run->why);
  }
}

/* Names that do not fit get a line of their own. */
static void put_names(const FtFit *f, const FtRow *row, FILE *out) {
  int length = 0;
  for (uint32_t i = 0; i < row->count; i++)
    length += fprintf(out, "%s%s", i ? ", " : "", f->policies[row->policies[i]].name);
  if (length > NAMES)
    length = fprintf(out, "\n") - 1;
  fprintf(out, "%*s  ", NAMES - length, "");
}

static void put_place(const FtFit *f, const FtPlace *place, FILE *out) {
  char name[64];
  cv_fault_name(&place->first, name);
  fprintf(out, "%s, ", f->runs[place->program].name);
  if (place->first.state == CV_FAILS) {
    fprintf(out, "%s\n", place->first.why);
    return;
  }
  fprintf(out, "%s: %s: lane %u of subgroup %u", place->text, name, place->first.lane,
          place->subgroup);
  if (place->first.fault == CV_PATH) {
    fputs(" goes elsewhere\n", out);
    return;
  }
  fputs(": ", out);
  cv_sets_print(&place->first, f->device.size, out);
}

/* What a second run on the device does not repeat. */
static void put_repeat(const FtFit *f, FILE *out) {
  const FtPlace *first = ft_first_place(&f->repeat);
  if (!first)
    return;
  fprintf(out, "%zu of these differ in a second run: the device is not deterministic; the first: ",
          f->repeat.observations - f->repeat.explained);
  put_place(f, first, out);
}

static void put_row(const FtFit *f, const FtRow *row, FILE *out) {
  const FtScore *score = &f->scores[row->policies[0]];
  const FtPlace *first = ft_first_place(score);
  put_names(f, row, out);
  if (!score->programs) {
    fprintf(out, "does not apply: %s\n", score->why);
    return;
  }
  int length = fprintf(out, "%zu of %zu", score->explained, score->observations);
  if (score->skipped)
    length += fprintf(out, " (%u programs skipped)", score->skipped);
  if (!first) {
    fputc('\n', out);
    return;
  }
  fprintf(out, "%*s  ", length < SCORE ? SCORE - length : 0, "");
  put_place(f, first, out);
}

/* What the best policy does not explain. */
static void put_places(const FtFit *f, const FtRow *row, FILE *out) {
  const FtScore *score = &f->scores[row->policies[0]];
  if (score->count)
    fprintf(out, "not explained by %s:\n", f->policies[row->policies[0]].name);
  for (uint32_t i = 0; i < score->count && i < MOST_PLACES; i++) {
    fprintf(out, "  %zu: ", score->places[i].count);
    put_place(f, &score->places[i], out);
  }
  if (score->count > MOST_PLACES)
    fprintf(out, "  and %u more places\n", score->count - MOST_PLACES);
}

void ft_report_text(const FtFit *f, FILE *out) {
  FtRow rows[HN_POLICIES];
  uint32_t count = ft_rows(f, rows);
  fprintf(out, "%s, subgroups of %u, mode %s", f->device.device->name, f->device.size,
          cv_mode_names[f->device.mode]);
  if (f->device.device->emulated)
    fprintf(out, ", policy %s\n", f->device.policy ? f->device.policy : "structured");
  else
    fprintf(out, "%s: %s\n", f->device.promises ? "" : ", which it lacks", f->device.device->info);
  put_runs(f, out);
  put_repeat(f, out);
  if (f->observations) {
    fprintf(out, "\n%-*s  %-*s  %s\n", NAMES, "policy", SCORE, "explained",
            "first that it cannot explain");
    for (uint32_t i = 0; i < count; i++)
      put_row(f, &rows[i], out);
    fputc('\n', out);
    ft_put_sentence(f, rows, count, out);
    fputc('\n', out);
    put_places(f, &rows[0], out);
  }
  ft_put_times(&f->times, out);
  fputc('\n', out);
}
