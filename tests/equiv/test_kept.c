/* SPDX-License-Identifier: Apache-2.0 */
/* test_kept: random modules, many of whose values are NonUniform or RelaxedPrecision, through every
 * transform.
 *
 *   test_kept [--count=N] [--seed=S] [--max-blocks=N]
 *   test_kept --lists
 *
 * An instruction that keeps its id keeps NonUniform on each of its operands, whatever phis,
 * selects, copies, variables and calls now bring the value there, and its own decorations. The
 * checker (docs/check.md) must find nothing. --lists prints the lists of the table of transforms.
 * test_decorations has the rules for new values. */
#include "passes/ir/grammar.h"
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/random_run.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Besides those of the table of transforms. */
static const char *const more[] = {"structurize:200:issues",
                                   "guard,undispatch",
                                   "guard,merge-copies",
                                   "inline,linearize",
                                   "meld",
                                   NULL};
enum { NON_UNIFORM = 1, RELAXED = 2 };

typedef struct Test {
  RandomRun run;
  uint64_t runs, refused, failed;
  uint64_t non_uniform; /* operands */
} Test;

typedef struct Words {
  const uint32_t *at;
  size_t count;
} Words;

/* ---- decorations ---- */

static bool is_value(uint32_t op) {
  return op != SpvOpLabel && op != SpvOpVariable && op != SpvOpFunction;
}

/* Has the instruction a result and a result type? */
static bool has_result(const uint32_t *w) {
  SrOperandList list = sr_grammar_instruction(w[0] & 0xffff);
  return list && list[0] == SR_KIND_IdResultType + 1;
}

/* The module with decorations of random values put before its first type. The result is the
 * caller's. */
static uint32_t *decorated(const GenModule *m, uint64_t seed, size_t *count) {
  Rng rng = {rng_mix(seed)};
  uint32_t percent[2] = {10 + 25 * rng_below(&rng, 3), 40 * rng_below(&rng, 3)};
  static const uint32_t kind[2] = {SpvDecorationNonUniform, SpvDecorationRelaxedPrecision};
  uint32_t *words = emit_resize(NULL, 7 * m->count * sizeof *words), n = 7;
  size_t first = 5;
  memcpy(words, m->words, 5 * sizeof *words);
  words[5] = 2u << 16 | SpvOpCapability;
  words[6] = SpvCapabilityShaderNonUniform;
  while ((m->words[first] & 0xffff) != SpvOpTypeVoid)
    first += m->words[first] >> 16;
  memcpy(words + n, m->words + 5, (first - 5) * sizeof *words);
  n += (uint32_t)(first - 5);
  bool in_function = false;
  for (size_t i = first; i < m->count; i += m->words[i] >> 16) {
    uint32_t op = m->words[i] & 0xffff;
    in_function |= op == SpvOpFunction;
    for (int k = 0; in_function && is_value(op) && has_result(&m->words[i]) && k < 2; k++)
      if (rng_percent(&rng, percent[k])) {
        words[n++] = 3u << 16 | SpvOpDecorate;
        words[n++] = m->words[i + 2];
        words[n++] = kind[k];
      }
  }
  memcpy(words + n, m->words + first, (m->count - first) * sizeof *words);
  *count = n + m->count - first;
  return words;
}

typedef struct Facts {
  uint8_t *kept;        /* by id */
  const uint32_t **def; /* by id, of values in functions */
} Facts;

static Facts read_facts(Words m) {
  uint32_t bound = m.at[3];
  bool in_function = false;
  Facts f = {calloc(bound, 1), calloc(bound, sizeof *f.def)};
  if (!f.kept || !f.def)
    abort();
  for (size_t i = 5; i < m.count; i += m.at[i] >> 16) {
    const uint32_t *w = &m.at[i];
    uint32_t op = w[0] & 0xffff;
    if (op == SpvOpDecorate)
      f.kept[w[1]] |= w[2] == SpvDecorationNonUniform         ? NON_UNIFORM
                      : w[2] == SpvDecorationRelaxedPrecision ? RELAXED
                                                              : 0;
    in_function |= op == SpvOpFunction;
    if (in_function && is_value(op) && has_result(w))
      f.def[w[2]] = w;
  }
  return f;
}

