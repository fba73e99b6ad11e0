/* SPDX-License-Identifier: Apache-2.0 */
/* graph_options: the command line of spv-graph. */
#ifndef GRAPH_OPTIONS_H
#define GRAPH_OPTIONS_H

#include "spv-graph/code.h"

typedef enum Format { FORMAT_JSON, FORMAT_DOT, FORMAT_SPIRV, FORMAT_ASSEMBLY, FORMAT_CASE } Format;

typedef struct Options {
  const char *input, *output; /* "-": standard input, output */
  const char *function;       /* NULL: that of the entry point */
  const char *profile;        /* a file; NULL: not given */
  const char *format;         /* --to; NULL: chosen by the output's name */
  CodeOptions code;
} Options;

/* False if there is nothing to run: --help or --version has been printed (*code 0), or the usage is
 * wrong and one line on standard error says what is wrong (*code TOOL_USAGE). */
bool options_parse(Options *options, int argc, char **argv, int *code);

/* The format to write. `was_graph`: the input was a graph. False: one line on standard error. */
bool options_format(const Options *options, bool was_graph, Format *format);

#endif
