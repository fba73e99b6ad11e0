/* SPDX-License-Identifier: Apache-2.0 */
/* test_twins: when merge-copies must merge, and when it must not.
 *
 *   test_twins [NAME] [--keep=DIR] [--all=DIR]
 *
 * --keep writes the modules that fail as text, --all all of them. Each row of the tables (twins.h)
 * is put into four modules: its left text twice, its right text twice, and both, in either order
 * (a TWIN_WHOLE row into two, with one text each). For each module
 *   - as many blocks are merged as the row says: all blocks of true twins; of near twins only the
 *     blocks in which they do not differ
 *   - if none is merged, no word of the module changes
 *   - the output computes what the input computes, for random inputs (oracle.h)
 *   - the output can be structurized again, and validates
 * Each row differs in one field of an instruction. So if merge-copies no longer compares that
 * field, the count of merged blocks is wrong, even if the results happen to agree. */
#include "tests/equiv/gen/twins.h"
#include "tests/equiv/oracle.h"

#include <spirv-tools/libspirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 24, STEPS = 100000, ROOM = 1 << 14 };

typedef struct Text {
  char at[ROOM];
  size_t length;
} Text;

/* A module of a row. */
typedef struct Case {
  const Twin *twin;
  int arms[2]; /* 0: left, 1: right */
  uint32_t merged;
  Text text;
  spv_binary in;
} Case;

static const char *only, *keep, *all;
static uint32_t failures, cases;

/* ---- text ------------------------------------------------------------------------------------ */

static void put(Text *t, const char *s, size_t count) {
  if (t->length + count + 1 > ROOM)
    abort();
  memcpy(t->at + t->length, s, count);
  t->at[t->length += count] = 0;
}

static void add(Text *t, const char *s) {
  put(t, s, strlen(s));
}

/* Adds a text for arm `arm`, the first or second. */
static void add_named(Text *t, const char *s, size_t count, int arm) {
  for (size_t i = 0; i < count; i++)
    if (s[i] == '@')
      add(t, arm ? "_r" : "_l");
    else if (s[i] == '$')
      add(t, arm ? "%q" : "%p");
    else
      put(t, &s[i], 1);
}

/* Adds the part of `list`, LEFT|RIGHT or one for both, for a side. */
static void add_side(Text *t, const char *list, int side, int arm) {
  const char *bar = strchr(list, '|');
  const char *s = bar && side ? bar + 1 : list;
  add_named(t, s, bar && !side ? (size_t)(bar - list) : strlen(s), arm);
}

static const char *text_of(const Twin *t, int side) {
  return side ? t->right : t->left;
}

/* Adds the lines that name an id of the arm. */
static void add_globals(Text *out, const Twin *t, int side, int arm) {
  for (const char *line = t->globals, *end; line && *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    const char *id = strchr(line, '%'), *after = id + strcspn(id, " ");
    char name[16];
    snprintf(name, sizeof name, "%.*s ", (int)(after - id), id);
    if (!strstr(text_of(t, side), name))
      continue;
    add_named(out, line, (size_t)(end - line), arm);
    add(out, "\n");
  }
}

static const char head[] = "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\n"
                           "OpCapability GroupNonUniformArithmetic\n"
                           "%glsl = OpExtInstImport \"GLSL.std.450\"\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %main \"main\" %gid %data %shared %pa %pb "
                           "%img1 %img2\n"
                           "OpExecutionMode %main LocalSize 8 1 1\n%file = OpString \"twins\"\n"
                           "OpDecorate %gid BuiltIn GlobalInvocationId\n"
                           "OpDecorate %words ArrayStride 4\nOpDecorate %Data Block\n"
                           "OpMemberDecorate %Data 0 Offset 0\n"
                           "OpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n"
                           "OpDecorate %img1 DescriptorSet 0\nOpDecorate %img1 Binding 1\n"
                           "OpDecorate %img2 DescriptorSet 0\nOpDecorate %img2 Binding 2\n"
                           "OpDecorate %spec SpecId 7\n";

