/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches whose last subgroups are not full: the builtins of every invocation, operations of its
 * subgroup and its workgroup, and the cost of memory instructions, compared with formulas of the
 * invocation's position. Every shape runs under every policy that does not need structured control
 * flow, and with several threads. */
#include "tests/unit/unit.h"

#include <spirv-tools/libspirv.h>
#include <spv-emu/spv_emu.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Shape {
  uint32_t local[3], groups[3], lanes, segment; /* lanes: subgroup size; bytes of a transaction */
} Shape;

static const Shape shapes[] = {
    {{8, 1, 1}, {1, 1, 1}, 8, 128},  {{5, 1, 1}, {3, 1, 1}, 4, 128},
    {{3, 2, 2}, {2, 3, 1}, 8, 64},   {{7, 3, 1}, {1, 2, 2}, 16, 256},
    {{2, 2, 5}, {1, 1, 3}, 1, 32},   {{33, 1, 1}, {2, 1, 1}, 32, 128},
    {{1, 1, 1}, {4, 2, 1}, 32, 128}, {{65, 1, 1}, {2, 1, 1}, 64, 4},
    {{4, 4, 3}, {2, 2, 2}, 3, 128},  {{10, 13, 1}, {1, 1, 2}, 128, 512},
};

/* What each invocation writes, one word for each column. */
enum {
  LOCAL_ID,
  GLOBAL_ID = LOCAL_ID + 3,
  GROUP_ID = GLOBAL_ID + 3,
  GROUPS = GROUP_ID + 3,
  LOCAL_INDEX = GROUPS + 3,
  SUBGROUP_SIZE,
  SUBGROUPS,
  SUBGROUP_ID,
  LANE,
  EQ_MASK,
  GE_MASK = EQ_MASK + 4,
  GT_MASK = GE_MASK + 4,
  LE_MASK = GT_MASK + 4,
  LT_MASK = LE_MASK + 4,
  SUM = LT_MASK + 4, /* over the subgroup, of 1 */
  RANK,              /* exclusive scan of 1 */
  CLUSTER,           /* sum of 1 over clusters of four; of subgroups that have any */
  BALLOT,
  BALLOT_COUNT = BALLOT + 4,
  BALLOT_HIGH,
  ELECTED,
  FIRST,  /* local index of the first lane */
  BELOW,  /* of the next lane, 0 for the last */
  TICKET, /* from the workgroup's counter */
  ALL_BELOW,
  COLUMNS
};

/* ---- the shader ------------------------------------------------------------------------------ */

typedef struct Text {
  char at[1 << 15];
  size_t length;
  uint32_t column; /* the next to write */
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  t->length += (size_t)vsnprintf(t->at + t->length, sizeof t->at - t->length, format, list);
  va_end(list);
  assert_true(t->length < sizeof t->at);
}

typedef struct Input {
  const char *builtin;
  uint32_t components;
} Input;

