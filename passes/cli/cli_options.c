/* SPDX-License-Identifier: Apache-2.0 */
/* cli_options: see cli_options.h. getopt_long finds the options; their combination is checked at
 * the end. Each transform is also an option. */
#include "passes/cli/cli_options.h"

#include "passes/tool/os/os_terminal.h"
#include "passes/tool/tool_file.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_program[] = "spvreconv";

enum {
  OPT_TRANSFORM = 256,
  OPT_TO_VULKAN,
  OPT_ORDER,
  OPT_UNIFORMITY,
  OPT_SCOPE,
  OPT_ENV,
  OPT_EXPLAIN,
  OPT_LINT,
  OPT_SARIF,
  OPT_CHECK,
  OPT_AGAINST,
  OPT_GROWTH,
  OPT_TAIL_COPY,
  OPT_GOAL,
  OPT_STRUCTURE,
  OPT_PHIS,
  OPT_POINTERS,
  OPT_BLOCKS,
  OPT_IDS,
  OPT_NESTING,
  OPT_MEMORY,
  OPT_TIME,
  OPT_NO_VALIDATE,
  OPT_VALIDATE,
  OPT_PRESERVE_NAMES,
  OPT_STRIP_DEBUG,
  OPT_DUMP_CFG,
  OPT_DUMP_WAVE,
  OPT_LOWERING,
  OPT_DUMP_OPEN_TREE,
  OPT_PRINT_UNIFORMITY,
  OPT_PRINT_FRONTIER,
  OPT_TIME_PASSES,
  OPT_STATS,
  OPT_JSON,
  OPT_COMPARE,
  OPT_JOBS,
  OPT_STAGE,
  OPT_ENTRY,
  OPT_VERSION,
  OPT_HELP,
  OPT_EACH_TRANSFORM, /* plus the index of the transform */
};

static const struct option fixed_options[] = {
    {"transform", required_argument, NULL, OPT_TRANSFORM},
    {"to-vulkan", no_argument, NULL, OPT_TO_VULKAN},
    {"order", required_argument, NULL, OPT_ORDER},
    {"uniformity", required_argument, NULL, OPT_UNIFORMITY},
    {"scope", required_argument, NULL, OPT_SCOPE},
    {"target-env", required_argument, NULL, OPT_ENV},
    {"explain", optional_argument, NULL, OPT_EXPLAIN},
    {"lint", optional_argument, NULL, OPT_LINT},
    {"sarif", required_argument, NULL, OPT_SARIF},
    {"check", optional_argument, NULL, OPT_CHECK},
    {"against", required_argument, NULL, OPT_AGAINST},
    {"max-growth", required_argument, NULL, OPT_GROWTH},
    {"tail-copy", required_argument, NULL, OPT_TAIL_COPY},
    {"goal", required_argument, NULL, OPT_GOAL},
    {"structure", required_argument, NULL, OPT_STRUCTURE},
    {"phis", required_argument, NULL, OPT_PHIS},
    {"pointers", required_argument, NULL, OPT_POINTERS},
    {"max-blocks", required_argument, NULL, OPT_BLOCKS},
    {"max-ids", required_argument, NULL, OPT_IDS},
    {"max-nesting", required_argument, NULL, OPT_NESTING},
    {"max-memory", required_argument, NULL, OPT_MEMORY},
    {"max-time", required_argument, NULL, OPT_TIME},
    {"no-validate", no_argument, NULL, OPT_NO_VALIDATE},
    {"validate", required_argument, NULL, OPT_VALIDATE},
    {"preserve-names", no_argument, NULL, OPT_PRESERVE_NAMES},
    {"strip-debug", no_argument, NULL, OPT_STRIP_DEBUG},
    {"dump-cfg", required_argument, NULL, OPT_DUMP_CFG},
    {"dump-wave", required_argument, NULL, OPT_DUMP_WAVE},
    {"lowering", required_argument, NULL, OPT_LOWERING},
    {"dump-open-tree", required_argument, NULL, OPT_DUMP_OPEN_TREE},
    {"print-uniformity", no_argument, NULL, OPT_PRINT_UNIFORMITY},
    {"print-frontier", no_argument, NULL, OPT_PRINT_FRONTIER},
    {"time-passes", no_argument, NULL, OPT_TIME_PASSES},
    {"stats", optional_argument, NULL, OPT_STATS},
    {"json", no_argument, NULL, OPT_JSON},
    {"compare", no_argument, NULL, OPT_COMPARE},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"stage", required_argument, NULL, OPT_STAGE},
    {"entry", required_argument, NULL, OPT_ENTRY},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, OPT_HELP},
};

