/* SPDX-License-Identifier: Apache-2.0 */
/* cli_run: runs the library on a file that was read, and names the exit statuses. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/cli_options.h"

#include <spvreconv/spvreconv.h>

enum { CLI_BAD_INPUT = 1, CLI_BUG = 3 }; /* besides CLI_USAGE */

/* Reads the file, and compiles it if it is a shader. False: one line is on standard error.
 * `in->bytes` is to be freed in any case. */
bool cli_open(const Cli *cli, const char *file, CliInput *in);
/* Like spvreconv_run, or spvreconv_run_text if the input is text. */
spvreconv_status cli_run(const spvreconv_options *options, const CliInput *in,
                         spvreconv_result **result);

#endif
