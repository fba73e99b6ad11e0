/* SPDX-License-Identifier: Apache-2.0 */
/* test_check: does the checker (docs/check.md) find planted errors, and only these?
 *
 * Random modules go through one list of transforms each. The checker must accept the output. Then
 * errors are planted in it, one at a time (spoil.h). Whenever the oracle, which executes both
 * modules, computes a different result for some numbers in the buffers, the checker must find a
 * difference. Many errors do not change the oracle's results; the test prints how many of those the
 * checker finds. Its walks must cover most edges of inputs and outputs.
 *
 *   test_check [--count=N] [--seed=S] [--max-blocks=N] [--family=NAME] [--transform=LIST]
 *              [--kind=NAME] [--untouched] [--rich] [--keep=DIR]
 *
 * --transform: only this one of the lists below. --untouched: nothing is planted. --rich: modules
 * have what rich.h lists. --keep: writes the input, the output, and the output with the error, of
 * each error that is missed. */
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/random_run.h"
#include "tests/equiv/spoil.h"

#include <assert.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP_LIMIT = 400000,
  LONGER = 2,         /* a module with an error may run this much longer, */
  STEPS_MORE = 10000, /* and this many steps more */
  ROUNDS = 4,
  ENOUGH = 50, /* modules, so that every kind of error shows in one */
  COVERED = 94 /* least percentage of a module's edges, on average; some edges no lane can take */
};

typedef struct List {
  const char *transforms;
  bool calls, once; /* as in GenOptions */
} List;

/* Besides those of the table of transforms: some lists that best tries, and the last one for
 * --transform. */
static const List more[] = {
    {"reconverge", false, false},
    {"undispatch", false, false},
    {"struct-copy,merge-copies", false, false},
    {"share-calls:all,inline,structurize", true, true},
    {"structurize:20:issues", false, false},
    {"merge-copies,structurize:20:issues,merge-iterations:all,structurize:20:issues", false, false},
    {"undispatch,meld,structurize:20:issues", false, false},
    {"strip-merges,best", true, false},
};

enum { MORE = sizeof more / sizeof *more, MOST = 64 };

static List lists[MOST];
static int list_count;

static void read_lists(void) {
  const PassList *list;
  for (uint32_t i = 0; (list = pass_lists_at(i)); i++)
    lists[list_count++] = (List){list->structured, list->calls, list->once};
  for (int i = 0; i < MORE; i++)
    lists[list_count++] = more[i];
  assert(list_count < MOST); /* there is room for one of --transform */
}

typedef struct Figures {
  uint64_t planted, shown, found, hidden_found;
} Figures;

/* The covered part of the edges on one side, without planted errors. */
typedef struct Coverage {
  uint64_t modules, edges, covered;
  double sum; /* large and small modules count alike */
} Coverage;

typedef struct Test {
  RandomRun run;
  uint64_t passed, failed, refused;
  int list, kind; /* -1: all in turn */
  bool untouched, rich;
  Figures of_kind[SPOIL_KINDS], of_list[MOST];
  Coverage input, output;
} Test;

typedef bool SameFn(const OracleResult *a, const OracleResult *b);

typedef struct Case {
  Test *t;
  uint64_t seed;
  GenFamily family;
  int list;
  GenModule in;
  const uint32_t *out;
  size_t count;
  OracleResult expected[ROUNDS];
  uint64_t steps[ROUNDS]; /* of the output */
  SameFn *same; /* what the list keeps: all effects, all but those on local variables, or stores */
} Case;

static void print_case(const Case *c, const char *kind) {
  printf("seed %llu family %s %s: test_check --seed=%llu --count=1 --family=%s --max-blocks=%u "
         "--transform=%s",
         (unsigned long long)c->seed, graph_family_names[c->family], kind,
         (unsigned long long)c->seed, graph_family_names[c->family], c->t->run.max_blocks,
         lists[c->list].transforms);
}

/* Does the checker find a difference from the generated module? `text` gets its message. */
static bool differs(const Case *c, const uint32_t *words, size_t count, char *text, size_t size,
                    spvreconv_check *figures) {
  spvreconv_result *r;
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = lists[c->list].transforms;
  spvreconv_status status = spvreconv_compare(&options, c->in.words, c->in.count, words, count, &r);
  snprintf(text, size, "%s", spvreconv_result_message(r));
  if (figures)
    *figures = *spvreconv_result_check(r);
  spvreconv_result_destroy(r);
  return status != SPVRECONV_OK;
}

static void save(const Case *c, const char *name, const uint32_t *words, size_t count) {
  char path[512];
  snprintf(path, sizeof path, "%s/%llu-%s.spv", c->t->run.keep, (unsigned long long)c->seed, name);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(words, sizeof *words, count, f) != count)
    fprintf(stderr, "cannot write %s\n", path);
  if (f)
    fclose(f);
}

