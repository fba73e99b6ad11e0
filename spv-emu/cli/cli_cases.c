/* SPDX-License-Identifier: Apache-2.0 */
/* cli_cases: see cli_cases.h. */
#include "spv-emu/cli/cli_cases.h"

#include "passes/tool/tool_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *title_of(const EmuCli *cli) {
  char *title = NULL;
  if (!cli->before)
    return strdup(cli->input);
  return asprintf(&title, "%s -> %s", cli->before, cli->after) < 0 ? NULL : title;
}

bool emu_cli_cases_open(EmuCliCases *cases, const EmuCli *cli, uint32_t rows) {
  uint32_t count = emu_cli_variants(cli);
  *cases = (EmuCliCases){.count = count,
                         .cases = calloc(count, sizeof *cases->cases),
                         .names = calloc(count, sizeof *cases->names),
                         .title = title_of(cli),
                         .rows = calloc(rows, sizeof *cases->rows),
                         .row_count = rows};
  if (!cases->cases || !cases->names || !cases->title || !cases->rows) {
    tool_say(cli->before ? cli->before : cli->input, "out of memory");
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    emu_cli_variant_name(cli, i, cases->names[i], sizeof cases->names[i]);
  return true;
}

void emu_cli_cases_close(EmuCliCases *cases) {
  for (uint32_t i = 0; cases->rows && i < cases->row_count; i++)
    emu_row_free(&cases->rows[i]);
  for (uint32_t i = 0; cases->cases && i < cases->count; i++)
    emu_case_close(&cases->cases[i]);
  free(cases->cases);
  free(cases->names);
  free(cases->title);
  free(cases->rows);
}
