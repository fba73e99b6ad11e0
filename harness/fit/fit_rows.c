/* SPDX-License-Identifier: Apache-2.0 */
/* fit_rows: what text and JSON say; see fit_report.h. */
#include "harness/fit/fit_report.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static bool is_same(const FtScore *a, const FtScore *b) {
  return a->hash == b->hash && a->skipped == b->skipped && a->programs == b->programs;
}

static size_t unexplained(const FtScore *score) {
  return score->observations - score->explained;
}

/* Does a explain more than b? */
static bool is_better(const FtScore *a, const FtScore *b) {
  return a->explained != b->explained ? a->explained > b->explained : a->programs > b->programs;
}

static void sort(const FtFit *f, FtRow *rows, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    FtRow row = rows[i];
    uint32_t k = i;
    for (; k && is_better(&f->scores[row.policies[0]], &f->scores[rows[k - 1].policies[0]]); k--)
      rows[k] = rows[k - 1];
    rows[k] = row;
  }
}

uint32_t ft_rows(const FtFit *f, FtRow rows[HN_POLICIES]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->policy_count; i++) {
    uint32_t k = 0;
    while (k < count && !is_same(&f->scores[rows[k].policies[0]], &f->scores[i]))
      k++;
    if (k == count)
      rows[count++] = (FtRow){.count = 0};
    rows[k].policies[rows[k].count++] = i;
  }
  sort(f, rows, count);
  return count;
}

const FtPlace *ft_first_place(const FtScore *score) {
  const FtPlace *first = NULL;
  for (uint32_t i = 0; i < score->count; i++) {
    const FtPlace *p = &score->places[i];
    if (!first || p->program < first->program ||
        (p->program == first->program && p->first.index < first->first.index))
      first = p;
  }
  return first;
}

/* ---- kinds ---- */

static int by_count(const void *a, const void *b) {
  size_t x = ((const FtKind *)a)->count, y = ((const FtKind *)b)->count;
  return (x < y) - (x > y);
}

uint32_t ft_kinds(const FtScore *score, FtKind kinds[FT_KINDS]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < score->count; i++) {
    FtKind kind;
    uint32_t k = 0;
    cv_fault_name(&score->places[i].first, kind.name);
    kind.count = score->places[i].count;
    while (k < count && strcmp(kinds[k].name, kind.name) != 0)
      k++;
    if (k == FT_KINDS)
      k--;
    else if (k == count)
      kinds[count++] = kind;
    else
      kinds[k].count += kind.count;
  }
  qsort(kinds, count, sizeof *kinds, by_count);
  return count;
}

/* ---- sentences ---- */

static void put_kinds(const FtScore *score, FILE *out) {
  FtKind kinds[FT_KINDS];
  uint32_t count = ft_kinds(score, kinds);
  fprintf(out, ": the %zu %s ", unexplained(score), unexplained(score) == 1 ? "is" : "are");
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, "%s%s (%zu)", i ? ", " : "", kinds[i].name, kinds[i].count);
}

void ft_put_sentence(const FtFit *f, const FtRow *rows, uint32_t count, FILE *out) {
  fputs("agrees", out);
  for (uint32_t i = 0; i < count && i < 2; i++) {
    const FtScore *score = &f->scores[rows[i].policies[0]];
    if (!score->programs)
      break;
    fprintf(out, "%s with `%s` in %zu of %zu", i ? ";" : "", f->policies[rows[i].policies[0]].name,
            score->explained, score->observations);
    if (unexplained(score))
      put_kinds(score, out);
  }
}

static void put_steps(const FtTimes *t, FILE *out) {
  const FtLine *line = &t->line;
  if (!line->steps)
    return;
  fprintf(out, "; steps of %.3g %s at ", line->step, t->unit);
  for (uint32_t i = 0; i < line->steps; i++)
    fprintf(out, "%s%u", i ? ", " : "", line->at[i]);
  fprintf(out, " lane%s, as %s", line->steps == 1 ? "" : "s",
          line->certain ? "where a stack spills" : "of a loop that a compiler unrolled");
}

void ft_put_times(const FtTimes *t, FILE *out) {
  const FtLine *line = &t->line;
  if (!t->measured) {
    fprintf(out, "no times: %s", t->why);
    return;
  }
  if (line->certain)
    fprintf(out, "each lane that leaves a loop alone adds %.3g %s to %.4g for %u iterations",
            line->slope, t->unit, t->at[0], t->count);
  else if (line->steps)
    fprintf(out, "a lane that leaves a loop alone adds time only at steps; %u iterations take %.4g",
            t->count, t->at[0]);
  else
    fprintf(out,
            "no cost of a lane that leaves a loop alone can be measured (%.3g %s, error %.2g); "
            "%u iterations take %.4g",
            line->slope, t->unit, line->error, t->count, t->at[0]);
  put_steps(t, out);
}