static const char types[] =
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n"
    "%uchar = OpTypeInt 8 0\n%ushort = OpTypeInt 16 0\n"
    "%uint2 = OpTypeVector %uint 2\n%uint3 = OpTypeVector %uint 3\n%int2 = OpTypeVector %int 2\n"
    "%float2 = OpTypeVector %float 2\n%float4 = OpTypeVector %float 4\n"
    "%map = OpTypeFunction %uint %uint\n"
    "%words = OpTypeRuntimeArray %uint\n%Data = OpTypeStruct %words\n"
    "%p_Data = OpTypePointer StorageBuffer %Data\n%p_uint = OpTypePointer StorageBuffer %uint\n"
    "%p_uint3 = OpTypePointer Input %uint3\n%p_own = OpTypePointer Private %uint\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
    "%c3 = OpConstant %uint 3\n%c5 = OpConstant %uint 5\n%c6 = OpConstant %uint 6\n"
    "%c7 = OpConstant %uint 7\n%c8 = OpConstant %uint 8\n%c16 = OpConstant %uint 16\n"
    "%c24 = OpConstant %uint 24\n%c32 = OpConstant %uint 32\n"
    "%release = OpConstant %uint 68\n%release_all = OpConstant %uint 324\n"
    "%spec = OpSpecConstant %uint 1\n%undef = OpUndef %uint\n%true = OpConstantTrue %bool\n"
    "%f0 = OpConstant %float 0\n%f1 = OpConstant %float 1\n"
    "%uv = OpConstantComposite %float2 %f0 %f1\n"
    "%i0 = OpConstant %int 0\n%i1 = OpConstant %int 1\n"
    "%offset = OpConstantComposite %int2 %i0 %i1\n%offset2 = OpConstantComposite %int2 %i1 %i0\n"
    "%four = OpTypeArray %uint %c5\n%p_four = OpTypePointer Workgroup %four\n"
    "%p_shared = OpTypePointer Workgroup %uint\n"
    "%plane = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %plane\n"
    "%p_sampled = OpTypePointer UniformConstant %sampled\n"
    "%gid = OpVariable %p_uint3 Input\n%data = OpVariable %p_Data StorageBuffer\n"
    "%pa = OpVariable %p_own Private\n%pb = OpVariable %p_own Private\n"
    "%shared = OpVariable %p_four Workgroup\n"
    "%img1 = OpVariable %p_sampled UniformConstant\n"
    "%img2 = OpVariable %p_sampled UniformConstant\n"
    "%twice = OpFunction %uint None %map\n%tx = OpFunctionParameter %uint\n%te = OpLabel\n"
    "%tr = OpIAdd %uint %tx %tx\nOpReturnValue %tr\nOpFunctionEnd\n"
    "%thrice = OpFunction %uint None %map\n%hx = OpFunctionParameter %uint\n%he = OpLabel\n"
    "%hr = OpIMul %uint %hx %c3\nOpReturnValue %hr\nOpFunctionEnd\n"
    "%main = OpFunction %void None %proc\n%entry = OpLabel\n"
    "%id = OpLoad %uint3 %gid\n%lane = OpCompositeExtract %uint %id 0\n"
    "%i2 = OpIAdd %uint %lane %c8\n%i3 = OpIAdd %uint %lane %c16\n%i4 = OpIAdd %uint %lane %c24\n"
    "%i5 = OpIAdd %uint %lane %c32\n"
    "%at = OpAccessChain %p_uint %data %c0 %lane\n%at2 = OpAccessChain %p_uint %data %c0 %i2\n"
    "%at3 = OpAccessChain %p_uint %data %c0 %i3\n%at4 = OpAccessChain %p_uint %data %c0 %i4\n"
    "%at5 = OpAccessChain %p_uint %data %c0 %i5\n"
    "%x = OpLoad %uint %at\n%y = OpLoad %uint %at2\n%z = OpLoad %uint %at3\n%bits = OpLoad %uint "
    "%at4\n"
    "OpStore %pa %x\nOpStore %pb %y\n"
    "%signed = OpBitcast %int %x\n%pair = OpCompositeConstruct %uint2 %x %y\n"
    "%low = OpBitwiseAnd %uint %bits %c3\n%shifted = OpShiftRightLogical %uint %bits %c2\n"
    "%high = OpBitwiseAnd %uint %shifted %c3\n";

