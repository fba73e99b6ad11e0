/* SPDX-License-Identifier: Apache-2.0 */
/* test_repair: random modules whose declarations of structure are wrong (misdeclare.h), through
 * `auto`.
 *
 *   test_repair --count=1000 [--seed=1] [--family=NAME] [--max-blocks=N] [--keep=FILE.spv]
 *
 * --keep writes the module that fails. Of all families, every fourth module a kernel. A module that
 * SPIRV-Tools still accepts is counted, and passed over. Each other one must become one that it
 * accepts, that computes the same (oracle.h; kernels: check.md), and that `auto` leaves as it is.
 * The repaired violations are as many as --explain lists for the function. */
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/misdeclare.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000000, ROUNDS = 2 };

typedef struct Module {
  const uint32_t *words;
  size_t count;
} Module;

typedef struct Case {
  uint64_t seed;
  GenFamily family;
  bool kernel;
  uint32_t max_blocks;
  const char *keep;
  Module broken;
} Case;

static struct {
  uint64_t refused, valid, violations, same, kernels;
  uint64_t of_family[GEN_FAMILIES], made[MIS_DECLARATIONS];
} sums;

static spv_context shaders, kernels;

__attribute__((format(printf, 2, 3), noreturn)) static void fail(const Case *c, const char *format,
                                                                 ...) {
  va_list list;
  va_start(list, format);
  printf("FAIL: ");
  vprintf(format, list);
  va_end(list);
  printf("\n     replay: test_repair --count=1 --seed=%llu --family=%s --max-blocks=%u\n",
         (unsigned long long)c->seed, graph_family_names[c->family], c->max_blocks);
  FILE *f = c->keep ? fopen(c->keep, "wb") : NULL;
  if (f) {
    fwrite(c->broken.words, sizeof *c->broken.words, c->broken.count, f);
    fclose(f);
  }
  exit(1);
}

static bool is_valid(const Case *c, Module m, char *why, size_t room) {
  spv_const_binary_t binary = {m.words, m.count};
  spv_diagnostic diagnostic = NULL;
  bool ok = spvValidate(c->kernel ? kernels : shaders, &binary, &diagnostic) == SPV_SUCCESS;
  if (why)
    snprintf(why, room, "%s", diagnostic ? diagnostic->error : "");
  spvDiagnosticDestroy(diagnostic);
  return ok;
}

static spvreconv_result *run(const Case *c, Module m, unsigned want) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.validate = SPVRECONV_VALIDATE_NONE; /* validated here */
  options.want = want;
  spvreconv_result *result;
  if (spvreconv_run(&options, m.words, m.count, &result) != SPVRECONV_OK)
    fail(c, "%s", spvreconv_result_message(result));
  return result;
}

static Module words_of(const spvreconv_result *r) {
  Module m;
  m.words = spvreconv_result_words(r, &m.count);
  return m;
}

/* How many violations --explain lists for the function. */
static uint32_t listed(const spvreconv_result *explained, uint32_t function) {
  const spvreconv_violation *v;
  uint32_t count = 0;
  for (size_t i = 0; (v = spvreconv_result_violation(explained, i)); i++)
    count += v->function_id == function;
  return count;
}

static void check_repairs(const Case *c, const spvreconv_result *r) {
  spvreconv_result *explained = run(c, c->broken, SPVRECONV_WANT_EXPLAIN);
  const spvreconv_repair *repair;
  size_t count = 0;
  for (; (repair = spvreconv_result_repair(r, count)); count++) {
    uint32_t all = listed(explained, repair->function_id);
    if (repair->violations == 0 ||
        (c->kernel ? repair->violations > all : repair->violations != all))
      fail(c, "function %s: %u violations repaired, %u listed", repair->function,
           repair->violations, all);
    sums.violations += repair->violations;
  }
  if (count == 0)
    fail(c, "the result does not say that anything was repaired");
  spvreconv_result_destroy(explained);
}

static void check_same(const Case *c, Module in, Module out) {
  OracleResult before, after;
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(in.words, in.count, c->seed + k, STEPS, &before);
    oracle_run(out.words, out.count, c->seed + k, STEPS, &after);
    if (!before.ok || !after.ok)
      fail(c, "%s", before.ok ? after.message : before.message);
    if (!oracle_same_effects(&before, &after))
      fail(c, "computes something else");
  }
}

static void check_again(const Case *c, Module out) {
  spvreconv_result *again = run(c, out, 0);
  if (spvreconv_result_changed(again) || spvreconv_result_repair(again, 0))
    fail(c, "the result is repaired again");
  spvreconv_result_destroy(again);
}

static void repair(const Case *c, Module in) {
  char why[256];
  spvreconv_result *r = run(c, c->broken, SPVRECONV_WANT_CHECK);
  Module out = words_of(r);
  if (!is_valid(c, out, why, sizeof why))
    fail(c, "not repaired: %s", why);
  check_repairs(c, r);
  if (!c->kernel)
    check_same(c, in, out);
  check_again(c, out);
  spvreconv_result_destroy(r);
}

static void test(Case *c) {
  GenOptions options = {.merges = 1, .rich = c->kernel, .kernel = c->kernel};
  GenModule m;
  Rng rng = {c->seed};
  uint32_t *words;
  gen_module(c->family, gen_size(c->seed, 5, c->max_blocks), c->seed, &options, &m);
  if (misdeclare(&rng, m.words, m.count, &words, &c->broken.count, sums.made)) {
    c->broken.words = words;
    if (is_valid(c, c->broken, NULL, 0)) {
      sums.valid++;
    } else {
      sums.refused++;
      sums.kernels += c->kernel;
      sums.of_family[c->family]++;
      repair(c, (Module){m.words, m.count});
    }
    free(words);
  }
  gen_module_free(&m);
}

int main(int argc, char **argv) {
  RandomRun run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 40};
  for (int i = 1; i < argc; i++)
    if (!random_run_read(argv[i], &run) || run.transform) {
      fputs("usage: test_repair [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N] "
            "[--keep=FILE.spv]\n",
            stderr);
      return 2;
    }
  Case c = {.max_blocks = run.max_blocks, .keep = run.keep};
  shaders = spvContextCreate(SPV_ENV_VULKAN_1_3);
  kernels = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  for (uint64_t k = 0; k < run.count; k++) {
    c.seed = run.seed + k;
    c.kernel = c.seed % 4 == 3;
    c.family = random_run_family(&run, c.seed);
    test(&c);
  }
  spvContextDestroy(shaders);
  spvContextDestroy(kernels);
  printf("%llu modules: %llu refused by SPIRV-Tools (%llu kernels) and repaired, %llu violations; "
         "%llu still valid\nchanges:",
         (unsigned long long)run.count, (unsigned long long)sums.refused,
         (unsigned long long)sums.kernels, (unsigned long long)sums.violations,
         (unsigned long long)sums.valid);
  for (int k = 0; k < MIS_DECLARATIONS; k++)
    printf(" %s %llu", misdeclaration_names[k], (unsigned long long)sums.made[k]);
  putchar('\n');
  gen_print_families(sums.of_family);
  return 0;
}
