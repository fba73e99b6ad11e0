/* SPDX-License-Identifier: Apache-2.0 */
/* main: the command spv-harness. */
#include "harness/base/message.h"
#include "harness/base/writable.h"
#include "harness/cli/harness_options.h"
#include "harness/fit/fit.h"
#include "harness/new/new_case.h"
#include "harness/observe/observe.h"
#include "harness/page/page.h"
#include "harness/pairs/pairs.h"
#include "harness/reduce/reduction.h"
#include "harness/results/results_compare.h"
#include "harness/results/results_merge.h"
#include "harness/run/extract.h"
#include "harness/run/kernel_cases.h"
#include "harness/run/rerun.h"
#include "harness/run/run_report.h"
#include "harness/run/setup_hash.h"
#include "passes/tool/tool_arguments.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"
#include "passes/tool/tool_shell.h"
#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HN_EXIT_FIXES = 4, HN_EXIT_OTHERS = 5 }; /* exit codes of compare */

/* Prints the message and frees it. */
static int complain(char *message) {
  fprintf(stderr, "spv-harness: %s\n", message ? message : "out of memory");
  free(message);
  return EXIT_FAILURE;
}

/* ---- run ---- */

static void say_left_out(const ToolLeftOut *left) {
  char count[32];
  if (left->like)
    fprintf(stderr, "spv-harness: left out %s: name those to run, as in %s\n",
            tool_left_out_count(left, count), left->like);
}

static bool find_cases(const HnOptions *o, HnRun *run, char **message) {
  HnCaseOptions options = {
      .filter = o->filter, .modules = true, .shard = o->shard, .shards = o->shards};
  for (size_t i = 0; i < run->devices.count; i++)
    options.modules &= run->devices.at[i].idle;
  if (!hn_cases_find(o->operands, o->operand_count, &options, &run->cases, message))
    return false;
  say_left_out(&run->cases.left_out);
  return (!o->list || hn_cases_list(o->list, &options, &run->cases, message)) &&
         (hn_cases_once(&run->cases) || hn_message_set(message, "cases", "out of memory"));
}

static HnNewCase new_case_of(HnOptions *o, const char *path) {
  return (HnNewCase){.path = path, .source = o->source, .given = &o->given};
}

/* No case was made: was anything given for one? Seeds may be. */
static bool check_given(const HnOptions *o, char **message) {
  char option[64];
  for (uint32_t i = 0; i < o->given.typed_count; i++) {
    const char *typed = o->given.typed[i];
    snprintf(option, sizeof option, "%.*s", (int)strcspn(typed, "="), typed);
    if (strcmp(option, "--seed") != 0)
      return hn_message_set(message, option,
                            "it applies to shaders and modules without a case, and none is named");
  }
  return true;
}

/* Is it a module on the command line? Those of a list are skipped. */
static bool is_named_module(const HnOptions *o, const char *path) {
  bool named = false;
  for (int i = 0; i < o->operand_count; i++)
    named = named || strcmp(o->operands[i], path) == 0;
  return named && tool_is_module(path);
}

/* Makes the cases of shaders and, if a device runs them, of modules, once for all devices. */
static bool make_cases(HnOptions *o, HnRun *run, char **message) {
  bool runs = false;
  for (size_t i = 0; i < run->devices.count; i++)
    runs |= !run->devices.at[i].idle;
  for (size_t i = 0; i < run->cases.count; i++) {
    const HnNewCase wanted = new_case_of(o, run->cases.paths[i]);
    char *why;
    HnNewRisks risks;
    if (!hn_new_case_is(wanted.path) && !(runs && is_named_module(o, wanted.path)))
      continue;
    if (!run->texts)
      run->texts = calloc(run->cases.count, sizeof *run->texts);
    if (!run->texts)
      return hn_message_set(message, wanted.path, "out of memory");
    run->texts[i] = hn_new_case(&wanted, &risks, &why);
    if (run->texts[i] && risks.outside)
      return hn_message_set(
          message, wanted.path,
          "with made-up contents the shader accesses memory out of bounds, on which "
          "drivers may crash: change what spv-harness new prints, and run that");
    if (run->texts[i] && risks.races)
      return hn_message_set(message, wanted.path,
                            "its workgroups race, so results differ from run to run: give a "
                            "smaller --dispatch, or none");
    if (run->texts[i] && risks.broken)
      tool_say(wanted.path,
               "note: some derivatives are undefined (spv-harness new prints a case that "
               "says more), so drivers may differ, and so may variants");
    if (!run->texts[i]) {
      hn_message_set(message, wanted.path, why && *why ? why : "no case can be made of it");
      free(why);
      return false;
    }
  }
  return run->texts || check_given(o, message);
}

