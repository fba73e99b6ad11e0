/* SPDX-License-Identifier: Apache-2.0 */
/* cli_tangles: do the modules of --before and --after form the same tangles (cases/tangles.h) under
 * each policy? */
#ifndef EMU_CLI_TANGLES_H
#define EMU_CLI_TANGLES_H

#include "spv-emu/cases/tangles.h"
#include "spv-emu/report/report_row.h"

#include <jansson.h>

typedef struct EmuCliTangles {
  uint32_t side;     /* rows of each module */
  EmuTangles **kept; /* of the rows of the first module */
  EmuTangles *now;   /* of the row of the second module that runs */
  spv_emu_tangles to;
  uint64_t lanes, different; /* lanes that run subgroup operations; those with differences */
  json_t *differences;
} EmuCliTangles;

/* `side`: rows of each module. False: out of memory. Close the tangles in any case. */
bool emu_cli_tangles_open(EmuCliTangles *t, uint32_t side);
/* Before row number `row`, counted over both modules, runs: what to give the run. NULL: out of
 * memory. */
const spv_emu_tangles *emu_cli_tangles_listen(EmuCliTangles *t, uint32_t row);
/* Does the row of either module run subgroup operations? `row` has run, and is of the second. */
bool emu_cli_tangles_any(const EmuCliTangles *t, uint32_t row);
/* Compares the row, of the second module, that has run with the same row of the first, and calls
 * `say` for each line about a difference. *equal: there is none. False: out of memory. */
bool emu_cli_tangles_judge(EmuCliTangles *t, uint32_t row, const EmuRow *of,
                           void (*say)(void *user, const char *line), void *user, bool *equal);
/* The verdict as JSON. */
json_t *emu_cli_tangles_object(const EmuCliTangles *t);
void emu_cli_tangles_close(EmuCliTangles *t);

#endif
