/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv: the command line. It only reads, calls the library and writes. */
#include "passes/cli/cli_against.h"
#include "passes/cli/cli_batch.h"
#include "passes/cli/cli_compare.h"
#include "passes/cli/cli_fit.h"
#include "passes/cli/cli_lint.h"
#include "passes/cli/cli_open.h"
#include "passes/cli/cli_report.h"
#include "passes/tool/tool_arguments.h"
#include "passes/tool/tool_environment.h"
#include "passes/tool/tool_graphviz.h"
#include "passes/tool/tool_profile.h"
#include "passes/tool/tool_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_notice(void *user, const char *line) {
  tool_say(user, "note: %s", line);
}

static bool wants_text(const Cli *cli) {
  return cli->output && tool_has_suffix(cli->output, ".spvasm");
}

static unsigned wants(const Cli *cli) {
  return (wants_text(cli) ? SPVRECONV_WANT_ASSEMBLY : 0u) |
         (cli->stats || cli->json ? SPVRECONV_WANT_STATS : 0u) |
         (cli->dump_cfg ? SPVRECONV_WANT_CFG_DOT : 0u) |
         (cli->dump_wave ? SPVRECONV_WANT_WAVE : 0u) |
         (cli->print_uniformity ? SPVRECONV_WANT_UNIFORMITY : 0u) |
         (cli->print_frontier ? SPVRECONV_WANT_FRONTIER : 0u) |
         (cli->lint ? SPVRECONV_WANT_LINT : 0u) | (cli->explain ? SPVRECONV_WANT_EXPLAIN : 0u) |
         (cli->explain_portable ? SPVRECONV_WANT_EXPLAIN_PORTABLE : 0u) |
         (cli->check || cli->check_always ? SPVRECONV_WANT_CHECK : 0u);
}

static int report_failure(const Cli *cli, spvreconv_status status, const spvreconv_result *result) {
  const char *message = spvreconv_result_message(result);
  if (status == SPVRECONV_BAD_OPTION) {
    fprintf(stderr, "spvreconv: %s\n", message);
    return TOOL_USAGE;
  }
  if (status == SPVRECONV_BUG) {
    const spvreconv_check *check = spvreconv_result_check(result);
    const char *story = spvreconv_result_text(result, SPVRECONV_WANT_CHECK);
    tool_say(cli->input, "a bug of spvreconv, nothing is written: %s%s",
             check && check->differences ? "--check: " : "", message);
    if (story)
      fputs(story, stderr);
    if (check && cli->json)
      cli_print_json(result, cli, stdout);
    return TOOL_BUG;
  }
  if (status == SPVRECONV_OUT_OF_MEMORY)
    tool_limit_say_memory();
  else
    tool_say(cli->input, "%s", message);
  return TOOL_BAD_INPUT;
}

static bool write_module(const Cli *cli, const spvreconv_result *result) {
  size_t count;
  if (cli->options.validate != SPVRECONV_VALIDATE_NONE &&
      spvreconv_result_needs_structure(result)) {
    tool_say(cli->input, "the result is not structured, as the module's capabilities require: end "
                         "--transform with ',structurize', or use --no-validate");
    return false;
  }
  const uint32_t *words = spvreconv_result_words(result, &count);
  if (!wants_text(cli))
    return tool_write(cli->output, words, count * sizeof *words);
  const char *text = spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY);
  if (text)
    return tool_write(cli->output, text, strlen(text));
  tool_say(cli->input, "SPIRV-Tools cannot print this module as text");
  return false;
}

static bool write_picture(const Cli *cli, const spvreconv_result *result) {
  const char *dot = spvreconv_result_text(result, SPVRECONV_WANT_CFG_DOT);
  if (!tool_has_suffix(cli->dump_cfg, ".svg"))
    return tool_write(cli->dump_cfg, dot, strlen(dot));
  size_t blocks = tool_count_blocks(dot);
  if (blocks <= TOOL_MOST_BLOCKS)
    return tool_write_svg(cli->dump_cfg, dot, cli->limit.seconds);
  tool_say(cli->dump_cfg,
           "%zu blocks are too many for a picture, %d is the limit: name a .dot file instead",
           blocks, (int)TOOL_MOST_BLOCKS);
  return false;
}

static bool write_wave(const Cli *cli, const spvreconv_result *result) {
  const char *text = spvreconv_result_text(result, SPVRECONV_WANT_WAVE);
  return tool_write(cli->dump_wave, text, strlen(text));
}