/* Lists the options above, and --NAME[=ARGUMENT] for each transform; the caller frees the list.
 * NULL: out of memory. */
static struct option *list_options(void) {
  const char *name, *purpose;
  size_t transforms = 0, count = sizeof fixed_options / sizeof *fixed_options;
  while (spvreconv_transform_info(transforms, &name, &purpose))
    transforms++;
  struct option *table = calloc(count + transforms + 1, sizeof *table);
  if (!table)
    return NULL;
  memcpy(table, fixed_options, sizeof fixed_options);
  for (size_t i = 0; i < transforms && spvreconv_transform_info(i, &name, &purpose); i++)
    table[count++] = (struct option){name, optional_argument, NULL, OPT_EACH_TRANSFORM + (int)i};
  return table;
}

static const char help_head[] =
    "Usage: spvreconv [options] [INPUT...] -o OUTPUT\n"
    "\n"
    "Structures the control flow of SPIR-V modules. INPUT is a SPIR-V binary (either\n"
    "byte order), assembly text, - for standard input (default), or a folder: all\n"
    "modules below it; or a shader, which is compiled first: GLSL (.comp, .frag,\n"
    "...), HLSL (.hlsl), OpenCL C (.cl).\n"
    "\n"
    "  -o OUTPUT            write the module here: text if the name ends in .spvasm,\n"
    "                       - for standard output; a folder (DIR/) for several\n"
    "                       modules\n"
    "  --transform=LIST     comma list of transforms, run in order; see below. Each\n"
    "                       is also an option: --reconverge --structurize\n"
    "  --to-vulkan          make a Vulkan module of an OpenCL module: the same as\n"
    "                       --transform=kernel-to-shader,structurize\n"
    "  --pointers=KIND      with --to-vulkan, pointers to global memory are storage\n"
    "                       buffers (buffer, default) or addresses of 64 bits\n"
    "                       (address)\n"
    "  --jobs=N             transform N of several modules at a time (as many as\n"
    "                       processors)\n"
    "  --strip-debug        drop names, debug lines and debug info\n"
    "  --preserve-names     keep them (default)\n"
    "  --max-growth=PERCENT limit for transforms that add code (1000;\n"
    "                       kernel-to-shader: 10000)\n"
    "  --tail-copy=N        structurize may copy tails of at most N instructions\n"
    "                       where it would place a guard (0)\n"
    "  --goal=GOAL          what structurize chooses the order and copies for: size\n"
    "                       (few instructions) or issues (few added blocks that\n"
    "                       run); default: no order is chosen, copies are for size\n"
    "  --structure=FORM     what transforms that make structure write: portable\n"
    "                       (only what WGSL, HLSL, MSL and GLSL can say, too;\n"
    "                       default) or any (all that SPIR-V allows; fewer blocks)\n"
    "  --phis=KIND          keep (default), or variables: each OpPhi of the result\n"
    "                       becomes a variable, for readers that take no phis\n"
    "\n"
    "Shaders:\n"
    "  -I DIR               a folder for #include\n"
    "  -D NAME[=VALUE]      a macro\n"
    "  -g                   keep the source and its lines in the module\n"
    "  --stage=STAGE        if the file's name does not say it: vert frag comp ...,\n"
    "                       and cl for OpenCL C\n"
    "  --entry=NAME         the entry point of HLSL (main)\n"
    "\n"
    "Limits (docs/limits.md lists them all; an input that exceeds one is refused):\n"
    "  --max-blocks=N       of a function (as many as there are ids)\n"
    "  --max-ids=N          the id bound (4194303)\n"
    "  --max-nesting=N      of constructs, where SPIRV-Tools validates (1023)\n"
    "  --max-memory=MIB     give up if more is needed (3800)\n"
    "  --max-time=SECONDS   give up after this much processor time (60)\n"
    "\n";

