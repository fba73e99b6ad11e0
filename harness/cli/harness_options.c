/* SPDX-License-Identifier: Apache-2.0 */
/* harness_options: see harness_options.h. */
#include "harness/cli/harness_options.h"
#include "harness/backend/backend_policy.h"
#include "harness/shader/variant.h"

#include "harness/converge/converge_report.h"
#include "harness/new/new_case.h"
#include "passes/names/nearest.h"
#include "passes/tool/tool_environment.h"
#include "passes/tool/tool_folder.h"
#include "passes/tool/tool_usage.h"
#include "spv-emu/cases/policy_list.h"

#include <getopt.h>
#include <math.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_program[] = "spv-harness";

enum {
  OPT_DEVICE = 256,
  OPT_EMU_SUBGROUP_SIZE,
  OPT_AGAINST,
  OPT_ULPS,
  OPT_GIVEN, /* and following: those of given.def */
  OPT_ARGUMENT = OPT_GIVEN + EMU_GIVEN_OPTIONS,
  OPT_POLICY,
  OPT_CSV,
  OPT_MAX_ISSUES,
  OPT_MODE,
  OPT_COUNT,
  OPT_REDUCE,
  OPT_MAX_RUNS,
  OPT_TWO_EXITS,
  OPT_TABLE,
  OPT_WRITE,
  OPT_SUBGROUP_SIZE,
  OPT_TRANSFORM,
  OPT_VALIDATION,
  OPT_CHECK,
  OPT_JOBS,
  OPT_RETRIES,
  OPT_TIMEOUT,
  OPT_SHARD,
  OPT_RESULTS,
  OPT_RESUME,
  OPT_REUSE,
  OPT_JUNIT,
  OPT_ARTIFACTS,
  OPT_OUTPUT,
  OPT_JSON,
  OPT_FILTER,
  OPT_LIST,
  OPT_STAGE,
  OPT_TARGET_ENV,
  OPT_VERSION,
  OPT_HELP,
  MAX_JOBS = 256,
  MAX_RETRIES = 100,
  TABLE_COUNT = 40, /* programs of a table of converge */
};

static const struct option option_table[] = {
    {"device", required_argument, NULL, OPT_DEVICE},
    {"emu-subgroup-size", required_argument, NULL, OPT_EMU_SUBGROUP_SIZE},
    {"against", required_argument, NULL, OPT_AGAINST},
    {"ulps", required_argument, NULL, OPT_ULPS},
#define EMU_GIVEN(key, name) {name, required_argument, NULL, OPT_GIVEN + EMU_GIVEN_##key},
#include "spv-emu/cases/given_options.def"
#undef EMU_GIVEN
    {"policy", required_argument, NULL, OPT_POLICY},
    {"max-issues", required_argument, NULL, OPT_MAX_ISSUES},
    {"csv", no_argument, NULL, OPT_CSV},
    {"mode", required_argument, NULL, OPT_MODE},
    {"count", required_argument, NULL, OPT_COUNT},
    {"reduce", required_argument, NULL, OPT_REDUCE},
    {"max-runs", required_argument, NULL, OPT_MAX_RUNS},
    {"two-exits", no_argument, NULL, OPT_TWO_EXITS},
    {"table", no_argument, NULL, OPT_TABLE},
    {"write", required_argument, NULL, OPT_WRITE},
    {"subgroup-size", required_argument, NULL, OPT_SUBGROUP_SIZE},
    {"argument", required_argument, NULL, OPT_ARGUMENT},
    {"transform", required_argument, NULL, OPT_TRANSFORM},
    {"validation", no_argument, NULL, OPT_VALIDATION},
    {"check", no_argument, NULL, OPT_CHECK},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"retries", required_argument, NULL, OPT_RETRIES},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"shard", required_argument, NULL, OPT_SHARD},
    {"results", required_argument, NULL, OPT_RESULTS},
    {"resume", no_argument, NULL, OPT_RESUME},
    {"reuse", required_argument, NULL, OPT_REUSE},
    {"junit", required_argument, NULL, OPT_JUNIT},
    {"artifacts", required_argument, NULL, OPT_ARTIFACTS},
    {"output", required_argument, NULL, OPT_OUTPUT},
    {"json", no_argument, NULL, OPT_JSON},
    {"filter", required_argument, NULL, OPT_FILTER},
    {"list", required_argument, NULL, OPT_LIST},
    {"stage", required_argument, NULL, OPT_STAGE},
    {"target-env", required_argument, NULL, OPT_TARGET_ENV},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

