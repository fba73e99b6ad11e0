/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound: bound-loops on random modules that end, and on random modules that do not.
 *
 *   test_bound [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N] [--keep=FILE]
 *
 * In three of four modules conditional branches get their targets in the other order, each with
 * probability 1/2; many of these modules run forever. For each module:
 *   - if it ends, it leaves the same memory after bound-loops
 *   - after bound-loops with a bound of 2, alone and in lists, it ends
 *   - the outputs validate, if the input has merge instructions or the list ends in structurize
 *   - so do outputs in which lanes that leave early record themselves (bound_record.h) */
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/policies/random_case.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

/* Issues of modules that may not end; of those whose loops are bounded. */
enum { MOST_ISSUES = 20000, MOST_BOUNDED = 20000000 };

typedef struct Test {
  RandomRun run;
  uint64_t ended, endless, faults;
  spv_context context;
} Test;

static void swap_targets(uint32_t *words, size_t count, uint64_t seed) {
  Rng r = {rng_mix(seed)};
  for (size_t i = 5; i < count; i += words[i] >> 16)
    if ((words[i] & 0xffff) == SpvOpBranchConditional && rng_percent(&r, 50)) {
      uint32_t yes = words[i + 2];
      words[i + 2] = words[i + 3];
      words[i + 3] = yes;
    }
}

static void validate(const Test *t, const Case *c, const char *list, const uint32_t *words,
                     size_t count) {
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  if (spvValidate(t->context, &binary, &diagnostic) != SPV_SUCCESS)
    run_fail(c, "after %s: %s", list, diagnostic ? diagnostic->error : "does not validate");
  spvDiagnosticDestroy(diagnostic);
}

/* The case after the list; the caller frees its words. `bounded`: as in the options. */
static Case after(const Test *t, const Case *c, const char *list, bool valid,
                  uint64_t (*bounded)(void *user, const spvreconv_bounded *loop)) {
  spvreconv_options options;
  spvreconv_result *result;
  Case out = *c;
  spvreconv_options_init(&options, sizeof options);
  options.transform = list;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.bounded = bounded;
  if (spvreconv_run(&options, c->words, c->count, &result) != SPVRECONV_OK)
    run_fail(c, "%s: %s", list, spvreconv_result_message(result));
  const uint32_t *words = spvreconv_result_words(result, &out.count);
  if (valid)
    validate(t, c, list, words, out.count);
  out.words = malloc(out.count * sizeof *words);
  memcpy(out.words, words, out.count * sizeof *words);
  out.after = list;
  spvreconv_result_destroy(result);
  return out;
}

static Outcome *run_scalar(const Case *c, uint64_t max_issues) {
  spv_emu_program *program = run_load(c, 8, NULL);
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, "scalar", (RunHow){.max_issues = max_issues});
  spv_emu_free(program);
  return o;
}

static void keeps_results(const Test *t, const Case *c, const Outcome *before) {
  Case out = after(t, c, "bound-loops", false, NULL);
  Outcome *o = run_scalar(&out, 2 * MOST_ISSUES);
  if (o->result->outcome != SPV_EMU_RAN)
    run_fail(c, "it ends, but after bound-loops: %s", o->result->message);
  run_same_memory(c, "scalar before and after bound-loops", &before->memory, &o->memory);
  run_end(o);
  free(out.words);
}

static void ends(Test *t, const Case *c, const char *list, bool valid) {
  Case out = after(t, c, list, valid, NULL);
  Outcome *o = run_scalar(&out, MOST_BOUNDED);
  if (o->result->outcome == SPV_EMU_LIMIT)
    run_fail(c, "after %s: %s", list, o->result->message);
  t->faults += o->result->outcome == SPV_EMU_FAULT;
  run_end(o);
  free(out.words);
}

static uint64_t record_at(void *user, const spvreconv_bounded *loop) {
  (void)user;
  return 64 * (uint64_t)loop->block;
}

static void records(const Test *t, const Case *c, const char *list) {
  free(after(t, c, list, true, record_at).words);
}

static void one_module(Test *t, uint64_t seed) {
  GenOptions gen = {.merges = -1, .calls = seed % 3 == 1};
  RandomCase *random = random_case_new(&t->run, seed, &gen);
  Case *c = &random->c;
  bool merges = random->module.merges;
  c->invocations = 4;
  if (seed % 4)
    swap_targets(c->words, c->count, seed);
  Outcome *before = run_scalar(c, MOST_ISSUES);
  t->ended += before->result->outcome == SPV_EMU_RAN;
  t->endless += before->result->outcome == SPV_EMU_LIMIT;
  if (before->result->outcome == SPV_EMU_RAN)
    keeps_results(t, c, before);
  ends(t, c, "bound-loops:2", merges);
  ends(t, c, "structurize,bound-loops:2", true);
  ends(t, c, seed % 16 ? "bound-loops:2,structurize" : "bound-loops:2,best", true);
  records(t, c, seed / 4 % 2 ? "bound-loops:2,structurize" : "structurize,bound-loops:2");
  run_end(before);
  random_case_free(random);
}

int main(int argc, char **argv) {
  Test t = {.run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 40}};
  for (int i = 1; i < argc; i++)
    if (!random_run_read(argv[i], &t.run)) {
      fprintf(stderr, "usage: test_bound [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N] "
                      "[--keep=FILE]\n");
      return 2;
    }
  random_run_print(&t.run);
  t.context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < t.run.count; k++)
    one_module(&t, t.run.seed + k);
  spvContextDestroy(t.context);
  gen_print_families(run_sums.of_family);
  printf(
      "%llu modules: %llu end, %llu do not; after bound-loops all do, of these runs %llu reach an "
      "OpUnreachable\n",
      (unsigned long long)t.run.count, (unsigned long long)t.ended, (unsigned long long)t.endless,
      (unsigned long long)t.faults);
  return t.run.count >= 100 && (!t.ended || !t.endless);
}
