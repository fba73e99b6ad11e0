/* SPDX-License-Identifier: Apache-2.0 */
/* test_policies: random modules in the emulator, under every policy.
 *
 *   test_policies --count=200 --seed=1 [--family=NAME] [--max-blocks=N] [--keep=FILE.spv]
 *                 [--transform=LIST]
 *
 * --keep writes the module that fails. --transform: each module that the list changes only as
 * written under `scalar` and, after the list, under every policy, at two subgroup sizes: the memory
 * is the same, and what is compared below between policies holds.
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
#include "gen.h"
#include "oracle.h"
#include "rng.h"
#include "world.h"

#include <spirv/unified1/spirv.h>
#include <spv-emu/spv_emu.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS = 20000000,
  RUNTIME_LENGTH = 64,
  RECORD_WORDS = 10, /* for the oracle; in the buffer a record has 12 */
  RECORD_BYTES = 48,
  PUSH_WORDS = 2,
  UNIFORM_WORDS = 6,
  MAX_LANES = 1000,
  ALL_POLICIES = 32
};

typedef struct Options {
  uint64_t count, seed;
  int family; /* -1: they take turns */
  uint32_t max_blocks;
  const char *keep;
  const char *transform; /* NULL: those of the head of this file */
} Options;

/* The memory of a dispatch. */
typedef struct Memory {
  uint32_t in[RUNTIME_LENGTH], push[PUSH_WORDS], uniform[UNIFORM_WORDS];
  uint8_t out[MAX_LANES * RECORD_BYTES];
} Memory;

typedef struct Case {
  uint64_t seed;
  GenFamily family;
  uint32_t *words; /* patched to workgroups of `invocations` */
  size_t count;
  uint32_t invocations;
  const Memory *start;
  const char *keep;
  bool given; /* after the list of --transform */
} Case;

typedef struct Outcome {
  spv_emu_result *result;
  Memory memory;
} Outcome;

typedef struct Sums { /* over all modules */
  uint64_t of_family[GEN_FAMILIES];
  uint64_t runs, tf_above_pdom, tf_runs, opt_exact, opt_runs, branches;
  uint64_t ssy_runs, ssy_skips, ssy_added, ssy_issued;
  uint64_t jip_joins, jip_issued, tbc_issued, tbc_pdom;
  uint64_t barrier_runs, barrier_issued, barrier_added, frontier_issued, stack_issued;
  uint64_t exec_runs, exec_skips, exec_left_alone, exec_added, exec_issued;
  uint64_t given_changed; /* modules that the list of --transform changes */
} Sums;

static Sums sums;

/* ---- failing --------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3), noreturn)) static void fail(const Case *c, const char *format,
                                                                 ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "test_policies: seed %llu, family %s: ", (unsigned long long)c->seed,
          graph_family_names[c->family]);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  FILE *file = c->keep ? fopen(c->keep, "wb") : NULL;
  if (file && fwrite(c->words, sizeof *c->words, c->count, file) != c->count)
    perror(c->keep);
  exit(1);
}

/* ---- running --------------------------------------------------------------------------------- */

/* All modules have one OpExecutionMode LocalSize. */
static void set_local_size(uint32_t *words, size_t count, uint32_t size) {
  for (size_t at = 5; at < count; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpExecutionMode && words[at + 2] == SpvExecutionModeLocalSize)
      words[at + 3] = size;
}

static spv_emu_program *load(const Case *c, uint32_t lanes, const char *transform) {
  const spv_emu_load_options options = {
      .subgroup_size = lanes, .transform = transform, .check_uniform = true};
  char message[512];
  spv_emu_program *program;
  set_local_size(c->words, c->count, c->invocations);
  if (spv_emu_load(c->words, c->count, &options, &program, message, sizeof message) != SPV_EMU_OK)
    fail(c, "loading, %u lanes, transform %s: %s", lanes, transform ? transform : "none", message);
  return program;
}

typedef struct Wave { /* how policy exec runs */
  const char *lowering, *listing;
  const char *placement, *scheduling, *barriers; /* how policy barrier runs; barriers: a listing */
  const char *dwf_order;                         /* how policy dwf runs */
  const spv_emu_cost *cost;   /* the cost model of any policy; NULL: a cycle for each issue */
  const spv_emu_order *order; /* the priorities of any policy; NULL: the default */
} Wave;

/* The sums of a reported schedule, which must match the figures of the result. */
typedef struct Told {
  uint64_t issued, lane_instructions;
  uint32_t words; /* of a set of lanes */
} Told;

