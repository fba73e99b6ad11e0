/* SPDX-License-Identifier: Apache-2.0 */
/* cli_lint: what --lint finds: as a compiler prints warnings and notes, as JSON, as SARIF. */
#ifndef CLI_LINT_H
#define CLI_LINT_H

#include "passes/cli/cli_options.h"

/* Prints the findings, and writes them to the file of --sarif. False: something cannot be written,
 * or there are findings and --lint=error was given. */
bool cli_lint(const Cli *cli, const spvreconv_result *result);

#endif
