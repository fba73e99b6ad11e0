/* SPDX-License-Identifier: Apache-2.0 */
/* cli_annotate: see cli_annotate.h. */
#include "spv-emu/cli/cli_annotate.h"

#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>

/* The results of one program, under the policies that ran it. */
typedef struct Sheet {
  const char *variant;
  const spv_emu_program *program;
  const spv_emu_result **results;
  uint32_t count;
} Sheet;

static const char *input_of(const EmuCli *cli) {
  return cli->input ? cli->input : cli->before;
}

/* Collects the results of the rows from `first` on that have the same program as their part `part`;
 * rows of one variant are contiguous. Policies that did not run are left out, unless none did. */
static void collect(const EmuReport *report, uint32_t first, uint32_t part, Sheet *s) {
  s->variant = report->rows[first].variant;
  s->program = report->rows[first].parts[part].program;
  s->count = 0;
  for (int skipped = 0; skipped < 2 && !s->count; skipped++)
    for (uint32_t i = first; i < report->row_count; i++) {
      const EmuRow *row = &report->rows[i];
      const EmuPart *p = part < row->part_count ? &row->parts[part] : NULL;
      if (p && p->result && p->program == s->program &&
          (skipped || p->result->outcome != SPV_EMU_SKIP))
        s->results[s->count++] = p->result;
    }
}

/* "policies structured, opt"; the blocks of opt are those of another policy. */
static void print_title(const Sheet *s) {
  bool opt = false;
  printf("\n; %s%spolic%s", s->variant ? s->variant : "", s->variant ? ", " : "",
         s->count == 1 ? "y" : "ies");
  for (uint32_t i = 0; i < s->count; i++) {
    printf("%s %s", i ? "," : "", s->results[i]->policy);
    opt = opt || strcmp(s->results[i]->policy, "opt") == 0;
  }
  puts(opt ? "; opt has no schedule: its figures are those of the run under maximal that recorded "
             "the lanes' paths"
           : "");
}

/* The source; if there is none, or with --annotate=asm, the disassembly. */
static char *listing(const EmuCli *cli, const Sheet *s, bool first) {
  char *text =
      cli->annotate_source ? spv_emu_annotate_source_all(s->program, s->results, s->count) : NULL;
  if (text && *text)
    return text;
  if (text && first)
    tool_say(
        input_of(cli),
        "note: the module has no source lines, so this is its disassembly; compile it with -g");
  free(text);
  return spv_emu_annotate_all(s->program, s->results, s->count);
}

static bool print(const EmuCli *cli, const Sheet *s, bool first) {
  char *text = listing(cli, s, first), *calls = spv_emu_annotate_calls(s->results, s->count);
  bool good = text && calls;
  if (good) {
    print_title(s);
    printf("%s%s", text, calls);
  } else {
    tool_say(input_of(cli), "out of memory");
  }
  free(text);
  free(calls);
  return good;
}

/* Is this the first row with the program of the part? */
static bool is_first(const EmuReport *report, uint32_t row, uint32_t part) {
  for (uint32_t i = 0; i < row; i++)
    if (part < report->rows[i].part_count &&
        report->rows[i].parts[part].program == report->rows[row].parts[part].program)
      return false;
  return report->rows[row].parts[part].result != NULL;
}

bool emu_cli_annotate(const EmuCli *cli, const EmuReport *report) {
  Sheet s = {.results = calloc(report->row_count + 1u, sizeof *s.results)};
  bool good = s.results || (tool_say(input_of(cli), "out of memory"), false), first = true;
  for (uint32_t i = 0; i < report->row_count; i++)
    for (uint32_t p = 0; good && p < report->rows[i].part_count; p++)
      if (is_first(report, i, p)) {
        collect(report, i, p, &s);
        good = print(cli, &s, first);
        first = false;
      }
  free(s.results);
  return good;
}
