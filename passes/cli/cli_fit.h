/* SPDX-License-Identifier: Apache-2.0 */
/* cli_fit: --order=profile:FILE. A profile holds several programs if it was recorded from a case
 * with several pipelines; the first one is used whose blocks are all in the module. */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "cli/cli_file.h"
#include "cli/cli_options.h"

/* If options.order names a profile, replaces it by the order chosen from the profile: *order, to be
 * freed. False: one line on standard error. */
bool cli_fit(Cli *cli, const CliInput *in, char **order);

#endif
