/* SPDX-License-Identifier: Apache-2.0 */
/* cli_against: --against: does the input compute the same as a module that it was made from? */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "passes/cli/cli_options.h"
#include "passes/tool/tool_file.h"

/* Compares the input with the module cli->against, as --check does, and prints the result on
 * standard output, as an object with --json. Returns the exit status: 1 if the modules differ, or
 * if there is nothing to compare. */
int cli_against(const Cli *cli, const ToolInput *in);

#endif
