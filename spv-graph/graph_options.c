/* SPDX-License-Identifier: Apache-2.0 */
/* graph_options: see graph_options.h. */
#include "spv-graph/graph_options.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_usage.h"

#include <getopt.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>

const char tool_program[] = "spv-graph";

enum {
  OPT_TO = 256,
  OPT_FUNCTION,
  OPT_PROFILE,
  OPT_SEED,
  OPT_TAKEN,
  OPT_TURNS,
  OPT_BUDGET,
  OPT_TOGETHER,
  OPT_LIVE,
  OPT_LANES,
  OPT_GROUPS,
  OPT_BARRIERS,
  OPT_VERSION,
  OPT_HELP,
};

static const struct option table[] = {
    {"to", required_argument, NULL, OPT_TO},
    {"function", required_argument, NULL, OPT_FUNCTION},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"taken", required_argument, NULL, OPT_TAKEN},
    {"turns", required_argument, NULL, OPT_TURNS},
    {"budget", required_argument, NULL, OPT_BUDGET},
    {"together", required_argument, NULL, OPT_TOGETHER},
    {"live", required_argument, NULL, OPT_LIVE},
    {"local-size", required_argument, NULL, OPT_LANES},
    {"groups", required_argument, NULL, OPT_GROUPS},
    {"barriers", no_argument, NULL, OPT_BARRIERS},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, OPT_HELP},
    {0},
};

static const char help[] =
    "Usage: spv-graph [options] [INPUT] [-o OUTPUT]\n"
    "\n"
    "Turns a control-flow graph into a kernel of that shape, or a function into its\n"
    "graph. INPUT is a graph (.json, .dot), a SPIR-V module (binary or text), a\n"
    "shader (.comp, .cl, ...), or - for standard input (default).\n"
    "\n"
    "  -o OUTPUT            .spv, .spvasm or .amber: a kernel; .json or .dot: a\n"
    "                       graph; - for standard output (default)\n"
    "  --to=FORMAT          json, dot, spv, spvasm or amber; default: by OUTPUT's\n"
    "                       name, else spvasm for a graph, json for a module\n"
    "  --function=NAME      of a module: the function, or its id as %N; default: that\n"
    "                       of the first entry point\n"
    "  --profile=FILE.json  of a module: branches go as on the paths that spv-emu\n"
    "                       --profile recorded with it, each by its share\n"
    "\n"
    "Kernels (docs/graph.md):\n"
    "  --seed=N             of the paths that lanes take (1)\n"
    "  --taken=SHARE        of lanes that take the first of two edges, where the\n"
    "                       graph does not say it and no edge leaves a loop (0.5)\n"
    "  --turns=N            of a loop, on average, likewise (16)\n"
    "  --budget=N           loop exits that a lane may pass by, in all; then it takes\n"
    "                       each (4096)\n"
    "  --together=N         neighbouring lanes that take the same path, a power of\n"
    "                       two (1)\n"
    "  --live=N             values live in all blocks (4)\n"
    "  --local-size=N       lanes of a workgroup (64)\n"
    "  --groups=N           workgroups, in a case (1)\n"
    "  --barriers           write the graph's barriers, which all lanes must reach\n"
    "\n"
    "  --version            print the version and the licence, and exit\n"
    "  -h, --help           print the options, and exit\n"
    "\n"
    "Example:\n"
    "  spv-graph kernel.json -o kernel.amber && spv-emu --policy=all kernel.amber\n"
    "\n"
    "Exit status: 0 done; 1 the input is bad; 2 wrong usage.\n";

static bool read_number(const char *name, const char *text, uint64_t least, uint64_t most,
                        uint64_t *value) {
  return tool_number(text, least, most, value) ||
         tool_wrong("--%s expects a number from %llu to %llu, not '%s'", name,
                    (unsigned long long)least, (unsigned long long)most, text);
}

static bool read_word(const char *name, const char *text, uint64_t least, uint64_t most,
                      uint32_t *value) {
  uint64_t number;
  if (!read_number(name, text, least, most, &number))
    return false;
  *value = (uint32_t)number;
  return true;
}

static bool read_taken(const char *text, double *taken) {
  char *end;
  *taken = strtod(text, &end);
  return (end != text && !*end && *taken >= 0 && *taken <= 1) ||
         tool_wrong("--taken expects a number from 0 to 1, not '%s'", text);
}

static bool read_together(const char *text, uint32_t *together) {
  return read_word("together", text, 1, CODE_MOST_LANES, together) &&
         (!(*together & (*together - 1)) ||
          tool_wrong("--together expects a power of two, not '%s'", text));
}

static bool read_option(Options *o, int key, const char *value) {
  switch (key) {
  case 'o':
    o->output = value;
    return true;
  case OPT_TO:
    o->format = value;
    return true;
  case OPT_FUNCTION:
    o->function = value;
    return true;
  case OPT_PROFILE:
    o->profile = value;
    return true;
  case OPT_SEED:
    return read_number("seed", value, 0, UINT64_MAX, &o->code.seed);
  case OPT_TAKEN:
    return read_taken(value, &o->code.taken);
  case OPT_TURNS:
    return read_word("turns", value, 1, 1000000, &o->code.iterations);
  case OPT_BUDGET:
    return read_word("budget", value, 0, INT32_MAX, &o->code.budget);
  case OPT_TOGETHER:
    return read_together(value, &o->code.together);
  case OPT_LIVE:
    return read_word("live", value, 1, CODE_MOST_LIVE, &o->code.live);
  case OPT_LANES:
    return read_word("local-size", value, 1, CODE_MOST_LANES, &o->code.lanes);
  case OPT_GROUPS:
    return read_word("groups", value, 1, CODE_MOST_GROUPS, &o->code.groups);
  default:
    return o->code.barriers = true;
  }
}

bool options_parse(Options *o, int argc, char **argv, int *code) {
  *o = (Options){.input = "-", .output = "-", .code = code_options()};
  opterr = 0;
  *code = TOOL_USAGE;
  for (int key; (key = getopt_long(argc, argv, ":o:h", table, NULL)) != -1;) {
    if (key == 'h' || key == OPT_HELP || key == OPT_VERSION) {
      if (key == OPT_VERSION)
        tool_print_version(SPVRECONV_VERSION);
      else
        fputs(help, stdout);
      *code = 0;
      return false;
    }
    if (key == '?' || key == ':')
      return tool_refuse(key, argv[optind - 1], OPT_TO, table);
    if (!read_option(o, key, optarg))
      return false;
  }
  if (argc - optind > 1)
    return tool_wrong("one input at a time, not also '%s'", argv[optind + 1]);
  if (optind < argc)
    o->input = argv[optind];
  return true;
}

bool options_format(const Options *o, bool was_graph, Format *format) {
  static const char *const names[] = {".json", ".dot", ".spv", ".spvasm", ".amber"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (o->format ? strcmp(o->format, names[i] + 1) == 0 : tool_has_suffix(o->output, names[i])) {
      *format = (Format)i;
      return true;
    }
  if (o->format)
    return tool_wrong("--to expects json, dot, spv, spvasm or amber, not '%s'", o->format);
  *format = was_graph ? FORMAT_ASSEMBLY : FORMAT_JSON;
  return strcmp(o->output, "-") == 0 ||
         tool_wrong("the name of '%s' does not say what to write: end it in .spv, .spvasm, .amber, "
                    ".json or .dot, or add --to=FORMAT",
                    o->output);
}
