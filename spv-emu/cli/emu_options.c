/* SPDX-License-Identifier: Apache-2.0 */
/* emu_options: see emu_options.h. */
#include "spv-emu/cli/emu_options.h"

#include "harness/shader/variant.h"
#include "passes/tool/tool_folder.h"
#include "spv-emu/cases/policy_list.h"
#include "spv-emu/cli/cli_advise.h"
#include "spv-emu/cli/cli_cost.h"
#include "spv-emu/cli/cli_heat.h"
#include "spv-emu/cli/cli_variant.h"

#include <getopt.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_program[] = "spv-emu";

enum {
  OPT_POLICY = 256,
  OPT_SUBGROUP_SIZE,
  OPT_PRIORITY,
  OPT_TRANSFORM,
  OPT_ORDER,
  OPT_SEGMENT,
  OPT_MAX_ISSUES,
  OPT_OPT_BUDGET,
  OPT_MEMORY,
  OPT_TIME,
  OPT_THREADS,
  OPT_NATIVE,
  OPT_STRICT,
  OPT_PACK,
  OPT_COST,
  OPT_SWEEP,
  OPT_JOBS,
  OPT_CHECK,
  OPT_CHECK_UNIFORM,
  OPT_GIVEN, /* and following: those of given_options.def */
  OPT_VERTEX = OPT_GIVEN + EMU_GIVEN_OPTIONS,
  OPT_VERTICES,
  OPT_DUMP_BUFFER,
  OPT_JSON,
  OPT_CSV,
  OPT_ANNOTATE,
  OPT_ADVISE,
  OPT_FRAME,
  OPT_PROFILE,
  OPT_REPORT,
  OPT_HEAT_MAP,
  OPT_LOST_MAP,
  OPT_BEFORE,
  OPT_AFTER,
  OPT_ULPS,
  OPT_TRACE_STACK,
  OPT_TRACE_ENTRIES,
  OPT_TRACE_GROUPS,
  OPT_TRACE_VALUES,
  OPT_DEBUG,
  OPT_STAGE,
  OPT_TARGET_ENV,
  OPT_VERSION,
  OPT_HELP,
  OPT_OF_POLICY, /* and following: the options of policies */
  DEFAULT_SUBGROUP_SIZE = 32,
  MAX_THREADS = 256,
  MOST_JOBS = 4096,
  MESSAGE = 512,
};

/* In the order of the keys. */
static const struct option own_options[] = {
    {"policy", required_argument, NULL, OPT_POLICY},
    {"subgroup-size", required_argument, NULL, OPT_SUBGROUP_SIZE},
    {"priority", required_argument, NULL, OPT_PRIORITY},
    {"transform", required_argument, NULL, OPT_TRANSFORM},
    {"order", required_argument, NULL, OPT_ORDER},
    {"segment", required_argument, NULL, OPT_SEGMENT},
    {"max-issues", required_argument, NULL, OPT_MAX_ISSUES},
    {"opt-budget", required_argument, NULL, OPT_OPT_BUDGET},
    {"max-memory", required_argument, NULL, OPT_MEMORY},
    {"max-time", required_argument, NULL, OPT_TIME},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"native", required_argument, NULL, OPT_NATIVE},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"pack", required_argument, NULL, OPT_PACK},
    {"cost", required_argument, NULL, OPT_COST},
    {"sweep", required_argument, NULL, OPT_SWEEP},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"check", required_argument, NULL, OPT_CHECK},
    {"check-uniform", no_argument, NULL, OPT_CHECK_UNIFORM},
