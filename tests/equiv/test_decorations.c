/* SPDX-License-Identifier: Apache-2.0 */
/* test_decorations: values decorated NonUniform or RelaxedPrecision, carried through many joins.
 *
 *   test_decorations [--depth=N] [--write=DIR]
 *
 * N nested loops; parts of the innermost body compute values of all four combinations of the two
 * decorations, and leave all loops directly to blocks that use one each:
 *
 *      h0 -> h1 -> ... -> body -> b1, b2, ... -> x1, x2, ... (store their values)
 *       ^     ^             |       |
 *      l0 <- l1 <- ... <----+-------+
 *
 * So each value needs a phi at the merge block of every loop. With fewer and with more joins than
 * the number from which values share phis (transform/ssa), for every transform:
 *   - a phi is NonUniform if one of its operands is, and RelaxedPrecision only if
 *     all are, except undefined ones and constants
 *   - instructions of the input keep their decorations, also if they are rematerialized
 *   - the module computes the same (oracle.h), and validates
 *   - in deep nests phis are shared: far fewer than one for each value and loop
 * In a second form of the module (`phis` in the code) every exit x1, x2, ... has a phi, and the
 * last part of the body leads to all of them: phis that are set in one block must not share,
 * whatever other blocks set them.
 *
 * merge-copies must make a phi of two values of which one is decorated. `unstructure` and
 * struct-copy run on the same loops: they copy decorated instructions, and copies of these.
 *
 * --write=DIR also writes the modules that it tests, as text. */
#include "tests/equiv/oracle.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  EXITS = 8,
  FORKED = 4,
  ROUNDS = 8,
  STEPS = 1000000,
  MOST_DEPTH = 80,
  COPIES = 60,
  JOINS = 60
};
/* joins from which phis are shared; values that cannot share */
enum { SHARED = 36, MORE_THAN_COLORS = 70 };
enum { NON_UNIFORM = 1, RELAXED = 2 };

/* ---- the module ------------------------------------------------------------------------------ */

typedef struct Text {
  char *at;
  size_t length, room;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *t, const char *format, ...) {
  va_list list;
  if (t->room - t->length < 4096)
    t->at = realloc(t->at, t->room += 65536);
  if (!t->at)
    abort();
  va_start(list, format);
  t->length += (size_t)vsnprintf(t->at + t->length, t->room - t->length, format, list);
  va_end(list);
}

/* All combinations, first those whose decorations must not spread to others. */
static void add_decorations(Text *t) {
  for (int i = 0; i < EXITS; i++) {
    if (i & NON_UNIFORM)
      add(t, "OpDecorate %%v%d NonUniform\n", i);
    if (!(i & RELAXED))
      add(t, "OpDecorate %%v%d RelaxedPrecision\n", i);
  }
}

static void add_globals(Text *t) {
  add(t, "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
         "%%uint = OpTypeInt 32 0\n%%uint3 = OpTypeVector %%uint 3\n"
         "%%words = OpTypeRuntimeArray %%uint\n%%Data = OpTypeStruct %%words\n"
         "%%p_Data = OpTypePointer StorageBuffer %%Data\n"
         "%%p_word = OpTypePointer StorageBuffer %%uint\n%%p_in = OpTypePointer Input %%uint3\n"
         "%%gid = OpVariable %%p_in Input\n%%data = OpVariable %%p_Data StorageBuffer\n");
  for (int i = 0; i <= 32; i++)
    add(t, "%%c%d = OpConstant %%uint %d\n", i, i);
  add(t, "%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n"
         "%%id = OpLoad %%uint3 %%gid\n%%lane = OpCompositeExtract %%uint %%id 0\n"
         "%%next = OpIAdd %%uint %%lane %%c8\n%%third = OpIAdd %%uint %%lane %%c16\n"
         "%%at = OpAccessChain %%p_word %%data %%c0 %%lane\n"
         "%%fuel = OpAccessChain %%p_word %%data %%c0 %%next\n"
         "%%to = OpAccessChain %%p_word %%data %%c0 %%third\n%%x = OpLoad %%uint %%at\n"
         "OpStore %%fuel %%c0\n");
}

static void add_head(Text *t) {
  add(t, "OpCapability Shader\nOpCapability ShaderNonUniform\n"
         "OpExtension \"SPV_EXT_descriptor_indexing\"\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %%main \"main\" %%gid\nOpExecutionMode %%main LocalSize 8 1 1\n"
         "OpDecorate %%gid BuiltIn GlobalInvocationId\nOpDecorate %%words ArrayStride 4\n"
         "OpDecorate %%Data Block\nOpMemberDecorate %%Data 0 Offset 0\n"
         "OpDecorate %%data DescriptorSet 0\nOpDecorate %%data Binding 0\n");
}

