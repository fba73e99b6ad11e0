/* SPDX-License-Identifier: Apache-2.0 */
/* test_policies: random modules in the emulator, under every policy.
 *
 *   test_policies --count=200 --seed=1 [--family=NAME] [--max-blocks=N] [--keep=FILE.spv]
 *                 [--transform=LIST] [--tangles] [--calls] [--once] [--rich]
 *
 * --keep writes the module that fails. --transform: each module that the list changes only as
 * written under `scalar` and, after the list, under every policy, at two subgroup sizes: the memory
 * is the same, and what is compared below between policies holds.
 *
 * --calls: many blocks call the same functions. --once: there are more functions, each of which is
 * called once, at most. --rich: they have what rich.h lists, and images.
 *
 * --tangles: only the modules with ballots, of which only every third block has one, or a single
 * one in no cycle, and after more lists: where ballots are decides what may be copied or moved.
 *
 * For each module, unchanged and structurized:
 *   - `scalar` leaves the same memory as the interpreter (oracle.h)
 *   - every policy leaves the same memory and the same sum of active lanes, at subgroup sizes
 *     1, 3, 4, 8, 32, 64 and 1000; `structured` if it applies
 *   - tf-sandy issues what tf-stack does, plus no-ops; no policy issues less than opt
 *   - `ssy`, if it applies, runs block for block what `pdom` runs
 *   - `minpc` issues what tf-stack does with priorities in layout order, `jip` what `stackless`
 *     does, plus joins, `dwf` with the order pc and one subgroup what `minpc` does; under its other
 *     orders it leaves the same memory
 *   - `barrier` with the placement ipdom runs block for block what `pdom` runs, with nak what
 *     `structured` runs, with frontier about as much as `tf-stack`; under every scheduling, and
 *     from a listing that is printed and read back, it leaves the same memory
 *   - no value that the uniformity analysis proves uniform differs
 *   - for every sixteenth module: cycles are the issues plus the costs of the model; with
 *     the latency model, one resident subgroup waits for each load, and several do not wait longer
 *
 * For each module after `reconverge`, and for those that are already reconverging:
 *   - `exec` runs block for block what `pdom` runs, with as many lanes; with each lowering, and
 *     from a listing that is printed and read back, it leaves the same memory
 * For the same module with a ballot in every block, so that results depend on the tangles:
 *   - `maximal` on the module, and `structured` on the module after structurize, with and without
 *     copies of tails, or struct-copy, leave the same memory, and issue the same apart from added
 *     instructions, unless blocks are copied, which then have no ballot
 *   - `maximal` and `structured` agree block for block if the module is already structured, and so
 *     does `barrier` with the placement nak */
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/policies/barriers.h"
#include "tests/equiv/policies/costs.h"
#include "tests/equiv/policies/counters.h"
#include "tests/equiv/policies/random_case.h"
#include "tests/equiv/policies/repack.h"
#include "tests/equiv/policies/waves.h"
#include "tests/equiv/world.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  STEPS = 20000000,
  RECORD_WORDS = 10, /* for the oracle; in the buffer a record has 12 */
  ALL_POLICIES = 32
};

typedef struct Options {
  RandomRun run; /* without a transform: those of the head of this file */
  bool tangles, calls, once, rich;
} Options;

/* ---- all policies ---------------------------------------------------------------------------- */

static void compare_counts(const Case *c, const Outcome *outcomes, uint32_t count) {
  const spv_emu_result *scalar = run_find(outcomes, count, "scalar")->result,
                       *stack = run_find(outcomes, count, "tf-stack")->result,
                       *sandy = run_find(outcomes, count, "tf-sandy")->result,
                       *opt = run_find(outcomes, count, "opt")->result,
                       *pdom = run_find(outcomes, count, "pdom")->result;
  for (uint32_t i = 0; i < count; i++) {
    const spv_emu_result *r = outcomes[i].result;
    if (r->lane_instructions != scalar->lane_instructions && r != opt)
      run_fail(c, "%s enables %llu lanes in sum, scalar %llu", r->policy,
               (unsigned long long)r->lane_instructions,
               (unsigned long long)scalar->lane_instructions);
    if (opt->issued > r->issued && !(run_regroups(r->policy) && r->subgroups > 1))
      run_fail(c, "opt issues %llu, %s %llu", (unsigned long long)opt->issued, r->policy,
               (unsigned long long)r->issued);
  }
  if (scalar->issued != scalar->lane_instructions)
    run_fail(c, "scalar issues %llu for %llu lanes", (unsigned long long)scalar->issued,
             (unsigned long long)scalar->lane_instructions);
  if (sandy->issued - sandy->noop_issues != stack->issued)
    run_fail(c, "tf-sandy issues %llu without its no-ops, tf-stack %llu",
             (unsigned long long)(sandy->issued - sandy->noop_issues),
             (unsigned long long)stack->issued);
  run_sums.tf_runs++;
  run_sums.tf_above_pdom += stack->issued > pdom->issued;
  run_sums.opt_runs++;
  run_sums.opt_exact += opt->exact;
  run_sums.branches += pdom->divergent_branches;
}