/* The help is in parts: a compiler need not accept longer strings. */
static const char help_run[] =
    "Usage: spv-harness run [options] CASE.amber|SHADER.comp|MODULE|FOLDER...\n"
    "       spv-harness new [options] SHADER.comp|MODULE\n"
    "       spv-harness converge [options] [CASE.amber|SHADER.comp|MODULE]\n"
    "       spv-harness fit [options]\n"
    "       spv-harness reduce [options] CASE.amber|SHADER.comp|MODULE -o FILE\n"
    "       spv-harness list-devices\n"
    "       spv-harness compare A.sqlite B.sqlite\n"
    "       spv-harness compare [options] OLD_FOLDER NEW_FOLDER\n"
    "       spv-harness report [--against=OLD.sqlite] RESULTS.sqlite -o PAGE.html\n"
    "       spv-harness merge OUT.sqlite IN...\n"
    "       spv-harness dump FILE.sqlite\n"
    "       spv-harness modules CASE.amber FOLDER\n"
    "       spv-harness kernels [--seed=N] [--argument=NAME=VALUE]... FILE.cl FOLDER\n"
    "                           [-- COMPILE_OPTION...]\n"
    "\n"
    "run: runs AmberScript and VkScript cases on Vulkan drivers, with each shader as\n"
    "written and after transforms of spvreconv, and compares the results. A compute\n"
    "shader (.comp, .hlsl) runs as the case that new makes of it.\n"
    "\n"
    "  --device=LIST        lavapipe, swiftshader, default (what the loader finds),\n"
    "                       icd=PATH, each optionally with :NAME, a part of the\n"
    "                       device's name; emu (spv-emu's subgroups, policy\n"
    "                       structured); pocl (the OpenCL C of kernels, compiled by\n"
    "                       PoCL; variant none only); none (nothing is run: modules,\n"
    "                       also those without a case, are transformed and\n"
    "                       validated); or auto: those of the first two that are\n"
    "                       installed (default)\n"
    "  --emu-subgroup-size=N  of device emu, 1 to 1024 (32)\n"
    "  --against=DEVICE     also compare the buffers of the first variant with those\n"
    "                       of this device, which runs each case in the same process\n"
    "  --ulps=N             … where floats may differ by N units in the last place\n"
    "  --transform=LIST     variants separated by +, each a list as in spvreconv\n"
    "                       --transform; default: none+auto+strip-merges,structurize\n"
    "  --validation         with the Khronos validation layer; its messages fail a\n"
    "                       variant\n"
    "  --check              compare each variant's modules with the case's without\n"
    "                       running them; with --device=none nothing else is done\n"
    "  --filter=GLOB        only cases whose path, or the end of the path, matches\n"
    "  --list=FILE          more cases: paths, one per line; -: standard input\n"
    "  --shard=I/N          only part I of N of the cases, I from 1\n"
    "  --jobs=N             run N cases in parallel (default: the number of\n"
    "                       processors)\n"
    "  --timeout=SECONDS    time limit for a variant (60)\n"
    "  --retries=N          run what fails up to N times again; if it then passes, it\n"
    "                       is a flake\n"
    "  --results=FILE       write each result to this SQLite file; FILE.log: to a\n"
    "                       log, for file systems where SQLite is not safe\n"
    "  --resume             skip cases whose results are already in the file of\n"
    "                       --results\n"
    "  --reuse=FILE         take results from this file too; may be repeated\n"
    "  --junit=FILE         write the results as JUnit's XML\n"
    "  --artifacts=DIR      write for each failure the modules, buffers, pictures and\n"
    "                       a script that runs just this again\n"
    "  --json               print the results as JSON on standard output\n"
    "\n";

