/* SPDX-License-Identifier: Apache-2.0 */
/* merge-copies looks blocks up by a hash and then compares them word by word. If the hashes differ,
 * the comparison never runs, so tests of the whole transform (tests/equiv/test_twins.c) cannot show
 * whether it is complete. Here it is called directly, and with so many blocks that some which
 * differ have the same 32-bit hash. */
#include "passes/analysis/graph/cfg.h"
#include "passes/transform/merge/merge_blocks.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 200, RIGHT = 300 };

typedef struct Row {
  const char *name, *left, *right; /* the blocks, without their labels */
  bool fit;
} Row;

#define SWITCH(CASES) "OpSwitch %low " CASES "\n"

static const Row rows[] = {
    {"the same", "OpStore %own %c1\nOpBranch %join\n", "OpStore %own %c1\nOpBranch %join\n", true},
    {"other value", "OpStore %own %x\nOpBranch %join\n", "OpStore %own %y\nOpBranch %join\n", true},
    {"constant", "OpStore %own %c1\nOpBranch %join\n", "OpStore %own %c2\nOpBranch %join\n", false},
    {"constant of the last instruction", "OpStore %own %x\nOpStore %own %c1\nOpBranch %join\n",
     "OpStore %own %x\nOpStore %own %c2\nOpBranch %join\n", false},
    {"one word more", "OpStore %own %x\nOpBranch %join\n",
     "OpStore %own %x Volatile\nOpBranch %join\n", false},
    {"first part the same", "OpStore %own %x\nOpBranch %join\n",
     "OpStore %own %x\nOpStore %own %x\nOpBranch %join\n", false},
    {"target", "OpStore %own %x\nOpBranch %join\n", "OpStore %own %x\nOpBranch %other\n", false},
    {"targets swapped", "OpBranchConditional %t %join %other\n",
     "OpBranchConditional %t %other %join\n", false},
    {"which case leads where", SWITCH("%join 1 %other 2 %join"), SWITCH("%join 1 %other 2 %other"),
     false},
};

static const char frame[] =
    "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
    "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
    "%%uint = OpTypeInt 32 0\n%%p_own = OpTypePointer Private %%uint\n"
    "%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n%%own = OpVariable %%p_own Private\n"
    "%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n"
    "%%x = OpLoad %%uint %%own\n%%y = OpLoad %%uint %%own\n%%low = OpLoad %%uint %%own\n"
    "%%t = OpIEqual %%bool %%x %%y\nOpBranchConditional %%t %%p %%q\n"
    "%%p = OpLabel\nOpBranchConditional %%t %%200 %%join\n"
    "%%q = OpLabel\nOpBranchConditional %%t %%300 %%other\n"
    "%%200 = OpLabel\n%s%%300 = OpLabel\n%s"
    "%%join = OpLabel\nOpStore %%own %%c1\nOpReturn\n"
    "%%other = OpLabel\nOpStore %%own %%c2\nOpReturn\nOpFunctionEnd\n";

static SrMergeGraph *make_graph(SrArena *arena, const Row *row) {
  char text[4096];
  snprintf(text, sizeof text, frame, row->left, row->right);
  SrModule *m = assembled(arena, text);
  const SrGraph *g = sr_cfg_build(arena, m, &m->functions[0]);
  return sr_merge_graph_new(m, &m->functions[0], arena, g, sr_nest_build(arena, g));
}

static void check_row(const Row *row) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrMergeGraph *g = make_graph(&arena, row);
  uint32_t l = sr_block_of(g->m, LEFT), r = sr_block_of(g->m, RIGHT);
  if (sr_merge_fits(g, l, r) != row->fit || sr_merge_fits(g, r, l) != row->fit)
    fail_msg("%s: the blocks %s", row->name, row->fit ? "do not fit" : "fit");
  if (row->fit)
    assert_true(sr_merge_hash(g, l) == sr_merge_hash(g, r));
  assert_false(sr_merge_fits(g, l, l));
  g->block[l].gone = true;
  assert_false(sr_merge_fits(g, l, r));
  assert_false(sr_merge_fits(g, r, l));
  sr_heap_free_all(&heap);
}

static void fits_only_where_all_is_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
}

/* ---- many blocks ---- */

/*      entry -> w1 -> w2 -> ... -> join      each w leads also to its member m, and all members to
 *                |     |                     the join; the members differ in one constant
 *                m1    m2
 */

/* So many that some have the same hash of 32 bits; fewer under sanitizers, which are slow. */
#ifdef SPVRECONV_SANITIZED
enum { CROWD = 25000 };
#else
enum { CROWD = 200000 };
#endif
enum { HEADER = 5, MEMBER_ID = 100 };