static void save_both(const Case *c) {
  save(c, "in", c->in.words, c->in.count);
  if (c->out)
    save(c, "out", c->out, c->count);
}

static void fail(const Case *c, const char *what, const char *detail) {
  print_case(c, "");
  printf("\nFAIL: %s: %s\n", what, detail);
  if (c->t->run.keep)
    save_both(c);
  c->t->failed++;
}

static void miss(const Case *c, SpoilKind kind, const SpoilModule *m, const char *why) {
  printf("missed: ");
  print_case(c, spoil_names[kind]);
  printf(" --kind=%s: %s\n", spoil_names[kind], why);
  if (!c->t->run.keep)
    return;
  save_both(c);
  save(c, spoil_names[kind], m->words, m->count);
}

/* ---- planted errors -------------------------------------------------------------------------- */

/* Does the oracle compute a different result? An error, such as an undefined number in a branch, is
 * one, since the module without the planted error has none. */
static bool shows(const Case *c, const SpoilModule *m, char *why, size_t size) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run_output(m->words, m->count, c->in.words[3], c->seed + k,
                      c->steps[k] * LONGER + STEPS_MORE, &r);
    if (r.ok && c->same(&c->expected[k], &r))
      continue;
    snprintf(why, size, "%s", r.ok ? "another result" : r.message);
    return true;
  }
  return false;
}

static void plant(Case *c, SpoilKind kind) {
  Rng rng = {rng_mix(c->seed * SPOIL_KINDS + kind)};
  SpoilModule m = {emit_resize(NULL, c->count * sizeof *m.words), c->count, c->in.words[3]};
  char text[512], why[200] = "";
  memcpy(m.words, c->out, c->count * sizeof *m.words);
  if (spoil(kind, &m, &rng)) {
    bool shown = shows(c, &m, why, sizeof why),
         found = differs(c, m.words, m.count, text, sizeof text, NULL);
    Figures *both[] = {&c->t->of_kind[kind], &c->t->of_list[c->list]};
    for (int i = 0; i < 2; i++) {
      both[i]->planted++;
      both[i]->shown += shown;
      both[i]->found += shown && found;
      both[i]->hidden_found += !shown && found;
    }
    if (shown && !found)
      miss(c, kind, &m, why);
  }
  free(m.words);
}

/* ---- modules --------------------------------------------------------------------------------- */

static void cover(Coverage *to, uint64_t covered, uint64_t edges) {
  if (edges == 0)
    return;
  to->modules++;
  to->edges += edges;
  to->covered += covered;
  to->sum += (double)covered / (double)edges;
}

/* Runs both modules without planted errors. False if the oracle cannot run the input. */
static bool run_oracle(Case *c) {
  static SameFn *const levels[] = {oracle_equal, oracle_same_effects, oracle_same_stores};
  OracleResult now[ROUNDS];
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c->in.words, c->in.count, c->seed + k, STEP_LIMIT, &c->expected[k]);
    if (!c->expected[k].ok)
      return false;
    oracle_run_output(c->out, c->count, c->in.words[3], c->seed + k, STEP_LIMIT * 2ull, &now[k]);
    c->steps[k] = now[k].steps;
  }
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    bool all = true;
    for (int k = 0; k < ROUNDS; k++)
      all = all && levels[i](&c->expected[k], &now[k]);
    c->same = levels[i];
    if (all)
      return true;
  }
  fail(c, "nothing is planted", "the output computes something else");
  return false;
}

static void test_output(Case *c, const spvreconv_result *r) {
  char text[512];
  spvreconv_check figures;
  Test *t = c->t;
  c->out = spvreconv_result_words(r, &c->count);
  if (differs(c, c->out, c->count, text, sizeof text, &figures))
    fail(c, "nothing is planted", text);
  cover(&t->input, figures.edges_covered, figures.edges);
  cover(&t->output, figures.output_edges_covered, figures.output_edges);
  if (t->untouched || !run_oracle(c))
    return;
  for (int kind = 0; kind < SPOIL_KINDS; kind++)
    if (t->kind < 0 || t->kind == kind)
      plant(c, (SpoilKind)kind);
}