/* The bits of `bits`, as branch conditions. */
static void add_bits(Text *t) {
  for (int b = 0; b < 4; b++) {
    char line[200];
    snprintf(line, sizeof line,
             "%%moved%d = OpShiftRightLogical %%uint %%bits %%%s\n%%b%d = OpBitwiseAnd %%uint "
             "%%moved%d %%c1\n"
             "%%bit%d = OpIEqual %%bool %%b%d %%c1\n",
             b,
             b == 0   ? "c3"
             : b == 1 ? "c5"
             : b == 2 ? "c6"
                      : "c7",
             b, b, b, b);
    add(t, line);
  }
}

/* Declarations for the rows that the oracle does not run. */
static void add_strange(Text *t) {
  add(t, "%f = OpBitcast %float %x\n%shared0 = OpAccessChain %p_shared %shared %c1\n"
         "%image1 = OpLoad %sampled %img1\n%image2 = OpLoad %sampled %img2\n");
}

static void add_arm(Text *t, const Twin *twin, int side, int arm) {
  add_named(t, "%tw@ = OpLabel\n", 15, arm);
  add_named(t, text_of(twin, side), strlen(text_of(twin, side)), arm);
  add(t, twin->shape == TWIN_ARM ? "\nOpBranch %join\n" : "\n");
}

/* The blocks that only arms lead to. */
static void add_other_joins(Text *t) {
  if (strstr(t->at, "%join2"))
    add(t, "%join2 = OpLabel\nOpStore %at4 %c5\nOpReturn\n");
  if (strstr(t->at, "%join3"))
    add(t, "%join3 = OpLabel\nOpStore %at4 %c6\nOpReturn\n");
}

static void add_arms(Text *t, const Case *c) {
  const Twin *twin = c->twin;
  add(t, "OpBranchConditional %bit0 %p %q\n"
         "%p = OpLabel\nOpStore %at5 %c1\nOpBranchConditional %bit1 %tw_l %join\n"
         "%q = OpLabel\nOpStore %at5 %c2\nOpBranchConditional %bit1 %tw_r %join\n");
  for (int arm = 0; arm < 2; arm++)
    add_arm(t, twin, c->arms[arm], arm);
  add_other_joins(t);
  add(t, "%join = OpLabel\n%out = OpPhi %uint %c0 %p %c0 %q");
  for (int arm = 0; arm < 2; arm++) {
    Text from = {.length = 0};
    add_side(&from, twin->from ? twin->from : "%tw@", c->arms[arm], arm);
    if (!from.length)
      continue;
    add(t, " ");
    add_side(t, twin->value ? twin->value : "%c7", c->arms[arm], arm);
    add(t, " ");
    add(t, from.at);
  }
  add(t, "\nOpStore %at4 %out\nOpReturn");
}

static void write_text(Case *c) {
  Text *t = &c->text;
  t->length = 0;
  add(t, head);
  for (int arm = 0; arm < 2; arm++)
    add_globals(t, c->twin, c->arms[arm], arm);
  add(t, types);
  add_bits(t);
  if (c->twin->strange)
    add_strange(t);
  if (c->twin->shape == TWIN_WHOLE)
    add(t, text_of(c->twin, c->arms[0]));
  else
    add_arms(t, c);
  add(t, "\nOpFunctionEnd\n");
}

/* ---- checks ---------------------------------------------------------------------------------- */

static const char *const side_name[] = {"left", "right"};

static void write_case(const Case *c, const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/twins_%u.spvasm", folder, cases);
  FILE *f = fopen(path, "w");
  if (f) {
    fputs(c->text.at, f);
    fclose(f);
  }
}

static void fail(const Case *c, const char *what, const char *why) {
  printf("FAIL: %s (%s, %s): %s: %s\n", c->twin->name, side_name[c->arms[0]], side_name[c->arms[1]],
         what, why ? why : "");
  failures++;
  if (keep)
    write_case(c, keep);
}

