/* SPDX-License-Identifier: Apache-2.0 */
/* cli_results: do the modules of --before and --after leave the same results?
 *
 * The contents that a run leaves in buffers, images and attachments (cli_final.h) are compared bit
 * for bit (with --ulps, floats up to this distance), under the same policy and with the same subgroup
 * size, and so are the lanes that run each subgroup operation together (cli_tangles.h).
 *
 * The verdict is *differ* if anything differs, or if under a policy one module runs to its end and
 * the other does not; *equal* only if something was compared and nothing else was written. Contents
 * that could not be compared are named. */
#ifndef EMU_CLI_RESULTS_H
#define EMU_CLI_RESULTS_H

#include "spv-emu/cli/cli_case.h"
#include "spv-emu/cli/cli_tangles.h"

#include <jansson.h>

typedef struct EmuCliKept EmuCliKept;

typedef struct EmuCliResults {
  uint64_t ulps;    /* units in the last place by which floats may differ */
  uint32_t side;    /* number of rows of each of the two modules; 0: nothing is compared */
  uint32_t taken;   /* number of rows taken so far */
  EmuCliKept *kept; /* the contents that the rows of the first module left */
  uint64_t compared, differences, unknown; /* `unknown`: contents that were written but not
                                              compared */
  json_t *different, *left_out;            /* a line for each */
  EmuCliTangles tangles;
} EmuCliResults;

/* `rows`: of both modules. False: out of memory, with a line on standard error. Close the results
 * in any case. */
bool emu_cli_results_open(EmuCliResults *r, const EmuCli *cli, uint32_t rows);
/* The same for the row that others are compared with. */
bool emu_cli_results_open_one(EmuCliResults *r, const EmuCli *cli);
/* Does the row, which has run, leave the same as the first row that was taken? False: no, or it is
 * not known. */
bool emu_cli_results_same(const EmuCliResults *r, const EmuCase *c, const EmuRow *row);
/* Call this before the next row runs. Sets *to to the value for spv_emu_run_options.tangles. False:
 * as above. */
bool emu_cli_results_listen(EmuCliResults *r, const EmuCase *c, const spv_emu_tangles **to);
/* Takes the results of the next row, which has run. False: as above. */
bool emu_cli_results_take(EmuCliResults *r, const EmuCase *c, const EmuRow *row);
/* The verdict and its reasons. NULL: nothing was to be compared, or out of memory. */
json_t *emu_cli_results_object(const EmuCliResults *r);
/* Prints the same as text; the last line is the verdict. Prints nothing if nothing was to be
 * compared. */
void emu_cli_results_print(const EmuCliResults *r, FILE *out);
/* Are the results equal, or was nothing to be compared? */
bool emu_cli_results_good(const EmuCliResults *r);
void emu_cli_results_close(EmuCliResults *r);

#endif
