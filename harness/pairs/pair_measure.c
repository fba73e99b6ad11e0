/* SPDX-License-Identifier: Apache-2.0 */
/* pair_measure: see pairs.h. The contents are made up for the old module; the new module runs on
 * the same contents, and on made-up ones for the resources that only it declares. */
#include "harness/pairs/pair_outputs.h"
#include "harness/pairs/pairs.h"

#include "passes/tool/tool_usage.h"
#include "spv-emu/cases/contents.h"
#include "spv-emu/cases/tangles.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE = 1024, TANGLE_BYTES = 1 << 26 };

typedef struct Measure {
  const HnPairsOptions *options;
  HnPair *pair;
  HnPairModule at[2];
  EmuTangles *tangles[HN_PAIR_POLICIES]; /* of the old module; NULL: it did not run */
  uint32_t groups[3];                    /* the dispatch; 0: it is to be made up */
  FILE *said;                            /* the file with what compilers print on standard error */
} Measure;

/* ---- reading --------------------------------------------------------------------------------- */

/* The first line on standard error that names an error, or else the last one. */
static void copy_said(FILE *said, char *why, size_t size) {
  char line[400], program[32];
  size_t length = (size_t)snprintf(program, sizeof program, "%s: ", tool_program);
  rewind(said);
  while (fgets(line, sizeof line, said)) {
    line[strcspn(line, "\n")] = 0;
    if (*line)
      snprintf(why, size, "%s", strncmp(line, program, length) == 0 ? line + length : line);
    if (strstr(line, "error"))
      break;
  }
}

static bool read_side(Measure *m, int side) {
  char *path, *message = NULL;
  HnPairSide *to = &m->pair->side[side];
  ToolSource source = m->options->source;
  source.debug = true; /* for the lines of subgroup operations */
  if (asprintf(&path, "%s/%s", m->options->folders[side], m->pair->path) < 0)
    return false;
  rewind(m->said);
  bool good = ftruncate(fileno(m->said), 0) == 0 &&
              hn_trial_read(&source, m->options->given, path, &m->at[side].module, &message);
  if (!good && message && *message)
    snprintf(to->why, sizeof to->why, "%s", message);
  else if (!good)
    copy_said(m->said, to->why, sizeof to->why);
  if (!good && !*to->why)
    snprintf(to->why, sizeof to->why, "out of memory");
  free(message);
  free(path);
  return good;
}

static void count_static(const HnTrialModule *module, HnPairSide *side) {
  spvreconv_options options;
  spvreconv_result *result = NULL;
  size_t count;
  const uint32_t *words = hn_trial_words(module, &count);
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS;
  side->counted = spvreconv_run(&options, words, count, &result) == SPVRECONV_OK;
  const spvreconv_function *f;
  for (size_t i = 0; side->counted && (f = spvreconv_result_function(result, i)); i++) {
    side->instructions += f->before->instructions;
    side->blocks += f->before->blocks;
  }
  spvreconv_result_destroy(result);
}

/* ---- contents -------------------------------------------------------------------------------- */

static bool make_contents(Measure *m, int side, char *message) {
  const HnPairModule *at = &m->at[side];
  const EmuContents *old = side && m->at[0].contents.options.groups[0] ? &m->at[0].contents : NULL;
  EmuContents *to = &m->at[side].contents;
  EmuGiven *given = m->options->given;
  const uint64_t *seed = given->guess ? &given->seed : NULL;
  if (old)
    return emu_contents_make_like(at->program, &old->options, seed, to, message, MESSAGE);
  if (!emu_given_find(given, at->program, NULL, message, MESSAGE) ||
      !emu_given_read_files(given, message, MESSAGE))
    return false;
  EmuBareOptions options = emu_given_options(given);
  if (!m->groups[0])
    emu_guess_dispatch(at->program, m->groups);
  memcpy(options.groups, m->groups, sizeof options.groups);
  return emu_contents_make(at->program, &options, seed, 1, to, message, MESSAGE);
}

/* ---- running --------------------------------------------------------------------------------- */

static void note_run(HnPairRun *to, const EmuRow *row) {
  const spv_emu_result total = emu_row_total(row);
  to->ran = total.outcome == SPV_EMU_RAN;
  to->issued = total.issued;
  to->lanes = total.lane_instructions;
  snprintf(to->policy, sizeof to->policy, "%s", total.policy ? total.policy : "");
  if (!to->ran)
    snprintf(to->why, sizeof to->why, "%s: %s", emu_outcome_name(total.outcome),
             emu_row_message(row, &total));
}

/* Both modules have run. Under the default policy they may run under two. */
static void compare_tangles(Measure *m, uint32_t policy, const EmuTangles *new) {
  HnPairTangles *to = &m->pair->tangles[policy];
  EmuTangleVerdict verdict;
  if (strcmp(m->pair->runs[0][policy].policy, m->pair->runs[1][policy].policy) != 0)
    return;
  to->compared = emu_tangles_compare(m->tangles[policy], new, &verdict);
  if (!to->compared)
    return;
  to->different = verdict.different;
  if (verdict.different)
    emu_tangles_line(&verdict, 0, to->first, sizeof to->first);
}

