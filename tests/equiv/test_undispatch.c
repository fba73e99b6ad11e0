/* SPDX-License-Identifier: Apache-2.0 */
/* test_undispatch: random graphs, flattened (flatten.h) and given back by undispatch.
 *
 *   test_undispatch --count=200 --seed=1 [--family=NAME] [--max-blocks=N] [--keep=DIR]
 *                   [--rich]
 *
 * For every seed, in all forms: what undispatch makes of each flattened function has at most 1.1
 * times the blocks that the function had before it was flattened, and the module computes the
 * same; so does what structurize makes of that. The same for the dispatch blocks of
 * structurize. --rich: the modules have what rich.h lists, and blocks are not counted. */
#include "tests/equiv/flatten.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000000, ROUNDS = 4, FORMS = 4 };

typedef struct Options {
  RandomRun run;
  bool rich;
} Options;

typedef struct Case {
  const Options *o;
  uint64_t seed;
  GenFamily family;
  GenModule in;
  Flattened flat;
  FlattenOptions form;
  OracleResult expected[ROUNDS];
} Case;

static struct {
  uint64_t modules, flattened, left, carried, before, flat, after, worst_before, worst_after;
  uint64_t dispatches, dispatch_before, dispatch_after, of_family[GEN_FAMILIES];
  double ratios; /* blocks given back, by those before, of each flattened function */
} sums;

static spv_context context;

static void keep(const Case *c, const char *name, const uint32_t *words, size_t count) {
  char path[512];
  if (!c->o->run.keep || !words)
    return;
  snprintf(path, sizeof path, "%s/%s.spv", c->o->run.keep, name);
  FILE *f = fopen(path, "wb");
  if (f && fwrite(words, sizeof *words, count, f) != count)
    perror(path);
  if (f)
    fclose(f);
}

__attribute__((format(printf, 2, 3))) static _Noreturn void fail(const Case *c, const char *format,
                                                                 ...) {
  va_list list;
  va_start(list, format);
  printf("FAIL: ");
  vprintf(format, list);
  va_end(list);
  printf("\n     %s%s\n     replay: test_undispatch --count=1 --seed=%llu --family=%s "
         "--max-blocks=%u%s\n",
         c->form.variables ? "in variables" : "in phis", c->form.latch ? ", with a latch" : "",
         (unsigned long long)c->seed, graph_family_names[c->family], c->o->run.max_blocks,
         c->o->rich ? " --rich" : "");
  keep(c, "in", c->in.words, c->in.count);
  keep(c, "flat", c->flat.words, c->flat.count);
  exit(1);
}

/* Every output is checked against its input, too. */
static spvreconv_result *run(const Case *c, const char *transform, const uint32_t *words,
                             size_t count) {
  spvreconv_options options;
  spvreconv_result *r;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.validate = SPVRECONV_VALIDATE_NONE; /* validated here */
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  if (spvreconv_run(&options, words, count, &r) != SPVRECONV_OK)
    fail(c, "%s: %s", transform, spvreconv_result_message(r));
  return r;
}

static void check_same(const Case *c, const char *what, const uint32_t *words, size_t count) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run(words, count, c->seed + k, STEPS * 8ull, &r);
    if (!r.ok)
      fail(c, "%s: %s", what, r.message);
    if (!oracle_same_effects(&c->expected[k], &r))
      fail(c, "%s: computes something else", what);
  }
}

static void check_result(const Case *c, const char *what, const spvreconv_result *r, bool valid) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  keep(c, "out", words, count);
  check_same(c, what, words, count);
  if (!valid)
    return;
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  if (spvValidate(context, &binary, &diagnostic) != SPV_SUCCESS)
    fail(c, "%s: %s", what, diagnostic ? diagnostic->error : "does not validate");
  spvDiagnosticDestroy(diagnostic);
}

/* Sums the blocks of the flattened functions. Each is given back with at most 1.1 times the blocks
 * that it had. */
static void count_blocks(const Case *c, const spvreconv_result *r) {
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++) {
    uint64_t before = c->flat.blocks_of[i], after = f->after->blocks;
    if (before == 0)
      continue;
    if (after * 10 > before * 11 && !c->o->rich)
      fail(c, "undispatch gives back function %s with %llu blocks of %llu", f->name,
           (unsigned long long)after, (unsigned long long)before);
    sums.before += before;
    sums.flat += f->before->blocks;
    sums.after += after;
    sums.ratios += (double)after / (double)before;
    if (sums.worst_before == 0 || after * sums.worst_before > sums.worst_after * before) {
      sums.worst_before = before;
      sums.worst_after = after;
    }
  }
}