/* Branches that are proven uniform need no token, and never diverge. */
static void check_ssy(const Case *c, const spv_emu_result *ssy, const spv_emu_result *pdom) {
  run_like_pdom(c, ssy, pdom);
  if (ssy->stack_pushes != ssy->stack_pops)
    run_fail(c, "ssy pushes %llu tokens, pops %llu", (unsigned long long)ssy->stack_pushes,
             (unsigned long long)ssy->stack_pops);
  run_sums.ssy_runs++;
  run_sums.ssy_added += ssy->overhead - pdom->overhead;
  run_sums.ssy_issued += ssy->issued;
}

/* Every policy on one program. `expected`: the memory that each leaves, or NULL. */
static void all_policies(const Case *c, uint32_t lanes, const char *transform, bool structured,
                         const Memory *expected) {
  spv_emu_program *program = run_load(c, lanes, transform);
  Outcome *outcomes = calloc(ALL_POLICIES, sizeof *outcomes);
  uint32_t count = 0;
  const char *name, *purpose;
  for (uint32_t i = 0; (name = spv_emu_policy(i, &purpose)) != NULL; i++) {
    if (!structured && run_is(name, "structured"))
      continue;
    outcomes[count++] = costs_run(c, program, name);
    if (outcomes[count - 1].result->outcome == SPV_EMU_SKIP) {
      spv_emu_result_free(outcomes[--count].result);
      (*(run_is(name, "ssy") ? &run_sums.ssy_skips : &run_sums.exec_skips))++;
    }
    if (count == ALL_POLICIES)
      run_fail(c, "more than %d policies", ALL_POLICIES - 1);
  }
  char what[64];
  if (expected)
    run_same_memory(c, "scalar as written and after the list", expected, &outcomes[0].memory);
  for (uint32_t i = 1; i < count; i++) {
    snprintf(what, sizeof what, "%s and %s, %u lanes", outcomes[0].result->policy,
             outcomes[i].result->policy, lanes);
    run_same_memory(c, what, &outcomes[0].memory, &outcomes[i].memory);
  }
  compare_counts(c, outcomes, count);
  counters_check_minpc(c, program, run_find(outcomes, count, "minpc")->result);
  repack_check_dwf(c, program, &outcomes[0], run_find(outcomes, count, "minpc")->result);
  repack_check_tbc(c, run_find(outcomes, count, "tbc")->result,
                   run_find(outcomes, count, "pdom")->result);
  counters_check_jip(c, run_find(outcomes, count, "jip")->result,
                     run_find(outcomes, count, "stackless")->result);
  const Outcome *exec = run_find(outcomes, count, "exec"), *ssy = run_find(outcomes, count, "ssy");
  barriers_check(c, program, outcomes, count);
  if (ssy)
    check_ssy(c, ssy->result, run_find(outcomes, count, "pdom")->result);
  else if (structured)
    run_fail(c, "ssy does not apply to a structured module");
  if (exec)
    waves_check(c, program, lanes, transform, exec, run_find(outcomes, count, "pdom"));
  else if (transform && run_is(transform, "reconverge"))
    run_fail(c, "exec does not apply after reconverge");
  for (uint32_t i = 0; i < count; i++)
    spv_emu_result_free(outcomes[i].result);
  free(outcomes);
  spv_emu_free(program);
}

static spvreconv_status run_list(const Case *c, const char *list, spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = list;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS;
  return spvreconv_run(&options, c->words, c->count, result);
}

