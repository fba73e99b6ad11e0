/* SPDX-License-Identifier: Apache-2.0 */
/* cli_lint: what --lint finds: as a compiler prints warnings and notes, as JSON, as SARIF. */
#ifndef CLI_LINT_H
#define CLI_LINT_H

#include "passes/cli/cli_options.h"

#include <stdio.h>

/* Prints the findings, and writes them to the file of --sarif, or of several modules to the
 * descriptor cli->sarif_parts, with cli->module_index. False: something cannot be written,
 * or there are findings and --lint=error was given. */
bool cli_lint(const Cli *cli, const spvreconv_result *result);

/* Writes what the processes of `count` modules left in `parts` to the file of --sarif, in the order
 * of the modules. False, with one line on standard error: it cannot be written. */
bool cli_lint_join(const Cli *cli, FILE *parts, size_t count);

#endif