/* Opens, and so repairs, the run's own file before it is read. */
static bool open_results(const HnOptions *o, HnRun *run, char **message) {
  if (o->results && !hn_results_open(o->results, &run->store, message))
    return false;
  if (run->store && run->artifacts.folder &&
      !hn_results_note_artifacts(run->store, run->artifacts.folder))
    return hn_message_set(message, o->results, hn_results_error(run->store));
  if (!o->resume && !o->reuse_count)
    return true;
  run->records = hn_recorded_new(run->setup, run->devices.count);
  if (!run->records)
    return hn_message_set(message, "--resume", "out of memory");
  for (int i = 0; i < o->reuse_count; i++)
    if (!hn_recorded_load(run->records, o->reuse[i], false, message))
      return false;
  return !o->resume || hn_recorded_load(run->records, o->results, true, message);
}

/* Makes the folder of the artifacts. */
static bool open_artifacts(HnOptions *o, HnRun *run, char **message) {
  if (!o->artifacts)
    return true;
  if (mkdir(o->artifacts, 0777) != 0 && errno != EEXIST)
    return hn_message_set(message, o->artifacts, strerror(errno));
  if (!hn_writable_folder(o->artifacts, message))
    return false;
  const HnNewCase shader = new_case_of(o, "");
  run->artifacts.folder = realpath(o->artifacts, NULL);
  run->artifacts.command = hn_rerun_command(run, run->texts ? &shader : NULL);
  return (run->artifacts.folder && run->artifacts.command) ||
         hn_message_set(message, o->artifacts, "out of memory, or /proc is missing");
}

static bool prepare(HnOptions *o, HnRun *run, char **message) {
  if ((o->json && !hn_writable_standard(message)) ||
      (o->junit && !hn_writable(o->junit, message)) ||
      !hn_devices_find(o->device, o->emu_subgroup_size, &run->devices, message) ||
      (o->against && !hn_devices_find(o->against, o->emu_subgroup_size, &run->against, message)) ||
      !find_cases(o, run, message) || !make_cases(o, run, message) ||
      !open_artifacts(o, run, message))
    return false;
  run->setup = hn_setup_hashes(run);
  if (!run->setup)
    return hn_message_set(message, "cannot begin", "out of memory, or /proc is missing");
  return open_results(o, run, message);
}

/* Names the folder, and how to see what is in it: only databases can become a page. */
static void say_artifacts(const HnOptions *o, const HnProgress *progress) {
  size_t missing;
  size_t kept = hn_report_artifacts(progress->run, &missing);
  if (kept)
    fprintf(progress->out, "artifacts of %zu failure%s: %s\n", kept, kept == 1 ? "" : "s",
            progress->run->artifacts.folder);
  if (kept && o->results && !tool_has_suffix(o->results, ".log")) {
    fputs("with pictures, on a page: spv-harness report ", progress->out);
    tool_shell_word(progress->out, o->results);
    fputs(" -o page.html\n", progress->out);
  }
  if (missing)
    fprintf(stderr, "spv-harness: %s: the artifacts of %zu failure%s could not be written\n",
            progress->run->artifacts.folder, missing, missing == 1 ? "" : "s");
}

/* What a new user cannot see in the totals. */
static void say_more(const HnOptions *o, const HnProgress *progress) {
  if (o->resume || o->reuse_count)
    fprintf(stderr,
            "spv-harness: %zu of %zu are results of earlier runs (a case on a device each)\n",
            progress->recorded, progress->total);
  if (progress->failed && !o->artifacts && isatty(STDERR_FILENO))
    fprintf(stderr, "spv-harness: --artifacts=DIR keeps the modules, buffers and pictures of "
                    "failures\n");
}