static const char help_others[] =
    "new: prints a case for a compute shader, or a fragment shader, which draws one\n"
    "triangle: contents are made up, and the emulator computes the EXPECTs.\n"
    "\n"
    "  -I DIR               a folder for #include\n"
    "  -D NAME[=VALUE]      a macro\n"
    "  --stage=STAGE        if the shader's name does not say it: comp, frag\n"
    "  --target-env=ENV     vulkan1.0 to vulkan1.3, spv1.0 to spv1.6; of OpenCL C\n"
    "                       also opencl1.2 to opencl2.2 and spirv64\n"
    "  --framebuffer=WxH    pixels that a fragment shader draws (32x32)\n"
    "\n"
    "What a shader or module without a case runs on, of new, run SHADER, compare and\n"
    "converge FILE; the rest is made up:\n"
    "\n";

static const char help_given[] =
    "\n"
    "converge: runs random programs with a subgroup operation at every point, and\n"
    "says where other lanes run it together than the specification promises. With a\n"
    "file: logs the lanes of each block of its compute shaders instead; a shader\n"
    "without a case is run as by new, and takes the options of new.\n"
    "\n"
    "  --mode=MODE          what is promised: maximal (the default:\n"
    "                       SPV_KHR_maximal_reconvergence), uniform\n"
    "                       (SPV_KHR_subgroup_uniform_control_flow), or none (SPIR-V\n"
    "                       without either); of a file: what its entry point declares\n"
    "  --count=N            programs (100); --seed=N is the first one's (1)\n"
    "  --subgroup-size=N    4 to 128 (the device's)\n"
    "  --reduce=N           reduce the first programs of up to N kinds of mistakes\n"
    "                       (3); --artifacts=DIR writes these as files, too\n"
    "  --two-exits          each loop has a further exit, which no lane takes: to\n"
    "                       look past drivers' errors in values after loops\n"
    "  --table              count the programs that conform, on each device and under\n"
    "                       each policy of device emu, in each mode, as a table\n"
    "  --write=DIR          run nothing, write the programs as AmberScript for\n"
    "                       subgroups of 4 to 128\n"
    "\n"
    "reduce: looks for the smallest case that still fails on a device as this one\n"
    "does: the first variant of --transform that crashes, hangs or computes something\n"
    "else than the emulator. Statements, workgroups and parts of modules go. Takes\n"
    "one --device (the first of auto), --transform, --jobs, --timeout, --ulps,\n"
    "--validation, --emu-subgroup-size, the options of new, and:\n"
    "\n"
    "  --max-runs=N         end the search after N runs of smaller cases (20000)\n"
    "\n"
    "fit: which of spv-emu's reconvergence policies explains which lanes a device\n"
    "runs together? Runs programs on which policies differ, and times divergent\n"
    "branches. Takes --device, --mode (here none is the default), --subgroup-size,\n"
    "--timeout, --json, --write; --count and --seed, for random programs of converge\n"
    "(0); and --policy, of device emu, perhaps with an option (barrier:ipdom).\n"
    "\n"
    "compare: prints the regressions, the fixes and the other changes from A to B, or\n"
    "with --csv or --json the same for scripts.\n"
    "Of two folders of modules or shaders, such as the output of two versions of a\n"
    "compiler: runs those with the same path in the emulator, on the same made-up\n"
    "contents, and prints what became worse. Takes the options of new, --filter,\n"
    "--jobs, --timeout, --emu-subgroup-size, --ulps and --json, and:\n"
    "\n"
    "  --policy=LIST        also under these reconvergence policies, or all of them\n"
    "                       (spv-emu --help lists them); of converge: the policy of\n"
    "                       device emu (structured)\n"
    "  --max-issues=N       give up a module after N instructions (100000000)\n"
    "  --csv                print a line for each module and policy\n"
    "\n";