static void begin_schedule(void *user, const spv_emu_program *program, uint32_t lanes) {
  (void)program;
  ((Told *)user)->words = (lanes + 63) / 64;
}

static void add_told(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                     const uint64_t *lanes) {
  (void)subgroup, (void)part;
  Told *told = user;
  told->issued += count;
  for (uint32_t i = 0; i < told->words; i++)
    told->lane_instructions += (uint64_t)__builtin_popcountll(lanes[i]) * count;
}

static void check_told(const Case *c, const spv_emu_result *r, const Told *told) {
  if (r->outcome == SPV_EMU_RAN && strcmp(r->policy, "opt") != 0 &&
      (told->issued != r->issued || told->lane_instructions != r->lane_instructions))
    fail(c, "policy %s: the schedule has %llu issues, the result %llu", r->policy,
         (unsigned long long)told->issued, (unsigned long long)r->issued);
}

static Outcome run_wave(const Case *c, const spv_emu_program *program, const char *policy,
                        Wave wave) {
  Outcome o = {.memory = *c->start};
  Memory *m = &o.memory;
  spv_emu_buffer buffers[] = {{0, 0, 0, m->in, sizeof m->in},
                              {0, 1, 0, m->out, (uint64_t)c->invocations * RECORD_BYTES},
                              {0, 2, 0, m->uniform, sizeof m->uniform}};
  spv_emu_run_options options = {.policy = policy,
                                 .groups = {1, 1, 1},
                                 .buffers = buffers,
                                 .buffer_count = 3,
                                 .push_constants = m->push,
                                 .push_constant_bytes = sizeof m->push,
                                 .opt_budget = 2000,
                                 .wave = wave.listing,
                                 .lowering = wave.lowering,
                                 .cost = wave.cost,
                                 .orders = wave.order,
                                 .order_count = wave.order != NULL,
                                 .barrier_placement = wave.placement,
                                 .barrier_scheduling = wave.scheduling,
                                 .barriers = wave.barriers,
                                 .dwf_order = wave.dwf_order,
                                 .list_barriers = wave.placement && c->seed % 4 == 0};
  Told told = {0};
  const spv_emu_schedule schedule = {
      .user = &told, .subgroups = UINT64_MAX, .begun = begin_schedule, .issued = add_told};
  if (c->seed % 2) /* without callbacks the executor takes shortcuts */
    options.schedule = &schedule;
  char message[512];
  if (spv_emu_run(program, &options, &o.result, message, sizeof message) != SPV_EMU_OK)
    fail(c, "policy %s: %s", policy, message);
  bool may_skip = strcmp(policy, "exec") == 0 || strcmp(policy, "ssy") == 0;
  bool skips = may_skip && o.result->outcome == SPV_EMU_SKIP;
  if (o.result->outcome != SPV_EMU_RAN && !skips)
    fail(c, "policy %s%s%s %s, %u lanes: %s", policy, wave.placement ? " " : "",
         wave.placement ? wave.placement : "", wave.scheduling ? wave.scheduling : "lifo",
         o.result->subgroup_size, o.result->message);
  if (options.schedule)
    check_told(c, o.result, &told);
  sums.runs++;
  return o;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* The same run with another cost model: the other figures are the same. */
static spv_emu_result *run_paid(const Case *c, const spv_emu_program *program,
                                const spv_emu_result *free_of_cost, const spv_emu_cost *cost) {
  Outcome *o = malloc(sizeof *o);
  *o = run_wave(c, program, free_of_cost->policy, (Wave){.cost = cost});
  spv_emu_result *r = o->result;
  free(o);
  if (r->issued != free_of_cost->issued || r->stack_pushes != free_of_cost->stack_pushes ||
      r->stack_pops != free_of_cost->stack_pops)
    fail(c, "%s: a cost model changes what happens", r->policy);
  if (r->cycles != r->issue_cycles + r->idle_cycles)
    fail(c, "%s: %llu cycles are not those of issues and idle ones", r->policy,
         (unsigned long long)r->cycles);
  return r;
}

/* One resident subgroup waits for everything; with more, waits overlap. */
static void check_costs(const Case *c, const spv_emu_program *program, const spv_emu_result *r) {
  static const char *const models[] = {"issues", "kepler", "maxwell", "fermi"};
  spv_emu_cost cost;
  if (r->cycles != r->issued || r->stack_spills || r->utilisation != (r->issued > 0))
    fail(c, "%s: %llu cycles without a cost model, %llu issues", r->policy,
         (unsigned long long)r->cycles, (unsigned long long)r->issued);
  if (!spv_emu_cost_find(models[c->seed / 16 % 4], &cost))
    fail(c, "a cost model is missing");
  cost.classes[c->seed % SPV_EMU_COST_CLASSES] = 3;
  spv_emu_result *one = run_paid(c, program, r, &cost);
  cost.subgroups = 1;
  cost.cache = (uint32_t)(c->seed / 64 % 3);
  spv_emu_result *alone = run_paid(c, program, r, &cost);
  cost.subgroups = 1024;
  spv_emu_result *many = run_paid(c, program, r, &cost);
  if (one->cycles + alone->load_cycles != alone->cycles)
    fail(c, "%s: %llu cycles, %llu of waiting for loads, but %llu together", r->policy,
         (unsigned long long)one->cycles, (unsigned long long)alone->load_cycles,
         (unsigned long long)alone->cycles);
  if (many->issue_cycles != alone->issue_cycles || many->loads != alone->loads ||
      many->cycles < many->issue_cycles || (!cost.cache && many->cycles > alone->cycles))
    fail(c, "%s: %llu cycles with one resident subgroup, %llu with all", r->policy,
         (unsigned long long)alone->cycles, (unsigned long long)many->cycles);
  spv_emu_result_free(one);
  spv_emu_result_free(alone);
  spv_emu_result_free(many);
}

/* Such a policy may issue less than `opt`, which keeps to the subgroups, and has no latency. */
static bool regroups(const char *policy) {
  return strcmp(policy, "dwf") == 0 || strncmp(policy, "tbc", 3) == 0;
}

static Outcome run(const Case *c, const spv_emu_program *program, const char *policy) {
  Outcome o = run_wave(c, program, policy, (Wave){0});
  if (c->seed % 16 == 0 && o.result->outcome == SPV_EMU_RAN && !regroups(policy))
    check_costs(c, program, o.result);
  return o;
}

static void compare_memory(const Case *c, const char *what, const Memory *a, const Memory *b) {
  for (uint32_t i = 0; i < c->invocations * RECORD_BYTES; i++)
    if (a->out[i] != b->out[i])
      fail(c, "%s: byte %u of record %u differs", what, i % RECORD_BYTES, i / RECORD_BYTES);
}

/* ---- one module ------------------------------------------------------------------------------ */

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

static const Outcome *find(const Outcome *outcomes, uint32_t count, const char *policy) {
  for (uint32_t i = 0; i < count; i++)
    if (is(outcomes[i].result->policy, policy))
      return &outcomes[i];
  return NULL;
}

static void compare_counts(const Case *c, const Outcome *outcomes, uint32_t count) {
  const spv_emu_result *scalar = find(outcomes, count, "scalar")->result,
                       *stack = find(outcomes, count, "tf-stack")->result,
                       *sandy = find(outcomes, count, "tf-sandy")->result,
                       *opt = find(outcomes, count, "opt")->result,
                       *pdom = find(outcomes, count, "pdom")->result;
  for (uint32_t i = 0; i < count; i++) {
    const spv_emu_result *r = outcomes[i].result;
    if (r->lane_instructions != scalar->lane_instructions && r != opt)
      fail(c, "%s enables %llu lanes in sum, scalar %llu", r->policy,
           (unsigned long long)r->lane_instructions, (unsigned long long)scalar->lane_instructions);
    if (opt->issued > r->issued && !(regroups(r->policy) && r->subgroups > 1))
      fail(c, "opt issues %llu, %s %llu", (unsigned long long)opt->issued, r->policy,
           (unsigned long long)r->issued);
  }
  if (scalar->issued != scalar->lane_instructions)
    fail(c, "scalar issues %llu for %llu lanes", (unsigned long long)scalar->issued,
         (unsigned long long)scalar->lane_instructions);
  if (sandy->issued - sandy->noop_issues != stack->issued)
    fail(c, "tf-sandy issues %llu without its no-ops, tf-stack %llu",
         (unsigned long long)(sandy->issued - sandy->noop_issues),
         (unsigned long long)stack->issued);
  sums.tf_runs++;
  sums.tf_above_pdom += stack->issued > pdom->issued;
  sums.opt_runs++;
  sums.opt_exact += opt->exact;
  sums.branches += pdom->divergent_branches;
}

static void compare_blocks(const Case *c, const spv_emu_result *a, const spv_emu_result *b) {
  for (uint32_t i = 0; i < a->block_count; i++)
    if (a->blocks[i].executions != b->blocks[i].executions ||
        a->blocks[i].lanes != b->blocks[i].lanes)
      fail(c, "%u lanes, block %%%u: %s runs it %llu times with %llu lanes, %s %llu with %llu",
           a->subgroup_size, a->blocks[i].id, a->policy,
           (unsigned long long)a->blocks[i].executions, (unsigned long long)a->blocks[i].lanes,
           b->policy, (unsigned long long)b->blocks[i].executions,
           (unsigned long long)b->blocks[i].lanes);
}

/* Reconvergence as under `pdom`: the same blocks with the same lanes, apart from added
 * instructions. */
static void compare_with_pdom(const Case *c, const spv_emu_result *r, const spv_emu_result *pdom) {
  compare_blocks(c, r, pdom);
  if (r->reconvergences != pdom->reconvergences ||
      r->divergent_branches != pdom->divergent_branches)
    fail(c, "%s has %llu reconvergences, %llu divergent branches, pdom %llu, %llu", r->policy,
         (unsigned long long)r->reconvergences, (unsigned long long)r->divergent_branches,
         (unsigned long long)pdom->reconvergences, (unsigned long long)pdom->divergent_branches);
  if (r->issued - r->overhead != pdom->issued - pdom->overhead)
    fail(c, "%s issues %llu, %llu of it overhead; pdom %llu, %llu", r->policy,
         (unsigned long long)r->issued, (unsigned long long)r->overhead,
         (unsigned long long)pdom->issued, (unsigned long long)pdom->overhead);
}

/* Branches that are proven uniform need no token, and never diverge. */
static void check_ssy(const Case *c, const spv_emu_result *ssy, const spv_emu_result *pdom) {
  compare_with_pdom(c, ssy, pdom);
  if (ssy->stack_pushes != ssy->stack_pops)
    fail(c, "ssy pushes %llu tokens, pops %llu", (unsigned long long)ssy->stack_pushes,
         (unsigned long long)ssy->stack_pops);
  sums.ssy_runs++;
  sums.ssy_added += ssy->overhead - pdom->overhead;
  sums.ssy_issued += ssy->issued;
}

/* ---- program counters ------------------------------------------------------------------------ */

/* Under `jip` lanes also wait at a JOIN to which the subgroup goes at once, so it pushes more. */
static bool same_figures(const spv_emu_result *a, const spv_emu_result *b) {
  return a->reconvergences == b->reconvergences && a->stack_max_depth == b->stack_max_depth &&
         (a->stack_pushes == b->stack_pushes || strcmp(a->policy, "jip") == 0) &&
         a->memory_transactions == b->memory_transactions;
}

static void compare_issues(const Case *c, const spv_emu_result *a, const spv_emu_result *b) {
  compare_blocks(c, a, b);
  if (!same_figures(a, b))
    fail(c, "%s and %s issue the same, but other figures differ", a->policy, b->policy);
}

/* tf-stack with the blocks that ran in layout order, which is that of the result. */
static void check_minpc(const Case *c, const spv_emu_program *program, const spv_emu_result *r) {
  spv_emu_place *places = calloc(r->part_count + 1, sizeof *places);
  spv_emu_order order = {.places = places};
  for (uint32_t i = 0; i < r->part_count; i++)
    if (r->parts[i].executions)
      places[order.count++] =
          (spv_emu_place){.block = r->blocks[r->parts[i].block].id, .part = r->parts[i].part};
  Outcome *o = malloc(sizeof *o);
  *o = run_wave(c, program, "tf-stack", (Wave){.order = &order});
  compare_issues(c, r, o->result);
  spv_emu_result_free(o->result);
  free(o);
  free(places);
}

static void check_jip(const Case *c, const spv_emu_result *jip, const spv_emu_result *stackless) {
  compare_issues(c, jip, stackless);
  sums.jip_joins += jip->issued - stackless->issued;
  sums.jip_issued += jip->issued;
}

/* ---- regrouping ------------------------------------------------------------------------------ */

static void check_dwf(const Case *c, const spv_emu_program *program, const Outcome *scalar,
                      const spv_emu_result *minpc) {
  static const char *const orders[] = {"minority", "time-stamp", "pc"};
  const char *order = minpc->subgroups == 1 ? "pc" : orders[c->seed % 3];
  Outcome *o = malloc(sizeof *o);
  *o = run_wave(c, program, "dwf", (Wave){.dwf_order = order});
  compare_memory(c, "scalar and dwf in another order", &scalar->memory, &o->memory);
  if (o->result->lane_instructions != minpc->lane_instructions)
    fail(c, "dwf, %s enables %llu lanes in sum, minpc %llu", order,
         (unsigned long long)o->result->lane_instructions,
         (unsigned long long)minpc->lane_instructions);
  if (minpc->subgroups == 1)
    compare_blocks(c, o->result, minpc);
  spv_emu_result_free(o->result);
  free(o);
}

static void check_tbc(const Case *c, const spv_emu_result *tbc, const spv_emu_result *pdom) {
  if (tbc->issued > pdom->issued || tbc->memory_issues > pdom->memory_issues)
    fail(c, "tbc issues %llu, %llu to memory, pdom %llu and %llu", (unsigned long long)tbc->issued,
         (unsigned long long)tbc->memory_issues, (unsigned long long)pdom->issued,
         (unsigned long long)pdom->memory_issues);
  if (tbc->subgroups == 1) {
    compare_issues(c, tbc, pdom);
    if (tbc->memory_issues != pdom->memory_issues ||
        tbc->divergent_branches != pdom->divergent_branches)
      fail(c, "tbc with one subgroup is not pdom");
  }
  sums.tbc_issued += tbc->issued;
  sums.tbc_pdom += pdom->issued;
}

/* ---- the wave-level program ------------------------------------------------------------------ */

/* With all skip branches `exec` runs what `pdom` runs. */
static void compare_exec(const Case *c, const spv_emu_result *exec, const spv_emu_result *pdom) {
  compare_with_pdom(c, exec, pdom);
  if (exec->noop_issues)
    fail(c, "exec issues %llu no-ops", (unsigned long long)exec->noop_issues);
  if (exec->scalar_issues + exec->branch_issues > exec->issued)
    fail(c, "exec has more scalar instructions and branches than it issues");
  sums.exec_runs++;
  sums.exec_added += exec->overhead - pdom->overhead;
  sums.exec_issued += exec->issued;
}

/* Lanes compute the same with every lowering. */
static void other_lowerings(const Case *c, const spv_emu_program *program, const Outcome *exec) {
  static const char *const lowerings[] = {"needed-skips", "flow-blocks",
                                          "needed-skips,flow-blocks"};
  for (uint32_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++) {
    Outcome *o = malloc(sizeof *o);
    *o = run_wave(c, program, "exec", (Wave){.lowering = lowerings[i]});
    compare_memory(c, lowerings[i], &exec->memory, &o->memory);
    if (o->result->lane_instructions != exec->result->lane_instructions)
      fail(c, "lowered with %s, exec enables %llu lanes in sum, else %llu", lowerings[i],
           (unsigned long long)o->result->lane_instructions,
           (unsigned long long)exec->result->lane_instructions);
    spv_emu_result_free(o->result);
    free(o);
  }
}

/* Printed by spvreconv and read back, the program is the same. */
static void through_listing(const Case *c, uint32_t lanes, const char *transform,
                            const Outcome *exec) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform ? transform : "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_WAVE | SPVRECONV_WANT_CHECK;
  spvreconv_result *result;
  spvreconv_status status = spvreconv_run(&options, c->words, c->count, &result);
  bool all = transform && is(transform, "reconverge");
  if (status == SPVRECONV_BAD_INPUT && !all) { /* a function that is not reached */
    spvreconv_result_destroy(result);
    return;
  }
  if (status != SPVRECONV_OK)
    fail(c, "--dump-wave: %s", spvreconv_result_message(result));
  spv_emu_program *program = load(c, lanes, transform);
  Outcome *o = malloc(sizeof *o);
  *o = run_wave(c, program, "exec",
                (Wave){.listing = spvreconv_result_text(result, SPVRECONV_WANT_WAVE)});
  compare_memory(c, "exec and its listing", &exec->memory, &o->memory);
  compare_blocks(c, exec->result, o->result);
  if (o->result->issued != exec->result->issued)
    fail(c, "exec issues %llu, from its listing %llu", (unsigned long long)exec->result->issued,
         (unsigned long long)o->result->issued);
  spv_emu_result_free(o->result);
  free(o);
  spv_emu_free(program);
  spvreconv_result_destroy(result);
}

