/* SPDX-License-Identifier: Apache-2.0 */
/* test_portable: random modules through every transform that makes structure.
 *
 *   test_portable [--count=N] [--seed=N] [--family=NAME] [--max-blocks=N] [--transform=LIST]
 *                 [--keep=FILE] [--rich] [--walks=N]
 *
 * With --structure=portable, for each module and list: a function whose control flow the list
 * changed has portable structure (docs/structurize.md), as --explain=portable finds it; the checker
 * (docs/check.md) finds no difference, and each lane has the effects that it had before (oracle.h).
 * A function whose control flow stays may break the rules as it did before. --keep writes the
 * module that fails. --walks limits the checker's walks per function, which take most of the time. */
#include "tests/equiv/check.h"
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/gen/opcode.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/random_run.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_LIMIT = 20000000, ROUNDS = 2 };

/* Besides those of the table of transforms. */
static const char *const more[] = {"meld:0,structurize", "merge-copies,struct-copy",
                                   "structurize,merge-iterations:all,structurize", NULL};

typedef struct Test {
  RandomRun run;
  bool rich;
  uint32_t walks; /* limit on the checker's walks per function; 0: its own */
  uint64_t runs, refused, changed, failed, of_family[GEN_FAMILIES];
} Test;

typedef struct Case {
  Test *t;
  GenFamily family;
  uint64_t seed;
  GenModule in;
  OracleResult expected[ROUNDS];
} Case;

static CheckModule input(const Case *c) {
  return (CheckModule){c->in.words, c->in.count};
}

static void save(const char *path, CheckModule m) {
  FILE *f = path ? fopen(path, "wb") : NULL;
  if (f && (fwrite(m.words, sizeof *m.words, m.count, f) != m.count || fclose(f)))
    fprintf(stderr, "cannot write %s\n", path);
}

static void fail(Case *c, const char *list, const char *what) {
  printf("FAIL %s: %s\n     replay: test_portable --count=1 --seed=%llu --family=%s "
         "--max-blocks=%u%s --transform=%s\n",
         list, what, (unsigned long long)c->seed, graph_family_names[c->family],
         c->t->run.max_blocks, c->t->rich ? " --rich" : "", list);
  fflush(stdout);
  save(c->t->run.keep, input(c));
  c->t->failed++;
}

/* ---- which functions the list restructured --------------------------------------------------- */

/* The place of the first label, merge instruction or terminator at or after `at`. */
static size_t next_flow(CheckModule m, size_t at) {
  while (at < m.count) {
    uint32_t op = m.words[at] & 0xffff;
    if (op == SpvOpLabel || opcode_is_merge(op) || opcode_is_terminator(op))
      break;
    at += m.words[at] >> 16;
  }
  return at;
}

/* Does the function have other control flow than before? A pass that changes values only
 * (phi-variables) owes no structure. */
static bool is_restructured(const Case *c, CheckModule out, uint32_t function) {
  CheckModule a = check_function_words(input(c), function);
  CheckModule b = check_function_words(out, function);
  size_t i = next_flow(a, 0), k = next_flow(b, 0);
  while (i < a.count && k < b.count) {
    uint32_t length = a.words[i] >> 16;
    if (length != b.words[k] >> 16 ||
        memcmp(&a.words[i], &b.words[k], length * sizeof *a.words) != 0)
      return true;
    i = next_flow(a, i + length);
    k = next_flow(b, k + length);
  }
  return i < a.count || k < b.count;
}

static spvreconv_options options_for(const char *list, unsigned want) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = list;
  o.structure = "portable";
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.want = want;
  return o;
}

static void check_portable(Case *c, const char *list, CheckModule out) {
  const spvreconv_options o = options_for("none", SPVRECONV_WANT_EXPLAIN_PORTABLE);
  spvreconv_result *r;
  const spvreconv_violation *v;
  if (spvreconv_run(&o, out.words, out.count, &r) != SPVRECONV_OK)
    fail(c, list, spvreconv_result_message(r));
  for (size_t i = 0; (v = spvreconv_result_violation(r, i)); i++)
    if (is_restructured(c, out, v->function_id)) {
      fail(c, list, v->text);
      break;
    }
  spvreconv_result_destroy(r);
}

static void check_effects(Case *c, const char *list, CheckModule out) {
  bool inlines = strstr(list, "inline") || strstr(list, "best");
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run(out.words, out.count, c->seed + k, STEP_LIMIT * 8ull, &r);
    if (!r.ok)
      fail(c, list, r.message);
    else if (!(inlines ? oracle_same_stores : oracle_same_effects)(&c->expected[k], &r))
      fail(c, list, "computes something else");
    else
      continue;
    return;
  }
}

static void run_list(Case *c, const char *list) {
  spvreconv_options o = options_for(list, SPVRECONV_WANT_CHECK);
  spvreconv_result *r;
  CheckModule out = {0};
  o.check_walks = c->t->walks;
  spvreconv_status status = spvreconv_run(&o, c->in.words, c->in.count, &r);
  c->t->runs++;
  if (status == SPVRECONV_BAD_INPUT) {
    c->t->refused++;
  } else if (status != SPVRECONV_OK) {
    fail(c, list, spvreconv_result_message(r));
  } else if (spvreconv_result_changed(r)) {
    c->t->changed++;
    out.words = spvreconv_result_words(r, &out.count);
    check_portable(c, list, out);
    check_effects(c, list, out);
  }
  spvreconv_result_destroy(r);
}

static void one_module(Test *t, uint64_t seed) {
  GenFamily family = random_run_family(&t->run, seed);
  Case c = {.t = t, .family = family, .seed = seed};
  const GenOptions gen = {.merges = -1,
                          .rich = t->rich,
                          .calls = seed % 3 == 1,
                          .once = seed % 3 == 2,
                          .steers = seed % 5 == 3};
  gen_module(family, gen_size(seed, 5, t->run.max_blocks), seed, &gen, &c.in);
  t->of_family[family]++;
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c.in.words, c.in.count, seed + k, STEP_LIMIT, &c.expected[k]);
    if (!c.expected[k].ok) {
      fail(&c, "none", c.expected[k].message);
      gen_module_free(&c.in);
      return;
    }
  }
  const char *list = t->run.transform;
  if (list)
    run_list(&c, list);
  for (uint32_t i = 0; !t->run.transform && (list = pass_lists_structured(i, more)); i++)
    run_list(&c, list);
  gen_module_free(&c.in);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_option(const char *text, Test *t) {
  if (strcmp(text, "--rich") == 0)
    return t->rich = true;
  if (strncmp(text, "--walks=", 8) == 0)
    return (t->walks = (uint32_t)strtoul(text + 8, NULL, 10)) != 0;
  return random_run_read(text, &t->run);
}

int main(int argc, char **argv) {
  Test t = {.run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 60}};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &t)) {
      fprintf(stderr, "usage: test_portable [--count=N] [--seed=N] [--family=NAME] "
                      "[--max-blocks=N] [--transform=LIST] [--keep=FILE] [--rich] "
                      "[--walks=N]\n");
      return 2;
    }
  random_run_print(&t.run);
  for (uint64_t k = 0; k < t.run.count; k++)
    one_module(&t, t.run.seed + k);
  gen_print_families(t.of_family);
  printf("%llu modules, %llu runs of lists: %llu changed, %llu refused, %llu failed\n",
         (unsigned long long)t.run.count, (unsigned long long)t.runs, (unsigned long long)t.changed,
         (unsigned long long)t.refused, (unsigned long long)t.failed);
  return t.failed != 0 || t.changed == 0;
}
