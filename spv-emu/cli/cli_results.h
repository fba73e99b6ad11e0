/* SPDX-License-Identifier: Apache-2.0 */
/* cli_results: do the modules of --before and --after leave the same results?
 *
 * Compared, bit for bit, is what a run leaves in buffers, images and attachments (cli_final.h),
 * under the same policy and with the same subgroup size. What lanes see of each other (ballots,
 * shuffles) counts where it gets there.
 *
 * The verdict is *differ* if anything differs, or if under a policy one module runs to its end and
 * the other does not; *equal* only if something was compared and nothing else was written. What
 * could not be compared is named. */
#ifndef EMU_CLI_RESULTS_H
#define EMU_CLI_RESULTS_H

#include "spv-emu/cli/cli_case.h"

#include <jansson.h>

typedef struct EmuCliKept EmuCliKept;

typedef struct EmuCliResults {
  uint32_t side;    /* how many rows each of the two modules has; 0: nothing is compared */
  uint32_t taken;   /* how many rows have been taken */
  EmuCliKept *kept; /* what the rows of the first module left */
  uint64_t compared, differences, unknown; /* `unknown`: written, and not compared */
  json_t *different, *left_out;            /* a line for each */
} EmuCliResults;

/* `rows`: of both modules. False: out of memory, with a line on standard error. To be closed in any
 * case. */
bool emu_cli_results_open(EmuCliResults *r, const EmuCli *cli, uint32_t rows);
/* Takes the results of the next row, which has run. False: as above. */
bool emu_cli_results_take(EmuCliResults *r, const EmuCase *c, const EmuRow *row);
/* The verdict and its reasons. NULL: nothing was to be compared, or out of memory. */
json_t *emu_cli_results_object(const EmuCliResults *r);
/* The same as text; the last line is the verdict. Nothing, if nothing was to be compared. */
void emu_cli_results_print(const EmuCliResults *r, FILE *out);
/* Are the results equal, or was nothing to be compared? */
bool emu_cli_results_good(const EmuCliResults *r);
void emu_cli_results_close(EmuCliResults *r);

#endif