static void free_facts(Facts *f) {
  free(f->kept);
  free(f->def);
}

/* ---- the rules ---- */

/* Is word i of the instruction, of those that generated modules have, an id of a value? */
static bool is_operand(const uint32_t *w, uint32_t i, uint32_t bound) {
  switch (w[0] & 0xffff) {
  case SpvOpCompositeExtract:
    return i == 3;
  case SpvOpCompositeInsert:
  case SpvOpVectorShuffle:
    return i == 3 || i == 4;
  case SpvOpLoad:
    return i == 3;
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageFetch:
    return i != 5;
  case SpvOpFunctionCall:
    return i > 3;
  case SpvOpExtInst:
    return i > 4;
  default:
    return i > 2 && w[i] < bound;
  }
}

static const char *check_operands(Test *t, const Facts *in, const Facts *out, uint32_t bound,
                                  uint32_t out_bound) {
  for (uint32_t id = 0; id < bound; id++) {
    const uint32_t *x = in->def[id], *y = out->def[id];
    if (!x || !y || x[0] != y[0] || (x[0] & 0xffff) == SpvOpPhi)
      continue;
    for (uint32_t i = 3; i < x[0] >> 16; i++) {
      if (!is_operand(x, i, bound) || !is_operand(y, i, out_bound) ||
          !(in->kept[x[i]] & NON_UNIFORM))
        continue;
      t->non_uniform++;
      if (!(out->kept[y[i]] & NON_UNIFORM))
        return "an operand lost NonUniform";
    }
    if (in->kept[id] & ~out->kept[id])
      return "a value lost a decoration";
  }
  return NULL;
}

static void check(Test *t, uint64_t seed, const char *transform, Words in) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  o.want = SPVRECONV_WANT_CHECK;
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.uniformity = "divergent";
  spvreconv_result *r;
  spvreconv_status status = spvreconv_run(&o, in.at, in.count, &r);
  const char *why =
      status == SPVRECONV_OK || status == SPVRECONV_BAD_INPUT ? NULL : spvreconv_result_message(r);
  t->runs++;
  t->refused += status == SPVRECONV_BAD_INPUT;
  if (status == SPVRECONV_OK) {
    Words out;
    out.at = spvreconv_result_words(r, &out.count);
    Facts x = read_facts(in), y = read_facts(out);
    why = check_operands(t, &x, &y, in.at[3], out.at[3]);
    free_facts(&x);
    free_facts(&y);
  }
  if (why) {
    printf("FAIL: seed %llu, %s: %s\n", (unsigned long long)seed, transform, why);
    t->failed++;
  }
  spvreconv_result_destroy(r);
}

static void test_module(Test *t, uint64_t seed) {
  GenOptions options = {.calls = seed % 4 == 0, .once = seed % 4 == 1, .merges = -1};
  GenModule m;
  Words in;
  gen_module(gen_turn(seed), gen_size(seed, 5, t->run.max_blocks), seed, &options, &m);
  uint32_t *words = decorated(&m, seed, &in.count);
  in.at = words;
  const char *list;
  for (uint32_t i = 0; (list = pass_lists_structured(i, more)); i++)
    check(t, seed, list, in);
  free(words);
  gen_module_free(&m);
}

/* As tests/pass_lists.sh, which must print the same. */
static int print_lists(void) {
  const PassList *list;
  for (uint32_t i = 0; (list = pass_lists_at(i)); i++)
    printf("%s %s\n", list->alone, list->structured);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--lists") == 0)
    return print_lists();
  Test t = {.run = {.seed = 1, .count = 40, .max_blocks = 40}};
  for (int i = 1; i < argc; i++)
    if (!random_run_read_size(argv[i], 5, &t.run))
      return fputs("usage: test_kept [--count=N] [--seed=S] [--max-blocks=N] | --lists\n", stderr),
             2;
  for (uint64_t seed = t.run.seed; seed < t.run.seed + t.run.count; seed++)
    test_module(&t, seed);
  printf("%llu runs, %llu refused; %llu NonUniform operands; %llu failures\n",
         (unsigned long long)t.runs, (unsigned long long)t.refused,
         (unsigned long long)t.non_uniform, (unsigned long long)t.failed);
  return t.failed || !t.non_uniform;
}
