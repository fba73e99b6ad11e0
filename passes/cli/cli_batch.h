/* SPDX-License-Identifier: Apache-2.0 */
/* cli_batch: several modules, each in a process of its own: if one takes too much memory or time,
 * it fails alone. */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "passes/cli/cli_options.h"

/* Are there several modules: several inputs, an input folder, or an output folder? */
bool cli_is_batch(const Cli *cli);

/* Calls `run` for each module, with its own cli->input and cli->output. The output is FOLDER/NAME,
 * where NAME is the file's name or, in an input folder, the path below that folder. Prints what
 * each module printed, in order, and how many failed; returns the highest exit code. */
int cli_batch(Cli *cli, int (*run)(Cli *cli));

#endif