static void check_exec(const Case *c, const spv_emu_program *program, uint32_t lanes,
                       const char *transform, const Outcome *exec, const Outcome *pdom) {
  compare_exec(c, exec->result, pdom->result);
  other_lowerings(c, program, exec);
  through_listing(c, lanes, transform, exec);
}

/* ---- convergence barriers -------------------------------------------------------------------- */

static Outcome *run_barriers(const Case *c, const spv_emu_program *program, Wave how,
                             const Outcome *scalar) {
  char what[96];
  Outcome *o = malloc(sizeof *o);
  *o = run_wave(c, program, "barrier", how);
  snprintf(what, sizeof what, "%s and barrier, %s, %s", scalar->result->policy,
           how.placement ? how.placement : "listing", how.scheduling ? how.scheduling : "lifo");
  compare_memory(c, what, &scalar->memory, &o->memory);
  return o;
}

static void end_run(Outcome *o) {
  spv_emu_result_free(o->result);
  free(o);
}

/* The program as text, read back, is the same. */
static void barriers_through_listing(const Case *c, const spv_emu_program *program,
                                     const Outcome *barrier) {
  Outcome *o = run_barriers(c, program, (Wave){.barriers = barrier->result->barriers}, barrier);
  compare_blocks(c, barrier->result, o->result);
  if (o->result->issued != barrier->result->issued)
    fail(c, "barrier issues %llu, from its listing %llu",
         (unsigned long long)barrier->result->issued, (unsigned long long)o->result->issued);
  end_run(o);
}

