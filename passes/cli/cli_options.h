/* SPDX-License-Identifier: Apache-2.0 */
/* cli_options: the arguments of the command line. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "passes/cli/cli_stats.h"
#include "passes/tool/tool_limit.h"
#include "passes/tool/tool_source.h"
#include "passes/tool/tool_usage.h"

#include <spvreconv/spvreconv.h>

typedef struct Cli {
  spvreconv_options options;
  ToolSource source; /* how to compile shader sources */
  ToolLimit limit;
  char *const *inputs; /* as given; for one module, `input` and `output` are used */
  int input_count;
  const char *input, *output; /* "-": standard input, standard output; output NULL: not given */
  bool several;               /* the module is one of several */
  uint32_t jobs;              /* 0: not given */
  char *transforms;           /* owned; options.transform points to it, unless NULL */
  const char *dump_cfg, *dump_wave, *dump_open_tree; /* NULL where not given */
  const char *sarif;                                 /* a file, or NULL */
  int sarif_parts;     /* of one of several modules: see cli_lint_join */
  size_t module_index; /* of one of several modules */
  const char *against; /* the module to compare with, or NULL */
  bool check_always;   /* SPVRECONV_CHECK=1: checks, and prints only differences */
  CliStats stats;
  const char *stats_file; /* --stats=FILE; NULL: standard output, or standard error if that has the
                             module */
  const char *pointers;   /* --pointers, or NULL */
  bool to_vulkan, json, compare, lint, lint_error, explain, explain_portable, check,
      print_uniformity, print_frontier, time_passes;
} Cli;

/* False if there is nothing to run: --help or --version has been printed (*code 0), or the usage is
 * wrong and one line on standard error says what is wrong (*code TOOL_USAGE). */
bool cli_parse(Cli *cli, int argc, char **argv, int *code);
void cli_free(Cli *cli);

#endif