static const char help_results[] =
    "report: writes a page with the totals and the failures, with their pictures;\n"
    "with --against=OLD.sqlite also what changed since an older run. --artifacts=DIR\n"
    "names artifacts that were moved.\n"
    "merge: writes the results of all the files, databases or logs, to one database.\n"
    "dump: prints the results as a sorted table, separated by tabs, without\n"
    "durations.\n"
    "modules: writes each shader of the case, as written, to FOLDER/NAME.spv.\n"
    "kernels: writes a case for each kernel of the OpenCL C file, with made-up\n"
    "arguments.\n"
    "\n"
    "  -o FILE              of report: the page; of new: the case; -: standard output\n"
    "  --output=FILE        the same\n"
    "  --argument=NAME=VALUE  of kernels: the value of an argument; may be repeated\n"
    "\n"
    "  --version            print the version and the licence, and exit\n"
    "  -h, --help           print the options, and exit\n"
    "  @FILE                the words in FILE are arguments, too\n"
    "\n"
    "Outcomes: pass; fail: an EXPECT fails, another variant differs, or the\n"
    "validation layer has a message; skip: the device lacks something, or the harness\n"
    "does not support the file; same: the modules are those of an earlier variant;\n"
    "invalid: spirv-val refuses a module, which counts as skipped if it is the shader\n"
    "as written; crash; timeout; flake: passed in one run and failed in another\n"
    "(--retries), which counts as passed. The last line counts all but same.\n"
    "\n"
    "Example:\n"
    "  spv-harness run --device=lavapipe,swiftshader shaders/\n"
    "\n"
    "Exit status: 0 nothing failed, or nothing changed; 1 a failure or regression, or\n"
    "a file cannot be read; 2 wrong usage; of compare also 4: there are fixes only;\n"
    "5: other changes, but no regressions. Of folders, wrong results are regressions,\n"
    "and so are modules that no longer run; other figures are other changes. A run\n"
    "that Ctrl-C ends prints the command that continues it.\n";

/* ---- values ---- */

static bool read_number(const char *text, unsigned least, unsigned most, unsigned *out) {
  uint64_t value;
  if (!tool_number(text, least, most, &value))
    return false;
  *out = (unsigned)value;
  return true;
}

static bool read_jobs(HnOptions *o, const char *text) {
  return read_number(text, 1, MAX_JOBS, &o->jobs) ||
         tool_wrong("--jobs expects a number, 1 to %d, not '%s'", MAX_JOBS, text);
}

static bool read_retries(HnOptions *o, const char *text) {
  return read_number(text, 0, MAX_RETRIES, &o->retries) ||
         tool_wrong("--retries expects a number up to %d, not '%s'", MAX_RETRIES, text);
}

static bool read_subgroup_size(HnOptions *o, const char *text) {
  return read_number(text, 1, 1024, &o->emu_subgroup_size) ||
         tool_wrong("--emu-subgroup-size expects a number, 1 to 1024, not '%s'", text);
}

static bool read_converge_size(HnOptions *o, const char *text) {
  return (read_number(text, 4, CV_LANES, &o->subgroup_size) && cv_size_fits(o->subgroup_size)) ||
         tool_wrong("--subgroup-size expects 4, 8, 16, 32, 64 or 128, not '%s'", text);
}

static bool read_mode(HnOptions *o, const char *text) {
  o->mode_given = true;
  return cv_mode_find(text, &o->mode) ||
         tool_wrong("--mode expects maximal, uniform or none, not '%s'", text);
}

static bool read_count(HnOptions *o, const char *text) {
  return tool_number(text, 1, 1000000000, &o->count) ||
         tool_wrong("--count expects a number, 1 to 1000000000, not '%s'", text);
}

static bool read_reduce(HnOptions *o, const char *text) {
  return read_number(text, 0, CV_KINDS, &o->reduce) ||
         tool_wrong("--reduce expects a number up to %d, not '%s'", CV_KINDS, text);
}

static bool read_max_runs(HnOptions *o, const char *text) {
  return tool_number(text, 1, 1000000000, &o->max_runs) ||
         tool_wrong("--max-runs expects a number, 1 to 1000000000, not '%s'", text);
}

static bool read_issues(HnOptions *o, const char *text) {
  return tool_number(text, 1, UINT64_MAX, &o->max_issues) ||
         tool_wrong("--max-issues expects a number, not '%s'", text);
}

static bool read_ulps(HnOptions *o, const char *text) {
  return tool_number(text, 0, UINT32_MAX, &o->ulps) ||
         tool_wrong("--ulps expects a number, not '%s'", text);
}