static void check_placement(const Case *c, const spv_emu_program *program, const char *placement,
                            const Outcome *scalar, const spv_emu_result *like) {
  Outcome *o = run_barriers(c, program, (Wave){.placement = placement}, scalar);
  const spv_emu_result *r = o->result;
  sums.barrier_runs++;
  sums.barrier_issued += r->issued;
  sums.barrier_added += r->overhead - like->overhead;
  if (r->lane_instructions != like->lane_instructions)
    fail(c, "barrier, %s enables %llu lanes in sum, %s %llu", placement,
         (unsigned long long)r->lane_instructions, like->policy,
         (unsigned long long)like->lane_instructions);
  if (is(placement, "ipdom"))
    compare_with_pdom(c, r, like);
  else if (is(placement, "nak"))
    compare_blocks(c, r, like);
  else if (is(placement, "frontier")) {
    sums.frontier_issued += r->issued - r->overhead;
    sums.stack_issued += like->issued - like->overhead;
  }
  if (r->barriers)
    barriers_through_listing(c, program, o);
  end_run(o);
  if (c->seed % 4 != 1)
    return;
  end_run(run_barriers(c, program, (Wave){.placement = placement, .scheduling = "round-robin"},
                       scalar));
  end_run(run_barriers(c, program, (Wave){.placement = placement, .scheduling = "oldest"}, scalar));
}