static void test_module(Test *t, GenFamily family, uint64_t seed) {
  int list = t->list >= 0 ? t->list : (int)(rng_mix(seed) % (uint64_t)list_count);
  Case c = {.t = t, .seed = seed, .family = family, .list = list};
  GenOptions options = {.once = lists[list].once,
                        .calls = lists[list].calls,
                        .effects = seed % 2,
                        .rich = t->rich,
                        .handles = t->rich,
                        .merges = -1};
  gen_module(family, gen_size(seed, 5, t->run.max_blocks), seed, &options, &c.in);
  spvreconv_options run;
  spvreconv_options_init(&run, sizeof run);
  run.transform = lists[list].transforms;
  run.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *r;
  uint64_t failed = t->failed;
  spvreconv_status status = spvreconv_run(&run, c.in.words, c.in.count, &r);
  if (status == SPVRECONV_OK)
    test_output(&c, r);
  else if (status == SPVRECONV_BUG)
    fail(&c, "transforms", spvreconv_result_message(r));
  else
    t->refused++;
  spvreconv_result_destroy(r);
  gen_module_free(&c.in);
  t->passed += failed == t->failed;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void print_row(const char *name, const Figures *n) {
  printf("%-12s %8llu %20llu %15llu %20llu\n", name, (unsigned long long)n->planted,
         (unsigned long long)n->shown, (unsigned long long)n->found,
         (unsigned long long)n->hidden_found);
}

static void summary(Test *t) {
  Figures sum = {0};
  puts("error         planted  shown by the oracle  of these found  of the others found");
  for (int k = 0; k < SPOIL_KINDS; k++) {
    const Figures *n = &t->of_kind[k];
    print_row(spoil_names[k], n);
    sum.planted += n->planted;
    sum.shown += n->shown;
    sum.found += n->found;
    sum.hidden_found += n->hidden_found;
    if (n->shown == 0 && t->run.count >= ENOUGH && t->run.family < 0 && t->list < 0 &&
        t->kind < 0) {
      printf("FAIL: no error of kind %s shows: the test tests nothing\n", spoil_names[k]);
      t->failed++;
    }
  }
  print_row("all", &sum);
  for (int k = 0; k < list_count; k++)
    if (t->of_list[k].planted)
      printf("found %llu of %llu: %s\n", (unsigned long long)t->of_list[k].found,
             (unsigned long long)t->of_list[k].shown, lists[k].transforms);
  if (sum.found < sum.shown) {
    printf("FAIL: %llu of %llu errors that show are missed\n",
           (unsigned long long)(sum.shown - sum.found), (unsigned long long)sum.shown);
    t->failed++;
  }
}

static void check_coverage(Test *t, const Coverage *c, const char *side) {
  double percent = c->modules ? 100 * c->sum / (double)c->modules : 100;
  printf("covered %llu of %llu edges of the %s, %.1f %% of a module's on average\n",
         (unsigned long long)c->covered, (unsigned long long)c->edges, side, percent);
  if (t->run.family < 0 && t->run.count >= ENOUGH && percent < COVERED) {
    printf("FAIL: fewer than %d %%\n", COVERED);
    t->failed++;
  }
}

static int find(const char *name, const char *const *names, int count) {
  for (int k = 0; k < count; k++)
    if (strcmp(name, names[k]) == 0)
      return k;
  return -1;
}

/* A list that is not in the table is added to it. */
static int find_list(const char *transforms) {
  for (int k = 0; k < list_count; k++)
    if (strcmp(transforms, lists[k].transforms) == 0)
      return k;
  lists[list_count] = (List){.transforms = transforms};
  return list_count++;
}

static bool read_option(const char *text, Test *t) {
  const char *kind = random_run_value(text, "--kind=");
  if (kind)
    return (t->kind = find(kind, spoil_names, SPOIL_KINDS)) >= 0;
  if (strcmp(text, "--untouched") == 0)
    return t->untouched = true;
  if (strcmp(text, "--rich") == 0)
    return t->rich = true;
  return random_run_read(text, &t->run);
}

int main(int argc, char **argv) {
  Test t = {
      .run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 60}, .list = -1, .kind = -1};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &t)) {
      fputs("usage: test_check [--count=N] [--seed=S] [--max-blocks=N] [--family=NAME] "
            "[--transform=LIST] [--kind=NAME] [--untouched] [--rich] [--keep=DIR]\n",
            stderr);
      return 2;
    }
  read_lists();
  if (t.run.transform)
    t.list = find_list(t.run.transform);
  random_run_print(&t.run);
  for (uint64_t seed = t.run.seed; seed < t.run.seed + t.run.count; seed++)
    test_module(&t, random_run_family(&t.run, seed), seed);
  if (!t.untouched)
    summary(&t);
  check_coverage(&t, &t.input, "input");
  check_coverage(&t, &t.output, "output");
  printf("%llu passed, %llu refused, %llu failed\n", (unsigned long long)t.passed,
         (unsigned long long)t.refused, (unsigned long long)t.failed);
  return t.failed != 0;
}
