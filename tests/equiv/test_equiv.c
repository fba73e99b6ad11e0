/* SPDX-License-Identifier: Apache-2.0 */
/* test_equiv: random modules through the transforms.
 *
 * For every seed and family: the output validates, has every input instruction once, and computes
 * what the input computes (oracle.h); structured modules are returned unchanged. The share of
 * branches that the analysis proves uniform is printed.
 *
 *   test_equiv --count=1000 --seed=1 [--family=NAME] [--reverse] [--keep=DIR] [--max-blocks=N]
 *              [--validate-all]
 *   test_equiv --replay=SEED --family=NAME [--reverse] [--keep=DIR]
 *   test_equiv --growth
 *
 * --growth: only what each family's plain graphs grow per block, compared with the algorithm's figures.
 *
 * With --transform=LIST [--order=ORDER] the modules go through that list instead, and the test
 * checks only what every transform must ensure: structured output validates, and all output has the
 * input's effects. A refused module is counted, but is not a failure. With --calls many blocks call
 * the same functions; with --once there are more functions, each of which is called once, at most;
 * with --steers many blocks only test a phi of booleans, which is known to lanes that come by some
 * of its edges; with --rich modules have what rich.h lists, and every fourth is a fragment shader.
 */
#include "passes/ir/newer.h"
#include "tests/equiv/check.h"
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"

#include <getopt.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  STEP_LIMIT = 20000000,
  GROWTH_MODULES = 120,
  VALIDATE_ALWAYS = 300,
  LIVE_MANY = 10,
  ROUNDS = 4
};

typedef struct Test {
  spv_context context;
  uint64_t seed, count;
  int family; /* -1: all */
  bool reverse, growth, validate_all, calls, once, steers, richer;
  uint32_t max_blocks;
  const char *keep;
  const char *transform, *order; /* given, or NULL */
  uint64_t passed, failed, blocks, edges, modules, rich, many_live;
  uint64_t of_family[GEN_FAMILIES];
  uint64_t refused, unstructured, rerouted;
  uint64_t uniform, divergent, outputs, validated;
} Test;

typedef struct Case {
  Test *t;
  GenFamily family;
  uint64_t seed;
  GenModule in;
  OracleResult expected[ROUNDS]; /* different numbers in the buffers */
  bool failed;
} Case;

static CheckModule words_of(const spvreconv_result *r) {
  CheckModule m = {0};
  m.words = spvreconv_result_words(r, &m.count);
  return m;
}

static CheckModule input(const Case *c) {
  return (CheckModule){c->in.words, c->in.count};
}

static void save(const Case *c, const char *kind, CheckModule m) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s-%llu%s.%s.spv", c->t->keep, graph_family_names[c->family],
           (unsigned long long)c->seed, c->t->reverse ? "-reverse" : "", kind);
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(m.words, sizeof *m.words, m.count, f) != m.count)
    fprintf(stderr, "cannot write %s\n", path);
  if (f)
    fclose(f);
}

/* Reports the first failure of a case and keeps its modules. */
static bool fail(Case *c, const char *transform, const char *what, CheckModule out) {
  printf("FAIL seed %llu family %s blocks %u: %s: %s\n     replay: test_equiv --replay=%llu "
         "--family=%s%s%s%s%s%s --max-blocks=%u",
         (unsigned long long)c->seed, graph_family_names[c->family], c->in.blocks, transform, what,
         (unsigned long long)c->seed, graph_family_names[c->family],
         c->t->reverse ? " --reverse" : "", c->t->calls ? " --calls" : "",
         c->t->once ? " --once" : "", c->t->steers ? " --steers" : "",
         c->t->richer ? " --rich" : "", c->t->max_blocks);
  if (c->t->transform)
    printf(" --transform=%s", c->t->transform);
  if (c->t->order)
    printf(" --order=%s", c->t->order);
  putchar('\n');
  fflush(stdout);
  if (c->t->keep && !c->failed) {
    save(c, "in", input(c));
    if (out.words)
      save(c, "out", out);
  }
  c->failed = true;
  return false;
}

/* ---- single checks --------------------------------------------------------------------------- */

