/* SPDX-License-Identifier: Apache-2.0 */
/* cli_open: reads an input: a module, or a shader that is compiled. */
#ifndef CLI_OPEN_H
#define CLI_OPEN_H

#include "passes/cli/cli_options.h"

/* Reads the file, and compiles it if it is a shader. False: one line is on standard error.
 * `in->bytes` is to be freed in any case. */
bool cli_open(const Cli *cli, const char *file, ToolInput *in);

#endif
