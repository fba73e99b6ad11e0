/* SPDX-License-Identifier: Apache-2.0 */
/* cli_variant: see cli_variant.h. */
#include "spv-emu/cli/cli_variant.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SUBGROUP_SIZE = 1024, SIZE_TEXT = 16 };

/* ---- options --------------------------------------------------------------------------------- */

static bool read_size(const char *text, uint32_t *at) {
  uint64_t size = 0;
  if (strcmp(text, "workgroup") != 0 && !tool_number(text, 1, MAX_SUBGROUP_SIZE, &size))
    return false;
  *at = (uint32_t)size;
  return true;
}

static bool is_listed(const EmuCli *cli, uint32_t size) {
  for (uint32_t i = 0; i < cli->size_count; i++)
    if (cli->subgroup_sizes[i] == size)
      return true;
  return false;
}

bool emu_cli_subgroup_sizes(EmuCli *cli, const char *text) {
  cli->size_count = 0;
  for (const char *p = text;; p++) {
    char one[SIZE_TEXT];
    uint32_t size;
    size_t length = strcspn(p, ",");
    snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1), p);
    if (length >= sizeof one || !read_size(one, &size))
      return tool_wrong("--subgroup-size expects a number, 1 to %d, or workgroup, not '%.*s'",
                        MAX_SUBGROUP_SIZE, (int)length, p);
    if (is_listed(cli, size))
      return tool_wrong("--subgroup-size names %s twice", one);
    if (cli->size_count == EMU_CLI_SIZES)
      return tool_wrong("--subgroup-size takes %d sizes at most", EMU_CLI_SIZES);
    cli->subgroup_sizes[cli->size_count++] = size;
    p += length;
    if (!*p)
      break;
  }
  cli->subgroup_size = cli->subgroup_sizes[0];
  return true;
}

const char *emu_cli_variant_single(const EmuCli *cli) {
  return cli->profile             ? "--profile"
         : cli->given.image_count ? "--image"
         : cli->heat_map          ? "--heat-map"
         : cli->lost_map          ? "--lost-map"
         : cli->dump_count        ? "--dump-buffer"
         : cli->trace_stack       ? "--trace-stack"
         : cli->trace_entries     ? "--trace-entries"
         : cli->trace_groups      ? "--trace-groups"
         : cli->trace_values      ? "--trace-values"
         : cli->debug             ? "--debug"
                                  : emu_cli_policy_dump(&cli->policy, false);
}

static const char *input_only(const EmuCli *cli) {
  return cli->report ? "--report" : cli->annotate ? "--annotate" : emu_cli_variant_single(cli);
}

bool emu_cli_variant_check(const EmuCli *cli) {
  if (!cli->before != !cli->after)
    return tool_wrong("%s needs %s=FILE: the module to compare with",
                      cli->before ? "--before" : "--after", cli->before ? "--after" : "--before");
  if (cli->before && cli->input)
    return tool_wrong("--before and --after name the inputs; '%s' is one too many", cli->input);
  if (cli->several && input_only(cli))
    return tool_wrong("%s is for one input: name one that is no folder", input_only(cli));
  if (cli->before && cli->sweeps.count)
    return tool_wrong("--before and --after are run with the same values; %s cannot be used with "
                      "them",
                      cli->sweeps.at[0].kind == EMU_SWEEP_SEED ? "--seed with several values"
                                                               : "--sweep");
  if (emu_cli_variants(cli) > 1 && emu_cli_variant_single(cli))
    return tool_wrong("%s is for one module, list of transforms and subgroup size",
                      emu_cli_variant_single(cli));
  if (cli->transform_count > 1 && (cli->before || cli->report))
    return tool_wrong("%s cannot be used with several lists of transforms: name one",
                      cli->before ? "--before" : "--report");
  return true;
}

/* ---- variants --------------------------------------------------------------------------------
 * By module, then by list of transforms, then by subgroup size. */

static uint32_t sizes(const EmuCli *cli) {
  return cli->size_count > 1 ? cli->size_count : 1;
}

static uint32_t lists(const EmuCli *cli) {
  return cli->transform_count > 1 ? cli->transform_count : 1;
}

uint32_t emu_cli_variants(const EmuCli *cli) {
  return (cli->before ? 2 : 1) * lists(cli) * sizes(cli);
}

uint32_t emu_cli_variant_size(const EmuCli *cli, uint32_t i) {
  return i % sizes(cli);
}

static uint32_t list_of(const EmuCli *cli, uint32_t i) {
  return i / sizes(cli) % lists(cli);
}

static bool is_before(const EmuCli *cli, uint32_t i) {
  return i < lists(cli) * sizes(cli);
}

EmuCli emu_cli_variant(const EmuCli *cli, uint32_t i) {
  EmuCli of = *cli;
  if (cli->before)
    of.input = is_before(cli, i) ? cli->before : cli->after;
  of.tangles = cli->before;
  if (cli->size_count > 1)
    of.subgroup_size = cli->subgroup_sizes[emu_cli_variant_size(cli, i)];
  if (cli->transform_count > 1)
    of.transform = cli->transforms[list_of(cli, i)];
  of.before = of.after = NULL;
  of.size_count = of.transform_count = 1;
  return of;
}

/* Adds a part of a name after those before it. */
static void add(char *name, size_t size, const char *part) {
  size_t used = strlen(name);
  snprintf(name + used, size - used, "%s%s", used ? ", " : "", part);
}

void emu_cli_variant_name(const EmuCli *cli, uint32_t i, char *name, size_t size) {
  char lanes[SIZE_TEXT + 8];
  EmuCli of = emu_cli_variant(cli, i);
  *name = 0;
  if (cli->before)
    add(name, size, is_before(cli, i) ? "before" : "after");
  if (cli->transform_count > 1)
    add(name, size, of.transform);
  snprintf(lanes, sizeof lanes, "%u lane%s", of.subgroup_size, of.subgroup_size == 1 ? "" : "s");
  if (cli->size_count > 1)
    add(name, size, of.subgroup_size ? lanes : "workgroup");
}

const char *emu_cli_variant_column(const EmuCli *cli) {
  return emu_cli_variants(cli) == 1 ? NULL
         : cli->before              ? "module"
         : cli->transform_count > 1 ? "transform"
                                    : "subgroup";
}
