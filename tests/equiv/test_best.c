/* SPDX-License-Identifier: Apache-2.0 */
/* test_best: transform best on random modules.
 *
 *   test_best --count=60 --seed=1 [--family=NAME] [--max-blocks=N]
 *
 * For every seed: the output computes the same (the checker looks, and the oracle runs it), no list
 * of the table that was not refused is by the measure better than the chosen one by more than the
 * margin, which the chosen one gains over structurize, and each list whose code or issues are too
 * far above structurize's is refused, the final code is the code that was measured, and a second
 * run gives the same words. One of the lists is run alone: if it was refused, it fails; else its
 * result is the code that was measured. At the end: how many functions gained, which must be some,
 * and how many lists were refused. */
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/random_run.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEPS = 20000000,
  ROUNDS = 2,
  MARGIN = 3,    /* percent that a list must gain on supposed lanes */
  GROWTH = 100,  /* percent that the code may grow over structurize's */
  TOLERANCE = 10 /* percent that each schedule may issue more than after structurize */
};

typedef struct Case {
  const RandomRun *o;
  uint64_t seed;
  GenFamily family;
  GenModule in;
} Case;

static struct {
  uint64_t functions, gained, before, after, code_before, code_after;
  uint64_t lists, refused, too_high, unknown, alone;
} sums;

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

static spvreconv_status run_list(const Case *c, const char *transforms, const char *order,
                                 spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transforms;
  options.order = order;
  options.max_growth = GROWTH;
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  options.message = no_notice;
  options.message_user = (void *)c;
  return spvreconv_run(&options, c->in.words, c->in.count, result);
}

static spvreconv_result *run(const Case *c) {
  spvreconv_result *r;
  if (run_list(c, "best", NULL, &r) != SPVRECONV_OK)
    fail(c, "best", spvreconv_result_message(r));
  return r;
}

static uint64_t issues(const spvreconv_cost *cost) {
  return 2 * cost->frontier_issues + cost->stack_issues; /* as best weighs them */
}

/* Is the first cost less than the second by more than the margin? */
static bool is_better(const spvreconv_cost *a, const spvreconv_cost *b) {
  if (issues(a) == issues(b))
    return a->instructions * 100ull < b->instructions * (100ull - MARGIN);
  return issues(a) * 100 < issues(b) * (100 - MARGIN);
}

static bool is(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

/* Is the cost so far above structurize's that the list is refused? */
static bool is_too_high(const spvreconv_cost *cost, const spvreconv_cost *first) {
  return cost->instructions * 100ull > first->instructions * (100ull + GROWTH) ||
         cost->frontier_issues * 100 > first->frontier_issues * (100 + TOLERANCE) ||
         cost->stack_issues * 100 > first->stack_issues * (100 + TOLERANCE);
}

static void check_refused(const Case *c, const spvreconv_choice *k, const spvreconv_tried *t) {
  bool high = strstr(t->why, "twice the code") || strstr(t->why, "10 % more");
  sums.refused++;
  sums.too_high += high;
  sums.unknown += strstr(t->why, "cannot be followed") != NULL;
  if (high && !(t->cost && is_too_high(t->cost, k->structurize)))
    fail(c, "refused for its cost", t->transforms);
}

static void check_tried(const Case *c, const spvreconv_choice *k) {
  uint32_t chosen = 0;
  for (uint32_t i = 0; i < k->tried_count; i++) {
    const spvreconv_tried *t = &k->tried[i];
    sums.lists++;
    chosen += is(t->verdict, "chosen");
    if (is(t->verdict, "chosen") ? t->why != NULL : !t->why)
      fail(c, "a list without a reason, or the chosen one with one", t->transforms);
    if (is(t->verdict, "refused"))
      check_refused(c, k, t);
    else if (!t->cost || is_better(t->cost, k->chosen))
      fail(c, "a list is better than the chosen one", t->transforms);
    else if (is_too_high(t->cost, k->structurize))
      fail(c, "a list is not refused for its cost", t->transforms);
  }
  if (chosen != 1 || k->tried_count < 20 || !is(k->tried[0].transforms, "structurize"))
    fail(c, "not one list of all is chosen", k->transforms);
}

/* Runs a list alone, for the module's function at that index. */
static void check_alone(const Case *c, size_t at, const spvreconv_tried *t) {
  spvreconv_result *r;
  spvreconv_status status = run_list(c, t->transforms, t->order, &r);
  bool ran = t->cost || strstr(t->why, "cannot be followed");
  if (ran && status == SPVRECONV_OK) {
    const spvreconv_function *f = spvreconv_result_function(r, at);
    sums.alone++;
    if (t->cost && f->after->instructions != t->cost->instructions)
      fail(c, "alone, a list gives other code", t->transforms);
  } else if (!ran && status == SPVRECONV_OK) {
    fail(c, "a refused list does not fail", t->why);
  }
  spvreconv_result_destroy(r);
}

static void check_choice(const Case *c, size_t at, const spvreconv_function *f) {
  const spvreconv_choice *k = f->choice;
  if (!k)
    return;
  if (!is(k->transforms, k->tried[0].transforms) && !strstr(k->transforms, "inline,") &&
      !is_better(k->chosen, k->structurize))
    fail(c, "no better than structurize", k->transforms);
  if (k->chosen->instructions != f->after->instructions)
    fail(c, "the code is not what was measured", k->transforms);
  if (!f->after->structured)
    fail(c, "not structured", k->transforms);
  check_tried(c, k);
  if (!strstr(k->transforms, "inline,"))
    check_alone(c, at, &k->tried[(c->seed + at) % k->tried_count]);
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

static void test_seed(const RandomRun *o, uint64_t seed) {
  Case c = {.o = o, .seed = seed, .family = random_run_family(o, seed)};
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
    check_choice(&c, i, f);
  check_same(&c, words, count);
  spvreconv_result_destroy(again);
  spvreconv_result_destroy(r);
  gen_module_free(&c.in);
}

int main(int argc, char **argv) {
  RandomRun o = {.count = 60, .seed = 1, .family = -1, .max_blocks = 60};
  for (int i = 1; i < argc; i++)
    if (!random_run_read(argv[i], &o) || o.keep || o.transform) {
      fputs("usage: test_best [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N]\n", stderr);
      return 2;
    }
  random_run_print(&o);
  for (uint64_t i = 0; i < o.count; i++)
    test_seed(&o, o.seed + i);
  printf(
      "%llu modules, %llu functions, %llu gained: issues %llu -> %llu, instructions %llu -> %llu\n",
      (unsigned long long)o.count, (unsigned long long)sums.functions,
      (unsigned long long)sums.gained, (unsigned long long)sums.before,
      (unsigned long long)sums.after, (unsigned long long)sums.code_before,
      (unsigned long long)sums.code_after);
  printf("%llu lists: %llu refused, %llu for their cost, %llu since a lane could not be followed; "
         "%llu run alone\n",
         (unsigned long long)sums.lists, (unsigned long long)sums.refused,
         (unsigned long long)sums.too_high, (unsigned long long)sums.unknown,
         (unsigned long long)sums.alone);
  if (o.count >= 50 && sums.gained == 0) {
    printf("FAIL: nothing was gained\n");
    return 1;
  }
  return 0;
}