static bool print_uniformity(const Cli *cli, const spvreconv_result *result) {
  const char *text = spvreconv_result_text(result, SPVRECONV_WANT_UNIFORMITY);
  if (text)
    return fputs(text, stdout) >= 0;
  tool_say(cli->input, "SPIRV-Tools cannot print this module as text");
  return false;
}

/* Prints the violations; returns whether there are none. */
static bool print_explanation(const Cli *cli, const spvreconv_result *result) {
  const spvreconv_violation *v;
  size_t count = 0;
  if (cli->json && !cli_print_violations(result, cli->input))
    return false;
  for (; (v = spvreconv_result_violation(result, count)); count++)
    if (!cli->json)
      printf("%s%s%s\n", cli->several ? cli->input : "", cli->several ? ": " : "", v->text);
  if (count)
    tool_say(cli->input, "not %s: %zu violation%s; --transform=%s repairs %s",
             cli->explain_portable ? "portable" : "structured", count, count == 1 ? "" : "s",
             cli->explain_portable ? "strip-merges,structurize" : "structurize",
             count == 1 ? "it" : "them");
  return count == 0;
}

/* With --check, each of two modules is compared with itself, which may not be what the user
 * meant. */
static void hint_against(const Cli *cli, const spvreconv_result *result) {
  if (cli->check && cli->input_count == 2 && !spvreconv_result_check(result)->functions &&
      strcmp(cli->input, cli->inputs[1]) == 0)
    tool_say(cli->input, "note: to compare it with %s, use --against=%s", cli->inputs[0],
             cli->inputs[0]);
}

/* Reports, for each function that was repaired, what --explain would list. */
static void say_repairs(const Cli *cli, const spvreconv_result *result) {
  const spvreconv_repair *r;
  for (size_t i = 0; (r = spvreconv_result_repair(result, i)); i++)
    tool_say(cli->input,
             "note: function %s: repaired: %" PRIu32
             " violation%s of structured control flow; --explain lists %s",
             r->function, r->violations, r->violations == 1 ? "" : "s",
             r->violations == 1 ? "it" : "them");
}

/* Reports each kernel that could not be converted; returns whether there is none. */
static bool say_refusals(const Cli *cli, const spvreconv_result *result) {
  size_t i = 0;
  for (; spvreconv_result_refusal(result, i); i++)
    tool_say(cli->input, "%s", spvreconv_result_refusal(result, i)->reason);
  return i == 0;
}

/* Prints the figures, as JSON if they go to a file whose name says so. */
static bool print_stats(const Cli *cli, const spvreconv_result *result, FILE *out) {
  if (cli->stats_file && tool_has_suffix(cli->stats_file, ".json"))
    return cli_print_json(result, cli, out);
  cli_print_stats(result, cli->input, cli->stats, cli->check, out);
  return true;
}

/* The figures go to standard error if the module goes to standard output. */
static bool write_stats(const Cli *cli, const spvreconv_result *result) {
  char *text = NULL;
  size_t size = 0;
  if (!cli->stats_file)
    return print_stats(cli, result, cli->output && strcmp(cli->output, "-") == 0 ? stderr : stdout);
  FILE *out = open_memstream(&text, &size);
  bool good = out && print_stats(cli, result, out);
  good = out && fclose(out) == 0 && good;
  if (!good)
    tool_say(cli->input, "out of memory");
  good = good && tool_write(cli->stats_file, text, size);
  free(text);
  return good;
}

static bool deliver(const Cli *cli, const spvreconv_result *result) {
  bool ok = true;
  if (cli->explain)
    return print_explanation(cli, result);
  if (cli->lint)
    return cli_lint(cli, result);
  if (cli->dump_cfg)
    ok = write_picture(cli, result);
  if (cli->dump_wave)
    ok = write_wave(cli, result) && ok;
  if (cli->print_uniformity)
    ok = print_uniformity(cli, result) && ok;
  if (cli->print_frontier && !cli->json)
    ok = fputs(spvreconv_result_text(result, SPVRECONV_WANT_FRONTIER), stdout) >= 0 && ok;
  if (cli->stats)
    ok = write_stats(cli, result) && ok;
  else if (cli->check && !cli->json && !cli->output)
    cli_print_check(result, cli->input, NULL, stdout);
  if (cli->json)
    ok = cli_print_json(result, cli, stdout) && ok;
  if (cli->time_passes)
    cli_print_times(result);
  hint_against(cli, result);
  /* last: nothing is written if something else fails */
  ok = ok && fflush(stdout) == 0;
  if (ok && cli->output) {
    ok = write_module(cli, result);
    if (ok)
      say_repairs(cli, result);
  }
  return say_refusals(cli, result) && ok;
}