static bool read_timeout(HnOptions *o, const char *text) {
  char *end;
  o->timeout = strtod(text, &end);
  return (!*end && end != text && isfinite(o->timeout) && o->timeout > 0 && o->timeout <= 86400) ||
         tool_wrong("--timeout expects seconds, up to a day, not '%s'", text);
}

static bool read_shard(HnOptions *o, const char *text) {
  char part[16];
  size_t n = strcspn(text, "/");
  if (n < sizeof part && text[n]) {
    memcpy(part, text, n);
    part[n] = 0;
    if (read_number(text + n + 1, 1, 1000000, &o->shards) &&
        read_number(part, 1, o->shards, &o->shard))
      return true;
  }
  return tool_wrong("--shard expects I/N, I from 1 to N, not '%s'", text);
}

static void free_variants(HnOptions *o) {
  for (uint32_t i = 0; i < o->variant_count; i++)
    free(o->variants[i]);
  o->variant_count = 0;
}

static bool read_variants(HnOptions *o, const char *text) {
  free_variants(o);
  char *message = hn_variant_split(text, o->variants, &o->variant_count);
  if (message)
    tool_wrong("--transform%s", message);
  free(message);
  return !message;
}

static bool add_text(const char ***list, int *count, const char *text) {
  const char **more = realloc(*list, ((size_t)*count + 1) * sizeof *more);
  if (!more)
    return tool_wrong("out of memory");
  *list = more;
  more[(*count)++] = text;
  return true;
}

/* Puts the named policies after the default policy, which is always compared. */
static bool read_policies(HnOptions *o, const char *text) {
  const char **named = NULL;
  uint32_t count;
  bool good = emu_policy_list(text, &named, &count);
  const char **all = good ? realloc(o->policies, (count + 1) * sizeof *all) : NULL;
  if (all) {
    o->policies = all;
    all[0] = NULL;
    memcpy(all + 1, named, count * sizeof *all);
    o->policy_count = count + 1;
  }
  free(named);
  return all || (good && tool_wrong("out of memory"));
}

static bool add_setting(HnOptions *o, const char *text) {
  if (*text == '=' || !strchr(text, '='))
    return tool_wrong("--argument expects NAME=VALUE, not '%s'", text);
  return add_text(&o->settings, &o->setting_count, text);
}

/* ---- options ---- */

static bool read_option(HnOptions *o, int key, const char *value) {
  if (key == OPT_GIVEN + EMU_GIVEN_IMAGE && !emu_image_file_is_contents(value))
    return tool_wrong("--image=%s: here it gives contents, as in --image=SET:BINDING=@FILE.png; "
                      "spv-emu --image writes what a shader leaves",
                      value);
  if (key >= OPT_GIVEN && key < OPT_GIVEN + EMU_GIVEN_OPTIONS)
    return emu_given_read(&o->given, (EmuGivenOption)(key - OPT_GIVEN), value);
  switch (key) {
  case OPT_DEVICE:
    o->device = value;
    return true;
  case OPT_EMU_SUBGROUP_SIZE:
    return read_subgroup_size(o, value);
  case OPT_AGAINST:
    o->against = value;
    return true;
  case OPT_ULPS:
    return read_ulps(o, value);
  case 'I':
  case 'D':
    return tool_source_add(&o->source, (char)key, value);
  case OPT_STAGE:
    return tool_source_stage(&o->source, value);
  case OPT_TARGET_ENV:
    o->source.target = value;
    return true;
  case OPT_TRANSFORM:
    return read_variants(o, value);
  case OPT_VALIDATION:
    return o->validation = true;
  case OPT_CHECK:
    return o->check = true;
  case OPT_JOBS:
    return read_jobs(o, value);
  case OPT_RETRIES:
    return read_retries(o, value);
  case OPT_TIMEOUT:
    return read_timeout(o, value);
  case OPT_SHARD:
    return read_shard(o, value);
  case OPT_RESULTS:
    o->results = value;
    return true;
  case OPT_RESUME:
    return o->resume = true;
  case OPT_REUSE:
    return add_text(&o->reuse, &o->reuse_count, value);
  case OPT_POLICY:
    o->policy = value;
    return true;
  case OPT_MAX_ISSUES:
    return read_issues(o, value);
  case OPT_CSV:
    return o->csv = true;
  case OPT_MODE:
    return read_mode(o, value);
  case OPT_COUNT:
    return read_count(o, value);
  case OPT_REDUCE:
    return read_reduce(o, value);
  case OPT_MAX_RUNS:
    return read_max_runs(o, value);
  case OPT_TWO_EXITS:
    return o->two_exits = true;
  case OPT_TABLE:
    return o->table = true;
  case OPT_SUBGROUP_SIZE:
    return read_converge_size(o, value);
  case OPT_WRITE:
    return tool_target("--write", "a folder", value, &o->write);
  case OPT_ARGUMENT:
    return add_setting(o, value);
  case OPT_LIST:
    o->list = value;
    return true;
  case OPT_JUNIT:
    return tool_target("--junit", "a file", value, &o->junit);
  case OPT_OUTPUT:
  case 'o':
    o->output = value;
    return true;
  case OPT_ARTIFACTS:
    return tool_target("--artifacts", "a folder", value, &o->artifacts);
  case OPT_JSON:
    return o->json = true;
  case OPT_FILTER:
    o->filter = value;
    return true;
  default:
    return false;
  }
}