static spvreconv_result *transformed(const Case *c, const char *list) {
  spvreconv_result *result;
  if (run_list(c, list, &result) != SPVRECONV_OK)
    run_fail(c, "%s: %s", list, spvreconv_result_message(result));
  return result;
}

/* Does the transform copy blocks, all without ballots? Their lanes then run in other groups, which
 * no ballot sees. */
static bool copies(const Case *c, const char *transform) {
  spvreconv_result *result = transformed(c, transform);
  bool any = false;
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    any |= f->transform && f->transform->duplicated_blocks > 0;
  spvreconv_result_destroy(result);
  return any;
}

/* Does the list change the module? Sets whether the result is structured. */
static bool changes(const Case *c, const char *transform, bool *structured) {
  spvreconv_result *result = transformed(c, transform);
  const spvreconv_function *f;
  *structured = true;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    *structured &= f->after->structured;
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  bool same = count == c->count && memcmp(words, c->words, count * sizeof *words) == 0;
  spvreconv_result_destroy(result);
  return !same;
}

/* The same tangles before and after a transform. `everywhere`: each block has a ballot, so that all
 * blocks run with the same lanes. */
static void contract(const Case *c, uint32_t lanes, const char *transform, bool structured,
                     bool everywhere) {
  spv_emu_program *before = run_load(c, lanes, NULL), *after = run_load(c, lanes, transform);
  Outcome *m = malloc(sizeof *m), *s = malloc(sizeof *s);
  *m = costs_run(c, before, "maximal");
  *s = costs_run(c, after, "structured");
  if (everywhere && m->result->issued != s->result->issued - s->result->overhead &&
      !copies(c, transform))
    run_fail(c, "%u lanes: maximal issues %llu, structured %llu after %s, %llu of them added",
             lanes, (unsigned long long)m->result->issued, (unsigned long long)s->result->issued,
             transform, (unsigned long long)s->result->overhead);
  char what[96];
  snprintf(what, sizeof what, "ballots, %u lanes, maximal before and structured after %s", lanes,
           transform);
  run_same_memory(c, what, &m->memory, &s->memory);
  spv_emu_result_free(s->result);
  if (structured) {
    *s = costs_run(c, before, "structured");
    run_same_blocks(c, m->result, s->result);
    run_same_memory(c, "ballots, maximal and structured", &m->memory, &s->memory);
    run_end(barriers_run(c, before, (RunHow){.placement = "nak"}, s));
    spv_emu_result_free(s->result);
  }
  spv_emu_result_free(m->result);
  free(m);
  free(s);
  spv_emu_free(before);
  spv_emu_free(after);
}

static void copy_record(uint8_t *to, const uint32_t *record) {
  memcpy(to, record, 8);
  memcpy(to + 16, record + 2, 32);
}

static void against_oracle(Case *c) {
  OracleResult result;
  OracleMemory memory;
  oracle_run_memory(c->words, c->count, c->seed, STEPS, &result, &memory);
  if (!result.ok)
    run_fail(c, "oracle: %s", result.message);
  Memory *m = calloc(2, sizeof *m);
  const uint32_t *out = memory.before + RUNTIME_LENGTH, *push = out + RUNTIME_LENGTH * RECORD_WORDS,
                 *uniform = push + PUSH_WORDS;
  memcpy(m->in, memory.before, sizeof m->in);
  memcpy(m->push, push, sizeof m->push);
  memcpy(m->uniform, uniform, sizeof m->uniform);
  for (uint32_t i = 0; i < ORACLE_INVOCATIONS; i++) {
    copy_record(m[0].out + i * RECORD_BYTES, out + i * RECORD_WORDS);
    copy_record(m[1].out + i * RECORD_BYTES, memory.after + RUNTIME_LENGTH + i * RECORD_WORDS);
  }
  c->start = m;
  c->invocations = ORACLE_INVOCATIONS;
  spv_emu_program *program = run_load(c, 32, NULL);
  Outcome o = costs_run(c, program, "scalar");
  run_same_memory(c, "scalar and the interpreter", &o.memory, &m[1]);
  spv_emu_result_free(o.result);
  spv_emu_free(program);
  free(m);
  free(memory.before);
  free(memory.after);
}

enum { SIZES = 7 };
static const uint32_t sizes[SIZES] = {1, 3, 4, 8, 32, 64, 1000};
static const uint32_t invocations[SIZES] = {3, 8, 9, 20, 70, 70, 1000};