static const char help_checks[] =
    "Checks (in addition to spvreconv's own of what the transforms need):\n"
    "  --target-env=ENV     validate for this environment, named as in spirv-val;\n"
    "                       default: the lowest Vulkan that admits the module's\n"
    "                       version, for kernels the universal environment; of\n"
    "                       OpenCL C also spirv64: clang-22 --target=spirv64\n"
    "  --validate=KIND      auto: with SPIRV-Tools, unless a function has over 10,000\n"
    "                       blocks, the module over a million words, constructs nest\n"
    "                       so deep or functions call so many that it would take\n"
    "                       long, or the only transform is none (default); full; none\n"
    "  --no-validate        the same as --validate=none\n"
    "  --check[=WALKS]      compare the result with the input, without running\n"
    "                       either: lanes walk through both, up to WALKS in each\n"
    "                       function (default: as many as it takes); exit 3 if they\n"
    "                       differ\n"
    "  --against=OLD        only compare the input with OLD, from which it must have\n"
    "                       been made by moving instructions; in the same way, with\n"
    "                       --check=WALKS as limit; exit 1 if they differ\n"
    "  --explain[=portable] only check structure: name the rule, construct and edge\n"
    "                       of each violation, and what to do; exit 1 if there is\n"
    "                       any, or the input is not valid for another reason; with\n"
    "                       --json as JSON; portable: by the rules of portable\n"
    "                       structure, too\n"
    "  --lint[=error]       only look for barriers, derivatives and operations of\n"
    "                       quads and subgroups under control that may diverge, with\n"
    "                       the reasons in source lines; with --json as JSON; =error:\n"
    "                       exit 1 if there is any\n"
    "  --sarif=FILE         write what --lint finds as SARIF 2.1.0, too\n"
    "\n";

static const char help_reports[] =
    "Reports (OUTPUT may be left out):\n"
    "  --stats[=all|FILE]   figures of the module before and after, in ten lines;\n"
    "                       =all: every figure of each function; in FILE, if it ends\n"
    "                       in .json as JSON, or on standard error if standard\n"
    "                       output has the module\n"
    "  --json               the same figures as JSON; of several modules, a line each\n"
    "  --compare            one table of all transforms and orders on this module:\n"
    "                       blocks, instructions, issues, what was added; with --json\n"
    "                       as JSON\n"
    "  --dump-cfg=FILE      draw the resulting control flow; FILE ends in .dot, or in\n"
    "                       .svg (needs Graphviz); with --transform=none that of the\n"
    "                       input\n"
    "  --dump-wave=FILE     the wave-level program that branches become on hardware\n"
    "                       with an EXEC mask, as a listing; needs reconverging\n"
    "                       functions (transform reconverge makes them so)\n"
    "  --lowering=LIST      how to lower to it: needed-skips (only skip branches that\n"
    "                       are needed), flow-blocks (before joins that uniform\n"
    "                       branches lead to), branch-masks (one for each branch)\n"
    "  --dump-open-tree=DIR a picture of each step of reconverge,\n"
    "                       DIR/FUNCTION-ID-0001.svg and so on (.dot without\n"
    "                       Graphviz)\n"
    "  --print-uniformity   the resulting module as text, each value and branch\n"
    "                       marked uniform or divergent\n"
    "  --print-frontier     thread frontiers of the resulting functions, priorities\n"
    "                       by --order, and the edges that need a check for lanes\n"
    "                       that wait; also in --json and --dump-cfg\n"
    "  --time-passes        the time that each pass took and its share, on standard\n"
    "                       error\n"
    "  --order=ORDER        block order of reconverge (default dfpd) and of reports\n"
    "                       (lrpo): df dfpd dfpd-oldest bf bfpd bfpd-successor rpo\n"
    "                       domreg lrpo cdep ocelot or\n"
    "                       [FUNCTION:]@BLOCK,BLOCK,... (default: the entry point's),\n"
    "                       several with ; between; best: the one with which\n"
    "                       reconverge adds least; profile:FILE: chosen for few\n"
    "                       issues on the paths in FILE, by spv-emu --profile\n"
    "  --uniformity=KIND    which branches count as uniform: as the analysis finds\n"
    "                       (analysis, the default), none (divergent), all (uniform)\n"
    "  --scope=SCOPE        uniform within a subgroup (default) or a workgroup\n"
    "\n"
    "  --version            print the version and the licence, and exit\n"
    "  -h, --help           print the options, and exit\n"
    "  @FILE                the words in FILE are arguments, too\n"
    "\n"
    "Transforms:\n";

