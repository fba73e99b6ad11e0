/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads: merge-copies lets lanes that reach a test with a constant skip the test; this
 * checks the folding of such tests, with constants for which it is error-prone.
 *
 *   test_threads [--count=N] [--seed=S]
 *
 *      entry --switch--> four paths, each with its own constant
 *                          |
 *                        test: c = phi of them;  [c - k]  compared with a constant
 *                        /    \
 *                      yes     no
 *
 * Integers of 8 to 64 bits, signed and unsigned; constants at both ends of the range and around the
 * middle; wrapping differences; specialization constants, which must not be folded. The result of
 * merge-copies computes what the module computes (oracle.h), and for unsigned 32-bit integers no
 * test is left if all four are plain constants. */
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/oracle.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 6, STEPS = 10000, WAYS = 4, CONSTANTS = WAYS + 2, ROOM = 8192 };

typedef struct Case {
  uint64_t seed;
  uint32_t width;
  bool is_signed, spec, differs; /* spec: one is a specialization constant; differs: tests c - k */
  uint64_t constant[CONSTANTS];  /* those of the paths; k; the one compared with c or c - k */
  const char *test;
  char text[ROOM];
} Case;

/* ---- cases ----------------------------------------------------------------------------------- */

/* At an end of the range, in its middle, or small; plus or minus one. */
static uint64_t pick_constant(Rng *rng, uint32_t width) {
  uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  uint64_t at[] = {0, mask, (uint64_t)1 << (width - 1), 3, (uint64_t)1 << (width / 2)};
  return (at[rng_below(rng, 5)] + rng_below(rng, 3) - 1) & mask;
}

static Case make_case(uint64_t seed) {
  static const char *const tests[] = {"OpULessThanEqual", "OpUGreaterThanEqual", "OpUGreaterThan",
                                      "OpULessThan",      "OpSGreaterThan",      "OpSLessThanEqual",
                                      "OpIEqual",         "OpINotEqual"};
  static const uint32_t widths[] = {8, 16, 32, 32, 64};
  Rng rng = {seed};
  Case c = {.seed = seed, .width = widths[rng_below(&rng, 5)], .is_signed = rng_below(&rng, 2)};
  c.spec = rng_below(&rng, 4) == 0;
  c.differs = rng_below(&rng, 2);
  c.test = tests[rng_below(&rng, rng_below(&rng, 2) ? 3 : 8)];
  for (int i = 0; i < CONSTANTS; i++)
    c.constant[i] = pick_constant(&rng, c.width);
  return c;
}

/* As the assembler reads it: with a sign for signed types. */
static void add_constant(Case *c, int i) {
  size_t n = strlen(c->text);
  const char *op = c->spec && i == 1 ? "OpSpecConstant" : "OpConstant";
  uint64_t v = c->constant[i], sign = (uint64_t)1 << (c->width - 1);
  if (c->is_signed)
    snprintf(c->text + n, ROOM - n, "%%k%d = %s %%number %lld\n", i, op,
             (long long)((v ^ sign) - sign));
  else
    snprintf(c->text + n, ROOM - n, "%%k%d = %s %%number %llu\n", i, op, (unsigned long long)v);
}

