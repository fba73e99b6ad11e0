/* SPDX-License-Identifier: Apache-2.0 */
/* cli_advise: see cli_advise.h.
 *
 * The case is loaded again, and runs without a transform. Each list of transforms must leave the
 * same contents in buffers and attachments as this run (cli_results.h). A list is skipped if the
 * module does not admit it, or if the policy does not apply to its result. */
#include "spv-emu/cli/cli_advise.h"

#include "passes/tool/tool_file.h"
#include "passes/tool/tool_shell.h"
#include "spv-emu/cli/cli_debug.h"
#include "spv-emu/cli/cli_profiled.h"
#include "spv-emu/cli/cli_results.h"
#include "spv-emu/cli/cli_variant.h"
#include "spv-emu/report/report_advise.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_SHOWN = 3, MESSAGE = 512 };
/* A list that issues more than this many times what the input does, and some more for clearing
 * memory, does not help, and is not run to its end. */
enum { MOST_TIMES = 4, MOST_CLEARED = 1 << 20 };

static const double LEAST_PERCENT = 3; /* that a list must save */

typedef struct Found {
  EmuTried tried;
  uint64_t text;  /* hash of the programs' disassembly */
  uint32_t place; /* in the order of lists */
  bool best;      /* it is the transform `best` */
} Found;

typedef struct Advising {
  EmuCli cli; /* for one list */
  const char *policy;
  EmuCase again;
  EmuCliResults results; /* what the input leaves as it is */
  uint64_t issued, most; /* issues of the input as it is, and those that a list may have */
  Found *at;
  uint32_t count;
  uint32_t measured;
  char refusal[EMU_CLI_REFUSAL]; /* why a list cannot be tried */
} Advising;

/* ---- options --------------------------------------------------------------------------------- */

/* The first option that does not go with --advise, and that a report's own command lacks, too;
 * NULL: there is none. */
static const char *other_option(const EmuCli *cli) {
  return cli->before                                                   ? "--before and --after"
         : cli->size_count > 1                                         ? "several subgroup sizes"
         : cli->sweeps.count                                           ? "a sweep"
         : cli->transform                                              ? "--transform"
         : cli->csv                                                    ? "--csv"
         : cli->annotate                                               ? "--annotate"
         : cli->profile                                                ? "--profile"
         : cli->run.priority                                           ? "--priority"
         : cli->dump_count                                             ? "--dump-buffer"
         : emu_cli_debugs(cli)                                         ? "a debugger"
         : cli->heat_map                                               ? "--heat-map"
         : cli->lost_map                                               ? "--lost-map"
         : cli->trace_stack || cli->trace_entries || cli->trace_groups ? "a trace"
         : cli->several && !cli->json ? "several inputs without --json"
                                      : NULL;
}