static const char help_tail[] =
    "\n"
    "Example:\n"
    "  spvreconv shader.spv -o structured.spv --stats --dump-cfg=after.svg\n"
    "\n"
    "Exit status: 0 done; 1 the input, or a request about it, is bad; 2 wrong usage;\n"
    "3 a bug of spvreconv. Unless it is 0, no module is written.\n";

static void print_help(void) {
  fputs(help_head, stdout);
  fputs(help_checks, stdout);
  fputs(help_reports, stdout);
  const char *name, *purpose;
  for (size_t i = 0; spvreconv_transform_info(i, &name, &purpose); i++)
    printf("  %-20s %s\n", name, purpose);
  fputs(help_tail, stdout);
}

/* ---- wrong usage ---- */

static bool is_named(const Cli *cli, const char *file) {
  return file && strcmp(file, cli->stats_file) == 0;
}

/* Is there a report on the resulting module, apart from figures? */
static bool prints_module(const Cli *cli) {
  return cli->print_uniformity || cli->print_frontier;
}

static bool check_together(const Cli *cli) {
  bool prints = (cli->stats && !cli->stats_file) || cli->json || prints_module(cli) ||
                cli->explain || cli->compare || cli->check || cli->against || cli->lint;
  bool draws = cli->dump_cfg || cli->dump_open_tree || cli->dump_wave;
  if (cli->explain &&
      (cli->output || draws || cli->stats || prints_module(cli) || cli->time_passes || cli->check))
    return tool_wrong(
        "--explain only checks; of other output, only --json can be combined with it");
  if (cli->lint &&
      (cli->output || draws || cli->stats || prints_module(cli) || cli->explain ||
       cli->time_passes || cli->check || cli->against || cli->compare || cli->options.transform))
    return tool_wrong("--lint only looks at the input; of other output, only --json and --sarif "
                      "can be combined with it");
  if (cli->sarif && !cli->lint)
    return tool_wrong("--sarif is about --lint; add --lint");
  if (cli->against && (cli->output || draws || cli->stats || prints_module(cli) || cli->explain ||
                       cli->time_passes || cli->compare))
    return tool_wrong(
        "--against only compares; of other output, only --json can be combined with it");
  if (cli->against && cli->input_count > 1)
    return tool_wrong("--against compares two modules: name one after it, not %d",
                      cli->input_count);
  if (cli->against && strcmp(cli->against, "-") == 0 && strcmp(cli->input, "-") == 0)
    return tool_wrong("--against compares two modules, and standard input is one: name a file");
  if (cli->compare &&
      (cli->output || draws || cli->stats || prints_module(cli) || cli->explain ||
       cli->time_passes || cli->check || cli->options.transform || cli->options.order))
    return tool_wrong("--compare runs all transforms and orders; only --json can be combined with "
                      "it");
  if (cli->json && ((cli->stats && !cli->stats_file) || cli->print_uniformity))
    return tool_wrong(
        "--json is one object on standard output; no other report can be combined with it");
  if (cli->output && strcmp(cli->output, "-") == 0 && (cli->json || prints_module(cli)))
    return tool_wrong("standard output cannot take both the module and a report; name a file%s",
                      cli->json ? ": --stats=FILE.json has the same figures" : "");
  if (cli->options.lowering && !cli->dump_wave)
    return tool_wrong("--lowering is about --dump-wave; add --dump-wave=FILE");
  if (!cli->output && !cli->stats && !prints && !draws && !cli->time_passes)
    return tool_wrong("nothing to do: name an output with -o (- is standard output), or request a "
                      "report, such as --stats");
  if (cli->stats_file &&
      (is_named(cli, cli->output) || is_named(cli, cli->dump_cfg) || is_named(cli, cli->dump_wave)))
    return tool_wrong("--stats and another option name the same file; each needs its own");
  if (cli->output && cli->dump_cfg && strcmp(cli->output, cli->dump_cfg) == 0)
    return tool_wrong("-o and --dump-cfg name the same file; each needs its own");
  if (cli->dump_wave && ((cli->output && strcmp(cli->output, cli->dump_wave) == 0) ||
                         (cli->dump_cfg && strcmp(cli->dump_cfg, cli->dump_wave) == 0)))
    return tool_wrong("--dump-wave and another option name the same file; each needs its own");
  if (cli->dump_wave && strcmp(cli->dump_wave, "-") == 0 && prints)
    return tool_wrong("standard output cannot take both the listing and a report; name a file");
  if (cli->dump_cfg && !tool_has_suffix(cli->dump_cfg, ".dot") &&
      !tool_has_suffix(cli->dump_cfg, ".svg"))
    return tool_wrong("--dump-cfg expects a name in .dot or .svg, not '%s'", cli->dump_cfg);
  return true;
}