static spvreconv_status run_in_order(const char *transform, const char *order, CheckModule m,
                                     unsigned want, spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.order = order;
  options.validate = SPVRECONV_VALIDATE_NONE; /* validated here */
  options.want = want | SPVRECONV_WANT_CHECK;
  return spvreconv_run(&options, m.words, m.count, result);
}

static spvreconv_status run(const char *transform, CheckModule m, unsigned want,
                            spvreconv_result **result) {
  return run_in_order(transform, NULL, m, want, result);
}

static bool validates(Case *c, const char *transform, CheckModule out) {
  c->t->outputs++;
  if (!c->t->validate_all && c->in.blocks > VALIDATE_ALWAYS && c->seed % 4)
    return true;
  c->t->validated++;
  spv_const_binary_t binary = {out.words, out.count};
  spv_diagnostic diagnostic = NULL;
  bool ok = spvValidate(c->t->context, &binary, &diagnostic) == SPV_SUCCESS;
  if (!ok)
    fail(c, transform, diagnostic ? diagnostic->error : "does not validate", out);
  spvDiagnosticDestroy(diagnostic);
  return ok;
}

typedef bool SameFn(const OracleResult *a, const OracleResult *b);

static bool computes_the_same(Case *c, const char *transform, CheckModule out, SameFn *same) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run_output(out.words, out.count, c->in.words[3], c->seed + k, STEP_LIMIT * 8ull, &r);
    if (!r.ok)
      return fail(c, transform, r.message, out);
    if (!same(&c->expected[k], &r))
      return fail(c, transform, "computes something else", out);
  }
  return true;
}

static bool same_words(CheckModule a, CheckModule b) {
  return a.count == b.count && memcmp(a.words, b.words, a.count * sizeof *a.words) == 0;
}

static bool comes_back(Case *c, const char *transform, const char *what, CheckModule m) {
  spvreconv_result *r;
  bool ok = run(transform, m, 0, &r) == SPVRECONV_OK;
  if (!ok)
    fail(c, transform, r ? spvreconv_result_message(r) : "no result", m);
  else if (!same_words(m, words_of(r)))
    ok = fail(c, transform, what, words_of(r));
  spvreconv_result_destroy(r);
  return ok;
}

static void count_branches(Test *t, const spvreconv_result *r) {
  const spvreconv_function *f;
  for (size_t k = 0; (f = spvreconv_result_function(r, k)); k++) {
    t->uniform += f->before->uniform_branches;
    t->divergent += f->before->divergent_branches;
    t->rerouted += f->transform->rerouted_uniform_branches;
  }
}

/* The library's counts of additions match the output. */
static bool counts_agree(Case *c, const char *transform, const spvreconv_result *r) {
  CheckSize before = check_size(input(c)), after = check_size(words_of(r));
  uint32_t blocks = 0, phis = 0;
  const spvreconv_function *f;
  for (size_t k = 0; (f = spvreconv_result_function(r, k)); k++) {
    blocks += f->transform->added_blocks;
    phis += f->transform->added_phis;
  }
  if (blocks < after.blocks - before.blocks && after.blocks >= before.blocks)
    return fail(c, transform, "added_blocks is too small", words_of(r));
  if (phis < after.phis - before.phis && after.phis >= before.phis)
    return fail(c, transform, "added_phis is too small", words_of(r));
  return true;
}

/* The module with MaximallyReconvergesKHR on its entry points; to be freed. */
static CheckModule with_promise(CheckModule m) {
  uint32_t *words = malloc((m.count + 3) * sizeof *words);
  size_t count = 5;
  if (!words)
    abort();
  memcpy(words, m.words, count * sizeof *words);
  for (size_t i = 5, n; i < m.count; i += n) {
    n = m.words[i] >> 16;
    memcpy(&words[count], &m.words[i], n * sizeof *words);
    count += n;
    if ((m.words[i] & 0xffff) == SpvOpEntryPoint) {
      words[count++] = 3u << 16 | SpvOpExecutionMode;
      words[count++] = m.words[i + 2];
      words[count++] = SR_MODE_MAXIMALLY_RECONVERGES;
    }
  }
  return (CheckModule){words, count};
}

