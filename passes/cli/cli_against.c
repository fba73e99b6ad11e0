/* SPDX-License-Identifier: Apache-2.0 */
/* cli_against: see cli_against.h. The library compares words: text is assembled by a run that
 * transforms nothing. */
#include "passes/cli/cli_against.h"

#include "passes/cli/cli_open.h"
#include "passes/cli/cli_report.h"
#include "passes/cli/cli_stats.h"
#include "passes/tool/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the module's words, which belong to the result. False: one line is on standard error. */
static bool read_words(const Cli *cli, const char *file, const ToolInput *in,
                       spvreconv_result **result) {
  spvreconv_options options = cli->options;
  options.transform = "none";
  options.order = NULL;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = 0;
  options.message_user = (void *)file;
  if (tool_run(&options, in, result) == SPVRECONV_OK)
    return true;
  tool_say(file, "%s", spvreconv_result_message(*result));
  return false;
}

static bool print_json(const Cli *cli, const spvreconv_result *input,
                       const spvreconv_result *compared) {
  json_t *root = cli_report_begin(cli->input, spvreconv_result_input_words(input));
  const spvreconv_check *check = spvreconv_result_check(compared);
  json_object_set_new(root, "against", json_pack("{s:s}", "file", cli->against));
  json_object_set_new(root, "check", cli_check_object(check));
  if (check->differences)
    cli_report_fail(root, "failed", spvreconv_result_message(compared));
  return cli_report_end(root, stdout);
}

/* Modules that two compilers have made differ before their functions are compared. */
static void hint_ids(const Cli *cli, const spvreconv_result *compared) {
  static const char level[] = "module level:";
  if (strncmp(spvreconv_result_message(compared), level, strlen(level)) == 0)
    tool_say(cli->input, "note: --against follows ids, so one module must have been made from the "
                         "other; 'spv-emu --before=OLD --after=NEW' compares what any two compute");
}

/* Prints the result of the comparison; returns the exit status. */
static int report(const Cli *cli, spvreconv_status status, const spvreconv_result *input,
                  const spvreconv_result *compared) {
  const spvreconv_check *c = spvreconv_result_check(compared);
  const char *story = spvreconv_result_text(compared, SPVRECONV_WANT_CHECK);
  if (!c) {
    tool_say(cli->input, "%s", spvreconv_result_message(compared));
    return status == SPVRECONV_BAD_OPTION ? TOOL_USAGE : TOOL_BAD_INPUT;
  }
  if (c->differences) {
    tool_say(cli->input, "differs from %s: %s", tool_name(cli->against),
             spvreconv_result_message(compared));
    hint_ids(cli, compared);
  } else if (!cli->json)
    cli_print_check(compared, cli->input, cli->against, stdout);
  if (story)
    fputs(story, stderr);
  if (cli->json && !print_json(cli, input, compared))
    return TOOL_BAD_INPUT;
  bool same = cli_has_compared(c) || (!c->functions && c->unchanged);
  return same && !c->differences ? EXIT_SUCCESS : TOOL_BAD_INPUT;
}

static int compare(const Cli *cli, const spvreconv_result *old, const spvreconv_result *new) {
  size_t old_count, new_count;
  const uint32_t *before = spvreconv_result_words(old, &old_count);
  const uint32_t *after = spvreconv_result_words(new, &new_count);
  spvreconv_result *compared = NULL;
  spvreconv_status status =
      spvreconv_compare(&cli->options, before, old_count, after, new_count, &compared);
  int code = TOOL_BAD_INPUT;
  if (status == SPVRECONV_OUT_OF_MEMORY)
    tool_limit_say_memory();
  else
    code = report(cli, status, new, compared);
  spvreconv_result_destroy(compared);
  return code;
}

int cli_against(const Cli *cli, const ToolInput *in) {
  ToolInput other;
  spvreconv_result *old = NULL, *new = NULL;
  int code = TOOL_BAD_INPUT;
  if (cli_open(cli, cli->against, &other) && read_words(cli, cli->against, &other, &old) &&
      read_words(cli, cli->input, in, &new))
    code = compare(cli, old, new);
  spvreconv_result_destroy(old);
  spvreconv_result_destroy(new);
  free(other.bytes);
  return code;
}
