/* SPDX-License-Identifier: Apache-2.0 */
/* cli_options: the arguments of the command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cli_limit.h"
#include "cli/cli_usage.h"

#include <spvreconv/spvreconv.h>

typedef struct Cli {
  spvreconv_options options;
  CliLimit limit;
  const char *input, *output; /* NULL where not given, "-" for standard input, output */
  const char *dump_cfg, *dump_wave, *dump_open_tree; /* NULL where not given */
  bool stats, json, compare, explain, check, print_uniformity, time_passes;
} Cli;

/* False if there is nothing to run: --help or --version has been printed (*code 0), or the usage is
 * wrong and one line on standard error says what is wrong (*code CLI_USAGE). */
bool cli_parse(Cli *cli, int argc, char **argv, int *code);

#endif