/* ---- options ---- */

static bool read_validate(Cli *cli, const char *kind) {
  static const char *const names[] = {"auto", "full", "none"};
  static const spvreconv_validate kinds[] = {SPVRECONV_VALIDATE_AUTO, SPVRECONV_VALIDATE_FULL,
                                             SPVRECONV_VALIDATE_NONE};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], kind) == 0) {
      cli->options.validate = kinds[i];
      return true;
    }
  return tool_wrong("unknown kind of validation '%s'; there are: auto, full, none", kind);
}

static bool read_growth(Cli *cli, const char *text) {
  uint64_t percent;
  if (!tool_number(text, 1, 1000000, &percent))
    return tool_wrong("--max-growth expects a percentage, 1 to 1000000, not '%s'", text);
  cli->options.max_growth = (uint32_t)percent;
  return true;
}

static bool read_tail_copy(Cli *cli, const char *text) {
  uint64_t number;
  if (!tool_number(text, 0, UINT32_MAX, &number))
    return tool_wrong("--tail-copy expects a number of instructions, 0 or more, not '%s'", text);
  cli->options.tail_copy = (uint32_t)number;
  return true;
}

static bool read_most(const char *option, const char *text, uint32_t *most) {
  uint64_t number;
  if (!tool_number(text, 1, UINT32_MAX, &number))
    return tool_wrong("%s expects a number, 1 or more, not '%s'", option, text);
  *most = (uint32_t)number;
  return true;
}

static bool read_limit(Cli *cli, int key, const char *text) {
  switch (key) {
  case OPT_GROWTH:
    return read_growth(cli, text);
  case OPT_BLOCKS:
    return read_most("--max-blocks", text, &cli->options.max_blocks);
  case OPT_IDS:
    return read_most("--max-ids", text, &cli->options.max_ids);
  case OPT_NESTING:
    return read_most("--max-nesting", text, &cli->options.max_nesting);
  case OPT_MEMORY:
    return tool_limit_memory(&cli->limit, text);
  default:
    return tool_limit_time(&cli->limit, text);
  }
}

/* Adds a transform or a list of them to the list, with its argument (or NULL). */
static bool add_transform(Cli *cli, const char *name, const char *argument) {
  char *list;
  int length =
      asprintf(&list, "%s%s%s%s%s", cli->transforms ? cli->transforms : "",
               cli->transforms ? "," : "", name, argument ? ":" : "", argument ? argument : "");
  if (length < 0)
    return tool_wrong("out of memory");
  free(cli->transforms);
  cli->options.transform = cli->transforms = list;
  return true;
}