static const Input inputs[] = {
    {"LocalInvocationId", 3}, {"GlobalInvocationId", 3},   {"WorkgroupId", 3},
    {"NumWorkgroups", 3},     {"LocalInvocationIndex", 1}, {"SubgroupSize", 1},
    {"NumSubgroups", 1},      {"SubgroupId", 1},           {"SubgroupLocalInvocationId", 1},
    {"SubgroupEqMask", 4},    {"SubgroupGeMask", 4},       {"SubgroupGtMask", 4},
    {"SubgroupLeMask", 4},    {"SubgroupLtMask", 4},
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static void store(Text *t, const char *value) {
  uint32_t n = t->column++;
  add(t,
      "%%column%u = OpIAdd %%uint %%base %%c%u\n"
      "%%to%u = OpAccessChain %%p_word %%out %%c0 %%column%u\nOpStore %%to%u %s\n",
      n, n, n, n, n, value);
}

static void write_head(Text *t, const Shape *s) {
  add(t, "OpCapability Shader\nOpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
         "OpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformBallot\n"
         "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformShuffleRelative\n"
         "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"");
  for (uint32_t i = 0; i < INPUTS; i++)
    add(t, " %%in%u", i);
  add(t, "\nOpExecutionMode %%main LocalSize %u %u %u\n", s->local[0], s->local[1], s->local[2]);
  for (uint32_t i = 0; i < INPUTS; i++)
    add(t, "OpDecorate %%in%u BuiltIn %s\n", i, inputs[i].builtin);
  add(t, "OpDecorate %%words ArrayStride 4\nOpDecorate %%Data Block\n"
         "OpMemberDecorate %%Data 0 Offset 0\nOpDecorate %%out DescriptorSet 0\n"
         "OpDecorate %%out Binding 0\nOpDecorate %%count DescriptorSet 0\n"
         "OpDecorate %%count Binding 1\n%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n"
         "%%bool = OpTypeBool\n%%uint = OpTypeInt 32 0\n%%uint1 = OpTypeInt 32 1\n"
         "%%uint3 = OpTypeVector %%uint 3\n%%uint4 = OpTypeVector %%uint 4\n"
         "%%words = OpTypeRuntimeArray %%uint\n%%Data = OpTypeStruct %%words\n"
         "%%p_Data = OpTypePointer StorageBuffer %%Data\n"
         "%%p_word = OpTypePointer StorageBuffer %%uint\n%%p_in1 = OpTypePointer Input %%uint\n"
         "%%p_in3 = OpTypePointer Input %%uint3\n%%p_in4 = OpTypePointer Input %%uint4\n"
         "%%yes = OpConstantTrue %%bool\n%%out = OpVariable %%p_Data StorageBuffer\n"
         "%%count = OpVariable %%p_Data StorageBuffer\n");
  for (uint32_t i = 0; i <= COLUMNS; i++)
    add(t, "%%c%u = OpConstant %%uint %u\n", i, i);
  add(t, "%%local = OpConstant %%uint %u\n", s->local[0] * s->local[1] * s->local[2]);
  for (uint32_t i = 0; i < INPUTS; i++)
    add(t, "%%in%u = OpVariable %%p_in%u Input\n", i, inputs[i].components);
}

static void write_inputs(Text *t) {
  for (uint32_t i = 0; i < INPUTS; i++) {
    uint32_t n = inputs[i].components;
    add(t, "%%v%u = OpLoad %%uint%s %%in%u\n", i, n == 3 ? "3" : n == 4 ? "4" : "", i);
    for (uint32_t c = 0; n > 1 && c < n; c++)
      add(t, "%%v%u_%u = OpCompositeExtract %%uint %%v%u %u\n", i, c, i, c);
  }
  /* the workgroup's number, and the invocation's first word */
  add(t,
      "%%g1 = OpIMul %%uint %%v2_2 %%v3_1\n%%g2 = OpIAdd %%uint %%g1 %%v2_1\n"
      "%%g3 = OpIMul %%uint %%g2 %%v3_0\n%%group = OpIAdd %%uint %%g3 %%v2_0\n"
      "%%b1 = OpIMul %%uint %%group %%local\n%%b2 = OpIAdd %%uint %%b1 %%v4\n"
      "%%base = OpIMul %%uint %%b2 %%c%d\n",
      COLUMNS);
  for (uint32_t i = 0; i < INPUTS; i++)
    for (uint32_t c = 0; c < inputs[i].components; c++) {
      char name[16];
      snprintf(name, sizeof name, inputs[i].components > 1 ? "%%v%u_%u" : "%%v%u", i, c);
      store(t, name);
    }
}

static void write_operations(Text *t, bool clusters) {
  add(t, "%%sum = OpGroupNonUniformIAdd %%uint %%c3 Reduce %%c1\n"
         "%%rank = OpGroupNonUniformIAdd %%uint %%c3 ExclusiveScan %%c1\n"
         "%%ballot = OpGroupNonUniformBallot %%uint4 %%c3 %%yes\n"
         "%%high = OpGroupNonUniformBallotFindMSB %%uint %%c3 %%ballot\n"
         "%%bits = OpGroupNonUniformBallotBitCount %%uint %%c3 Reduce %%ballot\n"
         "%%elect = OpGroupNonUniformElect %%bool %%c3\n"
         "%%elected = OpSelect %%uint %%elect %%c1 %%c0\n"
         "%%first = OpGroupNonUniformBroadcastFirst %%uint %%c3 %%v4\n"
         "%%below = OpGroupNonUniformShuffleDown %%uint %%c3 %%v4 %%c1\n"
         "%%bell = OpAccessChain %%p_word %%count %%c0 %%group\n"
         "%%ticket = OpAtomicIAdd %%uint %%bell %%c1 %%c0 %%c1\n"
         "%%small = OpULessThan %%bool %%v8 %%c3\n"
         "%%all = OpGroupNonUniformAll %%bool %%c3 %%small\n"
         "%%allword = OpSelect %%uint %%all %%c1 %%c0\n");
  if (clusters)
    add(t, "%%cluster = OpGroupNonUniformIAdd %%uint %%c3 ClusteredReduce %%c1 %%c4\n");
  store(t, "%sum");
  store(t, "%rank");
  store(t, clusters ? "%cluster" : "%c0");
  for (int c = 0; c < 4; c++) {
    char name[16];
    snprintf(name, sizeof name, "%%ballot%d", c);
    add(t, "%s = OpCompositeExtract %%uint %%ballot %d\n", name, c);
    store(t, name);
  }
  static const char *const rest[] = {"%bits",  "%high",   "%elected", "%first",
                                     "%below", "%ticket", "%allword"};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
    store(t, rest[i]);
}

static bool has_clusters(const Shape *s) {
  return s->lanes % 4 == 0;
}

static spv_emu_program *load(const Shape *s) {
  static Text t;
  t = (Text){.length = 0};
  write_head(&t, s);
  add(&t, "%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n");
  write_inputs(&t);
  write_operations(&t, has_clusters(s));
  add(&t, "OpReturn\nOpFunctionEnd\n");
  assert_int_equal(t.column, COLUMNS);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_binary binary = NULL;
  spv_diagnostic why = NULL;
  if (spvTextToBinary(context, t.at, t.length, &binary, &why) != SPV_SUCCESS)
    fail_msg("line %zu: %s", why->position.line + 1, why->error);
  const spv_emu_load_options options = {.subgroup_size = s->lanes, .check_uniform = true};
  spv_emu_program *program = NULL;
  char message[300];
  if (spv_emu_load(binary->code, binary->wordCount, &options, &program, message, sizeof message) !=
      SPV_EMU_OK)
    fail_msg("%s", message);
  spvBinaryDestroy(binary);
  spvDiagnosticDestroy(why);
  spvContextDestroy(context);
  return program;
}

/* ---- expected results ------------------------------------------------------------------------ */

typedef struct At {
  const Shape *s;
  uint32_t group[3], index, size; /* index in the workgroup, of `size` invocations */
  uint32_t lane, first, end;      /* of the subgroup: index of its first, and after its last */
} At;

static At at_of(const Shape *s, uint32_t group, uint32_t index) {
  At at = {.s = s, .index = index, .size = s->local[0] * s->local[1] * s->local[2]};
  at.group[0] = group % s->groups[0];
  at.group[1] = group / s->groups[0] % s->groups[1];
  at.group[2] = group / s->groups[0] / s->groups[1];
  at.lane = index % s->lanes;
  at.first = index - at.lane;
  at.end = at.first + s->lanes < at.size ? at.first + s->lanes : at.size;
  return at;
}

/* Bits of lanes from `low` to before `high`, of word n. */
static uint32_t bits(uint32_t low, uint32_t high, uint32_t n) {
  uint32_t word = 0;
  for (uint32_t b = 0; b < 32; b++)
    word |= (uint32_t)(32 * n + b >= low && 32 * n + b < high) << b;
  return word;
}

static uint32_t local_id(const At *at, uint32_t c) {
  const uint32_t *size = at->s->local;
  return c == 0   ? at->index % size[0]
         : c == 1 ? at->index / size[0] % size[1]
                  : at->index / size[0] / size[1];
}

static uint32_t expected_input(const At *at, uint32_t column) {
  const Shape *s = at->s;
  if (column < GLOBAL_ID)
    return local_id(at, column);
  if (column < GROUP_ID)
    return at->group[column - GLOBAL_ID] * s->local[column - GLOBAL_ID] +
           local_id(at, column - GLOBAL_ID);
  if (column < GROUPS)
    return at->group[column - GROUP_ID];
  if (column < LOCAL_INDEX)
    return s->groups[column - GROUPS];
  switch (column) {
  case LOCAL_INDEX:
    return at->index;
  case SUBGROUP_SIZE:
    return s->lanes;
  case SUBGROUPS:
    return (at->size + s->lanes - 1) / s->lanes;
  case SUBGROUP_ID:
    return at->index / s->lanes;
  default:
    return at->lane;
  }
}

static uint32_t expected_mask(const At *at, uint32_t column) {
  uint32_t lanes = at->s->lanes < 128 ? at->s->lanes : 128;
  if (column < GE_MASK)
    return bits(at->lane, at->lane + 1, column - EQ_MASK);
  if (column < GT_MASK)
    return bits(at->lane, lanes, column - GE_MASK);
  if (column < LE_MASK)
    return bits(at->lane + 1, lanes, column - GT_MASK);
  if (column < LT_MASK)
    return bits(0, at->lane + 1, column - LE_MASK);
  return bits(0, at->lane, column - LT_MASK);
}

/* How many lanes of the subgroup exist in the lane's cluster of four. */
static uint32_t in_cluster(const At *at) {
  uint32_t first = at->lane / 4 * 4, here = at->end - at->first;
  return !has_clusters(at->s) ? 0 : here - first < 4 ? here - first : 4;
}

static uint32_t expected(const At *at, uint32_t column) {
  uint32_t here = at->end - at->first; /* lanes that exist */
  if (column < EQ_MASK)
    return expected_input(at, column);
  if (column < SUM)
    return expected_mask(at, column);
  if (column >= BALLOT && column < BALLOT_COUNT)
    return bits(0, here, column - BALLOT);
  switch (column) {
  case SUM:
  case BALLOT_COUNT:
    return here;
  case RANK:
    return at->lane;
  case CLUSTER:
    return in_cluster(at);
  case BALLOT_HIGH:
    return here - 1;
  case ELECTED:
    return at->lane == 0;
  case FIRST:
    return at->first;
  case BELOW:
    return at->index + 1 < at->end ? at->index + 1 : 0;
  default:
    return here <= 3;
  }
}

/* The tickets of a subgroup are consecutive, by lane; those of a workgroup are 0 to size - 1. */
static void check_tickets(const Shape *s, const uint32_t *out, uint32_t group, uint32_t size) {
  bool seen[256] = {false};
  for (uint32_t i = 0; i < size; i++) {
    At at = at_of(s, group, i);
    uint32_t ticket = out[(size_t)(group * size + i) * COLUMNS + TICKET];
    uint32_t first = out[(size_t)(group * size + at.first) * COLUMNS + TICKET];
    assert_int_equal(ticket, first + at.lane);
    assert_true(ticket < size && !seen[ticket]);
    seen[ticket] = true;
  }
}

static void check_words(const Shape *s, const uint32_t *out, const char *policy) {
  uint32_t size = s->local[0] * s->local[1] * s->local[2];
  uint32_t groups = s->groups[0] * s->groups[1] * s->groups[2];
  for (uint32_t g = 0; g < groups; g++) {
    check_tickets(s, out, g, size);
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t c = 0; c < COLUMNS; c++) {
        At at = at_of(s, g, i);
        uint32_t is = out[(size_t)(g * size + i) * COLUMNS + c];
        if (c != TICKET && is != expected(&at, c))
          fail_msg("%s, %u lanes, group %u, invocation %u, column %u: %u, not %u", policy, s->lanes,
                   g, i, c, is, expected(&at, c));
      }
  }
}

/* Places that the stores of a column touch, in all subgroups; a lane's words may be far apart. */
static uint64_t places_of_stores(const Shape *s, uint32_t groups, uint32_t size) {
  uint64_t sum = 0;
  for (uint32_t g = 0; g < groups; g++)
    for (uint32_t first = 0; first < size; first += s->lanes)
      for (uint32_t c = 0; c < COLUMNS; c++) {
        uint64_t last = UINT64_MAX;
        for (uint32_t i = first; i < first + s->lanes && i < size; i++) {
          uint64_t place = ((uint64_t)(g * size + i) * COLUMNS + c) * 4 / s->segment;
          sum += place != last;
          last = place;
        }
      }
  return sum;
}

static void check_counts(const Shape *s, const spv_emu_result *r) {
  uint32_t size = s->local[0] * s->local[1] * s->local[2];
  uint32_t groups = s->groups[0] * s->groups[1] * s->groups[2];
  uint32_t subgroups = groups * ((size + s->lanes - 1) / s->lanes);
  uint64_t places = places_of_stores(s, groups, size) + subgroups; /* one atomic each */
  assert_int_equal(r->subgroups, subgroups);
  assert_int_equal(r->subgroup_size, s->lanes);
  assert_int_equal(r->memory_issues, (uint64_t)subgroups * (COLUMNS + 1));
  assert_int_equal(r->memory_transactions, places);
  assert_int_equal(r->out_of_bounds, 0);
  assert_int_equal(r->lane_instructions * subgroups, r->issued * groups * size);
  double activity = (double)groups * size / ((double)subgroups * s->lanes);
  assert_true(r->activity_factor > activity - 1e-9 && r->activity_factor < activity + 1e-9);
}

static void run_shape(const Shape *s, const char *policy, uint32_t threads) {
  uint32_t size = s->local[0] * s->local[1] * s->local[2];
  uint32_t groups = s->groups[0] * s->groups[1] * s->groups[2];
  size_t bytes = (size_t)size * groups * COLUMNS * 4;
  uint32_t *out = calloc(1, bytes), counts[64] = {0};
  assert_non_null(out);
  spv_emu_program *program = load(s);
  spv_emu_buffer buffers[] = {{0, 0, 0, out, bytes}, {0, 1, 0, counts, sizeof counts}};
  spv_emu_run_options options = {.policy = policy,
                                 .buffers = buffers,
                                 .buffer_count = 2,
                                 .segment_bytes = s->segment,
                                 .threads = threads};
  memcpy(options.groups, s->groups, sizeof options.groups);
  spv_emu_result *result = NULL;
  char message[300];
  if (spv_emu_run(program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s: %s", policy, message);
  if (result->outcome != SPV_EMU_RAN)
    fail_msg("%s: %s", policy, result->message);
  check_words(s, out, policy);
  check_counts(s, result);
  spv_emu_result_free(result);
  spv_emu_free(program);
  free(out);
}

static void every_shape(void **state) {
  (void)state;
  static const char *const policies[] = {"none",    "pdom",       "tf-stack", "tf-sandy",
                                         "maximal", "structured", "ssy"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
      run_shape(&shapes[i], policies[p], 1);
}

static void with_threads(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    run_shape(&shapes[i], "pdom", 3);
}

static void bad_segment(void **state) {
  (void)state;
  spv_emu_program *program = load(&shapes[0]);
  spv_emu_run_options options = {.policy = "none", .segment_bytes = 100, .groups = {1, 1, 1}};
  spv_emu_result *result = NULL;
  char message[300];
  assert_int_equal(spv_emu_run(program, &options, &result, message, sizeof message),
                   SPV_EMU_BAD_INPUT);
  assert_string_equal(message, "a memory segment of 100 bytes: it must be a power of two");
  spv_emu_free(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape),
      cmocka_unit_test(bad_segment),
      cmocka_unit_test(with_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