/* ---- commands ---- */

typedef struct Command {
  const char *name;
  int least, most; /* number of operands */
  const char *wants;
  const char *options; /* names, a space after each; NULL: all except `of_others` */
} Command;

/* What a module without a case runs on (given.def); a framebuffer is for fragment shaders. */
#define OF_MODULES "entry dispatch local-size buffer push-constant spec sampler buffers image "

static const Command commands[] = {
    [HN_RUN] = {"run", 1, 1 << 30, "cases or folders", NULL},
    [HN_LIST_DEVICES] = {"list-devices", 0, 0, "no operands", ""},
    [HN_COMPARE] = {"compare", 2, 2, "two results files, or two folders of modules",
                    "I D stage target-env seed " OF_MODULES
                    "policy emu-subgroup-size ulps filter jobs max-issues "
                    "timeout json csv "},
    [HN_REPORT] = {"report", 1, 1, "one results file", "output against artifacts "},
    [HN_MERGE] = {"merge", 2, 1 << 30, "the file to write and at least one to read", ""},
    [HN_DUMP] = {"dump", 1, 1, "one results file", ""},
    [HN_MODULES] = {"modules", 2, 2, "a case and a folder", ""},
    [HN_KERNELS] = {"kernels", 2, 1 << 30, "a file of OpenCL C and a folder", "seed argument "},
    [HN_NEW] = {"new", 1, 1, "one shader or module",
                "I D stage target-env seed framebuffer " OF_MODULES "output "},
    [HN_CONVERGE] = {"converge", 0, 1, "one shader, module or case, or none",
                     "device mode seed count subgroup-size policy reduce two-exits table jobs "
                     "timeout artifacts write I D stage target-env " OF_MODULES},
    [HN_REDUCE] =
        {"reduce", 1, 1, "one case, shader or module",
         "device transform max-runs jobs timeout ulps validation emu-subgroup-size output "
         "I D stage target-env seed framebuffer " OF_MODULES},
    [HN_FIT] = {"fit", 0, 0, "no operands",
                "device mode seed count subgroup-size policy timeout write json "},
};

/* Options of converge that only random programs have, and that only a given file has. */
static const char of_random[] = "count reduce two-exits table jobs artifacts write ";
static const char of_given[] = "I D stage target-env " OF_MODULES;

static const char of_others[] =
    "output argument policy csv max-issues mode count reduce two-exits table subgroup-size write "
    "max-runs ";

#define COMMAND_NAMES                                                                              \
  "run, new, converge, fit, reduce, list-devices, compare, report, merge, dump, modules, kernels"

/* Is the option in the list? */
static bool lists(const char *list, const char *option) {
  size_t length = strlen(option);
  for (const char *p = list; *p; p += strcspn(p, " ") + 1)
    if (strncmp(p, option, length) == 0 && p[length] == ' ')
      return true;
  return false;
}