typedef struct Words {
  uint32_t *at;
  size_t count;
} Words;

static void emit(Words *w, uint32_t op, uint32_t count, const uint32_t *operands) {
  w->at[w->count++] = (count + 1) << 16 | op;
  memcpy(&w->at[w->count], operands, count * sizeof *operands);
  w->count += count;
}

#define EMIT(w, op, ...)                                                                           \
  emit(w, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

enum { VOID = 1, PROC, BOOL, UINT, P_OWN, TRUE, OWN, MAIN, ENTRY, JOIN };

static uint32_t constant_id(uint32_t i) {
  return MEMBER_ID + 3 * i;
}
static uint32_t way_id(uint32_t i) {
  return i < CROWD ? MEMBER_ID + 3 * i + 1 : JOIN;
}
static uint32_t member_id(uint32_t i) {
  return MEMBER_ID + 3 * i + 2;
}

static void emit_globals(Words *w) {
  EMIT(w, SpvOpCapability, SpvCapabilityShader);
  EMIT(w, SpvOpCapability, SpvCapabilityLinkage);
  EMIT(w, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
  EMIT(w, SpvOpTypeVoid, VOID);
  EMIT(w, SpvOpTypeFunction, PROC, VOID);
  EMIT(w, SpvOpTypeBool, BOOL);
  EMIT(w, SpvOpTypeInt, UINT, 32, 0);
  EMIT(w, SpvOpTypePointer, P_OWN, SpvStorageClassPrivate, UINT);
  EMIT(w, SpvOpConstantTrue, BOOL, TRUE);
  for (uint32_t i = 0; i < CROWD; i++)
    EMIT(w, SpvOpConstant, UINT, constant_id(i), i);
  EMIT(w, SpvOpVariable, P_OWN, OWN, SpvStorageClassPrivate);
}

/* Blocks, or loops of one block, which differ in a constant; or loops which differ in their exit,
 * `next`. */
typedef enum Crowd { BLOCKS, LOOPS, EXITS } Crowd;

static void emit_crowd(Words *w, Crowd crowd) {
  EMIT(w, SpvOpFunction, VOID, MAIN, 0, PROC);
  EMIT(w, SpvOpLabel, ENTRY);
  EMIT(w, SpvOpBranch, way_id(0));
  for (uint32_t i = 0; i < CROWD; i++) {
    EMIT(w, SpvOpLabel, way_id(i));
    EMIT(w, SpvOpBranchConditional, TRUE, member_id(i), way_id(i + 1));
    EMIT(w, SpvOpLabel, member_id(i));
    EMIT(w, SpvOpStore, OWN, constant_id(crowd == EXITS ? 0 : i));
    if (crowd == BLOCKS)
      EMIT(w, SpvOpBranch, JOIN);
    else
      EMIT(w, SpvOpBranchConditional, TRUE, member_id(i), crowd == EXITS ? way_id(i + 1) : JOIN);
  }
  EMIT(w, SpvOpLabel, JOIN);
  emit(w, SpvOpReturn, 0, &w->at[0]);
  emit(w, SpvOpFunctionEnd, 0, &w->at[0]);
}

static uint32_t merged_blocks(const Words *w) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "merge-copies";
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.want = SPVRECONV_WANT_STATS;
  spvreconv_result *r;
  if (spvreconv_run(&o, w->at, w->count, &r) != SPVRECONV_OK)
    fail_msg("%s", spvreconv_result_message(r));
  uint32_t merged = spvreconv_result_function(r, 0)->transform->merged_blocks;
  spvreconv_result_destroy(r);
  return merged;
}

static void check_crowd(Crowd crowd) {
  Words w = {malloc((16 + (size_t)20 * CROWD) * 4 + 4096), HEADER};
  assert_non_null(w.at);
  memcpy(w.at, (uint32_t[]){SpvMagicNumber, 0x00010300, 0, MEMBER_ID + 3 * CROWD, 0}, HEADER * 4);
  emit_globals(&w);
  emit_crowd(&w, crowd);
  assert_int_equal(merged_blocks(&w), 0);
  free(w.at);
}

static void a_shared_hash_is_not_enough(void **state) {
  (void)state;
  check_crowd(BLOCKS);
}

static void a_shared_hash_is_not_enough_for_loops(void **state) {
  (void)state;
  check_crowd(LOOPS);
  check_crowd(EXITS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fits_only_where_all_is_the_same),
      cmocka_unit_test(a_shared_hash_is_not_enough),
      cmocka_unit_test(a_shared_hash_is_not_enough_for_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
