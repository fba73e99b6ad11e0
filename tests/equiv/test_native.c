/* SPDX-License-Identifier: Apache-2.0 */
/* test_native: random modules as machine code (--native=check) and interpreted.
 *
 *   test_native --count=100 --seed=1 [--family=NAME] [--max-blocks=N] [--keep=FILE.spv] [--auto]
 *
 * Each module runs under two policies, at one subgroup size, which the seed chooses; half of them with
 * --native=on, which counts by itself what paths do. A difference of a value after any block is a
 * fault of the checked run; memory, messages and all figures must be the same. --auto: as
 * --native=auto, which compiles what has run often. Without LLVM there is nothing to test: the exit
 * code is 77. Few of these
 * modules have loops that run as one piece of code: test_native_loops has. */
#include "tests/equiv/policies/run.h"
#include "tests/equiv/random_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

static void same(const Case *c, const spv_emu_result *r, const char *what, uint64_t a, uint64_t b) {
  if (a != b)
    run_fail(c, "%s, %u lanes, %s: interpreted %llu, native %llu", r->policy, r->subgroup_size,
             what, (unsigned long long)a, (unsigned long long)b);
}

static void same_figures(const Case *c, const spv_emu_result *a, const spv_emu_result *b) {
#define SAME(name) same(c, a, #name, a->name, b->name);
  SAME(issued)
  SAME(lane_instructions)
  SAME(overhead)
  SAME(noop_issues)
  SAME(divergent_branches)
  SAME(reconvergences)
  SAME(stack_pushes)
  SAME(stack_pops)
  SAME(stack_max_depth)
  SAME(memory_issues)
  SAME(memory_transactions)
  SAME(image_issues)
  SAME(image_transactions)
  SAME(out_of_bounds)
  if (strcmp(a->message, b->message) != 0)
    run_fail(c, "%s: interpreted '%s', native '%s'", a->policy, a->message, b->message);
  run_same_blocks(c, a, b);
}

static void both_ways(const Case *c, const spv_emu_program *program, const char *policy,
                      spv_emu_native native) {
  Outcome a = run_with(c, program, policy, (RunHow){.native = SPV_EMU_NATIVE_OFF});
  Outcome b = run_with(c, program, policy, (RunHow){.native = native});
  run_same_memory(c, policy, &a.memory, &b.memory);
  same_figures(c, a.result, b.result);
  spv_emu_result_free(a.result);
  spv_emu_result_free(b.result);
}

/* Rows of one chunk, of two, of more than a path has, and of one lane. */
static const uint32_t sizes[] = {32, 16, 64, 100, 32, 1};

/* The last one refuses ballots. */
static const char *const policies[] = {"tf-stack", "maximal", "pdom",   "tf-sandy",
                                       "minpc",    "none",    "scalar", "dwf"};

static void one_module(const RandomRun *run, uint64_t seed, spv_emu_native native) {
  GenFamily family = random_run_family(run, seed);
  const GenOptions gen = {
      .merges = -1, .rich = seed % 4 == 1, .calls = seed % 4 == 2, .ballots = seed % 4 == 3};
  Memory *memory = malloc(sizeof *memory);
  GenModule module;
  run_random_memory(memory, seed);
  gen_module(family, gen_size(seed, 5, run->max_blocks), seed, &gen, &module);
  Case c = {.seed = seed,
            .family = family,
            .words = module.words,
            .count = module.count,
            .invocations = 96,
            .start = memory,
            .keep = run->keep};
  spv_emu_program *program = run_load(&c, sizes[seed % (sizeof sizes / sizeof *sizes)], NULL);
  const size_t count = sizeof policies / sizeof *policies - gen.ballots;
  both_ways(&c, program, policies[seed / 3 % count], native);
  both_ways(&c, program, module.merges ? "structured" : policies[(seed / 3 + 3) % count], native);
  spv_emu_free(program);
  gen_module_free(&module);
  free(memory);
}

/* Those of odd seeds have a listener, which ends paths. */
static spv_emu_native mode_of(uint64_t seed) {
  return seed / 2 % 2 ? SPV_EMU_NATIVE_ON : SPV_EMU_NATIVE_CHECK;
}

int main(int argc, char **argv) {
  RandomRun run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 24};
  bool automatic = false;
  for (int i = 1; i < argc; i++) {
    bool chosen = strcmp(argv[i], "--auto") == 0;
    automatic |= chosen;
    if (!chosen && !random_run_read(argv[i], &run)) {
      fprintf(stderr, "usage: test_native [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N] "
                      "[--keep=FILE.spv] [--auto]\n");
      return 2;
    }
  }
  const char *refused = spv_emu_native_refuses();
  if (refused) {
    printf("skipped: %s\n", refused);
    return SKIPPED;
  }
  random_run_print(&run);
  for (uint64_t k = 0; k < run.count; k++)
    one_module(&run, run.seed + k, automatic ? SPV_EMU_NATIVE_AUTO : mode_of(run.seed + k));
  printf("%llu modules, %llu runs\n", (unsigned long long)run.count,
         (unsigned long long)run_sums.runs);
  return 0;
}