bool emu_cli_advise_check(EmuCli *cli) {
  const char *other = cli->report             ? "--report"
                      : cli->policy_count > 1 ? "several policies"
                                              : other_option(cli);
  const char *policy = cli->policies[0];
  if (other)
    return tool_wrong("--advise measures one input under one policy; %s cannot be used with it",
                      other);
  if (policy && strcmp(policy, "opt") == 0)
    return tool_wrong("--advise expects a policy with a schedule; opt has none");
  const char **both = realloc(cli->policies, 2 * sizeof *both);
  if (!both)
    return tool_wrong("out of memory");
  both[1] = "opt";
  cli->policies = both;
  cli->policy_count = 2;
  return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

typedef struct Option {
  const char *name;
  bool valued; /* a value may follow as an argument of its own */
} Option;

/* Which option of a list, ended by one without a name, is it? getopt accepts abbreviations. NULL:
 * none. */
static const Option *find_option(const Option *list, const char *argument) {
  size_t length = strcspn(argument, "=");
  for (; list->name; list++)
    if (list->name[1] == '-' ? length > 2 && strncmp(list->name, argument, length) == 0
                             : strncmp(list->name, argument, 2) == 0)
      return list;
  return NULL;
}

static bool has_value_after(const Option *option, const char *argument) {
  return option && option->valued &&
         (option->name[1] == '-' ? !strchr(argument, '=') : !argument[2]);
}

static void write_word(FILE *out, const char *word) {
  fputc(' ', out);
  tool_shell_word(out, word);
}

/* Writes the options that were given and are in the list, or those that are not, and the input. */
static void write_arguments(const EmuCli *cli, const Option *list, bool listed, FILE *out) {
  char *const *at = cli->arguments;
  while (at < cli->inputs) {
    const Option *option = find_option(list, *at);
    bool wanted = listed == (option != NULL);
    int words = 1 + has_value_after(option, *at);
    for (; words && at < cli->inputs; words--, at++)
      if (wanted)
        write_word(out, *at);
  }
  write_word(out, cli->input);
}

static void write_list(FILE *out, const char *transform, const char *order) {
  fputs(transform, out);
  if (order)
    fprintf(out, " --order=%s", order);
}

/* With the row of the input as it is, where the options allow two rows. */
static char *command_of(const Advising *a, const char *transform, const char *order) {
  static const Option left_out[] = {{"--advise", false}, {"--json", false}, {NULL, false}};
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s --transform=%s", tool_program, emu_cli_variant_single(&a->cli) ? "" : "none+");
  write_list(out, transform, order);
  if (!a->cli.policies[0])
    fprintf(out, " --policy=%s", a->policy);
  write_arguments(&a->cli, left_out, false, out);
  return fclose(out) == 0 ? text : NULL;
}

/* The command that writes the module. *text NULL: the input is a script. False: out of memory. */
static bool write_of(const Advising *a, const char *transform, const char *order, char **text) {
  static const Option of_modules[] = {{NULL, false}};
  static const Option of_sources[] = {{"-D", true},      {"-I", true},           {"--stage", true},
                                      {"--entry", true}, {"--target-env", true}, {NULL, false}};
  size_t size;
  *text = NULL;
  if (a->again.script)
    return true;
  FILE *out = open_memstream(text, &size);
  if (!out)
    return false;
  fputs("spvreconv --transform=", out);
  write_list(out, transform, order);
  write_arguments(&a->cli, a->again.source ? of_sources : of_modules, true, out);
  fputs(" -o OUT.spv", out);
  return fclose(out) == 0 && *text;
}

/* --threads and --native are left out, too: the page is the same for all their values. */
char *emu_cli_advise_command(const EmuCli *cli) {
  static const Option left_out[] = {{"--policy", true},  {"--json", false},  {"--report", true},
                                    {"--threads", true}, {"--native", true}, {NULL, false}};
  char *text = NULL;
  size_t size;
  FILE *out = other_option(cli) ? NULL : open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s --advise", tool_program);
  write_arguments(cli, left_out + (cli->policy_count == 1), false, out);
  return fclose(out) == 0 ? text : NULL;
}

/* ---- one list -------------------------------------------------------------------------------- */

/* Programs of equal text are equal. */
static uint64_t hash_of(const EmuRow *row) {
  uint64_t hash = 0;
  for (uint32_t p = 0; p < row->part_count; p++) {
    const spv_emu_program *program = row->parts[p].program;
    spv_emu_listing *listing = program ? spv_emu_list(program, false) : NULL;
    for (uint32_t i = 0; listing && i < listing->line_count; i++)
      hash = XXH64(listing->lines[i].text, listing->lines[i].length, hash);
    spv_emu_listing_free(listing);
  }
  return hash;
}

/* Loads the case with the list, NULL: as it is, and runs it. `most`: issues; 0: as the options say.
 * False: it cannot be loaded, or the run did not end well. */
static bool run(Advising *a, const char *transform, const char *order, uint64_t most, EmuRow *row) {
  char message[MESSAGE];
  EmuProfiled ordered = {.texts = &order, .text_count = 1};
  struct EmuProfiled *own = a->cli.profiled;
  spv_emu_run_options how = a->cli.run;
  how.policy = a->policy;
  how.max_issues = most ? most : how.max_issues;
  a->cli.transform = transform;
  a->cli.profiled = order ? &ordered : own;
  bool good = emu_case_load(&a->cli, &a->again, NULL, 0) &&
              emu_case_run(&a->again, &how, row, message, sizeof message) == SPV_EMU_OK &&
              emu_row_total(row).outcome == SPV_EMU_RAN && !row->failed;
  a->cli.profiled = own;
  return good;
}

/* Measures a list, and keeps it if it leaves the same results. False: out of memory. */
static bool try_list(Advising *a, const char *transform, const char *order) {
  EmuRow row = {0};
  bool good = true;
  a->measured++;
  if (run(a, transform, order, a->most, &row) &&
      emu_cli_results_same(&a->results, &a->again, &row)) {
    Found *f = &a->at[a->count++];
    *f = (Found){.tried = {.transform = transform,
                           .order = order,
                           .issues = emu_row_total(&row).issued,
                           .command = command_of(a, transform, order)},
                 .text = hash_of(&row),
                 .place = a->measured,
                 .best = strcmp(transform, "best") == 0};
    good = f->tried.command && write_of(a, transform, order, &f->tried.write);
  }
  emu_row_free(&row);
  return good;
}

/* ---- all lists ------------------------------------------------------------------------------- */

/* Runs the case as it is, to have what the lists are compared with. False: it does not end well a
 * second time. */
static bool run_plain(Advising *a, const EmuCase *c) {
  EmuRow row = {0};
  int code;
  bool good = emu_case_read(&a->cli, c, &a->again, &code) && run(a, NULL, NULL, 0, &row) &&
              emu_cli_results_take(&a->results, &a->again, &row);
  a->issued = emu_row_total(&row).issued;
  a->most = a->issued < UINT64_MAX / MOST_TIMES ? MOST_TIMES * a->issued + MOST_CLEARED : 0;
  emu_row_free(&row);
  return good;
}

static bool try_all(Advising *a) {
  const char *transform, *order;
  uint32_t count = 0;
  while (spv_emu_transform_list(count, &order))
    count++;
  a->at = calloc(count + 1u, sizeof *a->at);
  if (!a->at)
    return false;
  a->cli.refusal = a->refusal;
  for (uint32_t i = 0; (transform = spv_emu_transform_list(i, &order)); i++)
    if (!try_list(a, transform, order))
      return false;
  return true;
}

static int by_issues(const void *left, const void *right) {
  const Found *a = left, *b = right;
  if (a->tried.issues != b->tried.issues)
    return a->tried.issues < b->tried.issues ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* Does another list, which comes before, do the same, or as well? */
static bool is_repeated(const Advising *a, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (a->at[k].tried.issues == a->at[i].tried.issues && !a->at[k].best)
      return true;
  return false;
}

/* The list that gives what `best` gives; NULL: none does. */
static const EmuTried *chosen_by(const Advising *a, const Found *best) {
  for (uint32_t i = 0; best->best && i < a->count; i++)
    if (a->at[i].text == best->text && !a->at[i].best)
      return &a->at[i].tried;
  return NULL;
}

/* Chooses what to show: the lists that save the most, and `best` if it helps. */
static uint32_t choose(const Advising *a, EmuTried shown[MOST_SHOWN]) {
  double limit = (double)a->issued * (1 - LEAST_PERCENT / 100);
  uint32_t count = 0, best = a->count;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->at[i].best && (double)a->at[i].tried.issues <= limit)
      best = i;
  for (uint32_t i = 0; i < a->count; i++) {
    const Found *f = &a->at[i];
    bool last = count == MOST_SHOWN - 1 && best != a->count && i < best;
    if ((double)f->tried.issues > limit || count == MOST_SHOWN)
      break;
    if (last || (!f->best && is_repeated(a, i)))
      continue;
    shown[count] = f->tried;
    shown[count++].chosen = chosen_by(a, f);
  }
  return count;
}

static bool report_it(const Advising *a, EmuReport *report) {
  EmuTried shown[MOST_SHOWN];
  const EmuAdvice advice = {.report = report,
                            .row = &report->rows[0],
                            .least = &report->rows[1],
                            .tried = shown,
                            .tried_count = choose(a, shown),
                            .measured = a->measured,
                            .percent = LEAST_PERCENT};
  if (!a->cli.json)
    return emu_advise_text(&advice, stdout);
  report->advise = emu_advise_object(&advice);
  return report->advise;
}

/* Tries all lists, and reports. False: out of memory. */
static bool advise(Advising *a, EmuReport *report) {
  if (!try_all(a))
    return false;
  qsort(a->at, a->count, sizeof *a->at, by_issues);
  return report_it(a, report);
}

bool emu_cli_advise(const EmuCli *cli, const EmuCase *c, EmuReport *report) {
  spv_emu_result total = emu_row_total(&report->rows[0]);
  Advising a = {.cli = *cli, .policy = total.policy};
  a.cli.advise = false;
  bool ran = total.outcome == SPV_EMU_RAN && !report->rows[0].failed;
  bool plain = ran && emu_cli_results_open_one(&a.results, cli) && run_plain(&a, c);
  bool good = !plain || advise(&a, report);
  if (!plain && !cli->json)
    emu_report_text(report, stdout);
  if (!good)
    tool_say(cli->input, "out of memory");
  for (uint32_t i = 0; i < a.count; i++) {
    free(a.at[i].tried.command);
    free(a.at[i].tried.write);
  }
  free(a.at);
  emu_cli_results_close(&a.results);
  emu_case_close(&a.again);
  return good;
}
