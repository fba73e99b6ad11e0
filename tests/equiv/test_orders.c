/* SPDX-License-Identifier: Apache-2.0 */
/* test_orders: random modules through reconverge, under every order.
 *
 * For every seed, family and order: every function of the output is reconverging (by a
 * uniformity analysis of the output), no user instruction is lost, repeated or out of order, every
 * invocation computes the same, and functions that were already reconverging are unchanged byte for
 * byte under the orders that obey post-dominance. Every fourth output is also structurized and
 * validated. A random list of blocks and `best` are tested as orders, too. Then the figures: flow
 * blocks by order, and how many uniform branches were rerouted.
 *
 *   test_orders --count=100 --seed=1 [--family=NAME] [--order=NAME] [--max-blocks=N]
 *                     [--keep=DIR] */
#include "tests/equiv/check.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_LIMIT = 20000000, ROUNDS = 2, ORDERS = 10, LIST = 8 };

static const char *const orders[ORDERS] = {"dfpd",   "bfpd", "rpo", "lrpo", "domreg",
                                           "ocelot", "df",   "bf",  "@",    "best"};
enum { POST_DOMINANCE = 6 }; /* the first six orders leave reconverging functions unchanged */

typedef struct Figures {
  uint64_t outputs, changed, untouched, flows, virtuals, instructions, phis, branches, rerouted;
} Figures;

typedef struct Test {
  spv_context context;
  RandomRun run;
  int order; /* -1: all */
  Figures figures[ORDERS];
  uint64_t passed, failed, validated, of_family[GEN_FAMILIES];
} Test;

typedef struct Case {
  Test *t;
  GenFamily family;
  uint64_t seed;
  int order;
  char list[2048]; /* the order as given */
  const char *uniformity;
  GenModule in;
  OracleResult expected[ROUNDS];
} Case;

static CheckModule input(const Case *c) {
  return (CheckModule){c->in.words, c->in.count};
}

static CheckModule words_of(const spvreconv_result *r) {
  CheckModule m = {0};
  m.words = spvreconv_result_words(r, &m.count);
  return m;
}

static void save(const Case *c, const char *kind, CheckModule m) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s-%llu-%s.%s.spv", c->t->run.keep, graph_family_names[c->family],
           (unsigned long long)c->seed, orders[c->order], kind);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(m.words, sizeof *m.words, m.count, f) != m.count)
    fprintf(stderr, "cannot write %s\n", path);
  if (f)
    fclose(f);
}

static bool fail(const Case *c, const char *what, CheckModule out) {
  printf("FAIL seed %llu family %s blocks %u order %s, uniformity %s: %s\n"
         "     replay: test_orders --seed=%llu --count=1 --family=%s --order=%s "
         "--max-blocks=%u\n",
         (unsigned long long)c->seed, graph_family_names[c->family], c->in.blocks, c->list,
         c->uniformity, what, (unsigned long long)c->seed, graph_family_names[c->family],
         orders[c->order], c->t->run.max_blocks);
  fflush(stdout);
  if (c->t->run.keep) {
    save(c, "in", input(c));
    if (out.words)
      save(c, "out", out);
  }
  return false;
}

/* ---- single checks --------------------------------------------------------------------------- */

static spvreconv_status run(const Case *c, const char *transform, spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.order = c->list;
  options.uniformity = c->uniformity;
  options.validate = SPVRECONV_VALIDATE_NONE; /* validated here */
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  return spvreconv_run(&options, c->in.words, c->in.count, result);
}

static bool computes_the_same(const Case *c, CheckModule out) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run_output(out.words, out.count, c->in.words[3], c->seed + k, STEP_LIMIT * 8ull, &r);
    if (!r.ok)
      return fail(c, r.message, out);
    if (!oracle_equal(&c->expected[k], &r))
      return fail(c, "computes something else", out);
  }
  return true;
}

static bool functions_reconverge(const Case *c, const spvreconv_result *r) {
  const spvreconv_function *f;
  bool were = true, same = words_of(r).count == c->in.count &&
                           memcmp(words_of(r).words, c->in.words, c->in.count * 4) == 0;
  Figures *all = &c->t->figures[c->order];
  for (size_t k = 0; (f = spvreconv_result_function(r, k)); k++) {
    if (!f->after->reconverging)
      return fail(c, "a function is not reconverging", words_of(r));
    if (f->transform->duplicated_instructions)
      return fail(c, "copies instructions", words_of(r));
    were = were && f->before->reconverging;
    all->flows += f->transform->flow_blocks;
    all->virtuals += f->transform->virtual_blocks;
    all->instructions += f->transform->added_instructions;
    all->phis += f->transform->added_phis;
    all->branches += f->before->branches;
    all->rerouted += f->transform->rerouted_uniform_branches;
  }
  all->outputs++;
  all->changed += !same;
  all->untouched += were && same;
  return !were || same || c->order >= POST_DOMINANCE ||
         fail(c, "was reconverging, and changed", words_of(r));
}

/* After structurize it validates and still computes the same. */
static bool structurizes(const Case *c) {
  spvreconv_result *r;
  bool ok = run(c, "reconverge,structurize", &r) == SPVRECONV_OK;
  if (!ok)
    fail(c, r ? spvreconv_result_message(r) : "no result", (CheckModule){0});
  CheckModule out = words_of(r);
  spv_const_binary_t binary = {out.words, out.count};
  spv_diagnostic diagnostic = NULL;
  if (ok && spvValidate(c->t->context, &binary, &diagnostic) != SPV_SUCCESS)
    ok = fail(c, diagnostic ? diagnostic->error : "does not validate", out);
  spvDiagnosticDestroy(diagnostic);
  ok = ok && computes_the_same(c, out);
  c->t->validated += ok;
  spvreconv_result_destroy(r);
  return ok;
}