#define EMU_GIVEN(key, name) {name, required_argument, NULL, OPT_GIVEN + EMU_GIVEN_##key},
#include "spv-emu/cases/given_options.def"
#undef EMU_GIVEN
    {"vertex", required_argument, NULL, OPT_VERTEX},
    {"vertices", required_argument, NULL, OPT_VERTICES},
    {"dump-buffer", required_argument, NULL, OPT_DUMP_BUFFER},
    {"json", no_argument, NULL, OPT_JSON},
    {"csv", no_argument, NULL, OPT_CSV},
    {"annotate", optional_argument, NULL, OPT_ANNOTATE},
    {"advise", no_argument, NULL, OPT_ADVISE},
    {"frame", required_argument, NULL, OPT_FRAME},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"report", required_argument, NULL, OPT_REPORT},
    {"heat-map", required_argument, NULL, OPT_HEAT_MAP},
    {"lost-map", required_argument, NULL, OPT_LOST_MAP},
    {"before", required_argument, NULL, OPT_BEFORE},
    {"after", required_argument, NULL, OPT_AFTER},
    {"ulps", required_argument, NULL, OPT_ULPS},
    {"trace-stack", required_argument, NULL, OPT_TRACE_STACK},
    {"trace-entries", required_argument, NULL, OPT_TRACE_ENTRIES},
    {"trace-groups", required_argument, NULL, OPT_TRACE_GROUPS},
    {"trace-values", required_argument, NULL, OPT_TRACE_VALUES},
    {"debug", optional_argument, NULL, OPT_DEBUG},
    {"stage", required_argument, NULL, OPT_STAGE},
    {"target-env", required_argument, NULL, OPT_TARGET_ENV},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static const char help_head[] =
    "Usage: spv-emu [options] SHADER.comp | CASE.amber | MODULE [--entry=NAME]\n"
    "       spv-emu [options] SHADER.frag | SHADER.vert\n"
    "       spv-emu [options] INPUT INPUT... | FOLDER\n"
    "\n"
    "Runs SPIR-V compute shaders, or draws with fragment and vertex shaders, on a\n"
    "model of a subgroup under one or more reconvergence policies and counts the\n"
    "cost. The input is GLSL (.comp, .frag, .vert), HLSL (.hlsl) or OpenCL C (.cl),\n"
    "by its name, or, by its content, an AmberScript or VkScript, a SPIR-V binary\n"
    "(either byte order) or assembly text; - is standard input. Of several inputs,\n"
    "or those below a folder, the table has a row each.\n"
    "\n"
    "  --policy=LIST        names from the list below, separated by commas, or all;\n"
    "                       default: structured where it applies, else maximal\n"
    "  --subgroup-size=N[,N...]\n"
    "                       1 to 1024, or workgroup (32); several are compared by\n"
    "                       lane slots (issues times lanes), and the best is named\n"
    "  --before=FILE --after=FILE\n"
    "                       instead of the input: two modules or cases, to be\n"
    "                       compared; exit 1 if what they leave in buffers and\n"
    "                       images, or which lanes run a subgroup operation\n"
    "                       together, differs\n"
    "  --ulps=N             of --before and --after: floats may differ by N units in\n"
    "                       the last place (0)\n"
    "  --priority=ORDER     of blocks: lrpo (default), rpo, ocelot, @BLOCK,..., or\n"
    "                       profile:FILE: chosen for few issues on the paths in FILE\n"
    "  --transform=LIST[+LIST...]\n"
    "                       run these transforms of spvreconv first; several lists\n"
    "                       are compared; all: each transform by itself\n"
    "  --order=ORDER        the transforms' block order, as spvreconv --order\n"
    "  --segment=BYTES      of a memory transaction, a power of two (128)\n"
    "  --max-issues=N       stop a run that issues more (1000000000)\n"
    "  --opt-budget=N       states that policy opt may visit\n"
    "  --max-memory=MIB     give up if more is needed (3800)\n"
    "  --max-time=SECONDS   of processor time to read, check and decode the module\n"
    "                       (60)\n"
    "  --threads=N          for the workgroups of a dispatch (1)\n"
    "  --native=MODE        off (default): interpret; auto: make machine code with\n"
    "                       LLVM for what runs often; on: for all that runs; check:\n"
    "                       the same, and compare all values with the interpreter's\n"
    "  --jobs=N             run N of several inputs at a time (all processors)\n"
    "  --strict             an access out of bounds ends the run; else it is dropped\n"
    "  --pack=UNIT          fragments that share a subgroup are of one triangle\n"
    "                       (default), or of one draw\n";

