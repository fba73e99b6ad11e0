/* SPDX-License-Identifier: Apache-2.0 */
/* cli_compare: --compare: the results of every transform on one module, side by side. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "passes/cli/cli_options.h"
#include "passes/tool/tool_file.h"

/* Runs the transforms one by one and prints a table, or an object with --json, on standard output.
 * Returns the exit status of the first run, which transforms nothing. A transform that refuses the
 * module gets a row with the reason; so does a transform that fails with a bug, and then the status
 * is 3. */
int cli_compare(const Cli *cli, const ToolInput *in);

#endif