static void check_barriers(const Case *c, const spv_emu_program *program, const Outcome *outcomes,
                           uint32_t count) {
  const Outcome *structured = find(outcomes, count, "structured");
  check_placement(c, program, "ipdom", outcomes, find(outcomes, count, "pdom")->result);
  check_placement(c, program, "frontier", outcomes, find(outcomes, count, "tf-stack")->result);
  check_placement(c, program, "speculative", outcomes, find(outcomes, count, "pdom")->result);
  if (structured)
    check_placement(c, program, "nak", outcomes, structured->result);
}

/* ---- all policies ---------------------------------------------------------------------------- */

/* Every policy on one program. `expected`: the memory that each leaves, or NULL. */
static void all_policies(const Case *c, uint32_t lanes, const char *transform, bool structured,
                         const Memory *expected) {
  spv_emu_program *program = load(c, lanes, transform);
  Outcome *outcomes = calloc(ALL_POLICIES, sizeof *outcomes);
  uint32_t count = 0;
  const char *name, *purpose;
  for (uint32_t i = 0; (name = spv_emu_policy(i, &purpose)) != NULL; i++) {
    if (!structured && is(name, "structured"))
      continue;
    outcomes[count++] = run(c, program, name);
    if (outcomes[count - 1].result->outcome == SPV_EMU_SKIP) {
      spv_emu_result_free(outcomes[--count].result);
      (*(is(name, "ssy") ? &sums.ssy_skips : &sums.exec_skips))++;
    }
  }
  char what[64];
  if (expected)
    compare_memory(c, "scalar as written and after the list", expected, &outcomes[0].memory);
  for (uint32_t i = 1; i < count; i++) {
    snprintf(what, sizeof what, "%s and %s, %u lanes", outcomes[0].result->policy,
             outcomes[i].result->policy, lanes);
    compare_memory(c, what, &outcomes[0].memory, &outcomes[i].memory);
  }
  compare_counts(c, outcomes, count);
  check_minpc(c, program, find(outcomes, count, "minpc")->result);
  check_dwf(c, program, &outcomes[0], find(outcomes, count, "minpc")->result);
  check_tbc(c, find(outcomes, count, "tbc")->result, find(outcomes, count, "pdom")->result);
  check_jip(c, find(outcomes, count, "jip")->result, find(outcomes, count, "stackless")->result);
  const Outcome *exec = find(outcomes, count, "exec"), *ssy = find(outcomes, count, "ssy");
  check_barriers(c, program, outcomes, count);
  if (ssy)
    check_ssy(c, ssy->result, find(outcomes, count, "pdom")->result);
  else if (structured)
    fail(c, "ssy does not apply to a structured module");
  if (exec)
    check_exec(c, program, lanes, transform, exec, find(outcomes, count, "pdom"));
  else if (transform && is(transform, "reconverge"))
    fail(c, "exec does not apply after reconverge");
  for (uint32_t i = 0; i < count; i++)
    spv_emu_result_free(outcomes[i].result);
  free(outcomes);
  spv_emu_free(program);
}