static const char help_more[] =
    "  --cost=NAME|FILE[,KEY=VALUE...]\n"
    "                       cycles by a cost model: names below, or a file\n"
    "                       (docs/cost.md); subgroups=N,latency=L,hit=H and miss=P\n"
    "                       or cache=SEGMENTS: a load makes its subgroup wait while\n"
    "                       others issue, with subwarps=N also others of its lanes;\n"
    "                       insertion=1: a comparison in a sorted stack is a cycle\n"
    "  --sweep=NAME:FIRST..LAST, or NAME:VALUE,VALUE,...\n"
    "                       a run for each value of a specialization constant\n"
    "                       (OpName, SpecId or result id) or of a key of --cost;\n"
    "                       of several sweeps and sizes, for each combination\n"
    "  --check=vuid         look for breaches of SPIR-V's and Vulkan's rules about\n"
    "                       uniformity under structured and maximal (docs/vuid.md);\n"
    "                       convergence: in the same way, for operations of a\n"
    "                       subgroup or quad that only some of its lanes run\n"
    "  --check-uniform      check at run time what the analysis proves uniform\n"
    "\n";

static const char help_input[] =
    "Sources:\n"
    "  -I DIR               a folder for #include, and where --annotate and --report\n"
    "                       look for source files\n"
    "  -D NAME[=VALUE]      a macro\n"
    "  --stage=STAGE        if the file's name does not say it: comp, frag, vert; cl:\n"
    "                       OpenCL C\n"
    "  --target-env=ENV     vulkan1.0 to vulkan1.3, spv1.0 to spv1.6 (the lowest that\n"
    "                       will do); of OpenCL C also opencl1.2 to opencl2.2, and\n"
    "                       spirv64: clang-22 --target=spirv64\n"
    "\n"
    "Sources, and modules without a case:\n";

static const char help_draws[] =
    "\n"
    "Fragment and vertex shaders without a case:\n"
    "  --framebuffer=WxH    pixels that a fragment shader draws: one triangle over\n"
    "                       all of them (256x256)\n"
    "  --vertex=FILE        the vertex shader for it; default: one that gives inputs\n"
    "                       their place in the framebuffer, 0 to 1\n"
    "  --vertices=N         made-up triangles of that many vertices for --vertex, or\n"
    "                       for a vertex shader alone (384)\n";

static const char help_output[] =
    "\n"
    "Output:\n"
    "  --json, --csv        all figures in that format, instead of the table; JSON of\n"
    "                       several inputs is a line each\n"
    "  --annotate[=asm]     the source, issues and lanes before each line; of modules\n"
    "                       without a source, and with =asm, the disassembly\n"
    "  --advise             which lines waste lanes, why, and which transforms help:\n"
    "                       instead of the table; with --json in addition to it\n"
    "  --frame=DIR          of all cases in a folder, such as the dispatches that\n"
    "                       spvreconv-capture --all writes: issues and lost lanes by\n"
    "                       pipeline, and their share of all\n"
    "  --profile=FILE.json  the paths that lanes take, for --priority and spvreconv\n"
    "                       --order\n"
    "  --report=FILE.html   a page with pictures: policies compared, the schedules of\n"
    "                       two of them, the graph, the source; --policy is then all\n"
    "                       where it is not given\n"
    "  --heat-map=FILE.png  what each pixel of a draw costs, in issues, or each\n"
    "                       invocation of a dispatch by its x and y; of several\n"
    "                       policies FILE-POLICY.png, on a common scale; FILE.csv:\n"
    "                       the numbers\n"
    "  --lost-map=FILE.png  the same: issues while the pixel's lane was inactive, or\n"
    "                       a helper lane\n";

static const char help_traces[] =
    "  --trace-stack=FILE.csv\n"
    "                       the depth of the policies' stacks after every issue\n"
    "  --trace-entries=FILE policies pdom and ssy: every entry popped and pushed; -\n"
    "                       for standard output, as in all traces\n"
    "  --trace-groups=FILE.csv\n"
    "                       the groups of lanes before every block: which runs, which\n"
    "                       wait where, and barrier's registers\n"
    "  --trace-values=NAME,...\n"
    "                       CSV on standard output: the values of these variables,\n"
    "                       by lane, as they change; the table on standard error\n"
    "  --debug[=SCRIPT]     stop before the first instruction and read commands: from\n"
    "                       the terminal, from SCRIPT, or, if it is -, from standard\n"
    "                       input; the command help lists them\n"
    "  --dump-buffer=SET:BINDING[:FILE], or a name for SET:BINDING\n"
    "                       a buffer after the run: as text, or as raw bytes to FILE;\n"
    "                       needs a single policy\n"
    "\n"
    "  --version            print the version and the licence, and exit\n"
    "  -h, --help           print the options, and exit\n"
    "  @FILE                the words in FILE are arguments, too\n"
    "\n"
    "The line priority after the table lists the ids of blocks in the order in which\n"
    "thread frontiers run them. An opt of >=N issues is a lower bound of the optimum:\n"
    "ratios to it are upper bounds.\n"
    "\n"
    "Policies:\n";