static void write_text(Case *c) {
  bool other = c->width != 32 || c->is_signed;
  snprintf(c->text, ROOM,
           "OpCapability Shader\n%s%s%s"
           "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\" %%gid\n"
           "OpExecutionMode %%main LocalSize 8 1 1\nOpDecorate %%gid BuiltIn GlobalInvocationId\n"
           "OpDecorate %%words ArrayStride 4\nOpDecorate %%Data Block\n"
           "OpMemberDecorate %%Data 0 Offset 0\nOpDecorate %%data DescriptorSet 0\n"
           "OpDecorate %%data Binding 0\n%s"
           "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
           "%%uint = OpTypeInt 32 0\n",
           c->width == 8 ? "OpCapability Int8\n" : "", c->width == 16 ? "OpCapability Int16\n" : "",
           c->width == 64 ? "OpCapability Int64\n" : "",
           c->spec ? "OpDecorate %k1 SpecId 0\n" : "");
  size_t n = strlen(c->text);
  if (other)
    snprintf(c->text + n, ROOM - n, "%%number = OpTypeInt %u %d\n", c->width, c->is_signed);
  for (int i = 0; i < CONSTANTS; i++)
    add_constant(c, i);
  for (char *at; !other && (at = strstr(c->text, "%number"));)
    memcpy(at, "%uint  ", 7);
  n = strlen(c->text);
  snprintf(c->text + n, ROOM - n,
           "%%uint3 = OpTypeVector %%uint 3\n%%words = OpTypeRuntimeArray %%uint\n"
           "%%Data = OpTypeStruct %%words\n%%p_Data = OpTypePointer StorageBuffer %%Data\n"
           "%%p_word = OpTypePointer StorageBuffer %%uint\n%%p_in = OpTypePointer Input %%uint3\n"
           "%%n0 = OpConstant %%uint 0\n%%n3 = OpConstant %%uint 3\n%%yes = OpConstant %%uint 11\n"
           "%%no = OpConstant %%uint 12\n"
           "%%gid = OpVariable %%p_in Input\n%%data = OpVariable %%p_Data StorageBuffer\n"
           "%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n"
           "%%id = OpLoad %%uint3 %%gid\n%%lane = OpCompositeExtract %%uint %%id 0\n"
           "%%at = OpAccessChain %%p_word %%data %%n0 %%lane\n%%x = OpLoad %%uint %%at\n"
           "%%low = OpBitwiseAnd %%uint %%x %%n3\n"
           "OpSwitch %%low %%w0 1 %%w1 2 %%w2 3 %%w3\n"
           "%%w0 = OpLabel\nOpStore %%at %%n0\nOpBranch %%ask\n"
           "%%w1 = OpLabel\nOpStore %%at %%n3\nOpBranch %%ask\n"
           "%%w2 = OpLabel\nOpStore %%at %%low\nOpBranch %%ask\n"
           "%%w3 = OpLabel\nOpStore %%at %%lane\nOpBranch %%ask\n"
           "%%ask = OpLabel\n%%c = OpPhi %s %%k0 %%w0 %%k1 %%w1 %%k2 %%w2 %%k3 %%w3\n",
           other ? "%number" : "%uint");
  n = strlen(c->text);
  if (c->differs)
    snprintf(c->text + n, ROOM - n, "%%d = OpISub %s %%c %%k4\n", other ? "%number" : "%uint");
  n = strlen(c->text);
  snprintf(c->text + n, ROOM - n,
           "%%t = %s %%bool %s %%k5\nOpBranchConditional %%t %%y %%z\n"
           "%%y = OpLabel\nOpStore %%at %%yes\nOpReturn\n"
           "%%z = OpLabel\nOpStore %%at %%no\nOpReturn\nOpFunctionEnd\n",
           c->test, c->differs ? "%d" : "%c");
}

/* ---- checks ---------------------------------------------------------------------------------- */

static uint32_t failures, threaded;

static void fail(const Case *c, const char *what, const char *why) {
  printf("FAIL: %s: %s (test_threads --count=1 --seed=%llu)\n      %u bits%s, %s%s:", what, why,
         (unsigned long long)c->seed, c->width, c->is_signed ? " signed" : "", c->test,
         c->differs ? " of a difference" : "");
  for (int i = 0; i < CONSTANTS; i++)
    printf(" %llx", (unsigned long long)c->constant[i]);
  puts("");
  failures++;
}

static uint32_t count_op(const uint32_t *words, size_t count, uint32_t op) {
  uint32_t n = 0;
  for (size_t i = 5; i < count; i += words[i] >> 16)
    n += (words[i] & 0xffff) == op;
  return n;
}

static void check_same(const Case *c, const char *what, spv_binary in, const uint32_t *words,
                       size_t count) {
  for (uint64_t seed = 1; !c->spec && seed <= ROUNDS;
       seed++) { /* the oracle does not support specialization */
    OracleResult a, b;
    oracle_run(in->code, in->wordCount, seed, STEPS, &a);
    oracle_run(words, count, seed, STEPS, &b);
    if (!a.ok || !b.ok)
      fail(c, what, a.ok ? b.message : a.message);
    else if (!oracle_equal(&a, &b))
      fail(c, what, "it computes something else");
    else
      continue;
    return;
  }
}

/* Fails if there is no result. */
static spvreconv_result *merge_copies(const Case *c, spv_binary in) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "merge-copies";
  o.want = SPVRECONV_WANT_CHECK;
  o.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *r;
  if (spvreconv_run(&o, in->code, in->wordCount, &r) != SPVRECONV_OK)
    fail(c, o.transform, spvreconv_result_message(r));
  return r;
}

static bool folds(const Case *c) {
  return strcmp(c->test, "OpULessThanEqual") == 0 ||
         strncmp(c->test, "OpUGreaterThan", strlen("OpUGreaterThan")) == 0;
}

static void check(const Case *c, spv_binary in) {
  spvreconv_result *r = merge_copies(c, in);
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  if (words) {
    uint32_t branches = count_op(words, count, SpvOpBranchConditional);
    check_same(c, "merge-copies", in, words, count);
    threaded += branches == 0;
    if (c->spec && !branches)
      fail(c, "merge-copies", "the specialization constant was folded");
    if (folds(c) && !c->spec && c->width == 32 && branches)
      fail(c, "merge-copies", "the test is still there");
  }
  spvreconv_result_destroy(r);
}

