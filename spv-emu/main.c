/* spv-emu: the command line. A case is opened once and run under one policy after the other, each
 * time from its initial contents; then all is reported. */
#include "cli_case.h"
#include "report.h"

#include "driver/cli_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- output ---- */

/* All descriptors at that place, one behind the other. */
static bool dump(const EmuCli *cli, const EmuDump *wanted, const EmuRow *row) {
  char *bytes = NULL;
  size_t size = 0;
  uint32_t found = 0;
  FILE *out = wanted->file ? open_memstream(&bytes, &size) : stdout;
  for (uint32_t i = 0; out && i < row->output_count; i++) {
    const EmuOutput *output = &row->outputs[i];
    if (output->set != wanted->set || output->binding != wanted->binding)
      continue;
    found++;
    if (wanted->file)
      fwrite(output->bytes, 1, output->size, out);
    else
      emu_report_buffer(output, out);
  }
  bool good = out && (!wanted->file || fclose(out) == 0);
  if (!good)
    cli_say(cli->input, "out of memory");
  else if (!found)
    cli_say(cli->input, "there is no buffer at set %u, binding %u to dump", wanted->set,
            wanted->binding);
  good = good && found && (!wanted->file || cli_write(wanted->file, bytes, size));
  free(bytes);
  return good;
}

/* The source, or where there is none, or it is not wanted, the disassembly. */
static char *listing(const EmuCli *cli, const EmuPart *part) {
  char *text = cli->annotate_source ? spv_emu_annotate_source(part->program, part->result) : NULL;
  if (text && *text)
    return text;
  free(text);
  return spv_emu_annotate(part->program, part->result);
}

static bool annotate(const EmuCli *cli, const EmuRow *row) {
  for (uint32_t i = 0; i < row->part_count; i++) {
    const EmuPart *part = &row->parts[i];
    char *text = part->result ? listing(cli, part) : NULL;
    if (part->result && !text) {
      cli_say(cli->input, "out of memory");
      return false;
    }
    if (text)
      printf("\n; policy %s\n%s", part->result->policy, text);
    free(text);
  }
  return true;
}

static bool print_report(const EmuCli *cli, const EmuReport *report) {
  if (cli->json)
    return emu_report_json(report, stdout);
  if (cli->csv)
    emu_report_csv(report, stdout);
  else
    emu_report_text(report, stdout);
  return true;
}

static bool deliver(const EmuCli *cli, const EmuReport *report) {
  bool good = print_report(cli, report);
  for (uint32_t i = 0; cli->annotate && good && i < report->row_count; i++)
    good = annotate(cli, &report->rows[i]);
  for (uint32_t i = 0; good && i < cli->dump_count; i++)
    good = dump(cli, &cli->dumps[i], &report->rows[0]);
  for (uint32_t i = 0; i < report->row_count; i++)
    good = good && !emu_row_failed(&report->rows[i]);
  return good;
}

/* ---- runs ---- */

static bool run_all(const EmuCli *cli, EmuCase *c, EmuRow *rows) {
  for (uint32_t i = 0; i < cli->policy_count; i++) {
    char message[512];
    spv_emu_run_options how = cli->run;
    how.policy = cli->policies[i];
    if (emu_case_run(c, &how, &rows[i], message, sizeof message) != SPV_EMU_OK) {
      cli_say(cli->input, "%s", message);
      return false;
    }
  }
  return true;
}

static int run(EmuCli *cli) {
  EmuCase c;
  CliInput wave = {0};
  int code;
  if (cli->wave && !cli_read(cli->wave, &wave))
    return EXIT_FAILURE;
  cli->run.wave = wave.bytes;
  EmuRow *rows = calloc(cli->policy_count, sizeof *rows);
  if (!rows) {
    cli_say(cli->input, "out of memory");
    free(wave.bytes);
    return EXIT_FAILURE;
  }
  if (emu_case_open(cli, &c, &code)) {
    const EmuReport report = {cli->input, c.dispatch, rows, cli->policy_count};
    code = run_all(cli, &c, rows) && deliver(cli, &report) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  for (uint32_t i = 0; i < cli->policy_count; i++)
    emu_row_free(&rows[i]);
  emu_case_close(&c);
  free(wave.bytes);
  free(rows);
  return code;
}

int main(int argc, char **argv) {
  EmuCli cli;
  int code;
  if (emu_cli_parse(&cli, argc, argv, &code))
    code = run(&cli);
  emu_cli_free(&cli);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  fprintf(stderr, "%s: cannot write to standard output\n", cli_program);
  return code ? code : EXIT_FAILURE;
}
