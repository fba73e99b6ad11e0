/* SPDX-License-Identifier: Apache-2.0 */
/* test_best: transform best on random modules.
 *
 *   test_best --count=60 --seed=1 [--family=NAME] [--max-blocks=N]
 *
 * For every seed: the output computes the same (the checker looks, and the oracle runs it), the
 * chosen list is by the measure never worse than structurize, the final code is the code that was
 * measured, and a second run gives the same words. At the end: how many functions gained, which
 * must be some. */
#include "gen.h"
#include "oracle.h"

#include <getopt.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000000, ROUNDS = 2 };

typedef struct Options {
  uint64_t count, seed;
  int family; /* -1: all */
  uint32_t max_blocks;
} Options;

typedef struct Case {
  const Options *o;
  uint64_t seed;
  GenFamily family;
  GenModule in;
} Case;

static struct { uint64_t functions, gained, before, after, code_before, code_after; } sums;

static _Noreturn void fail(const Case *c, const char *what, const char *more) {
  printf("FAIL: %s%s%s\n     replay: test_best --count=1 --seed=%llu --family=%s --max-blocks=%u\n",
         what, *more ? ": " : "", more, (unsigned long long)c->seed, graph_family_names[c->family],
         c->o->max_blocks);
  exit(1);
}

/* A list with a bug is left out with a notice; here it is an error. */
static void no_notice(void *user, const char *line) {
  const Case *c = user;
  if (strstr(line, "leaves out"))
    fail(c, "a notice", line);
}

static spvreconv_result *run(const Case *c) {
  spvreconv_options options;
  spvreconv_result *r;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "best";
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  options.message = no_notice;
  options.message_user = (void *)c;
  if (spvreconv_run(&options, c->in.words, c->in.count, &r) != SPVRECONV_OK)
    fail(c, "best", spvreconv_result_message(r));
  return r;
}

static uint64_t issues(const spvreconv_cost *cost) {
  return 2 * cost->frontier_issues + cost->stack_issues; /* as best weighs them */
}

static void check_choice(const Case *c, const spvreconv_function *f) {
  const spvreconv_choice *k = f->choice;
  if (!k)
    return;
  if (issues(k->chosen) > issues(k->structurize))
    fail(c, "worse than structurize", k->transforms);
  if (k->chosen->instructions != f->after->instructions)
    fail(c, "the code is not what was measured", k->transforms);
  if (!f->after->structured)
    fail(c, "not structured", k->transforms);
  sums.functions++;
  sums.gained += issues(k->chosen) < issues(k->structurize);
  sums.before += issues(k->structurize);
  sums.after += issues(k->chosen);
  sums.code_before += k->structurize->instructions;
  sums.code_after += k->chosen->instructions;
}

static void check_same(const Case *c, const uint32_t *words, size_t count) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult before, after;
    oracle_run(c->in.words, c->in.count, c->seed + k, STEPS, &before);
    oracle_run(words, count, c->seed + k, STEPS * 16ull, &after);
    if (!before.ok)
      fail(c, "the input", before.message);
    if (!after.ok)
      fail(c, "the output", after.message);
    if (!oracle_same_stores(&before, &after))
      fail(c, "computes something else", "");
  }
}

static void test_seed(const Options *o, uint64_t seed) {
  Case c = {.o = o, .seed = seed, .family = o->family < 0 ? gen_turn(seed) : (GenFamily)o->family};
  bool calls = seed % 4 == 0;
  GenOptions options = {.handles = true, .calls = calls, .once = calls, .merges = -1};
  gen_module(c.family, gen_size(seed, 5, o->max_blocks), seed, &options, &c.in);
  spvreconv_result *r = run(&c), *again = run(&c);
  size_t count, same;
  const uint32_t *words = spvreconv_result_words(r, &count);
  const uint32_t *second = spvreconv_result_words(again, &same);
  if (count != same || memcmp(words, second, count * sizeof *words) != 0)
    fail(&c, "a second run gives other words", "");
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++)
    check_choice(&c, f);
  check_same(&c, words, count);
  spvreconv_result_destroy(again);
  spvreconv_result_destroy(r);
  gen_module_free(&c.in);
}

static bool parse(Options *o, int argc, char **argv) {
  static const struct option table[] = {{"count", required_argument, NULL, 'c'},
                                        {"seed", required_argument, NULL, 's'},
                                        {"family", required_argument, NULL, 'f'},
                                        {"max-blocks", required_argument, NULL, 'b'},
                                        {0}};
  *o = (Options){.count = 60, .seed = 1, .family = -1, .max_blocks = 60};
  for (int key; (key = getopt_long(argc, argv, "", table, NULL)) != -1;)
    switch (key) {
    case 'c':
      o->count = strtoull(optarg, NULL, 10);
      break;
    case 's':
      o->seed = strtoull(optarg, NULL, 10);
      break;
    case 'b':
      o->max_blocks = (uint32_t)strtoul(optarg, NULL, 10);
      break;
    case 'f':
      for (int i = 0; i < GEN_FAMILIES; i++)
        if (strcmp(optarg, graph_family_names[i]) == 0)
          o->family = i;
      if (o->family < 0)
        return false;
      break;
    default:
      return false;
    }
  return true;
}

int main(int argc, char **argv) {
  Options o;
  if (!parse(&o, argc, argv)) {
    fprintf(stderr, "usage: test_best [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N]\n");
    return 2;
  }
  printf("seed %llu\n", (unsigned long long)o.seed);
  for (uint64_t i = 0; i < o.count; i++)
    test_seed(&o, o.seed + i);
  printf(
      "%llu modules, %llu functions, %llu gained: issues %llu -> %llu, instructions %llu -> %llu\n",
      (unsigned long long)o.count, (unsigned long long)sums.functions,
      (unsigned long long)sums.gained, (unsigned long long)sums.before,
      (unsigned long long)sums.after, (unsigned long long)sums.code_before,
      (unsigned long long)sums.code_after);
  if (o.count >= 50 && sums.gained == 0) {
    printf("FAIL: nothing was gained\n");
    return 1;
  }
  return 0;
}