/* The first line of the text that is about this function and contains `part`, or NULL. */
static const char *line_about(const char *text, const char *name, const char *part) {
  char head[80];
  int length = snprintf(head, sizeof head, "function %s,", name);
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const char *at = strstr(line, part);
    if (strncmp(line, head, (size_t)length) == 0 && at && at < end)
      return line;
  }
  return NULL;
}

/* With MaximallyReconvergesKHR: what the module breaks of its rules. NULL, and a failure, if it is
 * refused; else the caller destroys *r. */
static const char *broken_rules(Case *c, const char *transform, CheckModule m,
                                spvreconv_result **r) {
  CheckModule promising = with_promise(m);
  bool ok = run("none", promising, SPVRECONV_WANT_EXPLAIN, r) == SPVRECONV_OK;
  if (!ok)
    fail(c, transform, spvreconv_result_message(*r), promising);
  free((void *)promising.words);
  return ok ? spvreconv_result_text(*r, SPVRECONV_WANT_EXPLAIN) : NULL;
}

/* Does a function break the rule in spite of its structure? Without the promise it may, by a branch
 * in unreachable code, and structurize leaves it alone. */
static bool may_break(const spvreconv_function *f, const char *rules) {
  return f->before && f->before->structured && line_about(rules, f->name, "[declared_join");
}

static bool any_may_break(const spvreconv_result *result, const char *rules) {
  const spvreconv_function *f;
  for (size_t k = 0; (f = spvreconv_result_function(result, k)); k++)
    if (may_break(f, rules))
      return true;
  return false;
}

/* With MaximallyReconvergesKHR: does each block that several branches reach still obey the rule
 * that a merge instruction, or an OpSwitch, declares it? The validator of Debian 12 does not know
 * it. A function that was not changed may have broken the rule before, a structured one as well,
 * which inline moves into another, and a branch with one label twice is kept. */
static bool declares_joins(Case *c, const char *transform, const spvreconv_result *result) {
  CheckModule out = words_of(result);
  spvreconv_result *before = NULL, *after = NULL;
  const char *old = broken_rules(c, transform, input(c), &before);
  const char *new = old ? broken_rules(c, transform, out, &after) : NULL;
  bool ok = new != NULL;
  bool inherits = ok && any_may_break(result, old);
  const spvreconv_function *f;
  for (size_t k = 0; ok && (f = spvreconv_result_function(result, k)); k++) {
    if (inherits && f->before->structured)
      continue;
    const char *line = line_about(new, f->name, "");
    if (line && !line_about(old, f->name, "[distinct_labels") &&
        !same_words(check_function_words(input(c), f->id), check_function_words(out, f->id)))
      ok = fail(c, transform, line, out);
  }
  spvreconv_result_destroy(before);
  spvreconv_result_destroy(after);
  return ok;
}

static bool check_output(Case *c, const char *transform, const spvreconv_result *r) {
  CheckModule out = words_of(r);
  char message[200];
  if (!check_preserved(input(c), out, message, sizeof message))
    return fail(c, transform, message, out);
  return validates(c, transform, out) && computes_the_same(c, transform, out, oracle_equal) &&
         (c->in.merges || declares_joins(c, transform, r));
}

static bool transformed(Case *c, const char *transform) {
  spvreconv_result *r;
  bool ok = run(transform, input(c), SPVRECONV_WANT_STATS, &r) == SPVRECONV_OK;
  char message[200];
  if (!ok)
    fail(c, transform, r ? spvreconv_result_message(r) : "no result", (CheckModule){0});
  ok = ok && check_output(c, transform, r) && counts_agree(c, transform, r) &&
       comes_back(c, "auto", "its own output changes", words_of(r));
  if (ok && strcmp(transform, "structurize") == 0)
    count_branches(c->t, r);
  if (ok && c->family == GEN_STRUCTURED && strstr(transform, "any") &&
      !check_same_graph(input(c), words_of(r), message, sizeof message))
    ok = fail(c, transform, message, words_of(r));
  spvreconv_result_destroy(r);
  return ok;
}