static bool check_run(const HnOptions *o) {
  const char *against = o->against;
  if (against && (!*against || strchr(against, ',') || strcmp(against, "auto") == 0))
    return tool_wrong("--against expects one device, not '%s'", against);
  if (o->ulps && !against)
    return tool_wrong("--ulps needs --against=DEVICE, whose floats may differ");
  return !o->resume || o->results ||
         tool_wrong("--resume needs --results=FILE, the run to continue");
}

/* An operand that is not an existing folder names a results file; `option`: one that was given, and
 * is not about the output, or NULL. */
static bool check_compare(HnOptions *o, const char *option) {
  bool first = tool_is_folder(o->operands[0]), second = tool_is_folder(o->operands[1]);
  o->folders = first && second;
  if (first != second)
    return tool_wrong("compare expects two folders or two results files; %s is %s folder",
                      o->operands[1], second ? "a" : "not a");
  for (int i = 0; i < 2 && !o->folders; i++)
    if (tool_is_module(o->operands[i]) || hn_new_case_is(o->operands[i]))
      return tool_wrong("compare expects folders or results files; to compare two modules, type "
                        "spv-emu --before=%s --after=%s",
                        o->operands[0], o->operands[1]);
  if (o->json && o->csv)
    return tool_wrong("--json and --csv are two formats: choose one");
  return o->folders || !option ||
         tool_wrong("%s%s applies to folders; %s is a results file", option[1] ? "--" : "-", option,
                    o->operands[0]);
}

/* `option`: one that was given. */
static bool check_converge(const HnOptions *o, const char *option) {
  const char *dashes = option[1] ? "--" : "-";
  if (o->operand_count && lists(of_random, option))
    return tool_wrong("%s%s applies to converge without a file: to random programs", dashes,
                      option);
  return o->operand_count || !lists(of_given, option) ||
         tool_wrong("%s%s applies to converge FILE", dashes, option);
}

/* Policies of compare are the emulator's, those of device emu may have an option. */
static bool check_policy(HnOptions *o, const char *command) {
  HnPolicy policies[HN_POLICIES];
  uint32_t count;
  if (o->command == HN_COMPARE)
    return read_policies(o, o->policy);
  return hn_policy_list(o->policy, policies, &count) &&
         (count == 1 || o->table || tool_wrong("%s expects one --policy", command));
}

/* Options are numbered as in option_table; those that have no long name come last. */
enum { OPTIONS = sizeof option_table / sizeof *option_table - 1, GIVEN = OPTIONS + 2 };
static const char *const short_names[] = {"I", "D"};

static const char *name_of(int option) {
  return option < OPTIONS ? option_table[option].name : short_names[option - OPTIONS];
}

/* The number of an option. */
static int place_of(int key) {
  int i = 0;
  if (key == 'I' || key == 'D')
    return OPTIONS + (key == 'D');
  while (option_table[i].val != (key == 'o' ? OPT_OUTPUT : key))
    i++;
  return i;
}

/* `given`: for each option, was it given? */
static bool check_options(HnOptions *o, const Command *command, const bool *given) {
  const char *last = NULL;
  for (int i = 0; i < GIVEN; i++) {
    const char *name = name_of(i);
    bool applies = command->options ? lists(command->options, name) : !lists(of_others, name);
    if (given[i] && !applies)
      return tool_wrong("%s%s does not apply to %s", name[1] ? "--" : "-", name, command->name);
    if (given[i] && o->command == HN_CONVERGE && !check_converge(o, name))
      return false;
    bool format = strcmp(name, "json") == 0 || strcmp(name, "csv") == 0; /* of all comparisons */
    last = given[i] && !format ? name : last;
  }
  if (o->policy && !check_policy(o, command->name))
    return false;
  if (!given[place_of(OPT_COUNT)] && (o->command == HN_FIT || o->table))
    o->count = o->table ? TABLE_COUNT : 0;
  if (o->command == HN_FIT && !given[place_of(OPT_MODE)])
    o->mode = CV_NO_PROMISE;
  if (o->command == HN_COMPARE)
    return check_compare(o, last);
  const char *folder;
  if (o->command == HN_MODULES || o->command == HN_KERNELS)
    return tool_target(command->name, "a folder", o->operands[1], &folder);
  if (o->command == HN_NEW && tool_has_suffix(o->operands[0], ".amber"))
    return tool_wrong("new expects a shader or module, not a case");
  if (o->command == HN_REDUCE && !o->output)
    return tool_wrong("reduce expects the case to write: -o FILE.amber");
  if (o->command == HN_REPORT && !o->output)
    return tool_wrong("report expects the page to write: -o FILE.html");
  return o->command != HN_RUN || check_run(o);
}