/* The list of --transform, at a small size and a large one. */
static void given(Case *c, const char *transform) {
  bool structured;
  if (!changes(c, transform, &structured))
    return;
  run_sums.given_changed++;
  c->given = true;
  const uint32_t picks[] = {1 + (uint32_t)(c->seed / GEN_FAMILIES % 3), 4};
  Outcome *before = malloc(sizeof *before);
  for (int i = 0; i < 2; i++) {
    c->invocations = invocations[picks[i]];
    spv_emu_program *program = run_load(c, sizes[picks[i]], NULL);
    *before = costs_run(c, program, "scalar");
    all_policies(c, sizes[picks[i]], transform, structured, &before->memory);
    spv_emu_result_free(before->result);
    spv_emu_free(program);
  }
  free(before);
}

/* What the head of this file lists. */
static void as_in_head(Case *c, GenOptions *gen, uint32_t blocks, bool merges) {
  const Memory *start = c->start;
  if (!gen->handles) /* its texels are others */
    against_oracle(c);
  c->start = start;
  for (uint32_t i = 0; i < SIZES; i++) {
    c->invocations = invocations[i];
    all_policies(c, sizes[i], NULL, merges, NULL);
  }
  uint32_t pick = (uint32_t)(c->seed / GEN_FAMILIES % SIZES);
  c->invocations = invocations[pick];
  all_policies(c, sizes[pick], "strip-merges,structurize", true, NULL);
  for (uint32_t i = pick % 3; i < SIZES; i += 3) {
    c->invocations = invocations[i];
    all_policies(c, sizes[i], "reconverge", false, NULL);
  }
  GenModule ballots;
  gen->ballots = true;
  gen_module(c->family, blocks, c->seed, gen, &ballots);
  c->words = ballots.words;
  c->count = ballots.count;
  static const char *const structurizers[] = {"struct-copy", "structurize",
                                              "structurize:100:issues"};
  for (uint32_t i = 1; sizes[i] <= 64; i++) {
    c->invocations = invocations[i];
    contract(c, sizes[i], structurizers[(c->seed + i) % 3], ballots.merges, true);
    waves_check_tangles(c, sizes[i], ballots.merges);
  }
  gen_module_free(&ballots);
}

/* Would the list copy more than its limit? */
static bool grows_too_much(const Case *c, const char *list) {
  spvreconv_result *result;
  spvreconv_status status = run_list(c, list, &result);
  bool grows = status == SPVRECONV_BAD_INPUT &&
               strstr(spvreconv_result_message(result), "raise --max-growth");
  spvreconv_result_destroy(result);
  run_sums.grown += grows;
  return grows;
}

/* After these, lanes may meet others than in the module: reconverge changes unstructured code, and
 * these drop merge instructions. */
static bool lets_others_meet(const char *list) {
  return strncmp(list, "reconverge", 10) == 0 || strncmp(list, "strip-merges", 12) == 0 ||
         strncmp(list, "unstructure", 11) == 0;
}

static void one_tangle(Case *c, const char *list, uint32_t pick, bool merges) {
  c->invocations = invocations[pick];
  if (!lets_others_meet(list) && !grows_too_much(c, list))
    contract(c, sizes[pick], list, merges, false);
}

/* Each module after every second list, or after the given one. */
static void all_tangles(Case *c, GenOptions *gen, uint32_t blocks, const char *given_list) {
  static const char *const more[] = {"structurize:8:size", "meld:0,structurize", NULL};
  static const uint32_t picks[] = {1, 3};
  GenModule ballots;
  gen->ballots = gen->sparse = true;
  gen->single = c->seed % 4 < 2;
  gen->once = c->seed % 4 == 1;
  gen_module(c->family, blocks, c->seed, gen, &ballots);
  c->words = ballots.words;
  c->count = ballots.count;
  const char *list;
  for (uint32_t k = 0; given_list && k < 2; k++)
    one_tangle(c, given_list, picks[k], ballots.merges);
  for (uint32_t i = c->seed / 4 % 2; !given_list && (list = pass_lists_structured(i, more)); i += 2)
    one_tangle(c, list, picks[(c->seed / 8 + i / 2) % 2], ballots.merges);
  gen_module_free(&ballots);
}

