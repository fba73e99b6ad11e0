/* SPDX-License-Identifier: Apache-2.0 */
/* test_check: does the checker (docs/check.md) find planted errors?
 *
 * Random modules are structurized. The checker must accept the output. Then errors are planted in
 * it one at a time (spoil.h). Whenever the oracle, which executes both modules, computes a
 * different result, the checker must find a difference, except in one of fifty cases: it does not
 * promise full coverage. Many errors do not change the oracle's results; the test prints how many
 * of those the checker finds. Its walks must cover most edges of the modules.
 *
 *   test_check [--count=N] [--seed=S] [--max-blocks=N] [--family=NAME] [--inline] [--rich]
 *
 * --inline: the modules have more functions, which are inlined first. --rich: they have what rich.h
 * lists. */
#include "emit.h"
#include "gen.h"
#include "oracle.h"
#include "spoil.h"

#include <getopt.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP_LIMIT = 2000000,
  ROUNDS = 3,
  TRIES = 4,
  MOST_MISSED = 2,
  COVERED = 94 /* least percentage of a module's edges, on average; some edges no lane can take */
};

typedef struct Kind {
  uint64_t planted, shown, found, hidden_found;
} Kind;

typedef struct Test {
  uint64_t seed, count, passed, failed;
  uint32_t max_blocks;
  int family; /* -1: all in turn */
  bool inlines, rich;
  Kind kind[SPOIL_KINDS];
  /* of the modules without planted errors: */
  uint64_t edges, edges_covered, modules; /* modules: with edges */
  double covered; /* the sum of each module's covered part: large and small modules count alike */
} Test;

typedef struct Case {
  Test *t;
  uint64_t seed;
  GenFamily family;
  GenModule in;
  const uint32_t *out;
  size_t count;
  OracleResult expected[ROUNDS];
} Case;

static void fail(const Case *c, const char *what, const char *detail) {
  printf("FAIL seed %llu family %s: %s: %s\n     replay: test_check --seed=%llu --count=1 "
         "--family=%s --max-blocks=%u%s%s\n",
         (unsigned long long)c->seed, graph_family_names[c->family], what, detail,
         (unsigned long long)c->seed, graph_family_names[c->family], c->t->max_blocks,
         c->t->inlines ? " --inline" : "", c->t->rich ? " --rich" : "");
  c->t->failed++;
}

static const char *transforms(const Test *t) {
  return t->inlines ? "strip-merges,inline,structurize" : "strip-merges,structurize";
}

/* Does the checker find a difference from the generated module? `text` gets its message. */
static bool differs(const Case *c, const uint32_t *words, size_t count, char *text, size_t size,
                    spvreconv_check *figures) {
  spvreconv_result *r;
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transforms(c->t);
  spvreconv_status status = spvreconv_compare(&options, c->in.words, c->in.count, words, count, &r);
  snprintf(text, size, "%s", spvreconv_result_message(r));
  if (figures)
    *figures = *spvreconv_result_check(r);
  spvreconv_result_destroy(r);
  return status != SPVRECONV_OK;
}

/* Does the oracle compute a different result? False if it cannot run the module. */
static bool shows(const Case *c, const uint32_t *words, size_t count) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run(words, count, c->seed + k, STEP_LIMIT * 4ull, &r);
    if (!r.ok)
      return false;
    if (!(c->t->inlines ? oracle_same_stores : oracle_equal)(&c->expected[k], &r))
      return true;
  }
  return false;
}

static void plant(Case *c, SpoilKind kind) {
  Rng rng = {rng_mix(c->seed * SPOIL_KINDS + kind)};
  Kind *k = &c->t->kind[kind];
  char text[512];
  for (int i = 0; i < TRIES; i++) {
    uint32_t *words = emit_resize(NULL, c->count * sizeof *words);
    memcpy(words, c->out, c->count * sizeof *words);
    if (spoil(kind, words, c->count, &rng)) {
      bool shown = shows(c, words, c->count);
      bool found = differs(c, words, c->count, text, sizeof text, NULL);
      k->planted++;
      k->shown += shown;
      k->found += shown && found;
      k->hidden_found += !shown && found;
      if (shown && !found)
        printf("missed: seed %llu family %s: %s\n", (unsigned long long)c->seed,
               graph_family_names[c->family], spoil_names[kind]);
    }
    free(words);
  }
}

static void note_coverage(Test *t, const spvreconv_check *figures) {
  t->edges += figures->edges;
  t->edges_covered += figures->edges_covered;
  if (figures->edges == 0)
    return;
  t->modules++;
  t->covered += (double)figures->edges_covered / (double)figures->edges;
}

