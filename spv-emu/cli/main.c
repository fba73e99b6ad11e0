/* SPDX-License-Identifier: Apache-2.0 */
/* spv-emu: the command line. A case is loaded once and run under each policy from its initial
 * contents; then the results are reported. */
#include "passes/tool/tool_arguments.h"
#include "passes/tool/tool_environment.h"
#include "spv-emu/cli/cli_advise.h"
#include "spv-emu/cli/cli_annotate.h"
#include "spv-emu/cli/cli_cases.h"
#include "spv-emu/cli/cli_cost.h"
#include "spv-emu/cli/cli_debug.h"
#include "spv-emu/cli/cli_frame.h"
#include "spv-emu/cli/cli_heat.h"
#include "spv-emu/cli/cli_image.h"
#include "spv-emu/cli/cli_page.h"
#include "spv-emu/cli/cli_paths.h"
#include "spv-emu/cli/cli_profiled.h"
#include "spv-emu/cli/cli_progress.h"
#include "spv-emu/cli/cli_results.h"
#include "spv-emu/cli/cli_several.h"
#include "spv-emu/cli/cli_trace.h"
#include "spv-emu/report/report.h"

#include "passes/tool/os/os_draft.h"
#include "passes/tool/tool_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- output ---------------------------------------------------------------------------------- */

/* "there is no buffer 'date' to dump; there are 0:5 (data), 0:6" */
static void refuse_dump(const EmuCli *cli, const EmuDescriptorPlace *wanted, const EmuRow *row) {
  SrNameList list = {0};
  char what[96];
  for (uint32_t i = 0; i < row->output_count; i++)
    emu_bare_list(&list, row->outputs[i].set, row->outputs[i].binding, row->outputs[i].name);
  if (wanted->name)
    snprintf(what, sizeof what, "'%.*s'", wanted->name_length < 60 ? (int)wanted->name_length : 60,
             wanted->name);
  else
    snprintf(what, sizeof what, "at set %u, binding %u", wanted->set, wanted->binding);
  tool_say(cli->input, "there is no buffer %s to dump; there are %s", what,
           list.used ? list.text : "none");
}

/* Writes all descriptors at that set and binding, one after the other. */
static bool dump(const EmuCli *cli, const EmuDump *wanted, const EmuRow *row) {
  char *bytes = NULL;
  size_t size = 0;
  uint32_t found = 0;
  FILE *out = wanted->file ? open_memstream(&bytes, &size) : stdout;
  for (uint32_t i = 0; out && i < row->output_count; i++) {
    const EmuOutput *output = &row->outputs[i];
    if (!emu_bare_is_output(&wanted->place, output))
      continue;
    found++;
    if (wanted->file)
      fwrite(output->bytes, 1, output->size, out);
    else
      emu_report_buffer(output, out);
  }
  bool good = out && (!wanted->file || fclose(out) == 0);
  if (!good)
    tool_say(cli->input ? cli->input : cli->before, "out of memory");
  else if (!found)
    refuse_dump(cli, &wanted->place, row);
  good = good && found && (!wanted->file || tool_write(wanted->file, bytes, size));
  free(bytes);
  return good;
}

/* Can the file be written? What is there stays. */
static bool writable(const char *path) {
  OsDraft draft;
  if (!path || strcmp(path, "-") == 0)
    return true;
  bool good = os_draft_open(&draft, path);
  int error = errno;
  os_draft_close(&draft, false);
  errno = error;
  return good || tool_failed(path);
}

static bool print_report(const EmuCli *cli, const EmuReport *report) {
  if (cli->frame)
    return true;
  if (cli->several)
    return emu_cli_several_report(cli, report);
  if (cli->json)
    return emu_report_json(report, stdout);
  if (cli->csv)
    emu_report_csv(report, stdout);
  else
    emu_report_text(report, cli->trace_values ? stderr : stdout);
  return true;
}