typedef struct Drawings {
  const char *folder;
  uint64_t seconds;
  bool has_graphviz, failed;
} Drawings;

/* Writes one picture of --dump-open-tree. The first failure is reported, and no further
 * picture is written. */
static void write_drawing(void *user, const char *name, const char *dot) {
  Drawings *d = user;
  char path[4096];
  if (d->failed)
    return;
  snprintf(path, sizeof path, "%s/%s.%s", d->folder, name, d->has_graphviz ? "svg" : "dot");
  d->failed = d->has_graphviz ? !tool_write_svg(path, dot, d->seconds)
                              : !tool_write(path, dot, strlen(dot));
}

static bool begin_drawings(const Cli *cli, Drawings *d, spvreconv_options *options) {
  *d = (Drawings){.folder = cli->dump_open_tree, .seconds = cli->limit.seconds};
  if (!d->folder)
    return true;
  d->has_graphviz = tool_has_graphviz();
  if (!d->has_graphviz)
    tool_say(d->folder, "note: Graphviz is not installed: .dot files instead of .svg");
  options->drawing = write_drawing;
  options->drawing_user = d;
  return tool_make_folder(d->folder);
}

static int transform(Cli *cli, const ToolInput *in) {
  spvreconv_result *result = NULL;
  int code = TOOL_BAD_INPUT;
  spvreconv_options options = cli->options;
  Drawings drawings;
  if (!begin_drawings(cli, &drawings, &options))
    return code;
  spvreconv_status status = tool_run(&options, in, &result);
  tool_limit_end();
  if (status != SPVRECONV_OK) {
    if (cli->explain)
      print_explanation(cli, result);
    code = report_failure(cli, status, result);
  } else if (!drawings.failed && deliver(cli, result))
    code = EXIT_SUCCESS;
  spvreconv_result_destroy(result);
  return code;
}

/* The file of the first profile in the list of transforms: NAME:profile:FILE; or NULL. */
static const char *find_profile(const char *transforms) {
  const char *file = NULL;
  for (const char *at = transforms; at && !file; at = (at = strchr(at, ',')) ? at + 1 : NULL) {
    const char *colon = at + strcspn(at, ":,");
    file = *colon == ':' ? tool_profile_file(colon + 1) : NULL;
  }
  return file;
}

/* Reads the profile that a transform names, if one does. */
static bool read_paths(Cli *cli, ToolPaths *paths) {
  *paths = (ToolPaths){0};
  const char *file = find_profile(cli->transforms);
  if (!file)
    return true;
  char *path = strndup(file, strcspn(file, ","));
  if (!path)
    tool_say(cli->input, "out of memory");
  bool good = path && tool_paths_read(path, paths);
  free(path);
  cli->options.profiles = paths->addresses;
  cli->options.profile_count = paths->count;
  return good;
}

static int run(Cli *cli) {
  ToolInput in;
  int code = TOOL_BAD_INPUT;
  char *order = NULL;
  ToolPaths paths = {0};
  cli->options.want = wants(cli);
  cli->options.message = print_notice;
  cli->options.message_user = (void *)cli->input;
  tool_limit_begin(&cli->limit, cli->input);
  if (cli_open(cli, cli->input, &in) && cli_fit(cli, &in, &order) && read_paths(cli, &paths))
    code = cli->compare   ? cli_compare(cli, &in)
           : cli->against ? cli_against(cli, &in)
                          : transform(cli, &in);
  tool_paths_free(&paths);
  free(order);
  free(in.bytes);
  return code;
}

static int close_output(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return code;
  fprintf(stderr, "spvreconv: cannot write to standard output\n");
  return code ? code : TOOL_BAD_INPUT;
}

int main(int argc, char **argv) {
  Cli cli;
  ToolArguments arguments;
  int code = TOOL_USAGE;
  if (tool_arguments(argc, argv, &arguments)) {
    if (cli_parse(&cli, arguments.count, arguments.at, &code) &&
        tool_environment_switch("SPVRECONV_CHECK", &cli.check_always)) {
      tool_environment_check();
      code = cli_is_batch(&cli) ? cli_batch(&cli, run) : run(&cli);
    }
    cli_free(&cli);
  }
  tool_arguments_free(&arguments);
  return close_output(code);
}