static spvreconv_result *transformed(const Case *c, const char *transform) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS;
  spvreconv_result *result;
  if (spvreconv_run(&options, c->words, c->count, &result) != SPVRECONV_OK)
    fail(c, "%s: %s", transform, spvreconv_result_message(result));
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

/* The same tangles before and after a transform. */
static void contract(const Case *c, uint32_t lanes, const char *transform, bool structured) {
  spv_emu_program *before = load(c, lanes, NULL), *after = load(c, lanes, transform);
  Outcome *m = malloc(sizeof *m), *s = malloc(sizeof *s);
  *m = run(c, before, "maximal");
  *s = run(c, after, "structured");
  if (m->result->issued != s->result->issued - s->result->overhead && !copies(c, transform))
    fail(c, "%u lanes: maximal issues %llu, structured %llu after %s, %llu of them added", lanes,
         (unsigned long long)m->result->issued, (unsigned long long)s->result->issued, transform,
         (unsigned long long)s->result->overhead);
  compare_memory(c, "ballots, maximal before and structured after", &m->memory, &s->memory);
  spv_emu_result_free(s->result);
  if (structured) {
    *s = run(c, before, "structured");
    compare_blocks(c, m->result, s->result);
    compare_memory(c, "ballots, maximal and structured", &m->memory, &s->memory);
    end_run(run_barriers(c, before, (Wave){.placement = "nak"}, s));
    spv_emu_result_free(s->result);
  }
  spv_emu_result_free(m->result);
  free(m);
  free(s);
  spv_emu_free(before);
  spv_emu_free(after);
}

