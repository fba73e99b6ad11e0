/* SPDX-License-Identifier: Apache-2.0 */
/* cli_frame: see cli_frame.h. A line has, with tabs between them: the key of the modules, the policy,
 * dispatches, issues, lane instructions, slots, and whether the row failed. */
#include "spv-emu/cli/cli_frame.h"

#include "spv-emu/report/report_row.h"
#include "spv-emu/report/report_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { COLUMN_PIPELINE, COLUMN_DISPATCHES, COLUMN_POLICIES, MOST_POLICIES = 20 };

/* ---- in the process of a case ---------------------------------------------------------------- */

/* Equal for cases with the same modules. */
static uint64_t key_of(const EmuCase *c, const EmuReport *report) {
  uint64_t key = c->script ? 0 : XXH3_64bits(report->module, strlen(report->module));
  for (uint32_t i = 0; c->script && i < c->script->shader_count; i++)
    key = XXH3_64bits_withSeed(c->modules[i].words,
                               c->modules[i].count * sizeof *c->modules[i].words, key);
  return key;
}

void emu_cli_frame_save(const EmuCase *c, const EmuReport *report) {
  uint64_t key = key_of(c, report);
  for (uint32_t i = 0; i < report->row_count; i++) {
    const EmuRow *row = &report->rows[i];
    const spv_emu_result total = emu_row_total(row);
    printf("%" PRIx64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\n", key,
           row->policy ? row->policy : total.policy, row->dispatches, total.issued,
           total.lane_instructions, total.issued * total.subgroup_size,
           emu_row_failed(row) || total.outcome == SPV_EMU_SKIP);
  }
}

/* ---- sums ------------------------------------------------------------------------------------ */

typedef struct Line {
  uint64_t key, dispatches;
  char policy[64];
  EmuFrameSum sum;
} Line;

static bool read_line(const char *text, Line *line) {
  return sscanf(text,
                "%" SCNx64 "\t%63[^\t]\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64
                "\t%" SCNu64,
                &line->key, line->policy, &line->dispatches, &line->sum.issues, &line->sum.lanes,
                &line->sum.slots, &line->sum.failed) == 7;
}

/* The policy's index; UINT32_MAX: out of memory, or there are too many. */
static uint32_t policy_index(EmuFrame *f, const char *name) {
  for (uint32_t i = 0; i < f->policy_count; i++)
    if (strcmp(f->policies[i], name) == 0)
      return i;
  if (!f->policies)
    f->policies = calloc(MOST_POLICIES, sizeof *f->policies);
  char *copy = f->policies && f->policy_count < MOST_POLICIES ? strdup(name) : NULL;
  if (!copy)
    return UINT32_MAX;
  f->policies[f->policy_count] = copy;
  return f->policy_count++;
}

static EmuFramePipeline *pipeline_of(EmuFrame *f, uint64_t key, const char *input) {
  for (uint32_t i = 0; i < f->pipeline_count; i++)
    if (f->pipelines[i].key == key)
      return &f->pipelines[i];
  EmuFramePipeline *grown = realloc(f->pipelines, (f->pipeline_count + 1u) * sizeof *f->pipelines);
  if (!grown)
    return NULL;
  f->pipelines = grown;
  const char *slash = strrchr(input, '/');
  EmuFramePipeline *p = &f->pipelines[f->pipeline_count];
  *p = (EmuFramePipeline){.key = key,
                          .name = strdup(slash ? slash + 1 : input),
                          .sums = calloc(MOST_POLICIES, sizeof *p->sums)};
  f->pipeline_count += p->name && p->sums;
  return p->name && p->sums ? p : NULL;
}

static bool add_line(EmuFrame *f, const char *input, const Line *line) {
  uint32_t policy = policy_index(f, line->policy);
  EmuFramePipeline *p = policy == UINT32_MAX ? NULL : pipeline_of(f, line->key, input);
  if (!p)
    return false;
  p->dispatches += policy == 0 ? line->dispatches : 0;
  p->sums[policy].issues += line->sum.issues;
  p->sums[policy].lanes += line->sum.lanes;
  p->sums[policy].slots += line->sum.slots;
  p->sums[policy].failed += line->sum.failed;
  return true;
}

bool emu_frame_add(EmuFrame *f, const char *input, FILE *saved) {
  char *text = NULL;
  size_t room = 0;
  bool good = true, any = false;
  Line line;
  while (saved && good && getline(&text, &room, saved) > 0)
    if (read_line(text, &line)) {
      any = true;
      good = add_line(f, input, &line);
    }
  f->failed += !any;
  free(text);
  return good;
}

