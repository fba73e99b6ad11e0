/* SPDX-License-Identifier: Apache-2.0 */
/* converge_table: see converge_table.h. */
#include "harness/converge/converge_table.h"

#include "harness/backend/backend_policy.h"
#include "harness/converge/converge_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The programs of a mode. */
typedef struct Cell {
  size_t passed, skipped;
} Cell;

/* A row: a device, or device emu under a policy. */
typedef struct Row {
  const CvOptions *o;
  const HnDevice *device;
  const char *policy; /* NULL: not device emu */
  HnShaderTables *tables;
  CvTotals *totals; /* of a cell */
  uint32_t size;    /* of the subgroups */
  Cell cells[CV_MODES];
  CvMistake worst; /* in the most programs of a mode */
  FILE *left_out;  /* names of rows whose programs were all skipped */
} Row;

static bool is_wanted(const CvOptions *o, CvMode mode) {
  return o->every_mode || mode == o->mode;
}

static void print_head(const CvOptions *o) {
  fputs("| Device | Subgroup size |", stdout);
  for (int mode = 0; mode < CV_MODES; mode++)
    if (is_wanted(o, (CvMode)mode))
      printf(" `%s` |", cv_mode_names[mode]);
  fputs(" Most frequent mistake |\n| --- | --- |", stdout);
  for (int mode = 0; mode < CV_MODES; mode++)
    if (is_wanted(o, (CvMode)mode))
      fputs(" --- |", stdout);
  puts(" --- |");
}

static void print_cell(const Row *row, const Cell *cell) {
  size_t ran = row->o->count - cell->skipped;
  if (!ran)
    fputs(" skipped |", stdout);
  else if (!cell->skipped)
    printf(" %zu/%zu |", cell->passed, ran);
  else
    printf(" %zu/%zu, %zu skipped |", cell->passed, ran, cell->skipped);
}

static bool ran(const Row *row) {
  for (int mode = 0; mode < CV_MODES; mode++)
    if (is_wanted(row->o, (CvMode)mode) && row->cells[mode].skipped < row->o->count)
      return true;
  return false;
}

static void print_row(const Row *row) {
  char name[64] = "";
  const char *device = row->device->info, *end = strstr(device, ", Vulkan ");
  if (row->policy)
    printf("| emu `%s` | %u |", row->policy, row->size);
  else
    printf("| %.*s | %u |", (int)(end ? (size_t)(end - device) : strlen(device)), device,
           row->size);
  for (int mode = 0; mode < CV_MODES; mode++)
    if (is_wanted(row->o, (CvMode)mode))
      print_cell(row, &row->cells[mode]);
  if (row->worst.programs)
    cv_fault_name(&row->worst.verdict, name);
  printf(" %s |\n", name);
  fflush(stdout);
}

static void note_worst(Row *row) {
  const CvTotals *t = row->totals;
  for (uint32_t i = 0; i < t->kind_count; i++)
    if (t->kinds[i].programs > row->worst.programs)
      row->worst = t->kinds[i];
}

static bool run_cell(Row *row, CvMode mode) {
  CvOptions options = *row->o;
  CvDevice device = {.device = row->device,
                     .policy = row->policy,
                     .mode = mode,
                     .two_exits = options.two_exits,
                     .size = options.subgroup_size,
                     .timeout = options.timeout,
                     .jobs = options.jobs};
  options.mode = mode;
  *row->totals = (CvTotals){0};
  if (!cv_run(&options, &device, row->tables, row->totals))
    return false;
  row->size = device.size;
  row->cells[mode] = (Cell){row->totals->passed, row->totals->skipped};
  note_worst(row);
  return true;
}

static bool run_row(Row *row) {
  row->worst = (CvMistake){.programs = 0};
  for (int mode = 0; mode < CV_MODES; mode++)
    if (is_wanted(row->o, (CvMode)mode) && !run_cell(row, (CvMode)mode))
      return false;
  if (ran(row))
    print_row(row);
  else
    fprintf(row->left_out, "%s`%s`", ftell(row->left_out) ? ", " : "",
            row->policy ? row->policy : row->device->name);
  return true;
}

static bool run_device(Row *row) {
  HnPolicy policies[HN_POLICIES];
  uint32_t count = 0;
  row->policy = NULL;
  if (!row->device->emulated)
    return run_row(row);
  bool good = hn_policy_list(row->o->policy ? row->o->policy : "all", policies, &count);
  for (uint32_t i = 0; good && i < count; i++) {
    row->policy = policies[i].name;
    good = run_row(row);
  }
  return good;
}

static bool run_rows(Row *row) {
  bool good = true;
  print_head(row->o);
  for (size_t i = 0; good && i < row->o->devices->count; i++) {
    row->device = &row->o->devices->at[i];
    good = run_device(row);
  }
  return good;
}

int cv_table(const CvOptions *o) {
  char *names = NULL;
  size_t size = 0;
  Row row = {.o = o,
             .tables = hn_shader_tables_open(),
             .totals = malloc(sizeof *row.totals),
             .left_out = open_memstream(&names, &size)};
  bool good = row.totals && row.left_out && run_rows(&row);
  if (!row.totals || !row.left_out)
    fputs("spv-harness: out of memory\n", stderr);
  if (row.left_out)
    fclose(row.left_out);
  if (good && size)
    printf("\nSkipped: %s\n", names);
  hn_shader_tables_close(row.tables);
  free(row.totals);
  free(names);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