static void test_module(Test *t, GenFamily family, uint64_t seed) {
  Case c = {.t = t, .seed = seed, .family = family};
  GenOptions options = {
      .plain = false, .once = t->inlines, .rich = t->rich, .handles = t->rich, .merges = -1};
  gen_module(family, gen_size(seed, 5, t->max_blocks), seed, &options, &c.in);
  spvreconv_options structurize;
  spvreconv_options_init(&structurize, sizeof structurize);
  structurize.transform = transforms(t);
  structurize.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *r;
  char text[512];
  uint64_t failed = t->failed;
  for (uint64_t k = 0; k < ROUNDS; k++)
    oracle_run(c.in.words, c.in.count, seed + k, STEP_LIMIT, &c.expected[k]);
  if (spvreconv_run(&structurize, c.in.words, c.in.count, &r) != SPVRECONV_OK) {
    fail(&c, "structurize", spvreconv_result_message(r));
  } else if (c.expected[0].ok && c.expected[1].ok && c.expected[2].ok) {
    c.out = spvreconv_result_words(r, &c.count);
    spvreconv_check figures;
    if (differs(&c, c.out, c.count, text, sizeof text, &figures))
      fail(&c, "nothing is planted", text);
    note_coverage(t, &figures);
    for (SpoilKind kind = 0; kind < SPOIL_KINDS; kind++)
      plant(&c, kind);
  }
  spvreconv_result_destroy(r);
  gen_module_free(&c.in);
  t->passed += failed == t->failed;
}

static void summary(Test *t) {
  puts("error      planted  shown by the oracle  of these found  of the others found");
  for (int k = 0; k < SPOIL_KINDS; k++) {
    const Kind *n = &t->kind[k];
    printf("%-10s %7llu %20llu %15llu %20llu\n", spoil_names[k], (unsigned long long)n->planted,
           (unsigned long long)n->shown, (unsigned long long)n->found,
           (unsigned long long)n->hidden_found);
    if (n->found + MOST_MISSED + n->shown / 50 < n->shown) {
      printf("FAIL: %s: too many are missed\n", spoil_names[k]);
      t->failed++;
    }
    if (n->shown == 0 && t->family < 0 && !t->inlines) {
      printf("FAIL: no error of kind %s shows: the test tests nothing\n", spoil_names[k]);
      t->failed++;
    }
  }
}

static void check_coverage(Test *t) {
  double percent = t->modules ? 100 * t->covered / (double)t->modules : 100;
  printf("covered %llu of %llu edges, %.1f %% of a module's on average\n",
         (unsigned long long)t->edges_covered, (unsigned long long)t->edges, percent);
  if (t->family < 0 && percent < COVERED) {
    printf("FAIL: fewer than %d %% of a module's edges are covered on average\n", COVERED);
    t->failed++;
  }
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"count", required_argument, NULL, 'c'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"max-blocks", required_argument, NULL, 'b'},
                                          {"family", required_argument, NULL, 'f'},
                                          {"inline", no_argument, NULL, 'i'},
                                          {"rich", no_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
  Test t = {.seed = 1, .count = 100, .max_blocks = 60, .family = -1};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (o == 'c')
      t.count = strtoull(optarg, NULL, 0);
    else if (o == 's')
      t.seed = strtoull(optarg, NULL, 0);
    else if (o == 'i')
      t.inlines = true;
    else if (o == 'r')
      t.rich = true;
    else if (o == 'b' && atoi(optarg) > 5)
      t.max_blocks = (uint32_t)atoi(optarg);
    else if (o == 'f' && graph_family_find(optarg) >= 0)
      t.family = graph_family_find(optarg);
    else
      return fputs("usage: test_check [--count=N] [--seed=S] [--max-blocks=N] [--family=NAME] "
                   "[--inline] [--rich]\n",
                   stderr),
             2;
  }
  printf("seeds %llu to %llu\n", (unsigned long long)t.seed,
         (unsigned long long)(t.seed + t.count - 1));
  for (uint64_t seed = t.seed; seed < t.seed + t.count; seed++)
    test_module(&t, t.family >= 0 ? (GenFamily)t.family : gen_turn(seed), seed);
  summary(&t);
  check_coverage(&t);
  printf("%llu passed, %llu failed\n", (unsigned long long)t.passed, (unsigned long long)t.failed);
  return t.failed != 0;
}