static void test_flattened(Case *c) {
  sums.left += c->flat.left;
  if (c->flat.functions == 0 || c->flat.left)
    return;
  check_same(c, "flatten", c->flat.words, c->flat.count);
  spvreconv_result *r = run(c, "undispatch", c->flat.words, c->flat.count);
  check_result(c, "undispatch", r, false);
  count_blocks(c, r);
  sums.flattened += c->flat.functions;
  sums.carried += c->flat.carried;
  spvreconv_result_destroy(r);
  r = run(c, "undispatch,structurize", c->flat.words, c->flat.count);
  check_result(c, "undispatch,structurize", r, true);
  spvreconv_result_destroy(r);
}

/* Functions in which structurize needs a selector. */
static void test_structurized(Case *c) {
  spvreconv_result *r = run(c, "structurize,undispatch", c->in.words, c->in.count);
  const spvreconv_function *f;
  check_result(c, "structurize,undispatch", r, false);
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++) {
    if (!f->transform->selectors)
      continue;
    sums.dispatches++;
    sums.dispatch_before += f->before->blocks;
    sums.dispatch_after += f->after->blocks;
    if (f->after->blocks > f->before->blocks && !c->o->rich)
      fail(c, "structurize,undispatch: function %s has %u blocks, and had %u", f->name,
           f->after->blocks, f->before->blocks);
  }
  spvreconv_result_destroy(r);
}

static void test_module(const Options *o, uint64_t seed) {
  Case c = {.o = o, .seed = seed};
  c.family = random_run_family(&o->run, seed);
  const GenOptions options = {.plain = !o->rich && seed % 4 != 3, .rich = o->rich, .merges = 0};
  sums.modules++;
  sums.of_family[c.family]++;
  gen_module(c.family, gen_size(seed, 5, o->run.max_blocks), seed, &options, &c.in);
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c.in.words, c.in.count, seed + k, STEPS, &c.expected[k]);
    if (!c.expected[k].ok)
      fail(&c, "input: %s", c.expected[k].message);
  }
  for (unsigned form = 0; form < FORMS; form++) {
    c.form = (FlattenOptions){.variables = form & 1, .latch = form & 2, .seed = seed};
    flatten(c.in.words, c.in.count, &c.form, &c.flat);
    test_flattened(&c);
    free(c.flat.words);
    free(c.flat.blocks_of);
    c.flat.words = NULL;
  }
  test_structurized(&c);
  gen_module_free(&c.in);
}

static bool read_option(const char *text, Options *o) {
  if (strcmp(text, "--rich") == 0)
    return o->rich = true;
  return random_run_read(text, &o->run) && !o->run.transform;
}

int main(int argc, char **argv) {
  Options o = {.run = {.count = 200, .seed = 1, .family = -1, .max_blocks = 80}};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &o)) {
      fputs("usage: test_undispatch [--count=N] [--seed=S] [--family=NAME] [--max-blocks=N] "
            "[--keep=DIR] [--rich]\n",
            stderr);
      return 2;
    }
  random_run_print(&o.run);
  context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < o.run.count; k++)
    test_module(&o, o.run.seed + k);
  spvContextDestroy(context);
  gen_print_families(sums.of_family);
  printf("%llu functions flattened (%llu left alone), %llu values carried: %llu blocks, %llu "
         "flattened, %llu given back; of a function %.4f on average, at worst %.4f (%llu of %llu)\n"
         "%llu functions with a selector of structurize: %llu blocks, %llu given back\n",
         (unsigned long long)sums.flattened, (unsigned long long)sums.left,
         (unsigned long long)sums.carried, (unsigned long long)sums.before,
         (unsigned long long)sums.flat, (unsigned long long)sums.after,
         sums.flattened ? sums.ratios / (double)sums.flattened : 0,
         sums.worst_before ? (double)sums.worst_after / (double)sums.worst_before : 0,
         (unsigned long long)sums.worst_after, (unsigned long long)sums.worst_before,
         (unsigned long long)sums.dispatches, (unsigned long long)sums.dispatch_before,
         (unsigned long long)sums.dispatch_after);
  if (sums.flattened == 0 || sums.dispatches == 0) {
    puts("FAIL: nothing was flattened, or nothing structurized");
    return 1;
  }
  return 0;
}