static int deliver(const HnOptions *o, const HnProgress *progress) {
  int code = progress->failed ? EXIT_FAILURE : EXIT_SUCCESS;
  if (o->json && !hn_report_json(progress, stdout))
    code = complain(strdup("cannot write to standard output"));
  if (o->junit && !hn_report_junit(progress->run, o->junit)) {
    fprintf(stderr, "spv-harness: %s: %s\n", o->junit, strerror(errno));
    code = EXIT_FAILURE;
  }
  if (o->artifacts)
    say_artifacts(o, progress);
  say_more(o, progress);
  fprintf(progress->out, "%zu passed, %zu failed, %zu skipped\n", progress->passed,
          progress->failed, progress->skipped);
  return code;
}

/* ---- a run that a signal ended ---- */

/* Prints the command line with --resume. */
static void print_resume(char *const *typed) {
  bool given = false;
  fputs("   ", stderr);
  for (; *typed && strcmp(*typed, "--") != 0; typed++) {
    given |= strcmp(*typed, "--resume") == 0;
    fputc(' ', stderr);
    tool_shell_word(stderr, *typed);
  }
  if (!given)
    fputs(" --resume", stderr);
  for (; *typed; typed++) {
    fputc(' ', stderr);
    tool_shell_word(stderr, *typed);
  }
  fputc('\n', stderr);
}

static void say_interrupted(const HnOptions *o, const HnProgress *progress) {
  fprintf(stderr, "spv-harness: interrupted; %zu of %zu are done (a case on a device each)%s\n",
          progress->done, progress->total,
          o->results ? "; to run the others, type:" : "; a run with --results=FILE can be resumed");
  if (o->results)
    print_resume(o->typed);
}

/* Ends the process by the signal, as if it were not caught, so that a script that runs this command
 * ends too. */
