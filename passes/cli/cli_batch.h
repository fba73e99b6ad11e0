/* SPDX-License-Identifier: Apache-2.0 */
/* cli_batch: several modules, each in a process of its own, so that one that runs out of memory or
 * time costs only itself. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli/cli_options.h"

/* Do the inputs or the output ask for it: several inputs, a folder, an output folder? */
bool cli_is_batch(const Cli *cli);

/* Calls `run` for each module, with cli->input and cli->output set to its own: FOLDER/NAME, where
 * NAME is its file's name, or for one of an input folder its path below that. Prints what each
 * printed, in order, and how many failed; returns the highest exit code. */
int cli_batch(Cli *cli, int (*run)(Cli *cli));

#endif
