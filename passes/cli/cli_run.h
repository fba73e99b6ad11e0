/* SPDX-License-Identifier: Apache-2.0 */
/* cli_run: runs the library on a file that was read, and names the exit statuses. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/cli_file.h"

#include <spvreconv/spvreconv.h>

enum { CLI_BAD_INPUT = 1, CLI_BUG = 3 }; /* besides CLI_USAGE */

/* Like spvreconv_run, or spvreconv_run_text if the input is text. */
spvreconv_status cli_run(const spvreconv_options *options, const CliInput *in,
                         spvreconv_result **result);

#endif