static bool read_command(HnOptions *o, char **operands, int count, const bool *given) {
  if (count == 0)
    return tool_wrong("no command; there are " COMMAND_NAMES);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    const Command *command = &commands[i];
    if (strcmp(command->name, operands[0]) != 0)
      continue;
    o->command = (HnCommand)i;
    o->operands = operands + 1;
    o->operand_count = count - 1;
    int wanted = i == HN_RUN && o->list ? 0 : command->least;
    if (o->operand_count < wanted || o->operand_count > command->most)
      return tool_wrong("%s expects %s", command->name, command->wants);
    return check_options(o, command, given);
  }
  const char *near = NULL;
  size_t distance = 0;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    sr_nearest_try(operands[0], strlen(operands[0]), commands[i].name, &near, &distance);
  return tool_wrong("unknown command '%s'%s%s; there are " COMMAND_NAMES, operands[0],
                    near ? ", nearest: " : "", near ? near : "");
}

static bool read_all(HnOptions *o, int argc, char **argv, int *code) {
  bool given[GIVEN] = {false};
  *code = TOOL_USAGE;
  if (!read_variants(o, "none+auto+strip-merges,structurize"))
    return false;
  for (int key; (key = getopt_long(argc, argv, ":ho:I:D:", option_table, NULL)) != -1;) {
    if (key == OPT_HELP || key == 'h' || key == OPT_VERSION) {
      *code = EXIT_SUCCESS;
      if (key == OPT_VERSION)
        tool_print_version(SPVRECONV_VERSION);
      else
        printf("%s%s%s%s%s", help_run, help_others, emu_given_help, help_given, help_results);
      return false;
    }
    if (key == '?' || key == ':')
      return tool_refuse(key, argv[optind - 1], OPT_DEVICE, option_table);
    if (!read_option(o, key, optarg))
      return false;
    given[place_of(key)] = true;
  }
  return read_command(o, argv + optind, argc - optind, given);
}

/* SPVRECONV_CHECK as in spvreconv and the layer; SPV_HARNESS_TEST is for tests. */
static bool read_environment(HnOptions *o, int *code) {
  bool check;
  const char *test = getenv("SPV_HARNESS_TEST");
  *code = TOOL_USAGE;
  if (!tool_environment_switch("SPVRECONV_CHECK", &check))
    return false;
  if (test && *test && strcmp(test, "flip") != 0)
    return tool_wrong("SPV_HARNESS_TEST is for tests: 'flip' or unset, not '%s'", test);
  tool_environment_check();
  o->check = o->check || check;
  return true;
}

bool hn_options_read(HnOptions *options, int argc, char **argv, char *const *typed, int *code) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *options = (HnOptions){.typed = typed,
                         .device = "auto",
                         .shard = 1,
                         .shards = 1,
                         .timeout = 60,
                         .given = {.seed = 1, .guess = true},
                         .max_issues = 100000000,
                         .count = 100,
                         .reduce = 3,
                         .max_runs = 20000,
                         .source = tool_source_none(),
                         .emu_subgroup_size = 32};
  options->jobs = processors < 1 ? 1 : processors > MAX_JOBS ? MAX_JOBS : (unsigned)processors;
  options->variants = calloc(HN_VARIANTS, sizeof *options->variants);
  options->policies = calloc(1, sizeof *options->policies);
  options->policy_count = 1;
  if (options->variants && options->policies && read_all(options, argc, argv, code) &&
      read_environment(options, code))
    return true;
  hn_options_free(options);
  return false;
}

void hn_options_free(HnOptions *options) {
  if (options->variants)
    free_variants(options);
  free(options->variants);
  free(options->policies);
  free(options->reuse);
  free(options->settings);
  tool_source_free(&options->source);
  emu_given_free(&options->given);
  options->variants = NULL;
  options->policies = NULL;
  options->reuse = NULL;
  options->settings = NULL;
}
