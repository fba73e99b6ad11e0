/* SPDX-License-Identifier: Apache-2.0 */
/* test_promises: no transform, and no two of them, change a tangle of a module that promises where
 * its lanes reconverge.
 *
 *   test_promises --count=300 --seed=1 [--family=NAME] [--max-blocks=N] [--lists=N]
 *                 [--transform=LIST] [--order=ORDER] [--mode=NUMBER] [--keep=FILE.spv]
 *
 * The modules are of every family, irreducible graphs included, with ballots, and main has one of
 * the modes MaximallyReconvergesKHR and SubgroupUniformControlFlowKHR (--mode: the one of that
 * number, 0 for none). For each module, after --lists lists of one or two transforms, drawn by the
 * seed, with a drawn order, or after --transform: the module under `maximal`, and the output under
 * `structured` (if it is structured, else `maximal`), leave the same memory. A list that would copy
 * more than its limit is left out, and counted. At the end: how many outputs differed from their
 * input, by transform. */
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/policies/random_case.h"
#include "tests/equiv/random_run.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const orders[] = {NULL, "dfpd", "lrpo",   "rpo", "df",
                                     "bf", "bfpd", "domreg", "best"};

enum { ORDERS = sizeof orders / sizeof *orders, SIZES = 3, MOST = 64 };

static const uint32_t sizes[SIZES] = {4, 8, 32}, invocations[SIZES] = {9, 20, 70};

typedef struct Options {
  RandomRun run;
  uint32_t lists;
  const char *order;
  int mode; /* -1: the modes take turns */
} Options;

typedef struct List {
  char text[64];
  uint32_t first, second; /* indices of its transforms; MOST: none */
  const char *order;
} List;

typedef struct ListSums {
  uint64_t runs, changed, grown, by[MOST];
} ListSums;

static ListSums sums;

static List draw_list(Rng *r) {
  List l = {.first = rng_below(r, pass_lists_count()), .second = MOST};
  if (rng_percent(r, 70))
    l.second = rng_below(r, pass_lists_count());
  const PassList *second = l.second < MOST ? pass_lists_at(l.second) : NULL;
  l.order = orders[rng_below(r, ORDERS)];
  snprintf(l.text, sizeof l.text, "%s%s%s", pass_lists_at(l.first)->alone, second ? "," : "",
           second ? second->alone : "");
  return l;
}

/* The result of a list, or NULL if it would copy more than its limit. */
static spvreconv_result *run_list(const Case *c, const List *l) {
  spvreconv_options options;
  spvreconv_result *result;
  spvreconv_options_init(&options, sizeof options);
  options.transform = l->text;
  options.order = l->order;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS;
  spvreconv_status status = spvreconv_run(&options, c->words, c->count, &result);
  if (status == SPVRECONV_OK)
    return result;
  const char *message = spvreconv_result_message(result);
  if (status != SPVRECONV_BAD_INPUT || !strstr(message, "raise --max-growth"))
    run_fail(c, "%s, order %s: %s", l->text, l->order ? l->order : "none", message);
  sums.grown++;
  spvreconv_result_destroy(result);
  return NULL;
}

/* Removes the promise, which SPIRV-Tools of Debian 12 does not know. */
static void drop_promise(Case *c) {
  for (size_t at = 5; at < c->count; at += c->words[at] >> 16)
    if ((c->words[at] & 0xffff) == SpvOpExecutionMode &&
        (c->words[at + 2] == GEN_MAXIMAL || c->words[at + 2] == GEN_SUBGROUP_UNIFORM)) {
      c->count -= 3;
      memmove(c->words + at, c->words + at + 3, (c->count - at) * sizeof *c->words);
      return;
    }
}

static Outcome run_policy(const Case *c, uint32_t lanes, const char *policy) {
  Case copy = *c;
  copy.words = malloc(c->count * sizeof *c->words);
  memcpy(copy.words, c->words, c->count * sizeof *c->words);
  drop_promise(&copy);
  spv_emu_program *program = run_load(&copy, lanes, NULL);
  Outcome o = run_with(&copy, program, policy, (RunHow){0});
  spv_emu_free(program);
  free(copy.words);
  return o;
}