/* Mangles the graph first: user code then occurs several times, and passes values through
 * variables, but has the same effects. */
static void mangled(Case *c) {
  char transform[64];
  snprintf(transform, sizeof transform, "unstructure:%llu,structurize",
           (unsigned long long)(c->seed & UINT32_MAX));
  spvreconv_result *r;
  if (run(transform, input(c), 0, &r) != SPVRECONV_OK)
    fail(c, transform, r ? spvreconv_result_message(r) : "no result", (CheckModule){0});
  else if (validates(c, transform, words_of(r)) && declares_joins(c, transform, r) &&
           computes_the_same(c, transform, words_of(r), oracle_same_effects))
    comes_back(c, "auto", "its own output changes", words_of(r));
  spvreconv_result_destroy(r);
}

/* ---- a list of transforms from the command line ---------------------------------------------- */

static bool all_structured(const spvreconv_result *r) {
  const spvreconv_function *f;
  for (size_t k = 0; (f = spvreconv_result_function(r, k)); k++)
    if (!f->after->structured)
      return false;
  return true;
}

static void check_given(Case *c, const spvreconv_result *r) {
  const char *transform = c->t->transform;
  CheckModule out = words_of(r);
  bool structured = all_structured(r);
  c->t->unstructured += !structured;
  if (!structured ||
      (validates(c, transform, out) && (c->in.merges || declares_joins(c, transform, r))))
    computes_the_same(c, transform, out,
                      strstr(transform, "inline") ? oracle_same_stores : oracle_same_effects);
  count_branches(c->t, r);
}

static void given(Case *c) {
  Test *t = c->t;
  spvreconv_result *r;
  spvreconv_status status =
      run_in_order(t->transform, t->order, input(c), SPVRECONV_WANT_STATS, &r);
  const char *message = r ? spvreconv_result_message(r) : "no result";
  if (status == SPVRECONV_OK)
    check_given(c, r);
  else if (status != SPVRECONV_BAD_INPUT)
    fail(c, t->transform, message, (CheckModule){0});
  else if (t->refused++ == 0)
    printf("refused, the first: seed %llu family %s: %s\n", (unsigned long long)c->seed,
           graph_family_names[c->family], message);
  spvreconv_result_destroy(r);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void run_case(Case *c) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c->in.words, c->in.count, c->seed + k, STEP_LIMIT, &c->expected[k]);
    if (!c->expected[k].ok) {
      fail(c, "input", c->expected[k].message, (CheckModule){0});
      return;
    }
  }
  if (c->t->transform) {
    given(c);
    return;
  }
  if (!transformed(c, "structurize"))
    return;
  if (c->seed % 2 == 0)
    mangled(c);
  if (!c->in.merges) {
    if (c->seed % 4 == 0)
      transformed(c, "auto");
    return;
  }
  if (comes_back(c, "none", "changes", input(c)) &&
      comes_back(c, "auto", "changes what is structured", input(c)))
    transformed(c, c->seed % 2 ? "strip-merges,structurize" : "strip-merges,structurize:any");
}

static void test_module(Test *t, GenFamily family, uint64_t seed) {
  Case c = {.t = t, .family = family, .seed = seed};
  const GenOptions options = {.plain = seed % 8 == 7,
                              .reverse = t->reverse,
                              .handles = true,
                              .calls = t->calls,
                              .once = t->once,
                              .steers = t->steers,
                              .rich = t->richer,
                              .fragment = seed % 4 == 1,
                              .merges = -1};
  gen_module(family, gen_size(seed, 5, t->max_blocks), seed, &options, &c.in);
  t->modules++;
  t->of_family[family]++;
  t->blocks += c.in.blocks;
  t->edges += c.in.edges;
  t->rich += !options.plain && family != GEN_ACYCLIC;
  t->many_live += c.in.live >= LIVE_MANY;
  run_case(&c);
  t->passed += !c.failed;
  t->failed += c.failed;
  gen_module_free(&c.in);
}

/* ---- growth ---------------------------------------------------------------------------------- */

typedef struct Limit {
  GenFamily family;
  const char *transform;
  double blocks, instructions, phis; /* added per block */
} Limit;