static void end_by(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  fflush(NULL);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static int run_cases(HnOptions *o) {
  HnRun run = {.variants = (const char *const *)o->variants,
               .variant_count = o->variant_count,
               .jobs = o->jobs,
               .retries = o->retries,
               .timeout = o->timeout,
               .validation = o->validation,
               .check = o->check,
               .ulps = o->ulps,
               .done = hn_progress_done};
  char *message = NULL;
  HnProgress progress;
  run.user = &progress;
  bool good = prepare(o, &run, &message);
  if (good) {
    hn_progress_begin(&progress, &run, o->json ? stderr : stdout);
    good = hn_run(&run, &message);
    hn_progress_end(&progress);
  }
  int code = good ? deliver(o, &progress) : complain(message);
  int signal = run.signal;
  if (signal)
    say_interrupted(o, &progress);
  hn_run_free(&run);
  if (signal)
    end_by(signal);
  return code;
}

/* ---- the other commands ---- */

/* Prints the driver's name, a line for each physical device, and the driver's manifest. */
static void print_driver(const char *name, const HnDevice *device) {
  for (const char *line = device->all; *line; name = "") {
    int length = (int)strcspn(line, "\n");
    printf("%-12s %.*s\n", name, length, line);
    line += length + (line[length] == '\n');
  }
  if (device->icd)
    printf("%-12s %s\n", "", device->icd);
}

static int list_devices(const HnOptions *o) {
  static const char *const names[] = {"lavapipe", "swiftshader", "emu", "pocl", "none", "default"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    HnDevices devices;
    char *message;
    if (hn_devices_find(names[i], o->emu_subgroup_size, &devices, &message)) {
      print_driver(names[i], &devices.at[0]);
      hn_devices_free(&devices);
    } else {
      const char *why = message ? strstr(message, ": ") : NULL;
      printf("%-12s none: %s\n", names[i], why ? why + 2 : "out of memory");
      free(message);
    }
  }
  return EXIT_SUCCESS;
}

static int pairs_code(const HnPairs *pairs) {
  size_t counts[HN_PAIR_CHANGES];
  hn_pairs_count(pairs, counts);
  if (counts[HN_PAIR_WRONG] || counts[HN_PAIR_BROKEN])
    return EXIT_FAILURE;
  if (counts[HN_PAIR_OTHER] || pairs->alone_count[0] || pairs->alone_count[1])
    return HN_EXIT_OTHERS;
  return counts[HN_PAIR_FIXED] ? HN_EXIT_FIXES : EXIT_SUCCESS;
}

static int deliver_pairs(const HnOptions *o, const HnPairs *pairs) {
  if (o->csv)
    hn_pairs_csv(pairs, stdout);
  else if (!o->json)
    hn_pairs_text(pairs, stdout);
  else if (!hn_pairs_json(pairs, stdout))
    return complain(NULL);
  if (!pairs->interrupted)
    return pairs_code(pairs);
  fprintf(stderr, "spv-harness: interrupted; these are the %zu pairs that were done\n",
          pairs->count);
  return EXIT_FAILURE;
}

static int compare_folders(HnOptions *o) {
  const HnPairsOptions options = {.folders = {o->operands[0], o->operands[1]},
                                  .source = o->source,
                                  .given = &o->given,
                                  .policies = o->policies,
                                  .policy_count = o->policy_count,
                                  .subgroup_size = o->emu_subgroup_size,
                                  .max_issues = o->max_issues,
                                  .ulps = o->ulps,
                                  .jobs = o->jobs,
                                  .timeout = o->timeout,
                                  .filter = o->filter};
  HnPairs pairs;
  char *message = NULL;
  bool good = hn_pairs_find(&options, &pairs, &message) && hn_pairs_run(&pairs, &message);
  int code = good ? deliver_pairs(o, &pairs) : complain(message);
  hn_pairs_free(&pairs);
  return code;
}

static int compare(const HnOptions *o) {
  size_t changes[HN_CHANGES], common;
  char *message;
  HnCompareFormat format = o->json ? HN_COMPARE_JSON : o->csv ? HN_COMPARE_CSV : HN_COMPARE_TEXT;
  if (!hn_results_compare(o->operands[0], o->operands[1], format, changes, &message) ||
      !hn_results_common(o->operands[0], o->operands[1], &common, &message))
    return complain(message);
  size_t regressions = changes[HN_REGRESSION], fixes = changes[HN_FIX];
  size_t others = changes[HN_OTHER_CHANGE], all = regressions + fixes + others;
  if (format == HN_COMPARE_TEXT && all)
    printf("%zu changed: regressions %zu, fixes %zu, others %zu\n", all, regressions, fixes,
           others);
  else if (format == HN_COMPARE_TEXT && common)
    printf("0 changed\n");
  if (!common)
    fprintf(stderr,
            "spv-harness: nothing was compared: no case with a device and a variant is in both "
            "%s and %s\n",
            o->operands[0], o->operands[1]);
  if (regressions || !(common || all))
    return EXIT_FAILURE;
  return others ? HN_EXIT_OTHERS : fixes ? HN_EXIT_FIXES : EXIT_SUCCESS;
}

static int report(const HnOptions *o) {
  const HnPage page = {.results = o->operands[0], .against = o->against, .artifacts = o->artifacts};
  char *message, *text;
  if (hn_is_same_file(o->output, page.results) ||
      (page.against && hn_is_same_file(o->output, page.against))) {
    hn_message_set(&message, o->output, "the page would replace these results; name another file");
    return complain(message);
  }
  text = hn_page_make(&page, &message);
  if (!text)
    return complain(message);
  bool good = tool_write(o->output, text, strlen(text));
  free(text);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int merge(const HnOptions *o) {
  size_t torn;
  char *message;
  if (!hn_results_merge(o->operands[0], o->operands + 1, o->operand_count - 1, &torn, &message))
    return complain(message);
  if (torn)
    fprintf(stderr, "spv-harness: left out %zu truncated lines of killed runs\n", torn);
  return EXIT_SUCCESS;
}

static int dump(const HnOptions *o) {
  char *message;
  return hn_results_dump(o->operands[0], &message) ? EXIT_SUCCESS : complain(message);
}

static int kernels(const HnOptions *o) {
  const HnKernelCases wanted = {.path = o->operands[0],
                                .folder = o->operands[1],
                                .options = (const char *const *)o->operands + 2,
                                .option_count = (uint32_t)o->operand_count - 2,
                                .settings = o->settings,
                                .setting_count = (uint32_t)o->setting_count,
                                .seed = o->given.seeded ? o->given.seed : 0};
  return hn_kernel_cases(&wanted) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int print_new(HnOptions *o) {
  const HnNewCase wanted = new_case_of(o, o->operands[0]);
  HnNewRisks risks;
  char *message, *text = hn_new_case(&wanted, &risks, &message);
  if (!text) {
    if (!message || *message)
      tool_say(wanted.path, "%s", message ? message : "out of memory");
    free(message);
    return EXIT_FAILURE;
  }
  if (risks.outside)
    tool_say(wanted.path, "note: with these contents the shader accesses memory out of bounds, on "
                          "which drivers may crash: change them before you run it");
  if (risks.broken)
    tool_say(wanted.path, "note: some derivatives are undefined, so nothing is expected of the "
                          "picture: the case says why");
  if (risks.races)
    tool_say(wanted.path,
             "note: workgroups race, so nothing is expected: give a smaller --dispatch");
  bool good = tool_write(o->output ? o->output : "-", text, strlen(text));
  free(text);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int observe(HnOptions *o, ObOptions options) {
  options.shader = new_case_of(o, o->operands[0]);
  return ob_observe(&options);
}

static int converge(HnOptions *o) {
  HnDevices devices = {0};
  char *message;
  if (!o->write &&
      !hn_devices_find(o->device, o->subgroup_size ? o->subgroup_size : 32, &devices, &message))
    return complain(message);
  const CvOptions options = {.mode = o->mode,
                             .seed = o->given.seed,
                             .count = o->count,
                             .devices = &devices,
                             .subgroup_size = o->subgroup_size,
                             .policy = o->policy,
                             .table = o->table,
                             .every_mode = !o->mode_given,
                             .jobs = o->jobs,
                             .reduce = o->reduce,
                             .timeout = o->timeout,
                             .two_exits = o->two_exits,
                             .write = o->write,
                             .artifacts = o->artifacts};
  const ObOptions given = {.common = &options, .mode_given = o->mode_given};
  int code = o->operand_count ? observe(o, given) : cv_converge(&options);
  hn_devices_free(&devices);
  return code;
}

static int reduce(HnOptions *o) {
  HnDevices devices = {0}, emulator = {0};
  char *message;
  int code = EXIT_FAILURE;
  if (!hn_devices_find(o->device, o->emu_subgroup_size, &devices, &message) ||
      !hn_devices_find("emu", o->emu_subgroup_size, &emulator, &message)) {
    code = complain(message);
  } else {
    const HnReduce wanted = {.shader = new_case_of(o, o->operands[0]),
                             .output = o->output,
                             .device = &devices,
                             .emulator = &emulator,
                             .variants = (const char *const *)o->variants,
                             .variant_count = o->variant_count,
                             .jobs = o->jobs,
                             .timeout = o->timeout,
                             .ulps = o->ulps,
                             .most = o->max_runs,
                             .validation = o->validation};
    code = hn_reduce(&wanted);
  }
  hn_devices_free(&devices);
  hn_devices_free(&emulator);
  return code;
}

static int fit(const HnOptions *o) {
  HnDevices devices = {0};
  char *message;
  if (!o->write &&
      !hn_devices_find(o->device, o->subgroup_size ? o->subgroup_size : 32, &devices, &message))
    return complain(message);
  const FtOptions options = {.devices = &devices,
                             .mode = o->mode,
                             .subgroup_size = o->subgroup_size,
                             .policy = o->policy,
                             .seed = o->given.seed,
                             .count = (uint32_t)o->count,
                             .timeout = o->timeout,
                             .json = o->json,
                             .write = o->write};
  int code = ft_fit(&options);
  hn_devices_free(&devices);
  return code;
}

static int obey(HnOptions *o) {
  switch (o->command) {
  case HN_LIST_DEVICES:
    return list_devices(o);
  case HN_COMPARE:
    return o->folders ? compare_folders(o) : compare(o);
  case HN_REPORT:
    return report(o);
  case HN_MERGE:
    return merge(o);
  case HN_DUMP:
    return dump(o);
  case HN_MODULES:
    return hn_extract(o->operands[0], o->operands[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
  case HN_KERNELS:
    return kernels(o);
  case HN_NEW:
    return print_new(o);
  case HN_CONVERGE:
    return converge(o);
  case HN_FIT:
    return fit(o);
  case HN_REDUCE:
    return reduce(o);
  default:
    return run_cases(o);
  }
}

int main(int argc, char **argv) {
  HnOptions options;
  ToolArguments arguments;
  int code = TOOL_USAGE;
  if (tool_arguments(argc, argv, &arguments) &&
      hn_options_read(&options, arguments.count, arguments.at, argv, &code)) {
    code = obey(&options);
    hn_options_free(&options);
  }
  tool_arguments_free(&arguments);
  if (fflush(stdout) != 0 || ferror(stdout))
    return complain(strdup("cannot write to standard output"));
  return code;
}