static bool is_fork(int part, bool phis) {
  return phis && part >= FORKED && part < FORKED + FORKED / 2;
}

/* A part of the body that computes a value for each of two exits, and leaves by one of them. */
static void add_fork(Text *t, int part) {
  int first = 2 * (part - FORKED);
  for (int i = first; i < first + 2; i++)
    add(t, "%%u%d = OpIMul %%uint %%more %%c%d\n", i, i + 13);
  add(t,
      "%%side%d = OpBitwiseAnd %%uint %%bits %%c32\n%%is%d = OpIEqual %%bool %%side%d %%c0\n"
      "OpBranchConditional %%is%d %%x%d %%x%d\n",
      part, part, part, part, first, first + 1);
}

/* The innermost body: uses one unit of fuel, goes to a part by the bits of x, which computes one of
 * the values and leaves with it, or continues the loop. `wide` more values are all used after every
 * exit. */
static void add_body(Text *t, int depth, int wide, bool phis) {
  add(t, "%%body = OpLabel\n%%burnt = OpLoad %%uint %%fuel\n%%more = OpIAdd %%uint %%burnt %%c1\n"
         "OpStore %%fuel %%more\n%%bits = OpShiftRightLogical %%uint %%x %%burnt\n"
         "%%low = OpBitwiseAnd %%uint %%bits %%c15\n%%other = OpBitwiseAnd %%uint %%bits %%c16\n"
         "%%leave = OpIEqual %%bool %%other %%c0\n%%w0 = OpIMul %%uint %%more %%c7\n");
  for (int i = 1; i <= wide; i++)
    add(t, "%%w%d = OpIAdd %%uint %%w%d %%more\n", i, i - 1);
  add(t, "OpSwitch %%low %%l%d", depth - 1);
  for (int i = 0; i < EXITS; i++)
    add(t, " %d %%b%d", i + 1, i);
  add(t, "\n");
  for (int i = 0; i < EXITS; i++) {
    add(t, "%%b%d = OpLabel\n", i);
    if (is_fork(i, phis))
      add_fork(t, i);
    else
      add(t,
          "%%v%d = OpIMul %%uint %%more %%c%d\n"
          "OpBranchConditional %%leave %%x%d %%l%d\n",
          i, i + 3, i, depth - 1);
  }
}

/* What an exit uses of the body's values: that of its part, or a phi of that and a fork's. */
static void add_exit_value(Text *t, int exit, bool phis) {
  bool forked = phis && exit < FORKED;
  add(t, "%%x%d = OpLabel\n", exit);
  if (forked)
    add(t, "%%e_%d = OpPhi %%uint %%v%d %%b%d %%u%d %%b%d\n", exit, exit, exit, exit,
        FORKED + exit / 2);
  add(t, "%%y%d_0 = OpIAdd %%uint %%%s%d %%c%d\n", exit, forked ? "e_" : "v", exit, exit);
}