static const Limit limits[] = {
    {GEN_STRUCTURED, "structurize:any", 0, 0, 0},
    {GEN_BREAKS, "structurize:any", 0.04, 0.08, 0.03},
    {GEN_MULTIEXIT, "structurize:any", 0.26, 0.46, 0.21},
    {GEN_ACYCLIC, "structurize:any", 0.77, 1.6, 0.76},
    {GEN_IRREDUCIBLE, "structurize:any", 0.84, 1.7, 0.77},
    {GEN_STRUCTURED, "structurize", 0.01, 0.01, 0},
    {GEN_BREAKS, "structurize", 0.05, 0.08, 0.03},
    {GEN_MULTIEXIT, "structurize", 0.36, 0.46, 0.21},
    {GEN_ACYCLIC, "structurize", 0.77, 1.6, 0.76},
    {GEN_IRREDUCIBLE, "structurize", 1.07, 1.7, 0.77},
};

typedef struct Growth {
  CheckSize before, after;
} Growth;

static void add_size(CheckSize *to, CheckSize s) {
  to->blocks += s.blocks;
  to->instructions += s.instructions;
  to->phis += s.phis;
}

static bool grow(Test *t, GenFamily family, const char *transform, uint64_t seed, Growth *g) {
  Case c = {.t = t, .family = family, .seed = seed};
  const GenOptions options = {.plain = true, .reverse = t->reverse, .merges = 0};
  gen_module(family, gen_size(seed, 5, 300), seed, &options, &c.in);
  spvreconv_result *r;
  bool ok = run(transform, input(&c), 0, &r) == SPVRECONV_OK;
  if (ok) {
    add_size(&g->before, check_size(input(&c)));
    add_size(&g->after, check_size(words_of(r)));
  } else {
    fail(&c, "growth", r ? spvreconv_result_message(r) : "no result", (CheckModule){0});
  }
  spvreconv_result_destroy(r);
  gen_module_free(&c.in);
  return ok;
}

static bool within(double value, double limit) {
  return value <= limit * 1.15 + 1e-9;
}

static bool growth_of(Test *t, const Limit *limit) {
  Growth g = {0};
  for (uint64_t k = 0; k < GROWTH_MODULES; k++)
    if (!grow(t, limit->family, limit->transform, 1 + k, &g))
      return false;
  double n = g.before.blocks;
  double blocks = (g.after.blocks - n) / n;
  double phis = ((double)g.after.phis - g.before.phis) / n;
  double instructions = ((double)g.after.instructions - g.before.instructions) / n;
  bool ok = within(blocks, limit->blocks) && within(instructions, limit->instructions) &&
            within(phis, limit->phis);
  printf("  %-15s  %-12s %6.3f / %6.3f / %6.3f   limit %4.2f / %4.2f / %4.2f%s\n", limit->transform,
         graph_family_names[limit->family], blocks, instructions, phis, limit->blocks,
         limit->instructions, limit->phis, ok ? "" : "   TOO MUCH");
  return ok;
}

static bool test_growth(Test *t) {
  bool good = true;
  printf("added per block: blocks / instructions / phis, each at most 15 %% over its limit\n");
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    good = growth_of(t, &limits[k]) && good;
  return good;
}

/* ---- command line ---------------------------------------------------------------------------- */

static int usage(void) {
  fputs("usage: test_equiv [--count=N] [--seed=S] [--family=NAME] [--reverse] [--keep=DIR]\n"
        "                  [--max-blocks=N] [--validate-all] [--replay=SEED] [--growth]\n"
        "                  [--transform=LIST [--order=ORDER]] [--calls] [--once] [--steers] "
        "[--rich]\n",
        stderr);
  return 2;
}