static bool read_transform(Cli *cli, int key, const char *argument) {
  const char *name, *purpose;
  return spvreconv_transform_info((size_t)(key - OPT_EACH_TRANSFORM), &name, &purpose) &&
         add_transform(cli, name, argument);
}

/* A name with neither a dot nor a slash is more likely a slip than a file. */
static bool read_stats(Cli *cli, const char *value) {
  bool all = value && strcmp(value, "all") == 0;
  if (value && !all && !strpbrk(value, "./"))
    return tool_wrong("--stats expects nothing, 'all', or a file with a dot or a slash in its "
                      "name, not '%s'",
                      value);
  if (value && !all)
    cli->stats_file = value;
  if (all || !cli->stats)
    cli->stats = all ? CLI_STATS_ALL : CLI_STATS_SUM;
  return true;
}

static bool read_pointers(Cli *cli, const char *value) {
  cli->pointers = value;
  return strcmp(value, "buffer") == 0 || strcmp(value, "address") == 0 ||
         tool_wrong("--pointers expects buffer or address, not '%s'", value);
}

/* --to-vulkan and --pointers may come in any order. */
static bool apply_pointers(Cli *cli) {
  static const char name[] = "kernel-to-shader";
  if (!cli->pointers)
    return true;
  if (!cli->to_vulkan)
    return tool_wrong(
        "--pointers needs --to-vulkan; a list of transforms has kernel-to-shader:address");
  if (strcmp(cli->pointers, "address") != 0)
    return true;
  char *list, *at = strstr(cli->transforms, "kernel-to-shader,structurize") + strlen(name);
  if (asprintf(&list, "%.*s:address%s", (int)(at - cli->transforms), cli->transforms, at) < 0)
    return tool_wrong("out of memory");
  free(cli->transforms);
  cli->options.transform = cli->transforms = list;
  return true;
}

static bool read_option(Cli *cli, int key, const char *value) {
  switch (key) {
  case 'o':
    cli->output = strcmp(value, "/dev/stdout") == 0 ? "-" : value;
    return true;
  case OPT_TRANSFORM:
    return add_transform(cli, value, NULL);
  case OPT_TO_VULKAN:
    cli->to_vulkan = true;
    return add_transform(cli, "kernel-to-shader,structurize", NULL);
  case 'I':
  case 'D':
    return tool_source_add(&cli->source, (char)key, value);
  case 'g':
    return cli->source.debug = true;
  case OPT_STAGE:
    return tool_source_stage(&cli->source, value);
  case OPT_ENTRY:
    cli->source.entry = value;
    return true;
  case OPT_JOBS:
    return read_most("--jobs", value, &cli->jobs);
  case OPT_TAIL_COPY:
    return read_tail_copy(cli, value);
  case OPT_GOAL:
    cli->options.goal = value;
    return true;
  case OPT_STRUCTURE:
    cli->options.structure = value;
    return true;
  case OPT_POINTERS:
    return read_pointers(cli, value);
  case OPT_PHIS:
    cli->options.phis = value;
    return true;
  case OPT_ORDER:
    cli->options.order = value;
    return true;
  case OPT_UNIFORMITY:
    cli->options.uniformity = value;
    return true;
  case OPT_SCOPE:
    cli->options.scope = value;
    return true;
  case OPT_ENV:
    cli->options.target_env = cli->source.target = value;
    return true;
  case OPT_EXPLAIN:
    if (value && strcmp(value, "portable") != 0)
      return tool_wrong("--explain expects nothing or portable");
    cli->explain_portable |= value != NULL;
    return cli->explain = cli->source.debug = true;
  case OPT_LINT:
    if (value && strcmp(value, "error") != 0)
      return tool_wrong("--lint expects nothing or 'error', not '%s'", value);
    cli->lint_error |= value != NULL;
    return cli->lint = cli->source.debug = true;
  case OPT_SARIF:
    return tool_target("--sarif", "a file", value, &cli->sarif);
  case OPT_CHECK:
    cli->check = true;
    return !value || read_most("--check", value, &cli->options.check_walks);
  case OPT_AGAINST:
    cli->against = value;
    return true;
  case OPT_GROWTH:
  case OPT_BLOCKS:
  case OPT_IDS:
  case OPT_NESTING:
  case OPT_MEMORY:
  case OPT_TIME:
    return read_limit(cli, key, value);
  case OPT_NO_VALIDATE:
    cli->options.validate = SPVRECONV_VALIDATE_NONE;
    return true;
  case OPT_VALIDATE:
    return read_validate(cli, value);
  case OPT_PRESERVE_NAMES:
    cli->options.strip_debug = false;
    return true;
  case OPT_STRIP_DEBUG:
    return cli->options.strip_debug = true;
  case OPT_DUMP_CFG:
    cli->dump_cfg = value;
    return true;
  case OPT_DUMP_WAVE:
    cli->dump_wave = value;
    return true;
  case OPT_LOWERING:
    cli->options.lowering = value;
    return true;
  case OPT_DUMP_OPEN_TREE:
    return tool_target("--dump-open-tree", "a folder", value, &cli->dump_open_tree);
  case OPT_PRINT_UNIFORMITY:
    return cli->print_uniformity = true;
  case OPT_PRINT_FRONTIER:
    return cli->print_frontier = true;
  case OPT_TIME_PASSES:
    return cli->time_passes = true;
  case OPT_STATS:
    return read_stats(cli, value);
  case OPT_JSON:
    return cli->json = true;
  case OPT_COMPARE:
    return cli->compare = true;
  default:
    return read_transform(cli, key, value);
  }
}