static void add_loops(Text *t, int depth, int wide, bool phis) {
  add(t, "OpBranch %%h0\n");
  for (int i = 0; i < depth; i++) {
    add(t,
        "%%h%d = OpLabel\n%%f%d = OpLoad %%uint %%fuel\n"
        "%%s%d = OpULessThan %%bool %%f%d %%c20\nOpBranchConditional %%s%d ",
        i, i, i, i, i);
    if (i + 1 < depth)
      add(t, "%%h%d %%done\n", i + 1);
    else
      add(t, "%%body %%done\n");
  }
  add_body(t, depth, wide, phis);
  for (int i = depth; i-- > 0;) {
    add(t, "%%l%d = OpLabel\n", i);
    if (i)
      add(t,
          "%%e%d = OpLoad %%uint %%fuel\n%%r%d = OpBitwiseAnd %%uint %%e%d %%c%d\n"
          "%%q%d = OpIEqual %%bool %%r%d %%c0\nOpBranchConditional %%q%d %%h%d %%l%d\n",
          i, i, i, 1 << (i % 3), i, i, i, i, i - 1);
    else
      add(t, "OpBranch %%h0\n");
  }
  for (int i = 0; i < EXITS; i++) {
    if (is_fork(i, phis))
      continue;
    add_exit_value(t, i, phis);
    for (int k = 1; k <= wide; k++)
      add(t, "%%z%d_%d = OpIMul %%uint %%y%d_%d %%c3\n%%y%d_%d = OpIAdd %%uint %%z%d_%d %%w%d\n", i,
          k, i, k - 1, i, k, i, k, k);
    add(t, "OpStore %%to %%y%d_%d\nOpReturn\n", i, wide);
  }
  add(t, "%%done = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

static void decorate(Text *t, const char *name, int flags) {
  if (flags & NON_UNIFORM)
    add(t, "OpDecorate %%%s NonUniform\n", name);
  if (flags & RELAXED)
    add(t, "OpDecorate %%%s RelaxedPrecision\n", name);
}

/* How twin blocks get the values that they compute with. */
typedef enum Twins { VALUES, PHIS, PLAIN_PHIS } Twins;

/* Twin blocks on two values with decorations `first` and `second`. With PHIS the blocks get the
 * values by phis, which are decorated, too; with PLAIN_PHIS only these are. */
static void add_twins(Text *t, int first, int second, Twins phis) {
  static const char *const names[][2] = {{"a", "b"}, {"phi_a", "phi_b"}};
  for (int k = phis == PLAIN_PHIS; k <= (phis != VALUES); k++) {
    decorate(t, names[k][0], first);
    decorate(t, names[k][1], second);
  }
  add_globals(t);
  add(t, "%%a = OpIMul %%uint %%x %%c3\n%%b = OpIMul %%uint %%x %%c5\n"
         "%%k = OpBitwiseAnd %%uint %%x %%c3\nOpSwitch %%k %%z 1 %%p 2 %%q\n"
         "%%p = OpLabel\nOpStore %%fuel %%c1\nOpBranch %%l\n"
         "%%q = OpLabel\nOpStore %%fuel %%c2\nOpBranch %%r\n");
  for (int i = 0; i < 2; i++) {
    add(t, "%%%c = OpLabel\n", "lr"[i]);
    if (phis)
      add(t, "%%phi_%c = OpPhi %%uint %%%c %%%c\n", "ab"[i], "ab"[i], "pq"[i]);
    const char *phi = phis ? "phi_" : "";
    add(t, "OpStore %%at %%%s%c\n%%sum%d = OpIAdd %%uint %%%s%c %%c7\n", phi, "ab"[i], i, phi,
        "ab"[i]);
    add(t, "OpStore %%to %%sum%d\nOpBranch %%z\n", i);
  }
  add(t, "%%z = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

/* ---- facts about a module -------------------------------------------------------------------- */

typedef struct Facts {
  uint32_t bound;
  uint8_t *flags;   /* by id: NON_UNIFORM, RELAXED */
  bool *defined;    /* by id: a result in a function */
  uint8_t *neutral; /* by id: a constant, or undefined */
} Facts;

static void *zeros(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p)
    abort();
  return p;
}

static void note_instruction(Facts *f, const uint32_t *i) {
  uint32_t op = i[0] & 0xffff;
  if (op == SpvOpDecorate && i[2] == SpvDecorationNonUniform)
    f->flags[i[1]] |= NON_UNIFORM;
  else if (op == SpvOpDecorate && i[2] == SpvDecorationRelaxedPrecision)
    f->flags[i[1]] |= RELAXED;
  else if (op == SpvOpUndef || op == SpvOpConstant)
    f->neutral[i[2]] = true;
  else if (op == SpvOpPhi || op == SpvOpIMul || op == SpvOpIAdd)
    f->defined[i[2]] = true;
}

static Facts read_facts(const uint32_t *words, size_t count) {
  Facts f = {.bound = words[3]};
  f.flags = zeros(f.bound, 1);
  f.neutral = zeros(f.bound, 1);
  f.defined = zeros(f.bound, sizeof *f.defined);
  for (size_t i = 5; i < count; i += words[i] >> 16)
    note_instruction(&f, &words[i]);
  return f;
}

static void free_facts(Facts *f) {
  free(f->flags);
  free(f->neutral);
  free(f->defined);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static uint32_t failures, phis_seen, decorated_phis;
static bool copied; /* a phi may have lost an operand, after it was decorated, to a copy */

static void fail(const char *module, const char *what, const char *why) {
  printf("FAIL: %s: %s: %s\n", module, what, why);
  failures++;
}

/* NULL, or an error in the phi; `given`: it is one of the input, which says whether it is
 * RelaxedPrecision. */
static const char *check_phi(const Facts *f, const uint32_t *phi, bool given) {
  uint8_t any = 0, all = NON_UNIFORM | RELAXED;
  for (uint32_t i = 3; i + 1 < phi[0] >> 16; i += 2) {
    if (f->neutral[phi[i]] || phi[i] == phi[2])
      continue;
    any |= f->flags[phi[i]];
    all &= f->flags[phi[i]];
  }
  decorated_phis += any != 0;
  if ((any & NON_UNIFORM) && !(f->flags[phi[2]] & NON_UNIFORM))
    return "a phi lost NonUniform";
  if (!given && (f->flags[phi[2]] & RELAXED) && !(all & RELAXED))
    return "a phi is RelaxedPrecision, and one of its operands is not";
  if (!copied && (any & all & RELAXED) && !(f->flags[phi[2]] & RELAXED))
    return "a phi lost RelaxedPrecision";
  return NULL;
}

/* Returns how many phis were added. */
static uint32_t check_decorations(const char *module, const char *transform, const Facts *in,
                                  const uint32_t *words, size_t count) {
  Facts out = read_facts(words, count);
  uint32_t added = 0;
  const char *why = NULL;
  for (uint32_t id = 0; id < in->bound && !why; id++)
    if (in->defined[id] && out.defined[id] && out.flags[id] != in->flags[id])
      why = "an instruction lost its decorations";
  for (size_t i = 5; i < count && !why; i += words[i] >> 16)
    if ((words[i] & 0xffff) == SpvOpPhi) {
      why = check_phi(&out, &words[i], words[i + 2] < in->bound);
      added += words[i + 2] >= in->bound;
    }
  if (why)
    fail(module, transform, why);
  phis_seen += added;
  free_facts(&out);
  return added;
}

/* Mangled code has the same effects, but not the same trace: it passes values through variables. */
static void check_same(const char *module, const char *transform, bool mangled, spv_binary in,
                       const uint32_t *words, size_t count) {
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    OracleResult a, b;
    oracle_run(in->code, in->wordCount, seed, STEPS, &a);
    oracle_run(words, count, seed, STEPS, &b);
    if (!a.ok || !b.ok)
      fail(module, transform, a.ok ? b.message : a.message);
    else if (!(mangled ? oracle_same_effects : oracle_equal)(&a, &b))
      fail(module, transform, "it computes something else");
    else
      continue;
    return;
  }
}

static bool is_mangled(const char *transform) {
  return strncmp(transform, "unstructure", 11) == 0;
}

static uint32_t check(const char *module, const char *transform, bool structured, spv_binary in) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  o.want = SPVRECONV_WANT_CHECK;
  o.validate = structured ? SPVRECONV_VALIDATE_FULL : SPVRECONV_VALIDATE_NONE;
  o.uniformity = "divergent";
  o.target_env = "vulkan1.1";
  uint32_t added = 0;
  spvreconv_result *r;
  if (spvreconv_run(&o, in->code, in->wordCount, &r) == SPVRECONV_OK) {
    size_t count;
    const uint32_t *words = spvreconv_result_words(r, &count);
    Facts facts = read_facts(in->code, in->wordCount);
    added = check_decorations(module, transform, &facts, words, count);
    check_same(module, transform, is_mangled(transform), in, words, count);
    free_facts(&facts);
  } else {
    fail(module, transform, spvreconv_result_message(r));
  }
  spvreconv_result_destroy(r);
  return added;
}

static const char *folder;

static void write_text(const Text *t) {
  static int written;
  char path[4096];
  snprintf(path, sizeof path, "%s/decorations_%d.spvasm", folder, ++written);
  FILE *file = fopen(path, "w");
  if (file) {
    fwrite(t->at, 1, t->length, file);
    fclose(file);
  }
}

static spv_binary assemble(const char *module, const Text *t) {
  if (folder)
    write_text(t);
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
  spv_binary in = NULL;
  spv_diagnostic why = NULL;
  if (spvTextToBinary(context, t->at, t->length, &in, &why) != SPV_SUCCESS)
    fail(module, "assembly", why->error);
  spvDiagnosticDestroy(why);
  spvContextDestroy(context);
  return in;
}

/* The decorations of phis of the input are the input's own. */
static spv_binary loops(const char *module, int depth, int wide, bool phis) {
  Text t = {0};
  add_head(&t);
  if (!phis)
    add_decorations(&t);
  add_globals(&t);
  add_loops(&t, depth, wide, phis);
  spv_binary in = assemble(module, &t);
  free(t.at);
  return in;
}

static void test_depth(int depth, int wide, bool phis) {
  static const char *const transforms[] = {
      "structurize",           "linearize",         "guard",
      "linearize,structurize", "guard,structurize", "reconverge",
      "reconverge,structurize"};
  char module[60];
  snprintf(module, sizeof module, "%d loops, %d values%s", depth, wide, phis ? ", phis" : "");
  spv_binary in = loops(module, depth, wide, phis);
  for (size_t i = 0; in && i < sizeof transforms / sizeof *transforms; i++) {
    uint32_t added = check(module, transforms[i], strchr(transforms[i], ',') || i == 0, in);
    /* Seven and the wide values for each loop; one more is the outcome of the innermost test. */
    if (i == 0 && !phis && depth > SHARED && added > (uint32_t)((7 + wide) * depth + 1))
      fail(module, transforms[i], "phis are not shared");
  }
  spvBinaryDestroy(in);
}

/* Blocks that are copied, and copied again. */
static void test_copies(int depth) {
  char module[40], transform[40];
  snprintf(module, sizeof module, "%d loops, copied", depth);
  spv_binary in = loops(module, depth, 1, false);
  for (int seed = 1; in && seed <= COPIES; seed++) {
    snprintf(transform, sizeof transform, "unstructure:%d,structurize", seed);
    check(module, transform, true, in);
  }
  if (in)
    check(module, "struct-copy", true, in);
  if (in)
    check(module, "structurize:100:issues", true, in);
  spvBinaryDestroy(in);
}

static void test_twins(int first, int second, Twins phis) {
  char module[80];
  Text t = {0};
  snprintf(module, sizeof module, "twins of %s decorated %d and %d",
           phis == VALUES ? "values"
           : phis == PHIS ? "phis"
                          : "phis of others",
           first, second);
  add_head(&t);
  add_twins(&t, first, second, phis);
  spv_binary in = assemble(module, &t);
  if (in && check(module, "merge-copies", false, in) != (phis && first == second ? 0 : 1))
    fail(module, "merge-copies", "the twins were not merged with one phi");
  spvBinaryDestroy(in);
  free(t.at);
}

/* Two blocks that end with a store to one place: `unstructure` moves the store behind a phi. */
static void test_joined_stores(int first, int second) {
  char module[80], transform[40];
  Text t = {0};
  uint32_t before = decorated_phis;
  copied = true;
  snprintf(module, sizeof module, "stores of values decorated %d and %d", first, second);
  add_head(&t);
  decorate(&t, "sum0", first);
  decorate(&t, "sum1", second);
  add_twins(&t, 0, 0, VALUES);
  spv_binary in = assemble(module, &t);
  for (int seed = 1; in && seed <= JOINS; seed++) {
    snprintf(transform, sizeof transform, "unstructure:%d,structurize", seed);
    check(module, transform, true, in);
  }
  if (in && decorated_phis == before)
    fail(module, "unstructure", "no store was moved behind a phi");
  copied = false;
  spvBinaryDestroy(in);
  free(t.at);
}

int main(int argc, char **argv) {
  static const int depths[] = {1, 2, 6, 7, 8, 9, 10, 14, 15, 16, 17, 30, 31, 32, 33, 34, 40};
  int only = 0;
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--depth=", 8) == 0)
      only = atoi(argv[i] + 8);
    else if (strncmp(argv[i], "--write=", 8) == 0)
      folder = argv[i] + 8;
  if (only > 0 && only <= MOST_DEPTH) {
    test_depth(only, 1, false);
    test_depth(only, 1, true);
  }
  for (size_t i = 0; !only && i < sizeof depths / sizeof *depths; i++) {
    test_depth(depths[i], i % 3, false);
    test_depth(depths[i], 0, true);
  }
  if (!only)
    test_depth(SHARED + 1, MORE_THAN_COLORS, false);
  for (int depth = 1; !only && depth <= 3; depth++)
    test_copies(depth);
  for (int a = 0; !only && a < 4; a++)
    for (int b = 0; b < 4; b++)
      for (int phis = VALUES; phis <= PLAIN_PHIS; phis++)
        test_twins(a, b, (Twins)phis);
  for (int a = 0; !only && a < 4; a++)
    for (int b = a ? a : 1; b < 4; b++)
      test_joined_stores(a, b);
  printf("%u added phis, %u of them with decorated operands; %u failures\n", phis_seen,
         decorated_phis, failures);
  return failures || !decorated_phis;
}