/* Takes what the run of a module has recorded. */
static void take_tangles(Measure *m, int side, uint32_t policy, EmuTangles *tangles) {
  if (tangles && side && m->tangles[policy])
    compare_tangles(m, policy, tangles);
  if (tangles && !side)
    m->tangles[policy] = tangles;
  else
    emu_tangles_free(tangles);
}

static void run_policy(Measure *m, int side, EmuBare *bare, uint32_t policy) {
  EmuTangles *tangles = emu_tangles_new(TANGLE_BYTES / m->options->policy_count);
  const spv_emu_tangles listener = emu_tangles_listener(tangles);
  const spv_emu_run_options how = {.policy = m->options->policies[policy],
                                   .max_issues = m->options->max_issues,
                                   .tangles = tangles ? &listener : NULL};
  HnPairRun *to = &m->pair->runs[side][policy];
  char message[MESSAGE];
  EmuRow row = {0};
  if (emu_bare_run(bare, &how, &row, message, sizeof message) == SPV_EMU_OK) {
    note_run(to, &row);
    if (!policy && to->ran)
      hn_pair_keep_outputs(&m->at[side], &row);
  } else {
    snprintf(to->why, sizeof to->why, "%.*s", (int)sizeof to->why - 1, message);
  }
  emu_row_free(&row);
  if (!to->ran) {
    emu_tangles_free(tangles);
    tangles = NULL;
  }
  take_tangles(m, side, policy, tangles);
}

static bool load(Measure *m, int side, EmuBare **bare, char *message) {
  HnPairModule *at = &m->at[side];
  at->module.tangles = true;
  at->program = hn_trial_load(&at->module, m->options->subgroup_size, message, MESSAGE);
  return at->program && make_contents(m, side, message) &&
         emu_bare_open(at->program, &at->contents.options, bare, message, MESSAGE) == SPV_EMU_OK;
}

static void measure_side(Measure *m, int side) {
  char message[MESSAGE] = "", *why = m->pair->side[side].why;
  EmuBare *bare = NULL;
  m->pair->phase = side;
  if (!read_side(m, side))
    return;
  count_static(&m->at[side].module, &m->pair->side[side]);
  if (!load(m, side, &bare, message))
    snprintf(why, sizeof m->pair->side[side].why, "%.*s", (int)sizeof m->pair->side[side].why - 1,
             message);
  for (uint32_t i = 0; bare && i < m->options->policy_count; i++)
    run_policy(m, side, bare, i);
  emu_bare_close(bare);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Runs a module on contents for the dispatch; its outputs are NULL if that fails. */
static void run_again(Measure *m, int side) {
  HnPairModule *at = &m->at[side];
  const spv_emu_run_options how = {.max_issues = m->options->max_issues,
                                   .policy = m->options->policies[0]};
  char message[MESSAGE];
  EmuBare *bare = NULL;
  EmuRow row = {0};
  if (make_contents(m, side, message) &&
      emu_bare_open(at->program, &at->contents.options, &bare, message, MESSAGE) == SPV_EMU_OK &&
      emu_bare_run(bare, &how, &row, message, MESSAGE) == SPV_EMU_OK &&
      emu_row_total(&row).outcome == SPV_EMU_RAN)
    hn_pair_keep_outputs(at, &row);
  emu_row_free(&row);
  emu_bare_close(bare);
}

/* If workgroups of the old module race, compares the outputs of a smaller dispatch, unless the
 * dispatch was given. */
static void compare_outputs(Measure *m) {
  bool races;
  hn_pair_compare_outputs(m->options, m->at, m->pair, &races);
  while (races && !m->options->given->groups[0] && emu_guess_fewer(m->groups)) {
    for (int side = 1; side >= 0; side--)
      hn_pair_drop_contents(&m->at[side]);
    for (int side = 0; side < 2; side++)
      run_again(m, side);
    hn_pair_compare_outputs(m->options, m->at, m->pair, &races);
    memcpy(m->pair->groups, m->groups, sizeof m->groups);
  }
}

void hn_pair_measure(const HnPairsOptions *options, HnPair *pair) {
  Measure m = {.options = options, .pair = pair, .said = tmpfile()};
  memcpy(m.groups, options->given->groups, sizeof m.groups);
  if (!m.said || dup2(fileno(m.said), STDERR_FILENO) < 0)
    return;
  measure_side(&m, 0);
  measure_side(&m, 1);
  pair->phase = 2;
  if (pair->runs[0][0].ran && pair->runs[1][0].ran)
    compare_outputs(&m);
  pair->phase = 3;
  for (uint32_t i = 0; i < options->policy_count; i++)
    emu_tangles_free(m.tangles[i]);
  for (int side = 0; side < 2; side++)
    hn_pair_module_free(&m.at[side]);
  fclose(m.said);
}