static const char help_costs[] = "\n"
                                 "Cost models:\n";

static const char help_tail[] =
    "\n"
    "Example:\n"
    "  spv-emu --policy=all --subgroup-size=8 shader.spv --buffer=0:0:u32[64]=0..\n"
    "\n"
    "Exit status: 0 done; 1 the input is bad, a run failed, an EXPECT failed, or the\n"
    "results of --before and --after differ, or could not be compared; 2 wrong\n"
    "usage; 130 interrupted, the rows until then are printed. A policy that does not\n"
    "apply is not a failure.\n";

/* ---- values ---------------------------------------------------------------------------------- */

_Static_assert((int)EMU_CLI_TRANSFORMS == (int)HN_VARIANTS, "lists that one option takes");

static void free_transforms(EmuCli *cli) {
  for (uint32_t i = 0; i < cli->transform_count; i++)
    free(cli->transforms[i]);
  cli->transform_count = 0;
}

/* "none+auto+...": each transform of spvreconv --compare as a list; NULL: out of memory. */
static char *all_transforms(void) {
  const char *name, *order, *last = "";
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; out && spvreconv_compare_info(i, &name, &order); i++) {
    if (strcmp(name, last) != 0)
      fprintf(out, "%s%s", i ? "+" : "", name);
    last = name;
  }
  return out && fclose(out) == 0 ? text : NULL;
}

static bool read_transform(EmuCli *cli, const char *text) {
  char *all = strcmp(text, "all") == 0 ? all_transforms() : strdup(text);
  free_transforms(cli);
  char *message = all ? hn_variant_split(all, cli->transforms, &cli->transform_count)
                      : strdup(": out of memory");
  if (message)
    tool_wrong("--transform%s", message);
  cli->transform = cli->transforms[0];
  bool good = !message;
  free(message);
  free(all);
  return good;
}

static bool read_segment(EmuCli *cli, const char *text) {
  uint64_t bytes;
  if (!tool_number(text, 1, 1u << 30, &bytes) || (bytes & (bytes - 1)))
    return tool_wrong("--segment expects a power of two, not '%s'", text);
  cli->run.segment_bytes = (uint32_t)bytes;
  return true;
}

static bool read_count(const char *option, const char *text, uint64_t most, uint64_t *count) {
  return tool_number(text, 1, most, count) ||
         tool_wrong("%s expects a number, 1 or more, not '%s'", option, text);
}

static bool read_native(EmuCli *cli, const char *text) {
  if (!spv_emu_native_mode(text, &cli->run.native))
    return tool_wrong("--native expects auto, on, off or check, not '%s'", text);
  bool needed = cli->run.native == SPV_EMU_NATIVE_ON || cli->run.native == SPV_EMU_NATIVE_CHECK;
  const char *refused = needed ? spv_emu_native_refuses() : NULL;
  return !refused || tool_wrong("--native=%s: %s; --native=auto interprets then", text, refused);
}

static bool read_threads(EmuCli *cli, const char *text) {
  uint64_t threads;
  if (!tool_number(text, 1, MAX_THREADS, &threads))
    return tool_wrong("--threads expects a number, 1 to %d, not '%s'", MAX_THREADS, text);
  cli->run.threads = (uint32_t)threads;
  return true;
}

static bool read_jobs(EmuCli *cli, const char *text) {
  uint64_t jobs;
  if (!read_count("--jobs", text, MOST_JOBS, &jobs))
    return false;
  cli->jobs = (uint32_t)jobs;
  return true;
}

