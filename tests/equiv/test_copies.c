/* SPDX-License-Identifier: Apache-2.0 */
/* test_copies: random modules through the transforms that copy code.
 *
 *   test_copies --count=1000 [--seed=1] [--family=NAME] [--max-blocks=N] [--keep=FILE.spv]
 *
 * --keep writes the module that fails. For every module:
 *   - the result of struct-copy, in one of its three forms, validates, computes what the input
 *     computes (oracle.h), and auto does not change it
 *   - the counts of copies and additions match the growth
 *   - the result stays within the growth limit, or the module is refused with the message that
 *     says so
 *   - a function without a cut cycle needs no selector: copies alone make it structured (with
 *     --structure=any, on odd seeds: in portable structure a break from inside a switch needs one)
 *   - the output of merge-copies, for the module and for struct-copy's result, computes the same
 *     and can be structurized; if there were only forward copies, all copied blocks are merged */
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000000, ROUNDS = 4, GROWTH = 400 };

typedef struct Case {
  uint64_t seed;
  GenFamily family;
  GenModule in;
  OracleResult expected[ROUNDS];
  const char *keep;
  uint32_t max_blocks;
} Case;

/* The sums over the functions of a module. */
typedef struct Total {
  uint64_t blocks, instructions; /* after the transform */
  spvreconv_counts counts;
} Total;

static struct {
  uint64_t copied, refused, copies, cuts, peeled, duplicated, before;
  uint64_t with_copies, back, forward;
  uint64_t of_family[GEN_FAMILIES], twins, near[WORLD_CHANGES], merged;
  uint64_t bare, bare_back; /* modules with bare blocks; of these, all copies merged again */
  uint64_t plain;           /* functions that changed and have no cut */
} sums;

static spv_context context;
static const char *structure; /* --structure of the current module */
static const char *copying;   /* the form of struct-copy for the current module, by turns */

static void write_module(const char *path, const uint32_t *words, size_t count) {
  FILE *f = path ? fopen(path, "wb") : NULL;
  if (f) {
    fwrite(words, sizeof *words, count, f);
    fclose(f);
  }
}