static bool run_case(const Case *c) {
  spvreconv_result *r;
  bool ok = run(c, "reconverge", &r) == SPVRECONV_OK;
  char message[200];
  if (!ok)
    fail(c, r ? spvreconv_result_message(r) : "no result", (CheckModule){0});
  ok = ok && functions_reconverge(c, r);
  if (ok && !check_preserved(input(c), words_of(r), message, sizeof message))
    ok = fail(c, message, words_of(r));
  ok = ok && computes_the_same(c, words_of(r));
  spvreconv_result_destroy(r);
  return ok && (c->seed % 4 || structurizes(c));
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Some blocks of the entry point, shuffled. */
static void make_list(Case *c) {
  Rng rng = {c->seed};
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.want = SPVRECONV_WANT_STATS;
  spvreconv_result *r;
  size_t length = 1;
  snprintf(c->list, sizeof c->list, "@");
  if (spvreconv_run(&options, c->in.words, c->in.count, &r) != SPVRECONV_OK)
    return;
  uint32_t entry = 0; /* OpEntryPoint names the function */
  for (size_t at = 5; at < c->in.count && !entry; at += c->in.words[at] >> 16)
    if ((c->in.words[at] & 0xffff) == 15)
      entry = c->in.words[at + 2];
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)) && f->id != entry; i++)
    continue;
  uint32_t count = f->order_count < 150 ? f->order_count : 150;
  uint32_t ids[150];
  memcpy(ids, f->order, count * sizeof *ids);
  for (uint32_t i = count - 1; i > 0; i--) {
    uint32_t k = rng_below(&rng, i + 1), id = ids[i];
    ids[i] = ids[k];
    ids[k] = id;
  }
  for (uint32_t i = 0; i < count && length + 12 < sizeof c->list; i++)
    length +=
        (size_t)snprintf(c->list + length, sizeof c->list - length, "%s%u", i ? "," : "", ids[i]);
  spvreconv_result_destroy(r);
}

static void test_orders(Case *c) {
  Test *t = c->t;
  for (int k = 0; k < ORDERS; k++) {
    if (t->order >= 0 && t->order != k)
      continue;
    c->order = k;
    c->uniformity = (c->seed + (uint64_t)k) % 3 == 0 ? "divergent" : "analysis";
    if (k == LIST)
      make_list(c);
    else
      snprintf(c->list, sizeof c->list, "%s", orders[k]);
    bool ok = run_case(c);
    t->passed += ok;
    t->failed += !ok;
  }
}

static void test_module(Test *t, GenFamily family, uint64_t seed) {
  Case c = {.t = t, .family = family, .seed = seed};
  const GenOptions options = {.plain = seed % 8 == 7, .handles = true, .merges = -1};
  gen_module(family, gen_size(seed, 5, t->run.max_blocks), seed, &options, &c.in);
  bool ok = true;
  t->of_family[family]++;
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c.in.words, c.in.count, seed + k, STEP_LIMIT, &c.expected[k]);
    ok = ok && c.expected[k].ok;
  }
  if (ok)
    test_orders(&c);
  t->failed += !ok;
  gen_module_free(&c.in);
}

/* ---- command line ---------------------------------------------------------------------------- */

static int order_of(const char *name) {
  for (int k = 0; k < ORDERS; k++)
    if (strcmp(name, orders[k]) == 0)
      return k;
  return -1;
}

static bool read_option(const char *text, Test *t) {
  const char *order = random_run_value(text, "--order=");
  if (order)
    return (t->order = order_of(order)) >= 0;
  return random_run_read(text, &t->run) && !t->run.transform;
}

static void print_figures(const Test *t) {
  printf("%-7s %8s %8s %9s %9s %8s %8s %8s %8s %9s\n", "order", "outputs", "changed", "untouched",
         "branches", "flows", "virtual", "instr.", "phis", "rerouted");
  for (int k = 0; k < ORDERS; k++) {
    const Figures *f = &t->figures[k];
    if (f->outputs)
      printf("%-7s %8llu %8llu %9llu %9llu %8llu %8llu %8llu %8llu %9llu\n", orders[k],
             (unsigned long long)f->outputs, (unsigned long long)f->changed,
             (unsigned long long)f->untouched, (unsigned long long)f->branches,
             (unsigned long long)f->flows, (unsigned long long)f->virtuals,
             (unsigned long long)f->instructions, (unsigned long long)f->phis,
             (unsigned long long)f->rerouted);
  }
  puts("rerouted: uniform branches that share a subtree with divergent ones that need it");
  printf("structurized afterwards and validated: %llu\n", (unsigned long long)t->validated);
}

int main(int argc, char **argv) {
  Test t = {.run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 300}, .order = -1};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &t)) {
      fputs("usage: test_orders [--count=N] [--seed=S] [--family=NAME] [--order=NAME]\n"
            "                         [--max-blocks=N] [--keep=DIR]\n",
            stderr);
      return 2;
    }
  t.context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < t.run.count; k++) {
    uint64_t seed = t.run.seed + k;
    test_module(&t, random_run_family(&t.run, seed), seed);
  }
  print_figures(&t);
  gen_print_families(t.of_family);
  spvContextDestroy(t.context);
  printf("%llu passed, %llu failed\n", (unsigned long long)t.passed, (unsigned long long)t.failed);
  return t.failed != 0;
}