static bool read_dump(EmuCli *cli, const char *text) {
  char message[MESSAGE];
  EmuDump *dump = &cli->dumps[cli->dump_count++];
  const char *p = text;
  if (!emu_place_parse(&p, ":", &dump->place, message, sizeof message))
    return tool_wrong("--dump-buffer=%s: %s", text, message);
  dump->file = *p ? p + 1 : NULL;
  return !*p || p[1] || tool_wrong("--dump-buffer=%s: no file after the last colon", text);
}

/* --check: a list of what is to be looked at. */
static bool read_check(EmuCli *cli, const char *text) {
  for (const char *p = text; p;) {
    size_t length = strcspn(p, ",");
    if (length == 4 && memcmp(p, "vuid", length) == 0)
      cli->check_vuid = true;
    else if (length == 7 && memcmp(p, "uniform", length) == 0)
      cli->check_uniform = true;
    else if (length == 11 && memcmp(p, "convergence", length) == 0)
      cli->check_convergence = true;
    else
      return tool_wrong("--check expects a list of vuid, convergence and uniform, not '%s'", text);
    p = p[length] ? p + length + 1 : NULL;
  }
  return true;
}

static bool read_vertices(EmuCli *cli, const char *text) {
  enum { MOST_VERTICES = 1 << 20 };
  uint64_t count;
  if (!tool_number(text, 1, MOST_VERTICES, &count))
    return tool_wrong("--vertices expects a number, 1 to %d, not '%s'", MOST_VERTICES, text);
  cli->vertices = (uint32_t)count;
  return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_trace_option(EmuCli *cli, int key, const char *value) {
  const char **file = key == OPT_TRACE_STACK    ? &cli->trace_stack
                      : key == OPT_TRACE_GROUPS ? &cli->trace_groups
                                                : &cli->trace_entries;
  *file = value;
  return true;
}

static bool read_debug_option(EmuCli *cli, int key, const char *value) {
  if (key == OPT_TRACE_VALUES) {
    cli->trace_values = value;
    return *value || tool_wrong("--trace-values expects names of variables");
  }
  cli->script = value;
  return cli->debug = true;
}

static bool read_option(EmuCli *cli, int key, const char *value) {
  if (key >= OPT_OF_POLICY) {
    cli->policy.values[key - OPT_OF_POLICY] = value;
    return true;
  }
  if (key == OPT_GIVEN + EMU_GIVEN_SEED && strpbrk(value, ",."))
    return emu_cli_sweep_seeds(&cli->sweeps, value);
  if (key >= OPT_GIVEN && key < OPT_GIVEN + EMU_GIVEN_OPTIONS)
    return emu_given_read(&cli->given, (EmuGivenOption)(key - OPT_GIVEN), value);
  switch (key) {
  case 'I':
    cli->folders[cli->folder_count++] = value;
    return tool_source_add(&cli->source, (char)key, value);
  case 'D':
    return tool_source_add(&cli->source, (char)key, value);
  case OPT_STAGE:
    return tool_source_stage(&cli->source, value);
  case OPT_TARGET_ENV:
    cli->source.first = cli->source.first ? cli->source.first : "--target-env";
    cli->source.target = value;
    return true;
  case OPT_POLICY:
    return emu_policy_list(value, &cli->policies, &cli->policy_count);
  case OPT_SUBGROUP_SIZE:
    return emu_cli_subgroup_sizes(cli, value);
  case OPT_PRIORITY:
    cli->run.priority = value;
    return true;
  case OPT_TRANSFORM:
    return read_transform(cli, value);
  case OPT_ORDER:
    cli->order = value;
    return true;
  case OPT_SEGMENT:
    return read_segment(cli, value);
  case OPT_MAX_ISSUES:
    return read_count("--max-issues", value, UINT64_MAX, &cli->run.max_issues);
  case OPT_OPT_BUDGET:
    return read_count("--opt-budget", value, UINT64_MAX, &cli->run.opt_budget);
  case OPT_MEMORY:
    return tool_limit_memory(&cli->limit, value);
  case OPT_TIME:
    return tool_limit_time(&cli->limit, value);
  case OPT_THREADS:
    return read_threads(cli, value);
  case OPT_NATIVE:
    return read_native(cli, value);
  case OPT_PACK:
    cli->mixed = strcmp(value, "draw") == 0;
    return cli->mixed || strcmp(value, "triangle") == 0 ||
           tool_wrong("--pack expects triangle or draw, not '%s'", value);
  case OPT_STRICT:
    return cli->run.strict = true;
  case OPT_COST:
    cli->cost = value;
    return true;
  case OPT_SWEEP:
    return emu_cli_sweep(&cli->sweeps, value);
  case OPT_JOBS:
    return read_jobs(cli, value);
  case OPT_CHECK:
    return read_check(cli, value);
  case OPT_CHECK_UNIFORM:
    return cli->check_uniform = true;
  case OPT_DUMP_BUFFER:
    return read_dump(cli, value);
  case OPT_JSON:
    return cli->json = true;
  case OPT_CSV:
    return cli->csv = true;
  case OPT_ADVISE:
    return cli->advise = true;
  case OPT_FRAME:
    cli->frame = optarg;
    return true;
  case OPT_ANNOTATE:
    if (value && strcmp(value, "asm") != 0)
      return tool_wrong("--annotate expects nothing or 'asm', not '%s'", value);
    cli->annotate_source = !value;
    return cli->annotate = true;
  case OPT_PROFILE:
    return tool_target("--profile", "a file", value, &cli->profile);
  case OPT_REPORT:
    return tool_target("--report", "a file", value, &cli->report);
  case OPT_HEAT_MAP:
    return emu_cli_heat_file("--heat-map", value, &cli->heat_map);
  case OPT_LOST_MAP:
    return emu_cli_heat_file("--lost-map", value, &cli->lost_map);
  case OPT_BEFORE:
    cli->before = value;
    return true;
  case OPT_AFTER:
    cli->after = value;
    return true;
  case OPT_ULPS:
    return tool_number(value, 0, UINT32_MAX, &cli->ulps) ||
           tool_wrong("--ulps expects a number, not '%s'", value);
  case OPT_TRACE_STACK:
  case OPT_TRACE_ENTRIES:
  case OPT_TRACE_GROUPS:
    return read_trace_option(cli, key, value);
  case OPT_TRACE_VALUES:
  case OPT_DEBUG:
    return read_debug_option(cli, key, value);
  case OPT_VERTEX:
    cli->vertex = value;
    return true;
  default:
    return read_vertices(cli, value);
  }
}

static bool runs(const EmuCli *cli, const char *policy) {
  for (uint32_t i = 0; i < cli->policy_count; i++)
    if (cli->policies[i] && strcmp(cli->policies[i], policy) == 0)
      return true;
  return false;
}

/* `opt` is a bound, without a schedule. */
static bool runs_only_opt(const EmuCli *cli) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < cli->policy_count; i++)
    count += cli->policies[i] && strcmp(cli->policies[i], "opt") == 0;
  return count && count == cli->policy_count;
}