/* With ballots, too, exec runs its lanes in the same groups as pdom. reconverge does not change a
 * function whose tangles depend on its merge instructions. */
static void exec_tangles(const Case *c, uint32_t lanes, bool merges) {
  spv_emu_program *program = load(c, lanes, "reconverge");
  Outcome *e = malloc(sizeof *e), *p = malloc(sizeof *p);
  *e = run(c, program, "exec");
  *p = run(c, program, "pdom");
  if (e->result->outcome == SPV_EMU_RAN) {
    compare_with_pdom(c, e->result, p->result);
    compare_memory(c, "ballots, exec and pdom", &e->memory, &p->memory);
  } else if (merges) {
    sums.exec_left_alone++;
  } else {
    fail(c, "exec does not apply after reconverge: %s", e->result->message);
  }
  spv_emu_result_free(e->result);
  spv_emu_result_free(p->result);
  free(e);
  free(p);
  spv_emu_free(program);
}

/* Random memory, for more invocations than the oracle's. */
static void random_memory(Memory *m, uint64_t seed) {
  Rng r = {seed};
  uint32_t *words = (uint32_t *)(void *)m;
  for (size_t i = 0; i < sizeof *m / sizeof *words; i++)
    words[i] = (uint32_t)rng_next(&r);
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
    fail(c, "oracle: %s", result.message);
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
  spv_emu_program *program = load(c, 32, NULL);
  Outcome o = run(c, program, "scalar");
  compare_memory(c, "scalar and the interpreter", &o.memory, &m[1]);
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
  sums.given_changed++;
  c->given = true;
  const uint32_t picks[] = {1 + (uint32_t)(c->seed / GEN_FAMILIES % 3), 4};
  Outcome *before = malloc(sizeof *before);
  for (int i = 0; i < 2; i++) {
    c->invocations = invocations[picks[i]];
    spv_emu_program *program = load(c, sizes[picks[i]], NULL);
    *before = run(c, program, "scalar");
    all_policies(c, sizes[picks[i]], transform, structured, &before->memory);
    spv_emu_result_free(before->result);
    spv_emu_free(program);
  }
  free(before);
}

/* What the head of this file lists. */
static void as_in_head(Case *c, GenOptions *gen, uint32_t blocks, bool merges) {
  const Memory *start = c->start;
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
    contract(c, sizes[i], structurizers[(c->seed + i) % 3], ballots.merges);
    exec_tangles(c, sizes[i], ballots.merges);
  }
  gen_module_free(&ballots);
}

