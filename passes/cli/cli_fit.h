/* SPDX-License-Identifier: Apache-2.0 */
/* cli_fit: --order=profile:FILE. A profile holds several programs if it was recorded from a case
 * with several pipelines; the first program whose blocks are all in the module is used. */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "passes/cli/cli_options.h"
#include "passes/tool/tool_file.h"

/* If options.order names a profile, replaces it by the order chosen from the profile: *order, which
 * the caller frees. If that fails, prints one line on standard error and returns false. */
bool cli_fit(Cli *cli, const ToolInput *in, char **order);

#endif