static const char *sweep_option(const EmuCli *cli) {
  return cli->sweeps.at[0].kind == EMU_SWEEP_SEED ? "--seed with several values" : "--sweep";
}

static bool is_printed(const char *file) {
  return file && strcmp(file, "-") == 0;
}

static bool check_traces(const EmuCli *cli) {
  bool traced = cli->trace_stack || cli->trace_entries || cli->trace_groups;
  if (cli->trace_entries && !runs(cli, "ssy") && !runs(cli, "pdom"))
    return tool_wrong("--trace-entries needs policy pdom or ssy: add one to --policy");
  if (traced && cli->run.threads > 1)
    return tool_wrong("a trace needs one thread: leave --threads=%u out", cli->run.threads);
  if ((cli->debug || cli->trace_values) && cli->run.threads > 1)
    return tool_wrong("a debugger needs one thread: leave --threads=%u out", cli->run.threads);
  if ((cli->debug || cli->trace_values) && runs_only_opt(cli))
    return tool_wrong("a debugger has nowhere to stop: policy opt has no schedule; name another "
                      "one with --policy");
  if (cli->debug && cli->trace_values)
    return tool_wrong("--debug and --trace-values both print on standard output: use one of them");
  if (cli->debug && is_printed(cli->input) && (!cli->script || is_printed(cli->script)))
    return tool_wrong("standard input is the module, so it has no commands: name one of them");
  if (cli->sweeps.count && (cli->debug || cli->trace_values))
    return tool_wrong("%s reports figures; --debug and --trace-values cannot be used with it",
                      sweep_option(cli));
  const char *dump = emu_cli_policy_dump(&cli->policy, false);
  if (cli->sweeps.count && dump)
    return tool_wrong("%s reports figures; %s cannot be used with it", sweep_option(cli), dump);
  if (cli->sweeps.count && (traced || cli->profile))
    return tool_wrong("%s reports figures; traces and --profile cannot be used with it",
                      sweep_option(cli));
  return true;
}

