/* SPDX-License-Identifier: Apache-2.0 */
/* cli_policy: see cli_policy.h. */
#include "spv-emu/cli/cli_policy.h"

#include "passes/tool/tool_usage.h"
#include "spv-emu/cli/emu_options.h"
#include "spv-emu/report/report.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table, and help --------------------------------------------------------------------- */

struct option *emu_cli_policy_table(const struct option *own, int first) {
  spv_emu_policy_option option;
  uint32_t count = 0, more = 0;
  while (own[count].name)
    count++;
  while (spv_emu_policy_option_at(more, &option))
    more++;
  assert(more <= EMU_CLI_POLICY_OPTIONS);
  struct option *table = calloc(count + more + 1, sizeof *table);
  if (!table)
    return NULL;
  memcpy(table, own, count * sizeof *table);
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++)
    table[count + i] = (struct option){option.flag + 2, required_argument, NULL, first + (int)i};
  return table;
}

void emu_cli_policy_help(bool dumps) {
  spv_emu_policy_option option;
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++)
    if ((option.kind == SPV_EMU_OPTION_DUMP) == dumps)
      fputs(option.help, stdout);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool runs(const EmuCli *cli, const char *policy) {
  for (uint32_t i = 0; i < cli->policy_count; i++)
    if (cli->policies[i] && strcmp(cli->policies[i], policy) == 0)
      return true;
  return false;
}

/* The flag of a given option of that policy that is neither a listing nor a dump; NULL: none. */
static const char *name_given(const EmuCliPolicy *given, const char *policy) {
  spv_emu_policy_option option;
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++)
    if (given->values[i] && option.kind == SPV_EMU_OPTION_NAME &&
        strcmp(option.policy, policy) == 0)
      return option.flag;
  return NULL;
}

bool emu_cli_policy_check(const EmuCli *cli) {
  spv_emu_policy_option option;
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++) {
    if (!cli->policy.values[i])
      continue;
    if (!runs(cli, option.policy))
      return tool_wrong("%s needs policy %s: add it to --policy", option.flag, option.policy);
    const char *name =
        option.kind == SPV_EMU_OPTION_LISTING ? name_given(&cli->policy, option.policy) : NULL;
    if (name)
      return tool_wrong("either %s or %s: a listing says itself what the other chooses",
                        option.flag, name);
  }
  return true;
}

const char *emu_cli_policy_dump(const EmuCliPolicy *policy, bool printed) {
  spv_emu_policy_option option;
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++)
    if (policy->values[i] && option.kind == SPV_EMU_OPTION_DUMP &&
        (!printed || strcmp(policy->values[i], "-") == 0))
      return option.flag;
  return NULL;
}

/* ---- listings -------------------------------------------------------------------------------- */

bool emu_cli_policy_open(EmuCli *cli) {
  EmuCliPolicy *policy = &cli->policy;
  spv_emu_policy_option option;
  for (uint32_t i = 0; spv_emu_policy_option_at(i, &option); i++) {
    const char *value = policy->values[i];
    if (value && option.kind == SPV_EMU_OPTION_LISTING && !tool_read(value, &policy->listings[i]))
      return false;
    policy->choices[i] = (spv_emu_choice){
        option.flag, option.kind == SPV_EMU_OPTION_LISTING ? policy->listings[i].bytes : value};
    cli->run.choice_count++;
  }
  cli->run.choices = policy->choices;
  cli->run.list = emu_cli_policy_dump(policy, false);
  return true;
}

void emu_cli_policy_close(EmuCliPolicy *policy) {
  for (uint32_t i = 0; i < EMU_CLI_POLICY_OPTIONS; i++)
    free(policy->listings[i].bytes);
}

/* ---- dumps ----------------------------------------------------------------------------------- */

/* Writes the policy's programs of all pipelines to a file. */
static bool write_programs(const EmuCli *cli, const EmuReport *report, const char *policy,
                           const char *file) {
  char *text = NULL;
  size_t size = 0;
  uint32_t listed = 0;
  FILE *out = open_memstream(&text, &size);
  for (uint32_t i = 0; out && i < report->row_count; i++)
    for (uint32_t k = 0; k < report->rows[i].part_count; k++) {
      const spv_emu_result *r = report->rows[i].parts[k].result;
      if (r && r->listing && strcmp(r->policy, policy) == 0)
        fprintf(out, "%s%s", listed++ ? "\n" : "", r->listing);
    }
  bool good = out && fclose(out) == 0;
  if (!good)
    tool_say(cli->input ? cli->input : cli->before, "out of memory");
  good = good && tool_write(file, text, size);
  free(text);
  return good;
}

bool emu_cli_policy_write(const EmuCli *cli, const EmuReport *report) {
  spv_emu_policy_option option;
  bool good = true;
  for (uint32_t i = 0; good && spv_emu_policy_option_at(i, &option); i++)
    if (cli->policy.values[i] && option.kind == SPV_EMU_OPTION_DUMP)
      good = write_programs(cli, report, option.policy, cli->policy.values[i]);
  return good;
}