/* ---- growth ---------------------------------------------------------------------------------- */

/* `many` paths, each with its own constant, and as many tests in a chain. A copy of a test for each
 * path that passes it would be quadratic, so the number of copies is limited by the number of
 * blocks (MOST_COPIES): up to the limit all tests are removed, beyond it some are left. */

enum { FEW = 20, MANY = 150, CHAIN_ROOM = 1 << 16 };

#define PUT(...) n += (size_t)snprintf(text + n, CHAIN_ROOM - n, __VA_ARGS__)

static size_t write_chain_head(char *text, int many) {
  size_t n = 0;
  PUT("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %%main \"main\" %%gid\nOpExecutionMode %%main LocalSize 8 1 1\n"
      "OpDecorate %%gid BuiltIn GlobalInvocationId\n%%void = OpTypeVoid\n"
      "%%proc = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n"
      "%%uint3 = OpTypeVector %%uint 3\n%%p_in = OpTypePointer Input %%uint3\n"
      "%%p_own = OpTypePointer Private %%uint\n%%gid = OpVariable %%p_in Input\n"
      "%%own = OpVariable %%p_own Private\n");
  for (int i = 0; i < many; i++)
    PUT("%%c%d = OpConstant %%uint %d\n", i, i);
  PUT("%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n%%id = OpLoad %%uint3 %%gid\n"
      "%%x = OpCompositeExtract %%uint %%id 0\nOpSwitch %%x %%w0");
  for (int i = 1; i < many; i++)
    PUT(" %d %%w%d", i, i);
  PUT("\n");
  return n;
}

static size_t write_chain(char *text, int many) {
  size_t n = write_chain_head(text, many);
  for (int i = 0; i < many; i++)
    PUT("%%w%d = OpLabel\nOpStore %%own %%c%d\nOpBranch %%a0\n", i, i);
  PUT("%%a0 = OpLabel\n%%k = OpPhi %%uint");
  for (int i = 0; i < many; i++)
    PUT(" %%c%d %%w%d", i, i);
  for (int i = 0; i < many; i++)
    PUT("\n%%t%d = OpULessThanEqual %%bool %%k %%c%d\nOpBranchConditional %%t%d %%y%d %%a%d\n"
        "%%y%d = OpLabel\nOpStore %%own %%c%d\nOpReturn\n%%a%d = OpLabel",
        i, i, i, i, i + 1, i, i, i + 1);
  PUT("\nOpReturn\nOpFunctionEnd\n");
  return n;
}

#undef PUT

static void check_chain(const Case *c, spv_binary in, bool all) {
  spvreconv_result *r = merge_copies(c, in);
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  if (words) {
    if ((count_op(words, count, SpvOpBranchConditional) == 0) != all)
      fail(c, "growth", all ? "tests are left" : "copies are not limited");
    check_same(c, "growth", in, words, count);
  }
  spvreconv_result_destroy(r);
}

static void test_growth(spv_context context, int many) {
  static char text[CHAIN_ROOM];
  static Case c;
  spv_binary in = NULL;
  c = (Case){.width = 32, .test = "OpULessThanEqual"};
  size_t n = write_chain(text, many);
  if (spvTextToBinary(context, text, n, &in, NULL) == SPV_SUCCESS)
    check_chain(&c, in, many == FEW);
  else
    fail(&c, "growth", "cannot be assembled");
  spvBinaryDestroy(in);
}

static void test_seed(spv_context context, uint64_t seed) {
  static Case c;
  spv_binary in = NULL;
  spv_diagnostic why = NULL;
  c = make_case(seed);
  write_text(&c);
  if (spvTextToBinary(context, c.text, strlen(c.text), &in, &why) == SPV_SUCCESS)
    check(&c, in);
  else
    fail(&c, "assembly", why->error);
  spvDiagnosticDestroy(why);
  spvBinaryDestroy(in);
}

int main(int argc, char **argv) {
  uint64_t count = 1500, first = 1;
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--count=", 8) == 0)
      count = strtoull(argv[i] + 8, NULL, 0);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      first = strtoull(argv[i] + 7, NULL, 0);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
  for (uint64_t seed = first; seed < first + count; seed++)
    test_seed(context, seed);
  test_growth(context, FEW);
  test_growth(context, MANY);
  spvContextDestroy(context);
  printf("%llu modules from seed %llu on, %u without a test at the end, %u failures\n",
         (unsigned long long)count, (unsigned long long)first, threaded, failures);
  return failures || (count > 100 && !threaded);
}