static void one_module(const Options *options, uint64_t seed) {
  uint32_t blocks = gen_size(seed, 5, options->run.max_blocks);
  GenOptions gen = {.merges = -1,
                    .calls = options->calls,
                    .once = options->once,
                    .handles = options->rich && seed % 2,
                    .rich = options->rich};
  RandomCase *random = random_case_new(&options->run, seed, &gen);
  if (options->tangles)
    all_tangles(&random->c, &gen, blocks, options->run.transform);
  else if (options->run.transform)
    given(&random->c, options->run.transform);
  else
    as_in_head(&random->c, &gen, blocks, random->module.merges);
  random_case_free(random);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_option(const char *text, Options *o) {
  if (strcmp(text, "--calls") == 0)
    return o->calls = true;
  if (strcmp(text, "--once") == 0)
    return o->once = true;
  if (strcmp(text, "--rich") == 0)
    return o->rich = true;
  if (strcmp(text, "--tangles") == 0)
    return o->tangles = true;
  return random_run_read(text, &o->run);
}

int main(int argc, char **argv) {
  Options options = {.run = {.count = 200, .seed = 1, .family = -1, .max_blocks = 120}};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &options)) {
      fprintf(stderr, "usage: test_policies [--count=N] [--seed=N] [--family=NAME] "
                      "[--max-blocks=N] [--keep=FILE.spv] [--transform=LIST | --tangles] "
                      "[--calls] [--once] [--rich]\n");
      return 2;
    }
  random_run_print(&options.run);
  for (uint64_t k = 0; k < options.run.count; k++)
    one_module(&options, options.run.seed + k);
  gen_print_families(run_sums.of_family);
  if (options.tangles) {
    printf("%llu modules, %llu runs; left out: %llu that would grow beyond --max-growth\n",
           (unsigned long long)options.run.count, (unsigned long long)run_sums.runs,
           (unsigned long long)run_sums.grown);
    return 0;
  }
  printf(
      "exec: %llu runs, %.1f %% of what it issues added by lowering; %llu not reconverging, %llu "
      "left alone for their ballots in break arms\n",
      (unsigned long long)run_sums.exec_runs,
      run_sums.exec_issued ? 100.0 * (double)run_sums.exec_added / (double)run_sums.exec_issued : 0,
      (unsigned long long)run_sums.exec_skips, (unsigned long long)run_sums.exec_left_alone);
  printf("ssy: %llu runs, %.1f %% of what it issues tokens' overhead; %llu irreducible\n",
         (unsigned long long)run_sums.ssy_runs,
         run_sums.ssy_issued ? 100.0 * (double)run_sums.ssy_added / (double)run_sums.ssy_issued : 0,
         (unsigned long long)run_sums.ssy_skips);
  printf("jip: %.1f %% of what it issues joins\n",
         run_sums.jip_issued ? 100.0 * (double)run_sums.jip_joins / (double)run_sums.jip_issued
                             : 0);
  printf("tbc: %.1f %% of the issues of pdom\n",
         run_sums.tbc_pdom ? 100.0 * (double)run_sums.tbc_issued / (double)run_sums.tbc_pdom : 0);
  printf(
      "barrier: %llu runs, %.1f %% of what it issues barriers' overhead; frontier issues %.4f of "
      "tf-stack without it\n",
      (unsigned long long)run_sums.barrier_runs,
      run_sums.barrier_issued
          ? 100.0 * (double)run_sums.barrier_added / (double)run_sums.barrier_issued
          : 0,
      run_sums.stack_issued ? (double)run_sums.frontier_issued / (double)run_sums.stack_issued : 0);
  printf("%llu modules, %llu runs, %llu divergent branches; tf-stack above pdom in %llu of %llu, "
         "opt exact in %llu of %llu\n",
         (unsigned long long)options.run.count, (unsigned long long)run_sums.runs,
         (unsigned long long)run_sums.branches, (unsigned long long)run_sums.tf_above_pdom,
         (unsigned long long)run_sums.tf_runs, (unsigned long long)run_sums.opt_exact,
         (unsigned long long)run_sums.opt_runs);
  if (!options.run.transform)
    return 0;
  printf("%s: changed %llu modules\n", options.run.transform,
         (unsigned long long)run_sums.given_changed);
  return run_sums.given_changed == 0;
}