__attribute__((format(printf, 2, 3), noreturn)) static void fail(const Case *c, const char *format,
                                                                 ...) {
  va_list list;
  va_start(list, format);
  printf("FAIL: ");
  vprintf(format, list);
  va_end(list);
  printf("\n     replay: test_copies --count=1 --seed=%llu --family=%s --max-blocks=%u\n",
         (unsigned long long)c->seed, graph_family_names[c->family], c->max_blocks);
  write_module(c->keep, c->in.words, c->in.count);
  exit(1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static spvreconv_status run(const char *transform, const uint32_t *words, size_t count,
                            spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.structure = structure;
  options.max_growth = GROWTH;
  options.validate = SPVRECONV_VALIDATE_NONE; /* validated here */
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  return spvreconv_run(&options, words, count, result);
}

static Total total(const spvreconv_result *r) {
  Total t = {0};
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++) {
    t.blocks += f->after->blocks;
    t.instructions += f->after->instructions;
    t.counts.added_blocks += f->transform->added_blocks;
    t.counts.added_instructions += f->transform->added_instructions;
    t.counts.duplicated_blocks += f->transform->duplicated_blocks;
    t.counts.duplicated_instructions += f->transform->duplicated_instructions;
    t.counts.forward_copies += f->transform->forward_copies;
    t.counts.backward_copies += f->transform->backward_copies;
    t.counts.cuts += f->transform->cuts;
  }
  return t;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check_valid(const Case *c, const char *transform, const uint32_t *words, size_t count) {
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  if (spvValidate(context, &binary, &diagnostic) != SPV_SUCCESS)
    fail(c, "%s: %s", transform, diagnostic ? diagnostic->error : "does not validate");
  spvDiagnosticDestroy(diagnostic);
}

static void check_same(const Case *c, const char *transform, const uint32_t *words, size_t count) {
  for (uint64_t k = 0; k < ROUNDS; k++) {
    OracleResult r;
    oracle_run_output(words, count, c->in.words[3], c->seed + k, STEPS * 8ull, &r);
    if (!r.ok)
      fail(c, "%s: %s", transform, r.message);
    if (!oracle_equal(&c->expected[k], &r))
      fail(c, "%s: computes something else", transform);
  }
}

static void check_untouched(const Case *c, const uint32_t *words, size_t count) {
  spvreconv_result *r;
  if (run("auto", words, count, &r) != SPVRECONV_OK || spvreconv_result_changed(r))
    fail(c, "auto changes the result of struct-copy");
  spvreconv_result_destroy(r);
}

/* The result is the user's code as in structurize's output (without blocks that the entry does not
 * reach), plus what was copied and added. */
static void check_counts(const Case *c, const Total *t) {
  spvreconv_result *r;
  if (run("structurize", c->in.words, c->in.count, &r) != SPVRECONV_OK)
    fail(c, "structurize: %s", spvreconv_result_message(r));
  Total s = total(r);
  uint64_t blocks = s.blocks - s.counts.added_blocks;
  uint64_t instructions = s.instructions - s.counts.added_instructions;
  if (t->blocks != blocks + t->counts.duplicated_blocks + t->counts.added_blocks)
    fail(c, "duplicated_blocks and added_blocks are not what there is more of");
  if (t->instructions !=
      instructions + t->counts.duplicated_instructions + t->counts.added_instructions)
    fail(c, "duplicated_instructions and added_instructions are not what there is more of");
  spvreconv_result_destroy(r);
}

static void check_functions(const Case *c, const spvreconv_result *r) {
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++) {
    const spvreconv_counts *k = f->transform;
    if (100ull * k->duplicated_instructions > (uint64_t)GROWTH * f->before->instructions)
      fail(c, "function %s grew beyond the limit", f->name);
    if (!f->after->structured)
      fail(c, "function %s is not structured", f->name);
    if (k->cuts || !k->added_blocks)
      continue;
    sums.plain++;
    if (k->selectors && strcmp(structure, "any") == 0)
      fail(c, "function %s needs a selector without a cut", f->name);
  }
}

/* Runs struct-copy and checks its result. False: the module was refused. */
static bool struct_copy(const Case *c) {
  spvreconv_result *r;
  bool copied = false;
  if (run(copying, c->in.words, c->in.count, &r) == SPVRECONV_OK) {
    size_t count;
    const uint32_t *words = spvreconv_result_words(r, &count);
    Total t = total(r);
    check_valid(c, copying, words, count);
    check_same(c, copying, words, count);
    check_untouched(c, words, count);
    check_functions(c, r);
    if (spvreconv_result_changed(r))
      check_counts(c, &t);
    sums.copied++;
    copied = true;
    sums.copies += t.counts.forward_copies;
    sums.peeled += t.counts.backward_copies;
    sums.cuts += t.counts.cuts;
    sums.duplicated += t.counts.duplicated_instructions;
    sums.before += t.instructions - t.counts.duplicated_instructions - t.counts.added_instructions;
  } else if (strstr(spvreconv_result_message(r), "--max-growth")) {
    sums.refused++;
  } else {
    fail(c, "%s: %s", copying, spvreconv_result_message(r));
  }
  spvreconv_result_destroy(r);
  return copied;
}

/* ---- merging the copies ---------------------------------------------------------------------- */

static uint32_t count_stores(const spvreconv_result *r) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  uint32_t stores = 0;
  for (size_t at = 5; at < count; at += words[at] >> 16)
    stores += (words[at] & 0xffff) == SpvOpStore;
  return stores;
}

/* Every block with user instructions stores its own number: there are no more stores than without
 * copies, except if a switch leads to copies that followed tests before the merge. */
static void check_stores(const Case *c, const spvreconv_result *r) {
  spvreconv_result *s;
  if (run("structurize", c->in.words, c->in.count, &s) != SPVRECONV_OK)
    fail(c, "structurize: %s", spvreconv_result_message(s));
  sums.bare++;
  sums.bare_back += count_stores(r) <= count_stores(s);
  spvreconv_result_destroy(s);
}

/* Counts functions whose copies are all merged again, as they must be if there were only Forward
 * Copies. Copies of blocks without user instructions are treated differently: in functions with
 * such blocks the user's stores are counted, over all modules. Blocks that were already twins in
 * the input may be merged with another copy, which is not a failure. */
static void count_back(const Case *c, const spvreconv_result *r) {
  const spvreconv_function *f;
  bool only_forward = true;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++) {
    const spvreconv_counts *k = f->transform;
    if (!k->duplicated_blocks)
      continue;
    bool back = k->merged_blocks >= k->duplicated_blocks;
    sums.with_copies++;
    sums.back += back;
    only_forward = only_forward && !k->cuts && !k->backward_copies;
    if (k->cuts || k->backward_copies)
      continue;
    sums.forward++;
    if (!back && !c->in.bare && c->family != GEN_TWINS && strcmp(structure, "any") == 0)
      fail(c, "function %s: %u of %u copied blocks are merged again", f->name, k->merged_blocks,
           k->duplicated_blocks);
  }
  if (only_forward && c->in.bare && c->family != GEN_TWINS)
    check_stores(c, r);
}

static void count_merged(const Case *c, const spvreconv_result *r) {
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++)
    sums.merged += f->transform->merged_blocks;
  sums.twins += c->in.twins;
  for (int k = 0; k < WORLD_CHANGES; k++)
    sums.near[k] += c->in.near[k];
}