/* ---- the table ------------------------------------------------------------------------------- */

static uint64_t lost(const EmuFramePipeline *p) {
  return p->sums[0].slots - p->sums[0].lanes;
}

static int by_lost(const void *x, const void *y) {
  const EmuFramePipeline *a = x, *b = y;
  return (lost(a) < lost(b)) - (lost(a) > lost(b));
}

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void set_heads(EmuTable *table, const EmuFrame *f) {
  emu_table_set(table, COLUMN_PIPELINE, "pipeline");
  emu_table_set(table, COLUMN_DISPATCHES, "dispatches");
  for (uint32_t i = 0; i < f->policy_count; i++)
    emu_table_set(table, COLUMN_POLICIES + i, "%s", f->policies[i]);
  emu_table_set(table, COLUMN_POLICIES + f->policy_count, "lanes lost");
  emu_table_set(table, COLUMN_POLICIES + f->policy_count + 1, "of issues");
  emu_table_set(table, COLUMN_POLICIES + f->policy_count + 2, "of lost");
}

static void set_row(EmuTable *table, const EmuFrame *f, const EmuFramePipeline *p,
                    const EmuFramePipeline *all) {
  emu_table_set(table, COLUMN_PIPELINE, "%s", p->name);
  emu_table_set(table, COLUMN_DISPATCHES, "%" PRIu64, p->dispatches);
  for (uint32_t i = 0; i < f->policy_count; i++)
    emu_table_set(table, COLUMN_POLICIES + i, "%" PRIu64 "%s", p->sums[i].issues,
                  p->sums[i].failed ? "!" : "");
  uint32_t at = COLUMN_POLICIES + f->policy_count;
  emu_table_set(table, at, "%.1f %%", percent(lost(p), p->sums[0].slots));
  emu_table_set(table, at + 1, "%.1f %%", percent(p->sums[0].issues, all->sums[0].issues));
  emu_table_set(table, at + 2, "%.1f %%", percent(lost(p), lost(all)));
}

/* Adds up all pipelines. */
static void sum_all(const EmuFrame *f, EmuFramePipeline *all) {
  for (uint32_t i = 0; i < f->pipeline_count; i++) {
    const EmuFramePipeline *p = &f->pipelines[i];
    all->dispatches += p->dispatches;
    for (uint32_t k = 0; k < f->policy_count; k++) {
      all->sums[k].issues += p->sums[k].issues;
      all->sums[k].lanes += p->sums[k].lanes;
      all->sums[k].slots += p->sums[k].slots;
      all->sums[k].failed += p->sums[k].failed;
    }
  }
}

static bool any_failed(const EmuFrame *f, const EmuFramePipeline *all) {
  for (uint32_t i = 0; i < f->policy_count; i++)
    if (all->sums[i].failed)
      return true;
  return false;
}

void emu_frame_sort(EmuFrame *f) {
  if (f->pipeline_count)
    qsort(f->pipelines, f->pipeline_count, sizeof *f->pipelines, by_lost);
}

bool emu_frame_print(const EmuFrame *f, FILE *out) {
  EmuFrameSum sums[MOST_POLICIES] = {{0}};
  EmuFramePipeline all = {.name = "all", .sums = sums};
  EmuTable table = {.left = 1 << COLUMN_PIPELINE};
  sum_all(f, &all);
  bool good = emu_table_add(&table);
  if (good)
    set_heads(&table, f);
  for (uint32_t i = 0; good && i <= f->pipeline_count; i++) {
    good = emu_table_add(&table);
    if (good)
      set_row(&table, f, i < f->pipeline_count ? &f->pipelines[i] : &all, &all);
  }
  if (good)
    emu_table_print(&table, out);
  if (good && any_failed(f, &all))
    fputs("!: a dispatch did not run to its end, or an EXPECT failed: run its case alone\n", out);
  if (good && f->failed)
    fprintf(out, "%" PRIu64 " case%s could not be run\n", f->failed, f->failed == 1 ? "" : "s");
  emu_table_free(&table);
  return good;
}

void emu_frame_free(EmuFrame *f) {
  for (uint32_t i = 0; i < f->pipeline_count; i++) {
    free(f->pipelines[i].name);
    free(f->pipelines[i].sums);
  }
  for (uint32_t i = 0; i < f->policy_count; i++)
    free(f->policies[i]);
  free(f->pipelines);
  free(f->policies);
  *f = (EmuFrame){0};
}