/* A run that the debugger's user ended is as wanted. */
static bool is_good(const EmuCli *cli, const EmuRow *row) {
  return !emu_row_failed(row) || (cli->debug && emu_row_total(row).outcome == SPV_EMU_PARTIAL);
}

static bool deliver(const EmuCli *cli, const EmuReport *report) {
  bool good = (cli->advise && !cli->json) || print_report(cli, report);
  good = good && (!cli->annotate || emu_cli_annotate(cli, report));
  good = good && emu_cli_policy_write(cli, report);
  for (uint32_t i = 0; good && i < cli->dump_count; i++)
    good = dump(cli, &cli->dumps[i], &report->rows[0]);
  if (good && cli->given.image_count)
    good = emu_cli_image_write(cli, report->rows, report->row_count);
  good = good && emu_cli_heat_write(cli, report->rows, report->row_count);
  uint32_t count = cli->advise ? 1 : report->row_count; /* opt may give up */
  for (uint32_t i = 0; i < count; i++)
    good = good && is_good(cli, &report->rows[i]);
  return good;
}

/* After an interrupt: prints the report of the rows so far, and nothing else. */
static int deliver_part(const EmuCli *cli, const EmuReport *report, uint32_t count) {
  if (report->row_count)
    print_report(cli, report);
  tool_say(report->module,
           "interrupted: %u of %u rows; the counts of a partial one are of what ran until then",
           report->row_count, count);
  return EMU_INTERRUPTED;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Are the pictures of the row wanted? --image shows those of the first that ran. */
static bool wants_pictures(const EmuCli *cli, const EmuRow *rows, uint32_t i) {
  bool first = cli->given.image_count;
  for (uint32_t k = 0; k < i; k++)
    first = first && !rows[k].picture_count;
  return (first || cli->report) && emu_row_total(&rows[i]).outcome != SPV_EMU_SKIP;
}

/* Keeps what pictures and heat maps will show of the row that has run. */
static bool keep_view(const EmuCli *cli, const EmuCase *c, EmuRow *rows, uint32_t i) {
  bool first = cli->given.image_count && wants_pictures(cli, rows, i);
  if (wants_pictures(cli, rows, i) && !emu_cli_image_keep(cli, c, &rows[i]))
    return false;
  if (emu_row_view(&rows[i], cli->report, cli->heat_map || cli->lost_map, first))
    return true;
  tool_say(cli->input, "out of memory");
  return false;
}

/* False: a run failed, or there was an interrupt; the rows before that run are complete, the run's
 * own row may be partial. */
static bool run_all(const EmuCli *cli, EmuCase *c, const spv_emu_cost *cost, const EmuCliPage *page,
                    EmuCliProgress *progress, EmuRow *rows) {
  for (uint32_t i = 0; i < cli->policy_count; i++) {
    char message[512];
    if (!emu_cli_progress_row(progress, cli->policies[i]))
      return false;
    spv_emu_run_options how = cli->run;
    how.policy = cli->policies[i];
    how.cost = cost;
    how.trace = emu_cli_trace_start(cli->trace);
    how.debug = emu_cli_debug_start(cli->debugger, cli->policies[i]);
    how.schedule = emu_cli_page_listen(page, i);
    how.calls = cli->annotate || cli->json;
    how.causes = cli->report || (cli->advise && i == 0);
    bool heats = cli->heat_map || cli->lost_map || (cli->report && emu_case_has_map(c));
    how.heat = heats ? &rows[i].heat : NULL;
    how.progress = progress->terminal ? &progress->to : NULL;
    if (!emu_cli_results_listen(cli->results, c, &how.tangles))
      return false;
    if (emu_case_run(c, &how, &rows[i], message, sizeof message) != SPV_EMU_OK) {
      emu_cli_progress_end(progress);
      tool_say(cli->input, "%s", message);
      return false;
    }
    if (!emu_cli_results_take(cli->results, c, &rows[i]) || !keep_view(cli, c, rows, i))
      return false;
    if (!emu_cli_progress_done(progress, &rows[i]))
      return false;
  }
  return true;
}

/* Sets a number of the cost model. */
static bool set_number(const EmuSweep *sweep, uint64_t value, spv_emu_cost *cost) {
  char text[24], message[256];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  return spv_emu_cost_set(cost, sweep->name, text, message, sizeof message) ||
         tool_wrong("--sweep: %s", message);
}

/* Sets the seed and the cost model to the values of a point, and takes over the specialization
 * constants. *load: something else than the cost model differs from `last`, the point before;
 * NULL: this is the first. */
static bool set_point(EmuCli *cli, const uint64_t *values, const uint64_t *last, spv_emu_cost *cost,
                      spv_emu_spec *varied, uint32_t *varied_count, bool *load) {
  *load = !last;
  *varied_count = 0;
  for (uint32_t i = 0; i < cli->sweeps.count; i++) {
    const EmuSweep *sweep = &cli->sweeps.at[i];
    if (sweep->kind == EMU_SWEEP_COST) {
      if (!set_number(sweep, values[i], cost))
        return false;
      continue;
    }
    *load = *load || values[i] != last[i];
    if (sweep->kind == EMU_SWEEP_SEED)
      cli->given.seed = values[i];
    else
      varied[(*varied_count)++] = (spv_emu_spec){.name = sweep->name, .bits = values[i]};
  }
  return true;
}

/* Runs one point after the other. Rows of programs that have been freed keep only figures. */
static bool run_sweep(EmuCli *cli, EmuCase *c, spv_emu_cost *cost, const EmuCliPage *page,
                      EmuCliProgress *progress, EmuRow *rows, int *code) {
  uint32_t count = emu_sweeps_points(&cli->sweeps), varied_count;
  uint64_t values[2][EMU_ROW_VALUES] = {{0}};
  spv_emu_spec varied[EMU_ROW_VALUES];
  const spv_emu_cost *used = cli->cost || emu_sweeps_cost(&cli->sweeps) ? cost : NULL;
  for (uint32_t i = 0; i < count; i++, rows += cli->policy_count) {
    uint64_t *now = values[i & 1];
    bool load;
    emu_sweeps_point(&cli->sweeps, i, now);
    if (!set_point(cli, now, i ? values[~i & 1] : NULL, cost, varied, &varied_count, &load)) {
      *code = TOOL_USAGE;
      return false;
    }
    if (load && !emu_case_load(cli, c, varied, varied_count))
      return false;
    tool_limit_end();
    bool good = run_all(cli, c, used, page, progress, rows);
    for (uint32_t k = 0; k < cli->policy_count; k++) {
      rows[k].point = i;
      if (cli->sweeps.count)
        emu_row_keep_figures(&rows[k], now);
    }
    if (!good)
      return false;
  }
  return true;
}

/* The number of rows of a variant. */
static uint32_t rows_of(const EmuCli *cli) {
  return emu_sweeps_points(&cli->sweeps) * cli->policy_count;
}

/* Rows with the same size and swept values are compared with each other: they have the same
 * points. */
static void name_rows(const EmuCliCases *cases, const EmuCli *cli, uint32_t variant,
                      const EmuCli *of) {
  uint32_t size = emu_cli_variant_size(cli, variant);
  for (uint32_t i = 0; i < rows_of(of); i++) {
    EmuRow *row = &cases->rows[variant * rows_of(of) + i];
    row->variant = cases->names[variant];
    row->module = of->input;
    row->transform = cli->transform_count > 1 ? of->transform : NULL;
    row->point += size * emu_sweeps_points(&of->sweeps);
  }
}

/* The rows of a list of transforms that refuses the module, or that gives one which cannot be
 * loaded. False: out of memory. */
static bool refuse_rows(const EmuCli *cli, EmuRow *rows, const char *why) {
  for (uint32_t i = 0; i < rows_of(cli); i++) {
    uint64_t values[EMU_ROW_VALUES] = {0};
    uint32_t point = i / cli->policy_count;
    if (rows[i].parts)
      continue;
    if (!emu_row_refuse(&rows[i], cli->policies[i % cli->policy_count], why)) {
      tool_say(cli->input, "out of memory");
      return false;
    }
    rows[i].point = point;
    emu_sweeps_point(&cli->sweeps, point, values);
    emu_row_keep_figures(&rows[i], values);
  }
  return true;
}

/* Runs a variant. `last`: the case of the one before, or NULL. False: *code is the exit code. */
static bool run_variant(EmuCli *of, spv_emu_cost *cost, const EmuCliPage *page,
                        EmuCliProgress *progress, const EmuCase *last, EmuCase *c, EmuRow *rows,
                        int *code) {
  return emu_case_read(of, last, c, code) && run_sweep(of, c, cost, page, progress, rows, code);
}

/* Runs all variants. False: *code is the exit code. */
static bool run_variants(EmuCli *cli, spv_emu_cost *cost, const EmuCliPage *page,
                         EmuCliProgress *progress, EmuCliCases *cases, int *code) {
  uint32_t count = emu_cli_variants(cli);
  const EmuCase *last = NULL;
  for (uint32_t i = 0; i < count; i++) {
    EmuCli of = emu_cli_variant(cli, i);
    EmuCliPage its_page = *page;
    EmuRow *rows = &cases->rows[i * rows_of(cli)];
    char refusal[EMU_CLI_REFUSAL] = "";
    if (page->file)
      its_page.recordings += i * cli->policy_count;
    of.refusal = cli->transform_count > 1 ? refusal : NULL;
    tool_limit_begin(&cli->limit, of.input);
    bool good = run_variant(&of, cost, &its_page, progress, last, &cases->cases[i], rows, code);
    if (*refusal)
      good = refuse_rows(&of, rows, refusal);
    else
      last = &cases->cases[i];
    if (count > 1)
      name_rows(cases, cli, i, &of);
    if (!good)
      return false;
  }
  return true;
}

/* Says so if --check=vuid or --check=convergence has nothing to look at. */
static void note_vuid(const EmuCli *cli) {
  bool some = !(cli->check_vuid || cli->check_convergence) || !cli->policies[0];
  for (uint32_t i = 0; !some && i < cli->policy_count; i++)
    some = strcmp(cli->policies[i], "structured") == 0 || strcmp(cli->policies[i], "maximal") == 0;
  if (!some)
    tool_say(cli->input ? cli->input : cli->before,
             "note: --check=%s looks at policies structured and maximal only: add one to --policy",
             cli->check_vuid ? "vuid" : "convergence");
}

/* A report without rows: what its columns are. */
static EmuReport report_of(const EmuCli *cli) {
  EmuReport report = {.sweep_count = cli->sweeps.count,
                      .variants = emu_cli_variant_column(cli),
                      .sizes = cli->size_count > 1,
                      .checked = cli->check_vuid};
  for (uint32_t i = 0; i < cli->sweeps.count; i++)
    report.sweeps[i] = cli->sweeps.at[i].column;
  return report;
}

/* Runs everything and reports. Returns the exit code. */
static int run_rows(EmuCli *cli, spv_emu_cost *cost, EmuCliPage *page, EmuCliCases *cases) {
  int code = EXIT_FAILURE;
  note_vuid(cli);
  EmuCliProgress progress;
  emu_cli_progress_begin(&progress, cases->row_count, cli->run.max_issues);
  progress.terminal = progress.terminal && !emu_cli_debugs(cli);
  bool done = run_variants(cli, cost, page, &progress, cases, &code);
  bool interrupted = emu_cli_progress_end(&progress);
  if (!done && !interrupted)
    return code;
  EmuReport report = report_of(cli);
  report.module = cases->title;
  report.dispatch = cases->cases[0].dispatch;
  report.cost = cli->cost || emu_sweeps_cost(&cli->sweeps) ? cost : NULL;
  report.rows = cases->rows;
  report.row_count = interrupted ? progress.kept_count : cases->row_count;
  if (interrupted)
    return deliver_part(cli, &report, cases->row_count);
  report.comparison = emu_cli_results_object(cli->results);
  if (cli->frame)
    emu_cli_frame_save(&cases->cases[0], &report);
  if (cli->advise && !emu_cli_advise(cli, &cases->cases[0], &report))
    return code;
  bool good = deliver(cli, &report);
  good = emu_cli_page_record(page, cli, cases, report.cost) && emu_cli_page_write(page, &report) &&
         good;
  json_decref(report.comparison);
  json_decref(report.advise);
  good = good && (!cli->profile || emu_cli_paths(cli, &cases->cases[0], cli->profile));
  emu_cli_results_print(cli->results, cli->json || cli->csv ? stderr : stdout);
  good = good && emu_cli_results_good(cli->results);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* `cost`: an spv_emu_cost. */
static int run_case(EmuCli *cli, void *cost) {
  uint32_t count = emu_cli_variants(cli) * rows_of(cli);
  EmuCliPage page = {.file = cli->report,
                     .advise = cli->report ? emu_cli_advise_command(cli) : NULL,
                     .source = !cli->annotate || cli->annotate_source};
  EmuCliCases cases = {0};
  EmuCliResults results;
  int code = EXIT_FAILURE;
  cli->results = &results;
  if (emu_cli_results_open(&results, cli, count) && emu_cli_cases_open(&cases, cli, count) &&
      emu_cli_page_open(&page, count))
    code = run_rows(cli, cost, &page, &cases);
  cli->results = NULL;
  emu_cli_results_close(&results);
  emu_cli_page_close(&page);
  emu_cli_cases_close(&cases);
  return code;
}

static int run(EmuCli *cli) {
  spv_emu_cost cost;
  int code = EXIT_FAILURE;
  if (!emu_cli_cost(cli->cost, &cost, &code))
    return code;
  if (!writable(cli->report))
    return EXIT_FAILURE;
  if (!emu_cli_policy_open(cli)) {
    emu_cli_policy_close(&cli->policy);
    return EXIT_FAILURE;
  }
  EmuCliTrace trace = {0};
  EmuCliDebug debugger;
  EmuProfiled profiled = {0};
  code = EXIT_FAILURE;
  cli->trace = &trace;
  cli->debugger = &debugger;
  if (emu_cli_debug_open(&debugger, cli) &&
      emu_cli_trace_open(&trace, cli->trace_stack, cli->trace_entries, cli->trace_groups) &&
      emu_cli_profiled(cli, &profiled)) {
    EmuReport head = report_of(cli);
    code = cli->several ? emu_cli_several(cli, &head, run_case, &cost) : run_case(cli, &cost);
  }
  emu_cli_profiled_free(&profiled);
  cli->trace = NULL;
  if (!emu_cli_trace_close(&trace))
    code = EXIT_FAILURE;
  emu_cli_debug_close(&debugger);
  emu_cli_policy_close(&cli->policy);
  return code;
}

/* SPV_EMU_ISA is for tests; an unknown set would silently be replaced by the best one. */
static bool check_environment(void) {
  const char *isa = getenv("SPV_EMU_ISA"), *name;
  SrNameList list = {0};
  tool_environment_check();
  for (uint32_t i = 0; isa && *isa && (name = spv_emu_instruction_set(i)); i++) {
    if (strcmp(name, isa) == 0)
      return true;
    sr_name_list_add(&list, name);
  }
  return !isa || !*isa || tool_wrong("SPV_EMU_ISA=%s: there are %s", isa, list.text);
}

int main(int argc, char **argv) {
  EmuCli cli;
  ToolArguments arguments;
  int code = TOOL_USAGE;
  if (tool_arguments(argc, argv, &arguments)) {
    if (emu_cli_parse(&cli, arguments.count, arguments.at, &code) && check_environment())
      code = run(&cli);
    emu_cli_free(&cli);
  }
  tool_arguments_free(&arguments);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  fprintf(stderr, "%s: cannot write to standard output\n", tool_program);
  return code ? code : EXIT_FAILURE;
}