static bool parse(Test *t, int argc, char **argv) {
  static const struct option options[] = {{"count", required_argument, NULL, 'c'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"family", required_argument, NULL, 'f'},
                                          {"reverse", no_argument, NULL, 'r'},
                                          {"calls", no_argument, NULL, 'l'},
                                          {"once", no_argument, NULL, 'n'},
                                          {"steers", no_argument, NULL, 'm'},
                                          {"rich", no_argument, NULL, 'i'},
                                          {"validate-all", no_argument, NULL, 'v'},
                                          {"growth", no_argument, NULL, 'g'},
                                          {"keep", required_argument, NULL, 'k'},
                                          {"replay", required_argument, NULL, 'p'},
                                          {"max-blocks", required_argument, NULL, 'b'},
                                          {"transform", required_argument, NULL, 't'},
                                          {"order", required_argument, NULL, 'o'},
                                          {NULL, 0, NULL, 0}};
  bool replay = false;
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (o == 'c')
      t->count = strtoull(optarg, NULL, 0);
    else if (o == 's')
      t->seed = strtoull(optarg, NULL, 0);
    else if (o == 'f' && graph_family_find(optarg) >= 0)
      t->family = graph_family_find(optarg);
    else if (o == 'r')
      t->reverse = true;
    else if (o == 'l')
      t->calls = true;
    else if (o == 'n')
      t->once = true;
    else if (o == 'm')
      t->steers = true;
    else if (o == 'i')
      t->richer = true;
    else if (o == 'v')
      t->validate_all = true;
    else if (o == 'k')
      t->keep = optarg;
    else if (o == 'g')
      t->growth = true;
    else if (o == 't')
      t->transform = optarg;
    else if (o == 'o')
      t->order = optarg;
    else if (o == 'b' && atoi(optarg) > 5)
      t->max_blocks = (uint32_t)atoi(optarg);
    else if (o == 'p') {
      t->seed = strtoull(optarg, NULL, 0);
      t->count = 1;
      replay = true;
    } else
      return false;
  }
  return optind == argc && t->count > 0 && (t->transform || !t->order) &&
         (!replay || t->transform || t->family >= 0);
}

static void summary(Test *t) {
  uint64_t branches = t->uniform + t->divergent;
  printf("%llu modules, %llu blocks, %llu edges; %llu of %llu with cycles and values across have "
         "%d or more composites and pointers live across cycles\n",
         (unsigned long long)t->modules, (unsigned long long)t->blocks,
         (unsigned long long)t->edges, (unsigned long long)t->many_live,
         (unsigned long long)t->rich, LIVE_MANY);
  gen_print_families(t->of_family);
  printf("validated by spirv-val: %llu of %llu outputs (of modules above %d blocks %s)\n",
         (unsigned long long)t->validated, (unsigned long long)t->outputs, VALIDATE_ALWAYS,
         t->validate_all ? "all" : "every fourth; --validate-all: all");
  printf("uniform branches: %llu of %llu (%.1f %%)\n", (unsigned long long)t->uniform,
         (unsigned long long)branches,
         branches ? 100.0 * (double)t->uniform / (double)branches : 0);
  if (t->transform)
    printf("refused: %llu, not structured afterwards: %llu; uniform branches rerouted: %llu\n",
           (unsigned long long)t->refused, (unsigned long long)t->unstructured,
           (unsigned long long)t->rerouted);
  if (t->refused * 2 > t->modules) {
    puts("FAIL: most modules are refused");
    t->failed++;
  }
  if (!t->transform && t->count > 1 && t->uniform == 0) {
    puts("FAIL: the uniformity analysis calls every branch divergent");
    t->failed++;
  }
}

int main(int argc, char **argv) {
  Test t = {.seed = 1, .count = 100, .family = -1, .max_blocks = 2000};
  if (!parse(&t, argc, argv))
    return usage();
  if (t.growth)
    return !test_growth(&t);
  printf("seeds %llu to %llu%s\n", (unsigned long long)t.seed,
         (unsigned long long)(t.seed + t.count - 1), t.reverse ? ", successors reversed" : "");
  t.context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < t.count; k++) {
    uint64_t seed = t.seed + k;
    test_module(&t, t.family >= 0 ? (GenFamily)t.family : gen_turn(seed), seed);
  }
  summary(&t);
  spvContextDestroy(t.context);
  printf("%llu passed, %llu failed\n", (unsigned long long)t.passed, (unsigned long long)t.failed);
  return t.failed != 0;
}
