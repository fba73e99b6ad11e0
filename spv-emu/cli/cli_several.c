/* SPDX-License-Identifier: Apache-2.0 */
/* cli_several: see cli_several.h. CSV and JSON are printed as the processes end, in the order of the
 * inputs; a table when all have ended, since its columns are as wide as their widest cells. */
#include "spv-emu/cli/cli_several.h"

#include "passes/tool/os/os_terminal.h"
#include "passes/tool/tool_batch.h"
#include "passes/tool/tool_run.h"
#include "spv-emu/cli/cli_frame.h"
#include "spv-emu/cli/cli_inputs.h"
#include "spv-emu/cli/cli_progress.h"
#include "spv-emu/report/report_json.h"
#include "spv-emu/report/report_several.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Set by the handler, which has no arguments. */
static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
  (void)signal;
  interrupted = 1;
}

typedef struct Run {
  EmuCli *cli;
  const EmuReport *head;
  int (*run)(EmuCli *cli, void *user);
  void *user;
  EmuCliInputs inputs;
  EmuSeveral table;
  EmuFrame frame; /* of --frame, instead of the table */
  bool terminal;  /* standard error is one, and shows how many inputs are done */
} Run;

/* ---- in the process of an input -------------------------------------------------------------- */

static int run_one(void *several, size_t i) {
  Run *r = several;
  signal(SIGINT, SIG_DFL);
  r->cli->input = r->inputs.at[i];
  return r->run(r->cli, r->user);
}

bool emu_cli_several_report(const EmuCli *cli, const EmuReport *report) {
  if (cli->json)
    return emu_report_json(report, stdout);
  if (cli->csv)
    emu_report_csv_rows(report, stdout);
  else
    emu_report_save(report, stdout);
  return true;
}

/* ---- what it leaves -------------------------------------------------------------------------- */

static void show(const Run *r, size_t done) {
  if (r->terminal)
    fprintf(stderr, "\r\033[K%zu of %zu inputs", done, r->inputs.count);
}

static void erase(const Run *r) {
  if (r->terminal)
    fputs("\r\033[K", stderr);
}

static bool is_empty(FILE *file) {
  int byte = file ? fgetc(file) : EOF;
  if (byte != EOF)
    ungetc(byte, file);
  return byte == EOF;
}

static void take_csv(const Run *r, const ToolDone *done) {
  bool failed = done->code != EXIT_SUCCESS && is_empty(done->out);
  char *message = tool_batch_copy(done);
  EmuReport line = *r->head;
  line.module = done->input;
  if (failed)
    emu_report_csv_failed(&line, message ? message : "", stdout);
  free(message);
}

static void take_row(Run *r, const ToolDone *done) {
  bool failed = done->code != EXIT_SUCCESS && is_empty(done->out);
  if (failed)
    emu_several_fail(&r->table, done->input);
  else if (done->out)
    emu_several_add(&r->table, done->input, done->out);
  free(tool_batch_copy(done)); /* all of standard output has been read */
}

static void take_frame(Run *r, const ToolDone *done) {
  if (!emu_frame_add(&r->frame, done->input, done->out))
    tool_batch_no_memory();
  free(tool_batch_copy(done));
}

static void take(void *several, size_t i, const ToolDone *done) {
  Run *r = several;
  erase(r);
  if (r->cli->frame)
    take_frame(r, done);
  else if (r->cli->json)
    tool_batch_copy_object(done, emu_report_unread);
  else if (r->cli->csv)
    take_csv(r, done);
  else
    take_row(r, done);
  show(r, i + 1);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool print_frame(Run *r) {
  emu_frame_sort(&r->frame);
  if (r->cli->json)
    return emu_frame_json(&r->frame, r->cli->frame, stdout);
  if (!r->cli->csv)
    return emu_frame_print(&r->frame, stdout);
  emu_frame_csv(&r->frame, stdout);
  return true;
}

static int run_all(Run *r) {
  r->terminal = os_terminal_draws();
  if (r->terminal)
    signal(SIGINT, interrupt);
  if (r->cli->csv && !r->cli->frame)
    emu_report_csv_head(r->head, stdout);
  show(r, 0);
  int code = tool_batch_run(&(ToolBatch){.inputs = (const char *const *)r->inputs.at,
                                         .count = r->inputs.count,
                                         .what = "inputs",
                                         .jobs = r->cli->jobs,
                                         .run = run_one,
                                         .done = take,
                                         .user = r,
                                         .stop = &interrupted});
  erase(r);
  if (r->cli->frame && !print_frame(r))
    tool_batch_no_memory();
  if (!r->cli->frame && !r->cli->csv && !r->cli->json)
    emu_several_print(&r->table, stdout);
  if (interrupted)
    return EMU_INTERRUPTED;
  return code == EXIT_SUCCESS || code == TOOL_BUG ? code : TOOL_BAD_INPUT;
}

int emu_cli_several(EmuCli *cli, const EmuReport *head, int (*run)(EmuCli *cli, void *user),
                    void *user) {
  Run r = {.cli = cli, .head = head, .run = run, .user = user};
  int code = EXIT_FAILURE;
  if (!tool_batch_possible())
    return TOOL_USAGE;
  if (!emu_several_open(&r.table))
    tool_batch_no_memory();
  else if (emu_cli_inputs_list(cli, &r.inputs))
    code = run_all(&r);
  emu_cli_inputs_free(&r.inputs);
  emu_frame_free(&r.frame);
  emu_several_close(&r.table);
  return code;
}
