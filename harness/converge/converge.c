/* SPDX-License-Identifier: Apache-2.0 */
/* converge: see converge.h. Of each kind of mistake the first program is kept; it is reduced after
 * the run. */
#include "harness/converge/converge.h"

#include "harness/converge/converge_run.h"
#include "harness/converge/converge_script.h"
#include "harness/converge/converge_table.h"
#include "harness/converge/generate.h"
#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- a run on a device ---- */

static bool run_device(const CvOptions *o, const HnDevice *found, HnShaderTables *tables,
                       CvTotals *totals) {
  CvDevice device = {.device = found,
                     .policy = o->policy,
                     .mode = o->mode,
                     .two_exits = o->two_exits,
                     .size = o->subgroup_size,
                     .timeout = o->timeout,
                     .jobs = o->jobs};
  if (!cv_run(o, &device, tables, totals))
    return false;
  bool good = cv_report_totals(&device, totals, o->reduce, o->artifacts);
  if (!good)
    cv_run_failed(&device);
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
  if (options->write)
    return write_cases(options);
  return options->table ? cv_table(options) : run_devices(options);
}