/* The merged module computes the same, is smaller by the reported counts, and can be
 * structurized. */
static void merge_copies(const Case *c, const char *before) {
  char transform[64], again[96];
  snprintf(transform, sizeof transform, "%s%smerge-copies", before, *before ? "," : "");
  snprintf(again, sizeof again, "%s,structurize", transform);
  spvreconv_result *r;
  if (run(transform, c->in.words, c->in.count, &r) != SPVRECONV_OK)
    fail(c, "%s: %s", transform, spvreconv_result_message(r));
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  check_same(c, transform, words, count);
  if (*before)
    count_back(c, r);
  else
    count_merged(c, r);
  spvreconv_result_destroy(r);
  if (run(again, c->in.words, c->in.count, &r) != SPVRECONV_OK)
    fail(c, "%s: %s", again, spvreconv_result_message(r));
  words = spvreconv_result_words(r, &count);
  check_valid(c, again, words, count);
  check_same(c, again, words, count);
  spvreconv_result_destroy(r);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void test_module(const RandomRun *o, uint64_t seed) {
  Case c = {.seed = seed, .keep = o->keep, .max_blocks = o->max_blocks};
  c.family = random_run_family(o, seed);
  static const char *const forms[] = {"struct-copy", "struct-copy:strict",
                                      "struct-copy:forward-first"};
  structure = seed % 2 ? "any" : "portable";
  copying = forms[seed / 2 % 3];
  const GenOptions options = {
      .plain = seed % 8 == 7, .handles = true, .merges = c.family == GEN_TWINS ? -1 : 0};
  sums.of_family[c.family]++;
  gen_module(c.family, gen_size(seed, 5, o->max_blocks), seed, &options, &c.in);
  for (uint64_t k = 0; k < ROUNDS; k++) {
    oracle_run(c.in.words, c.in.count, seed + k, STEPS, &c.expected[k]);
    if (!c.expected[k].ok)
      fail(&c, "input: %s", c.expected[k].message);
  }
  if (struct_copy(&c))
    merge_copies(&c, copying);
  merge_copies(&c, "");
  gen_module_free(&c.in);
}

static void print_twins(void) {
  static const char *const changes[WORLD_CHANGES] = {NULL,    "constant", "opcode",     "operand",
                                                     "place", "type",     "decoration", "memory",
                                                     "phi",   "edge",     "branch"};
  printf("%llu regions copied as they are; %llu blocks merged; copies that differ in one",
         (unsigned long long)sums.twins, (unsigned long long)sums.merged);
  for (int k = 1; k < WORLD_CHANGES; k++)
    printf("%s %s: %llu", k > 1 ? "," : "", changes[k], (unsigned long long)sums.near[k]);
  putchar('\n');
}

int main(int argc, char **argv) {
  RandomRun o = {.count = 1000, .seed = 1, .family = -1, .max_blocks = 60};
  for (int i = 1; i < argc; i++)
    if (!random_run_read(argv[i], &o) || o.transform) {
      fputs("usage: test_copies [--count=N] [--seed=S] [--family=NAME] [--max-blocks=N] "
            "[--keep=FILE]\n",
            stderr);
      return 2;
    }
  random_run_print(&o);
  context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < o.count; k++)
    test_module(&o, o.seed + k);
  spvContextDestroy(context);
  gen_print_families(sums.of_family);
  print_twins();
  printf("%llu modules copied: %llu regions, %llu entries peeled, %llu cycles cut, "
         "%llu instructions copied of %llu\n"
         "%llu refused, for they would grow by more than %d %%\n"
         "%llu functions changed without a cut\n"
         "%llu functions with copies, all merged again in %llu; in all %llu that have only forward "
         "copies\n",
         (unsigned long long)sums.copied, (unsigned long long)sums.copies,
         (unsigned long long)sums.peeled, (unsigned long long)sums.cuts,
         (unsigned long long)sums.duplicated, (unsigned long long)sums.before,
         (unsigned long long)sums.refused, GROWTH, (unsigned long long)sums.plain,
         (unsigned long long)sums.with_copies, (unsigned long long)sums.back,
         (unsigned long long)sums.forward);
  printf(
      "%llu modules with blocks without user instructions and copies, all others merged again in "
      "%llu\n",
      (unsigned long long)sums.bare, (unsigned long long)sums.bare_back);
  if (sums.bare_back * 10 < sums.bare * 9) {
    puts("FAIL: copies are not merged again");
    return 1;
  }
  if (o.family < 0 && sums.copies == 0) {
    puts("FAIL: nothing was copied");
    return 1;
  }
  return 0;
}