static void one_module(const Options *options, uint64_t seed) {
  GenFamily family = options->family >= 0 ? (GenFamily)options->family : gen_turn(seed);
  uint32_t blocks = gen_size(seed, 5, options->max_blocks);
  GenOptions gen = {.merges = -1}; /* no handles: no images are bound */
  sums.of_family[family]++;
  GenModule module;
  Memory *memory = malloc(sizeof *memory);
  random_memory(memory, seed);
  gen_module(family, blocks, seed, &gen, &module);
  Case c = {.seed = seed,
            .family = family,
            .words = module.words,
            .count = module.count,
            .keep = options->keep};
  c.start = memory;
  if (options->transform)
    given(&c, options->transform);
  else
    as_in_head(&c, &gen, blocks, module.merges);
  gen_module_free(&module);
  free(memory);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool number(const char *text, const char *name, uint64_t *value) {
  size_t length = strlen(name);
  if (strncmp(text, name, length) != 0)
    return false;
  *value = strtoull(text + length, NULL, 10);
  return true;
}

static bool read_option(const char *text, Options *o) {
  uint64_t blocks;
  if (number(text, "--count=", &o->count) || number(text, "--seed=", &o->seed))
    return true;
  if (number(text, "--max-blocks=", &blocks)) {
    o->max_blocks = (uint32_t)blocks;
    return true;
  }
  if (strncmp(text, "--keep=", 7) == 0) {
    o->keep = text + 7;
    return true;
  }
  if (strncmp(text, "--transform=", 12) == 0) {
    o->transform = text + 12;
    return true;
  }
  if (strncmp(text, "--family=", 9) == 0) {
    o->family = graph_family_find(text + 9);
    return o->family >= 0;
  }
  return false;
}

int main(int argc, char **argv) {
  Options options = {.count = 200, .seed = 1, .family = -1, .max_blocks = 120};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &options)) {
      fprintf(stderr, "usage: test_policies [--count=N] [--seed=N] [--family=NAME] "
                      "[--max-blocks=N] [--keep=FILE.spv] [--transform=LIST]\n");
      return 2;
    }
  printf("seeds %llu to %llu\n", (unsigned long long)options.seed,
         (unsigned long long)(options.seed + options.count - 1));
  for (uint64_t k = 0; k < options.count; k++)
    one_module(&options, options.seed + k);
  gen_print_families(sums.of_family);
  printf(
      "exec: %llu runs, %.1f %% of what it issues added by lowering; %llu not reconverging, %llu "
      "left alone for their ballots in break arms\n",
      (unsigned long long)sums.exec_runs,
      sums.exec_issued ? 100.0 * (double)sums.exec_added / (double)sums.exec_issued : 0,
      (unsigned long long)sums.exec_skips, (unsigned long long)sums.exec_left_alone);
  printf("ssy: %llu runs, %.1f %% of what it issues tokens' overhead; %llu irreducible\n",
         (unsigned long long)sums.ssy_runs,
         sums.ssy_issued ? 100.0 * (double)sums.ssy_added / (double)sums.ssy_issued : 0,
         (unsigned long long)sums.ssy_skips);
  printf("jip: %.1f %% of what it issues joins\n",
         sums.jip_issued ? 100.0 * (double)sums.jip_joins / (double)sums.jip_issued : 0);
  printf("tbc: %.1f %% of the issues of pdom\n",
         sums.tbc_pdom ? 100.0 * (double)sums.tbc_issued / (double)sums.tbc_pdom : 0);
  printf(
      "barrier: %llu runs, %.1f %% of what it issues barriers' overhead; frontier issues %.4f of "
      "tf-stack without it\n",
      (unsigned long long)sums.barrier_runs,
      sums.barrier_issued ? 100.0 * (double)sums.barrier_added / (double)sums.barrier_issued : 0,
      sums.stack_issued ? (double)sums.frontier_issued / (double)sums.stack_issued : 0);
  printf("%llu modules, %llu runs, %llu divergent branches; tf-stack above pdom in %llu of %llu, "
         "opt exact in %llu of %llu\n",
         (unsigned long long)options.count, (unsigned long long)sums.runs,
         (unsigned long long)sums.branches, (unsigned long long)sums.tf_above_pdom,
         (unsigned long long)sums.tf_runs, (unsigned long long)sums.opt_exact,
         (unsigned long long)sums.opt_runs);
  if (!options.transform)
    return 0;
  printf("%s: changed %llu modules\n", options.transform, (unsigned long long)sums.given_changed);
  return sums.given_changed == 0;
}