static spvreconv_result *run(const Case *c, const char *transform, spvreconv_validate validate) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  o.validate = validate;
  o.target_env = "spv1.5";
  o.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  spvreconv_result *r;
  if (spvreconv_run(&o, c->in->code, c->in->wordCount, &r) != SPVRECONV_OK)
    fail(c, transform, spvreconv_result_message(r));
  return r;
}

static uint32_t merged_blocks(const spvreconv_result *r) {
  uint32_t n = 0;
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(r, i)); i++)
    n += f->transform->merged_blocks;
  return n;
}

static void check_count(const Case *c, const spvreconv_result *r) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  uint32_t merged = merged_blocks(r);
  char why[80];
  if (merged != c->merged) {
    snprintf(why, sizeof why, "%u blocks merged, not %u", merged, c->merged);
    fail(c, "merge-copies", why);
  }
  bool same = count == c->in->wordCount && memcmp(words, c->in->code, 4 * count) == 0;
  if (c->twin->folds && !c->arms[0] && same)
    fail(c, "merge-copies", "the module was not changed");
  if (!c->merged && !same && !(c->twin->folds && !c->arms[0]))
    fail(c, "merge-copies", "the module was changed");
}

static void check_same(const Case *c, const char *what, const spvreconv_result *r) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(r, &count);
  for (uint64_t seed = 1; words && !c->twin->strange && seed <= ROUNDS; seed++) {
    OracleResult a, b;
    oracle_run(c->in->code, c->in->wordCount, seed, STEPS, &a);
    oracle_run(words, count, seed, STEPS, &b);
    if (!a.ok)
      fail(c, "input", a.message);
    else if (!b.ok)
      fail(c, what, b.message);
    else if (!oracle_equal(&a, &b))
      fail(c, what, "it computes something else");
    else
      continue;
    return;
  }
}

static bool assemble(Case *c, spv_context context) {
  spv_diagnostic why = NULL;
  if (spvTextToBinary(context, c->text.at, c->text.length, &c->in, &why) == SPV_SUCCESS)
    return true;
  fail(c, "assembly", why->error);
  spvDiagnosticDestroy(why);
  return false;
}

static void test_case(const Twin *twin, int first, int second, uint32_t merged) {
  static Case c;
  c = (Case){.twin = twin, .arms = {first, second}, .merged = merged};
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
  cases++;
  write_text(&c);
  if (all)
    write_case(&c, all);
  if (assemble(&c, context)) {
    spvreconv_result_destroy(run(&c, "structurize", SPVRECONV_VALIDATE_FULL));
    spvreconv_result *r = run(&c, "merge-copies", SPVRECONV_VALIDATE_NONE);
    check_count(&c, r);
    check_same(&c, "merge-copies", r);
    spvreconv_result_destroy(r);
    r = run(&c, "merge-copies,structurize", SPVRECONV_VALIDATE_FULL);
    check_same(&c, "merge-copies,structurize", r);
    spvreconv_result_destroy(r);
  }
  spvBinaryDestroy(c.in);
  spvContextDestroy(context);
}

static void test_table(const Twin *t) {
  for (; t->name; t++) {
    if (only && strcmp(only, t->name) != 0)
      continue;
    test_case(t, 0, 0, t->twins);
    if (t->shape == TWIN_WHOLE) {
      test_case(t, 1, 1, t->near);
      continue;
    }
    if (!t->lopsided)
      test_case(t, 1, 1, t->twins);
    test_case(t, 0, 1, t->near);
    test_case(t, 1, 0, t->near);
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--keep=", 7) == 0)
      keep = argv[i] + 7;
    else if (strncmp(argv[i], "--all=", 6) == 0)
      all = argv[i] + 6;
    else
      only = argv[i];
  test_table(twin_fields);
  test_table(twin_arms);
  test_table(twin_loops);
  test_table(twin_wholes);
  printf("%u modules, %u failures\n", cases, failures);
  return failures || !cases;
}