/* The option that prints on standard output in addition to the report; NULL: none does. */
static const char *printed_option(const EmuCli *cli) {
  for (uint32_t i = 0; i < cli->dump_count; i++)
    if (!cli->dumps[i].file || is_printed(cli->dumps[i].file))
      return "--dump-buffer without a file";
  return cli->annotate                    ? "--annotate"
         : is_printed(cli->trace_stack)   ? "--trace-stack without a file"
         : is_printed(cli->trace_entries) ? "--trace-entries without a file"
         : is_printed(cli->trace_groups)  ? "--trace-groups without a file"
         : cli->trace_values              ? "--trace-values"
         : cli->debug                     ? "--debug"
                                          : NULL;
}

static bool check_together(EmuCli *cli) {
  const char *printed = printed_option(cli);
  if (!emu_cli_variant_check(cli))
    return false;
  if (!cli->input && !cli->before)
    return tool_wrong("no input: name a module or a case, or - for standard input");
  if (cli->ulps && !cli->before)
    return tool_wrong("--ulps is for the comparison of --before and --after; name both");
  if (cli->json && cli->csv)
    return tool_wrong("either --json or --csv, not both");
  if ((cli->json || cli->csv) && printed)
    return tool_wrong("%s must be alone on standard output; %s cannot be used with it",
                      cli->json ? "--json" : "--csv", printed);
  const char *dump = emu_cli_policy_dump(&cli->policy, true);
  if ((cli->json || cli->csv) && dump)
    return tool_wrong(
        "%s must be alone on standard output; %s without a file cannot be used with it",
        cli->json ? "--json" : "--csv", dump);
  if (cli->order && !cli->transform)
    return tool_wrong("--order applies to transforms; name some with --transform");
  if (cli->sweeps.count && (cli->annotate || cli->report || cli->given.image_count ||
                            cli->heat_map || cli->lost_map || cli->dump_count))
    return tool_wrong("%s reports figures; %s cannot be used with it", sweep_option(cli),
                      cli->annotate            ? "--annotate"
                      : cli->report            ? "--report"
                      : cli->given.image_count ? "--image"
                      : cli->heat_map          ? "--heat-map"
                      : cli->lost_map          ? "--lost-map"
                                               : "--dump-buffer");
  if (cli->dump_count && cli->policy_count > 1)
    return tool_wrong(
        "--dump-buffer needs a single policy, whose buffer it is: name it with --policy");
  return emu_cli_policy_check(cli) && check_traces(cli) && emu_cli_sweep_check(&cli->sweeps) &&
         (!cli->advise || emu_cli_advise_check(cli));
}

/* Is a profile written or read? It names ids, and is to fit a module without lines, too. */
static bool uses_profile(const EmuCli *cli) {
  const char *const places[] = {cli->run.priority, cli->order, cli->transform};
  bool uses = cli->profile != NULL;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    uses = uses || (places[i] && strstr(places[i], "profile:"));
  return uses;
}

/* What the options do not give is made up, unless they say otherwise. */
static void choose_guess(EmuCli *cli) {
  cli->source.debug = true;
  cli->source.plain_ids = uses_profile(cli);
  cli->source.entry = cli->given.entry;
  if (!cli->given.chosen)
    cli->given.guess = true;
}

/* The folder of --frame is the input. */
static bool frame_inputs(EmuCli *cli) {
  if (cli->input)
    return tool_wrong("--frame=%s is the input: name no other", cli->frame);
  if (!tool_is_folder(cli->frame))
    return tool_wrong("--frame=%s: it is no folder", cli->frame);
  cli->inputs = (char *const *)&cli->frame;
  cli->input_count = 1;
  cli->input = cli->frame;
  return true;
}

