/* SPDX-License-Identifier: Apache-2.0 */
/* converge: see converge.h. Programs run in portions, so that a run of millions keeps only one in
 * memory. Of each kind of mistake the first program is kept; it is reduced after the run. */
#include "harness/converge/converge.h"

#include "harness/converge/converge_report.h"
#include "harness/converge/converge_script.h"
#include "harness/converge/generate.h"
#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTION = 512 };

/* ---- a run on a device ---- */

static void note(CvTotals *t, uint64_t seed, const CvVerdict *v) {
  switch (v->state) {
  case CV_PASS:
    t->passed++;
    return;
  case CV_SKIP:
    t->skipped++;
    snprintf(t->why_skipped, sizeof t->why_skipped, "%s", v->why);
    return;
  default:
    cv_totals_add(t, seed, v);
  }
}

static size_t shown_total, shown_before;

static void show(size_t done) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%zu of %zu", shown_before + done, shown_total);
}

static bool run_all(const CvOptions *o, const CvDevice *device, CvTotals *totals) {
  CvProgram *programs = calloc(PORTION, sizeof *programs);
  CvVerdict *verdicts = calloc(PORTION, sizeof *verdicts);
  bool good = programs && verdicts;
  shown_total = o->count;
  for (size_t from = 0; good && from < o->count; from += PORTION) {
    size_t count = o->count - from < PORTION ? o->count - from : PORTION;
    for (size_t i = 0; i < count; i++)
      cv_generate(o->seed + from + i, o->mode, o->two_exits, &programs[i]);
    shown_before = from;
    good = cv_device_run(device, programs, count, CV_NONE, verdicts, show);
    for (size_t i = 0; good && i < count; i++)
      note(totals, o->seed + from + i, &verdicts[i]);
  }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%*s\r", 40, "");
  free(programs);
  free(verdicts);
  return good;
}

static bool run_device(const CvOptions *o, const HnDevice *found, HnShaderTables *tables,
                       CvTotals *totals) {
  CvDevice device = {.device = found,
                     .policy = o->policy,
                     .mode = o->mode,
                     .two_exits = o->two_exits,
                     .size = o->subgroup_size,
                     .timeout = o->timeout,
                     .jobs = o->jobs};
  char *message = NULL;
  if (!cv_device_open(&device, tables, &message)) {
    fprintf(stderr, "spv-harness: %s\n", message ? message : "out of memory");
    free(message);
    return false;
  }
  cv_report_device(&device);
  bool good =
      run_all(o, &device, totals) && cv_report_totals(&device, totals, o->reduce, o->artifacts);
  if (!good)
    fprintf(stderr, "spv-harness: %s: out of memory, or no process can be started\n", found->name);
  return good;
}

static int run_devices(const CvOptions *o) {
  HnShaderTables *tables = hn_shader_tables_open();
  CvTotals all = {0};
  bool good = true;
  for (size_t i = 0; good && i < o->devices->count; i++) {
    CvTotals *totals = calloc(1, sizeof *totals);
    good = totals && run_device(o, &o->devices->at[i], tables, totals);
    if (totals) {
      all.passed += totals->passed;
      all.wrong += totals->wrong;
      all.skipped += totals->skipped;
    }
    free(totals);
  }
  hn_shader_tables_close(tables);
  if (!good)
    return EXIT_FAILURE;
  printf("%zu passed, %zu failed, %zu skipped\n", all.passed, all.wrong, all.skipped);
  return all.wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- cases ---- */

static bool write_case(const CvOptions *o, uint64_t seed, uint32_t size) {
  CvProgram program;
  char path[4096];
  cv_generate(seed, o->mode, o->two_exits, &program);
  const CvScript script = {.program = &program,
                           .mode = o->mode,
                           .subgroup_size = size,
                           .requires_size = true,
                           .declares = true,
                           .expects = true,
                           .seed = seed};
  char *text = cv_script(&script);
  int length = snprintf(path, sizeof path, "%s/%s_%u_%llu.amber", o->write, cv_mode_names[o->mode],
                        size, (unsigned long long)seed);
  bool good = text && length < (int)sizeof path;
  if (!good)
    fprintf(stderr, "spv-harness: %s: out of memory, or the name is too long\n", o->write);
  good = good && tool_write(path, text, strlen(text));
  free(text);
  return good;
}

static int write_cases(const CvOptions *o) {
  static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128};
  size_t written = 0;
  if (!tool_make_folder(o->write))
    return EXIT_FAILURE;
  for (size_t i = 0; i < o->count; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      if (o->subgroup_size && o->subgroup_size != sizes[k])
        continue;
      if (!write_case(o, o->seed + i, sizes[k]))
        return EXIT_FAILURE;
      written++;
    }
  printf("%zu cases in %s\n", written, o->write);
  return EXIT_SUCCESS;
}

int cv_converge(const CvOptions *options) {
  return options->write ? write_cases(options) : run_devices(options);
}
