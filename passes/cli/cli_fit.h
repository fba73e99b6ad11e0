/* cli_fit: --order=profile:FILE. A profile holds several programs where the case that it was
 * recorded from has several pipelines; the one meant is the first whose blocks the module has. */
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "cli/cli_file.h"
#include "cli/cli_options.h"

/* Where options.order names a profile, puts the order chosen from it there: *order, to be freed.
 * False: one line on standard error. */
bool cli_fit(Cli *cli, const CliInput *in, char **order);

#endif