static bool is_structured(const spvreconv_result *result) {
  const spvreconv_function *f;
  bool structured = true;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    structured &= f->after->structured;
  return structured;
}

static void compare(Case *c, uint32_t lanes, const Outcome *before, const List *l) {
  spvreconv_result *result = run_list(c, l);
  if (!result)
    return;
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  if (count != c->count || memcmp(words, c->words, count * sizeof *words) != 0) {
    Case after = *c;
    after.words = (uint32_t *)words;
    after.count = count;
    Outcome *o = malloc(sizeof *o);
    *o = run_policy(&after, lanes, is_structured(result) ? "structured" : "maximal");
    char what[160];
    snprintf(what, sizeof what, "%u lanes, maximal before and %s after %s, order %s", lanes,
             o->result->policy, l->text, l->order ? l->order : "none");
    run_same_memory(c, what, &before->memory, &o->memory);
    run_end(o);
    sums.changed++;
    if (l->first < MOST)
      sums.by[l->first]++;
    if (l->second < MOST)
      sums.by[l->second]++;
  }
  sums.runs++;
  spvreconv_result_destroy(result);
}

static void one_module(const Options *options, uint64_t seed) {
  static const uint32_t modes[] = {GEN_MAXIMAL, GEN_SUBGROUP_UNIFORM};
  Rng r = {rng_mix(seed ^ 0x9507)};
  GenOptions gen = {.merges = -1, .ballots = true};
  gen.promise = options->mode >= 0 ? (uint32_t)options->mode : modes[rng_below(&r, 2)];
  gen.sparse = rng_percent(&r, 60);
  gen.single = gen.sparse && rng_percent(&r, 40);
  gen.calls = rng_percent(&r, 30);
  gen.once = rng_percent(&r, 30);
  RandomCase *random = random_case_new(&options->run, seed, &gen);
  uint32_t size = rng_below(&r, SIZES);
  random->c.invocations = invocations[size];
  Outcome *before = malloc(sizeof *before);
  *before = run_policy(&random->c, sizes[size], "maximal");
  for (uint32_t i = 0; i < options->lists; i++) {
    List l = draw_list(&r);
    if (options->run.transform) {
      snprintf(l.text, sizeof l.text, "%s", options->run.transform);
      l.first = l.second = MOST;
    }
    if (options->order)
      l.order = options->order;
    compare(&random->c, sizes[size], before, &l);
  }
  run_end(before);
  random_case_free(random);
}

static bool read_option(const char *text, Options *o) {
  const char *v;
  if ((v = random_run_value(text, "--lists=")))
    o->lists = (uint32_t)strtoul(v, NULL, 10);
  else if ((v = random_run_value(text, "--order=")))
    o->order = v;
  else if ((v = random_run_value(text, "--mode=")))
    o->mode = (int)strtol(v, NULL, 10);
  else
    return random_run_read(text, &o->run);
  return true;
}

int main(int argc, char **argv) {
  Options options = {
      .run = {.count = 300, .seed = 1, .family = -1, .max_blocks = 24}, .lists = 4, .mode = -1};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &options)) {
      fprintf(stderr, "usage: test_promises [--count=N] [--seed=N] [--family=NAME] "
                      "[--max-blocks=N] [--lists=N] [--transform=LIST] [--order=ORDER] "
                      "[--mode=NUMBER] [--keep=FILE.spv]\n");
      return 2;
    }
  for (uint64_t k = 0; k < options.run.count; k++)
    one_module(&options, options.run.seed + k);
  gen_print_families(run_sums.of_family);
  printf(
      "%llu modules, %llu lists, %llu outputs differ from their input; left out: %llu that would "
      "grow beyond --max-growth\n",
      (unsigned long long)options.run.count, (unsigned long long)sums.runs,
      (unsigned long long)sums.changed, (unsigned long long)sums.grown);
  for (uint32_t i = 0; i < pass_lists_count(); i++)
    printf("%s%s %llu", i ? ", " : "", pass_lists_at(i)->alone, (unsigned long long)sums.by[i]);
  putchar('\n');
  return sums.changed == 0;
}