static bool read_operands(Cli *cli, int argc, char **argv) {
  cli->inputs = argv + optind;
  cli->input_count = argc - optind;
  cli->input = cli->input_count ? argv[optind] : "-";
  if (!cli->input_count && os_terminal_is_input())
    return tool_wrong("no input: name a module or a folder, or pipe a module in");
  if (!apply_pointers(cli))
    return false;
  /* A target for clang, not an environment to validate for. */
  if (cli->source.target && strcmp(cli->source.target, "spirv64") == 0)
    cli->options.target_env = NULL;
  /* The environment is that of the result; the kernel is compiled for any. */
  if (cli->to_vulkan && cli->source.target && strncmp(cli->source.target, "vulkan", 6) == 0)
    cli->source.target = NULL;
  const char *order = cli->options.order, *transform = cli->options.transform;
  cli->source.plain_ids =
      (order && strstr(order, "profile:")) || (transform && strstr(transform, "profile:"));
  return check_together(cli);
}

static bool read_all(Cli *cli, int argc, char **argv, const struct option *table, int *code) {
  *code = EXIT_SUCCESS;
  for (int key; (key = getopt_long(argc, argv, ":ho:I:D:g", table, NULL)) != -1;) {
    if (key == OPT_HELP || key == 'h') {
      print_help();
      return false;
    }
    if (key == OPT_VERSION) {
      tool_print_version(SPVRECONV_VERSION);
      return false;
    }
    *code = TOOL_USAGE;
    if (key == '?' || key == ':')
      return tool_refuse(key, argv[optind - 1], OPT_TRANSFORM, table);
    if (!read_option(cli, key, optarg))
      return false;
  }
  *code = TOOL_USAGE;
  return read_operands(cli, argc, argv);
}

bool cli_parse(Cli *cli, int argc, char **argv, int *code) {
  *cli = (Cli){.source = tool_source_none()};
  spvreconv_options_init(&cli->options, sizeof cli->options);
  struct option *table = list_options();
  *code = TOOL_USAGE;
  bool good = table ? read_all(cli, argc, argv, table, code) : tool_wrong("out of memory");
  free(table);
  return good;
}

void cli_free(Cli *cli) {
  free(cli->transforms);
  tool_source_free(&cli->source);
}