static bool read_operands(EmuCli *cli, int argc, char **argv) {
  cli->inputs = argv + optind;
  cli->input_count = argc - optind;
  if (optind < argc)
    cli->input = argv[optind];
  if (cli->frame && !frame_inputs(cli))
    return false;
  cli->several = cli->input_count > 1 || (cli->input && tool_is_folder(cli->input));
  for (int i = 0; cli->input_count > 1 && i < cli->input_count; i++)
    if (strcmp(cli->inputs[i], "-") == 0)
      return tool_wrong("standard input is one input: name it alone");
  if (cli->report && !cli->policies[0] &&
      !emu_policy_list("all", &cli->policies, &cli->policy_count))
    return false;
  return check_together(cli);
}

static void print_help(void) {
  fputs(help_head, stdout);
  emu_cli_policy_help(false);
  fputs(help_more, stdout);
  fputs(help_input, stdout);
  fputs(emu_given_help, stdout);
  fputs(help_draws, stdout);
  fputs(help_output, stdout);
  emu_cli_policy_help(true);
  fputs(help_traces, stdout);
  emu_policy_list_print();
  fputs(help_costs, stdout);
  emu_cli_print_costs();
  fputs(help_tail, stdout);
}

/* An option occurs at most as often as there are arguments. */
static bool allocate(EmuCli *cli, int argc) {
  size_t most = (size_t)argc + 1;
  *cli = (EmuCli){
      .subgroup_size = DEFAULT_SUBGROUP_SIZE, .given = {.seed = 1}, .source = tool_source_none()};
  cli->dumps = calloc(most, sizeof *cli->dumps);
  cli->policies = calloc(1, sizeof *cli->policies);
  cli->folders = calloc(most, sizeof *cli->folders);
  cli->policy_count = 1;
  return (cli->dumps && cli->policies && cli->folders) || tool_wrong("out of memory");
}

/* --help and --version, which end the program. */
static void print(int key) {
  const char *library = spv_emu_native_library();
  if (key == OPT_HELP || key == 'h') {
    print_help();
    return;
  }
  tool_print_version(SPVRECONV_VERSION);
  printf("--native: %s\n", library ? library : "not in this build, which has no LLVM");
}

/* Notes the first option of each group that was given. */
static void note_groups(EmuCli *cli, int key, const char *value) {
  bool vertices = key == OPT_VERTEX || key == OPT_VERTICES;
  bool written = key == OPT_GIVEN + EMU_GIVEN_IMAGE && !emu_image_file_is_contents(value);
  if (key >= OPT_GIVEN && key <= OPT_VERTICES && !written && !cli->bare_option)
    cli->bare_option = own_options[key - OPT_POLICY].name;
  if ((vertices || key == OPT_GIVEN + EMU_GIVEN_FRAMEBUFFER) && !cli->draw_option)
    cli->draw_option = own_options[key - OPT_POLICY].name;
}

static bool parse(EmuCli *cli, int argc, char **argv, const struct option *table, int *code) {
  cli->arguments = argv + 1; /* getopt only changes their order */
  for (int key; (key = getopt_long(argc, argv, ":hI:D:", table, NULL)) != -1;) {
    if (key == OPT_HELP || key == 'h' || key == OPT_VERSION) {
      *code = EXIT_SUCCESS;
      print(key);
      return false;
    }
    if (key == '?' || key == ':')
      return tool_refuse(key, argv[optind - 1], OPT_POLICY, table);
    note_groups(cli, key, optarg);
    if (!read_option(cli, key, optarg))
      return false;
  }
  choose_guess(cli);
  return read_operands(cli, argc, argv);
}

bool emu_cli_parse(EmuCli *cli, int argc, char **argv, int *code) {
  *code = TOOL_USAGE;
  if (!allocate(cli, argc))
    return false;
  struct option *table = emu_cli_policy_table(own_options, OPT_OF_POLICY);
  bool good = table ? parse(cli, argc, argv, table, code) : tool_wrong("out of memory");
  free(table);
  return good;
}

void emu_cli_free(EmuCli *cli) {
  emu_given_free(&cli->given);
  free_transforms(cli);
  emu_cli_sweep_free(&cli->sweeps);
  free(cli->policies);
  free(cli->folders);
  tool_source_free(&cli->source);
  free(cli->dumps);
}
