/* SPDX-License-Identifier: Apache-2.0 */
/* test_mutate: damaged modules through the library. The result for any input is a module, or
 * BAD_INPUT and a one-line message: no crash, no hang, no internal error.
 *
 *   test_mutate --count=5000 --seed=1 [FILE.spv|FILE.spvasm...]
 *
 * Seed modules are the named files and modules of every family of the generator. */
#include "tests/fuzz/guard.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/seeds.h"

#include <getopt.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATED = 48 };
#define STATUSES ((size_t)SPVRECONV_OUT_OF_MEMORY + 1)

typedef struct Test {
  Seeds seeds;
  uint64_t count, seed;
  uint64_t by_status[STATUSES], failed;
} Test;

static void fail(Test *t, uint64_t seed, const char *transform, const char *what,
                 const char *message) {
  printf("FAIL --seed=%llu --count=1, transform %s: %s: %s\n", (unsigned long long)seed, transform,
         what, message ? message : "(no message)");
  fflush(stdout);
  t->failed++;
}

/* Does the result have words, or what was requested instead of words? */
static bool has_answer(const spvreconv_result *r, unsigned want) {
  size_t n = 0;
  if (want & SPVRECONV_WANT_EXPLAIN)
    return r && spvreconv_result_text(r, SPVRECONV_WANT_EXPLAIN) != NULL;
  if (want & SPVRECONV_WANT_LINT) /* its findings, perhaps none */
    return r && spvreconv_result_status(r) == SPVRECONV_OK;
  return r && spvreconv_result_words(r, &n) != NULL;
}

static void judge(Test *t, uint64_t seed, const spvreconv_options *options, spvreconv_status status,
                  const spvreconv_result *r) {
  const char *message = r ? spvreconv_result_message(r) : NULL, *transform = options->transform;
  /* What breaks the rules of structure is explained, whatever else is wrong with the module. */
  bool explains = options->want & SPVRECONV_WANT_EXPLAIN;
  if ((size_t)status < STATUSES)
    t->by_status[status]++;
  if (status != SPVRECONV_OK && status != SPVRECONV_BAD_INPUT)
    fail(t, seed, transform, "neither done nor bad input", message);
  else if (status == SPVRECONV_OK ? !has_answer(r, options->want)
                                  : has_answer(r, options->want) && !explains)
    fail(t, seed, transform, "answer and status disagree", message);
  else if (status == SPVRECONV_BAD_INPUT && (!message || !*message || strchr(message, '\n')))
    fail(t, seed, transform, "not a message of one line", message);
}

static void run(Test *t, uint64_t seed, const uint32_t *words, size_t count) {
  static const char *const transforms[] = {"structurize", "auto", "strip-merges,structurize"};
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transforms[seed % 3];
  options.validate = seed / 3 % 2 ? SPVRECONV_VALIDATE_AUTO : SPVRECONV_VALIDATE_NONE;
  /* All outputs that can be requested, in every combination, and the check. */
  options.want = (unsigned)(seed / 6 % 16) | SPVRECONV_WANT_CHECK;
  if (seed / 96 % 4 == 0)
    options.want |= SPVRECONV_WANT_LINT;
  guard_begin(seed);
  spvreconv_result *r = NULL;
  spvreconv_status status = spvreconv_run(&options, words, count, &r);
  judge(t, seed, &options, status, r);
  spvreconv_result_destroy(r);
  guard_end();
}

/* The module is copied to a block of its exact size, so that a sanitizer sees reads past it. */
static void test_one(Test *t, uint64_t seed) {
  Rng rng = {rng_mix(seed)};
  const EmitWords *m = &t->seeds.module[rng_below(&rng, (uint32_t)t->seeds.count)];
  uint32_t *out = emit_resize(NULL, (2 * m->count + 64) * sizeof *out);
  size_t count = mutate(&rng, m->data, m->count, out);
  out = emit_resize(out, count * sizeof *out);
  run(t, seed, out, count);
  free(out);
}

int main(int argc, char **argv) {
  Test t = {.count = 5000, .seed = 1};
  if (!guard_options(argc, argv, &t.count, &t.seed)) {
    fputs("usage: test_mutate [--count=N] [--seed=S] [FILE...]\n", stderr);
    return 2;
  }
  guard_start();
  seeds_add_generated(&t.seeds, GENERATED, false);
  for (int k = optind; k < argc; k++)
    t.failed += !seeds_add_file(&t.seeds, argv[k]);
  printf("%zu modules, seeds %llu to %llu\n", t.seeds.count, (unsigned long long)t.seed,
         (unsigned long long)(t.seed + t.count - 1));
  for (uint64_t k = 0; k < t.count; k++)
    test_one(&t, t.seed + k);
  printf("ok %llu, bad input %llu, bad option %llu, bug %llu, out of memory %llu\n",
         (unsigned long long)t.by_status[0], (unsigned long long)t.by_status[1],
         (unsigned long long)t.by_status[2], (unsigned long long)t.by_status[3],
         (unsigned long long)t.by_status[4]);
  seeds_free(&t.seeds);
  printf("%llu passed, %llu failed\n", (unsigned long long)(t.count - t.failed),
         (unsigned long long)t.failed);
  return t.failed != 0;
}
