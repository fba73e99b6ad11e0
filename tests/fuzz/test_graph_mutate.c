/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_mutate: modules whose control flow the fuzzers' mutators changed (mutate_graph.h),
 * through the transforms.
 *
 *   test_graph_mutate --count=300 --seed=1 [--keep=FILE.spv]
 *
 * --keep writes the last mutant that fails.
 *
 * The seed modules are of all families of tests/equiv's generator. A mutant that ends when it is
 * run (oracle.h) must compute the same after structurize and after reconverge, and the library must
 * not report an internal error (it validates structured output). Mutants with a switch whose
 * selector does not have 32 bits are counted. */
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/fuzz/mutate_graph.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200000, ROUNDS = 2, BLOCKS = 40 };

typedef struct Test {
  const char *keep;
  uint64_t count, seed;
  uint64_t mutants, run, refused, failed, narrow;
} Test;

static void fail(Test *t, uint64_t seed, const char *transform, const char *what) {
  printf("FAIL %s: %s\n     replay: test_graph_mutate --count=1 --seed=%llu\n", transform, what,
         (unsigned long long)seed);
  t->failed++;
}

/* Switches whose selector does not have 32 bits. */
static uint32_t narrow_switches(const uint32_t *words, size_t count) {
  uint32_t *width = calloc(words[3], sizeof *width), *type = calloc(words[3], sizeof *type), n = 0;
  for (size_t at = 5; at < count; at += words[at] >> 16) {
    uint32_t op = words[at] & 0xffff;
    if (op == SpvOpTypeInt)
      width[words[at + 1]] = words[at + 2];
    else if (op == SpvOpSwitch)
      n += width[type[words[at + 1]]] != 32;
    else if ((words[at] >> 16) > 2 && op > SpvOpTypeForwardPointer && words[at + 2] < words[3])
      type[words[at + 2]] = words[at + 1];
  }
  free(width);
  free(type);
  return n;
}

static void check_result(Test *t, uint64_t seed, const char *transform,
                         const OracleResult *expected, spvreconv_result *r) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult result;
    if (!expected[k].ok)
      continue;
    oracle_run(words, count, seed + k, STEPS * 8, &result);
    if (!result.ok || !oracle_same_effects(&expected[k], &result)) {
      fail(t, seed, transform, result.ok ? "computes something else" : result.message);
      return;
    }
  }
}

static void transform(Test *t, uint64_t seed, const char *list, const uint32_t *words, size_t count,
                      const OracleResult *expected) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = list;
  spvreconv_result *r;
  spvreconv_status status = spvreconv_run(&options, words, count, &r);
  if (status == SPVRECONV_OK)
    check_result(t, seed, list, expected, r);
  else if (status == SPVRECONV_BAD_INPUT)
    t->refused++;
  else
    fail(t, seed, list, r ? spvreconv_result_message(r) : "no result");
  spvreconv_result_destroy(r);
}

static void test_mutant(Test *t, uint64_t seed, const uint32_t *words, size_t count) {
  OracleResult expected[ROUNDS];
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(words, count, seed + k, STEPS, &expected[k]);
    t->run += expected[k].ok;
  }
  uint64_t failed = t->failed;
  t->mutants++;
  transform(t, seed, "strip-merges,structurize", words, count, expected);
  transform(t, seed, "reconverge", words, count, expected);
  FILE *f = t->failed > failed && t->keep ? fopen(t->keep, "wb") : NULL;
  if (f) {
    fwrite(words, sizeof *words, count, f);
    fclose(f);
  }
}

static void test_seed(Test *t, uint64_t seed) {
  const GenOptions options = {.merges = -1};
  GenModule module;
  Rng rng = {rng_mix(seed)};
  uint32_t *words;
  size_t count;
  gen_module(gen_turn(seed), gen_size(seed, 5, BLOCKS), seed, &options, &module);
  if (module.words[1] >= 0x10600)
    /* SPIR-V 1.5 allows a branch that names one block twice, which mutators produce. */
    module.words[1] = 0x10500;
  if (mutate_graph(&rng, module.words, module.count, &words, &count))
    test_mutant(t, seed, words, count);
  if (words && narrow_switches(words, count) > narrow_switches(module.words, module.count))
    t->narrow++;
  free(words);
  gen_module_free(&module);
}

static bool parse(Test *t, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--count=", 8) == 0)
      t->count = strtoull(argv[i] + 8, NULL, 10);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      t->seed = strtoull(argv[i] + 7, NULL, 10);
    else if (strncmp(argv[i], "--keep=", 7) == 0)
      t->keep = argv[i] + 7;
    else
      return false;
  return true;
}

int main(int argc, char **argv) {
  Test t = {.count = 300, .seed = 1};
  if (!parse(&t, argc, argv)) {
    fputs("usage: test_graph_mutate [--count=N] [--seed=S] [--keep=FILE.spv]\n", stderr);
    return 2;
  }
  for (uint64_t k = 0; k < t.count; k++)
    test_seed(&t, t.seed + k);
  printf("%llu seeds: %llu mutants, %llu runs of them that end, %llu transforms refused, %llu "
         "with a switch more that is not over 32 bits; %llu failed\n",
         (unsigned long long)t.count, (unsigned long long)t.mutants, (unsigned long long)t.run,
         (unsigned long long)t.refused, (unsigned long long)t.narrow, (unsigned long long)t.failed);
  if (t.count >= 100 && (2 * t.mutants < t.count || 2 * t.run < t.mutants || !t.narrow)) {
    puts("FAIL: too few mutants that run, or none with a narrow switch");
    return 1;
  }
  return t.failed != 0;
}
