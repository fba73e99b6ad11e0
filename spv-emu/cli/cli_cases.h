/* SPDX-License-Identifier: Apache-2.0 */
/* cli_cases: the inputs of all variants (cli_variant.h) and the rows of their results. The inputs
 * stay loaded until the reports are written. */
#ifndef EMU_CLI_CASES_H
#define EMU_CLI_CASES_H

#include "spv-emu/cli/cli_case.h"
#include "spv-emu/cli/cli_variant.h"

enum { EMU_VARIANT_NAME = 160 };

typedef struct EmuCliCases {
  uint32_t count;                  /* variants */
  EmuCase *cases;                  /* by variant */
  char (*names)[EMU_VARIANT_NAME]; /* by variant */
  char *title;                     /* of the reports: the files */
  EmuRow *rows;                    /* variant by variant */
  uint32_t row_count;
} EmuCliCases;

/* Makes room for `rows` rows. False: one line is on standard error. Close the cases in any case. */
bool emu_cli_cases_open(EmuCliCases *cases, const EmuCli *cli, uint32_t rows);
void emu_cli_cases_close(EmuCliCases *cases);

#endif
