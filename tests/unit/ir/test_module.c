/* SPDX-License-Identifier: Apache-2.0 */
/* Reader, writer, edits, constants and decorations. Modules are assembly text, for the reader of
 * the tests. */
#include "passes/ir/byte_order.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/finish.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>

typedef struct World {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
  spv_binary binary;
  SrModule *m;
} World;

static SrStatus read_words(World *w, const uint32_t *words, size_t count) {
  sr_heap_init(&w->heap);
  w->arena = sr_arena_new(&w->heap);
  return sr_read(&w->arena, &w->diag, words, count, &w->m);
}

static SrStatus read_text(World *w, const char *text) {
  *w = (World){0};
  w->binary = assembled_words(SPV_ENV_UNIVERSAL_1_6, text);
  return read_words(w, w->binary->code, w->binary->wordCount);
}

static void done(World *w) {
  spvBinaryDestroy(w->binary);
  sr_heap_free_all(&w->heap);
}

#define HEAD                                                                                       \
  "OpCapability Shader\n"                                                                          \
  "OpMemoryModel Logical GLSL450\n"                                                                \
  "OpEntryPoint GLCompute %1 \"main\"\n"                                                           \
  "OpExecutionMode %1 LocalSize 1 1 1\n"

#define BODY                                                                                       \
  "%2 = OpTypeVoid\n"                                                                              \
  "%3 = OpTypeFunction %2\n"                                                                       \
  "%4 = OpTypeBool\n"                                                                              \
  "%5 = OpConstantTrue %4\n"                                                                       \
  "%6 = OpTypeInt 32 0\n"                                                                          \
  "%7 = OpConstant %6 7\n"                                                                         \
  "%1 = OpFunction %2 None %3\n"                                                                   \
  "%10 = OpLabel\n"                                                                                \
  "OpSwitch %7 %11 1 %12 9 %11\n"                                                                  \
  "%11 = OpLabel\n"                                                                                \
  "OpBranch %12\n"                                                                                 \
  "%12 = OpLabel\n"                                                                                \
  "%13 = OpPhi %6 %7 %10 %7 %11\n"                                                                 \
  "OpReturn\n"                                                                                     \
  "OpFunctionEnd\n"

static void round_trip_is_exact(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  size_t count;
  const uint32_t *out = sr_write(w.m, &w.arena, &count);
  assert_int_equal(count, w.binary->wordCount);
  assert_memory_equal(out, w.binary->code, count * sizeof *out);
  done(&w);
}

static void other_byte_order_is_refused(void **unused) {
  (void)unused;
  World w = {0}, swapped = {0};
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  size_t n = w.binary->wordCount;
  uint32_t words[512];
  assert_true(n <= 512);
  assert_false(sr_is_swapped(w.binary->code, n));
  sr_swap(words, w.binary->code, n);
  assert_true(sr_is_swapped(words, n));
  assert_int_equal(read_words(&swapped, words, n), SR_BAD_INPUT);
  sr_swap(words, words, n);
  assert_memory_equal(words, w.binary->code, n * sizeof *words);
  done(&swapped);
  done(&w);
}

static void layout_and_targets(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  const SrFunction *f = &w.m->functions[0];
  assert_int_equal(w.m->function_count, 1);
  assert_int_equal(f->block_count, 3);
  assert_int_equal(sr_block_of(w.m, 12), 2);
  assert_int_equal(w.m->home[13], 2);
  assert_int_equal(w.m->home[7], SR_NONE);
  const uint32_t expected[] = {11, 12, 11};
  SrRef end = sr_terminator(&f->blocks[0]);
  uint32_t count = 0;
  for (uint32_t i = 0; (i = sr_next_target(w.m, end, i)) != 0;) {
    assert_true(count < 3);
    assert_int_equal(sr_words(w.m, end)[i], expected[count++]);
  }
  assert_int_equal(count, 3);
  assert_string_equal(sr_function_name(w.m, &w.arena, f), "main");
  done(&w);
}

static void constants_are_interned(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  assert_int_equal(sr_type_u32(w.m), 6);
  assert_int_equal(sr_type_bool(w.m), 4);
  assert_int_equal(sr_const_u32(w.m, 7), 7);
  uint32_t ids[300];
  for (uint32_t i = 0; i < 300; i++)
    ids[i] = sr_const_u32(w.m, 1000 + i);
  for (uint32_t i = 0; i < 300; i++)
    assert_int_equal(sr_const_u32(w.m, 1000 + i), ids[i]);
  uint32_t undef = sr_undef(w.m, 6);
  assert_int_equal(sr_undef(w.m, 6), undef);
  assert_true(sr_undef(w.m, 4) != undef);
  done(&w);
}

static void decorations_through_groups(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpDecorate %20 RelaxedPrecision\n"
                                      "OpDecorate %20 NoContraction\n"
                                      "%20 = OpDecorationGroup\n"
                                      "OpGroupDecorate %20 %13\n" BODY),
                   SR_OK);
  assert_true(sr_is_decorated(w.m, 13, SpvDecorationRelaxedPrecision));
  assert_false(sr_is_decorated(w.m, 7, SpvDecorationRelaxedPrecision));
  uint32_t copy = sr_fresh_id(w.m), value = sr_fresh_id(w.m), seen = 0;
  sr_copy_decorations(w.m, 13, copy);
  sr_keep(w.m, value, sr_kept(w.m, 13));
  for (SR_EACH(w.m, r, w.m->globals))
    if (sr_inst(w.m, r)->op == SpvOpDecorate)
      seen += sr_words(w.m, r)[1] == copy ? 1 : sr_words(w.m, r)[1] == value ? 10 : 0;
  assert_int_equal(seen, 12); /* both copied; of the value's, RelaxedPrecision alone */
  done(&w);
}

/* A copy of a copy has the name too. */
static void names_of_copies(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpName %13 \"sum\"\n" BODY), SR_OK);
  uint32_t copy = sr_fresh_id(w.m), again = sr_fresh_id(w.m), names = 0;
  sr_copy_name(w.m, 7, sr_fresh_id(w.m)); /* it has none */
  sr_copy_name(w.m, 13, copy);
  sr_copy_name(w.m, copy, again);
  for (SR_EACH(w.m, r, w.m->globals))
    if (sr_inst(w.m, r)->op == SpvOpName) {
      assert_string_equal((const char *)&sr_words(w.m, r)[2], "sum");
      names += sr_words(w.m, r)[1] == 13 ? 1 : sr_words(w.m, r)[1] == copy ? 10 : 100;
    }
  assert_int_equal(names, 111);
  done(&w);
}

/* An id keeps its decorations if others get theirs in between. */
static void decorations_in_turn(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpDecorate %13 RelaxedPrecision\n" BODY), SR_OK);
  uint32_t id[2] = {sr_fresh_id(w.m), sr_fresh_id(w.m)};
  for (int i = 0; i < 2; i++)
    sr_copy_decorations(w.m, 13, id[i]);
  sr_decorate(w.m, id[0], SpvDecorationNonUniform);
  sr_decorate(w.m, id[1], SpvDecorationNoContraction);
  for (int i = 0; i < 2; i++) {
    assert_true(sr_is_decorated(w.m, id[i], SpvDecorationRelaxedPrecision));
    assert_int_equal(sr_is_decorated(w.m, id[i], SpvDecorationNonUniform), i == 0);
    assert_int_equal(sr_is_decorated(w.m, id[i], SpvDecorationNoContraction), i == 1);
  }
  done(&w);
}

/* Only equal sets are the same, whichever of two is the larger. */
static void same_decorations(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpDecorate %13 RelaxedPrecision\n" BODY), SR_OK);
  uint32_t one = sr_fresh_id(w.m), two = sr_fresh_id(w.m), none = sr_fresh_id(w.m);
  sr_copy_decorations(w.m, 13, one);
  sr_copy_decorations(w.m, 13, two);
  assert_true(sr_same_decorations(w.m, one, two));
  sr_decorate(w.m, two, SpvDecorationNonUniform);
  assert_false(sr_same_decorations(w.m, one, two));
  assert_false(sr_same_decorations(w.m, two, one));
  assert_false(sr_same_decorations(w.m, one, none));
  assert_false(sr_same_decorations(w.m, none, one));
  sr_decorate(w.m, one, SpvDecorationNoContraction);
  assert_false(sr_same_decorations(w.m, one, two));
  done(&w);
}

/* A joined value is NonUniform if one is, RelaxedPrecision if all are; OpUndef changes nothing. */
static void what_joined_values_keep(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpDecorate %13 RelaxedPrecision\n" BODY), SR_OK);
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      uint32_t id[3] = {sr_fresh_id(w.m), sr_fresh_id(w.m), sr_undef(w.m, 4)},
               to = sr_fresh_id(w.m);
      sr_keep(w.m, id[0], (SrKept){a & 1, a & 2});
      sr_keep(w.m, id[1], (SrKept){b & 1, b & 2});
      SrKept kept = sr_kept_of(w.m, id, 3);
      assert_int_equal(kept.non_uniform, (a | b) & 1);
      assert_int_equal(kept.relaxed, (a & b & 2) != 0);
      sr_keep(w.m, to, kept);
      assert_true(sr_kept_same(sr_kept(w.m, to), kept));
      assert_int_equal(sr_keeps_in_place(w.m, id[0], id[1]), !(a & 1) || (b & 1));
    }
  done(&w);
}

/* Whichever id of an OpGroupDecorate is gone: the others stay. */
static void targets_that_are_gone(void **unused) {
  (void)unused;
  static const char *const orders[] = {"%13 %5 %7", "%5 %13 %7", "%5 %7 %13", "%13 %13 %5 %7"};
  for (size_t n = 0; n < sizeof orders / sizeof *orders; n++) {
    World w;
    char text[2000];
    snprintf(text, sizeof text,
             "%sOpName %%13 \"gone\"\nOpDecorate %%13 RelaxedPrecision\n"
             "OpDecorate %%20 RelaxedPrecision\n%%20 = OpDecorationGroup\n"
             "OpGroupDecorate %%20 %s\n%s",
             HEAD, orders[n], BODY);
    assert_int_equal(read_text(&w, text), SR_OK);
    w.m->def[13] = SR_NONE;
    sr_forget_undefined(w.m);
    uint32_t names = 0, seen = 0;
    for (SR_EACH(w.m, r, w.m->globals)) {
      const uint32_t *words = sr_words(w.m, r);
      names += sr_inst(w.m, r)->op == SpvOpName;
      if (sr_inst(w.m, r)->op == SpvOpDecorate)
        assert_int_equal(words[1], 20);
      if (sr_inst(w.m, r)->op != SpvOpGroupDecorate)
        continue;
      assert_int_equal(sr_word_count(w.m, r), 4);
      seen += words[2] == 5 && words[3] == 7;
    }
    assert_int_equal(names, 0);
    assert_int_equal(seen, 1);
    done(&w);
  }
}

/* Instructions of these sets have no effect. */
static void sets_for_debugging(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(
      read_text(&w, "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
                    "%30 = OpExtInstImport \"NonSemantic.Example\"\n"
                    "%31 = OpExtInstImport \"DebugInfo\"\n"
                    "%32 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
                    "%33 = OpExtInstImport \"GLSL.std.450\"\n"
                    "%34 = OpExtInstImport \"OpenCL.std\"\n"
                    "OpMemoryModel Logical GLSL450\n%2 = OpTypeVoid\n%6 = OpTypeInt 32 0\n"
                    "%7 = OpConstant %6 7\n%3 = OpTypeFunction %2\n"
                    "%40 = OpExtInst %2 %30 1\n%41 = OpExtInst %2 %31 DebugInfoNone\n"
                    "%42 = OpExtInst %2 %32 DebugInfoNone\n"
                    "%1 = OpFunction %2 None %3\n%10 = OpLabel\n"
                    "%43 = OpExtInst %6 %33 UMin %7 %7\n%44 = OpExtInst %6 %34 u_min %7 %7\n"
                    "OpReturn\nOpFunctionEnd\n"),
      SR_OK);
  for (uint32_t id = 40; id < 45; id++)
    assert_int_equal(sr_inst(w.m, sr_def(w.m, id))->nonsemantic, id < 43);
  done(&w);
}

/* Parameters of enumerants that the grammar lacks: ids where all parameters of such an instruction
 * are ids, literals elsewhere. */
static void unknown_enumerants(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD "OpExecutionModeId %1 !30583 !7\n"
                                      "OpExecutionMode %1 !30583 !7\n"
                                      "OpDecorateId %13 !30583 !7\n"
                                      "OpDecorate %13 !30583 !7\n"
                                      "OpMemberDecorate %3 !0 !30583 !7\n" BODY),
                   SR_OK);
  uint32_t seen = 0;
  for (SR_EACH(w.m, r, w.m->globals)) {
    uint16_t op = sr_inst(w.m, r)->op;
    uint32_t last = sr_word_count(w.m, r) - 1;
    if (sr_words(w.m, r)[last] != 7 || sr_words(w.m, r)[last - 1] != 30583)
      continue;
    seen++;
    assert_false(sr_inst(w.m, r)->unknown);
    assert_int_equal(sr_word_is_id(w.m, r, last),
                     op == SpvOpExecutionModeId || op == SpvOpDecorateId);
  }
  assert_int_equal(seen, 5);
  done(&w);
}

/* Growth of every table: ids, words, instructions. */
static void many_edits(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  SrBlock *b = &w.m->functions[0].blocks[1];
  for (uint32_t i = 0; i < 20000; i++) {
    sr_begin(w.m, SpvOpIAdd, 6, sr_fresh_id(w.m));
    sr_put_id(w.m, 7);
    sr_put_id(w.m, 7);
    sr_insert_before(w.m, &b->list, b->list.last, sr_end(w.m));
  }
  assert_int_equal(sr_finish(w.m), SR_OK);
  size_t count;
  const uint32_t *out = sr_write(w.m, &w.arena, &count);
  assert_int_equal(count, w.binary->wordCount + 5 * 20000);
  World again = {0};
  assert_int_equal(read_words(&again, out, count), SR_OK);
  done(&again);
  done(&w);
}

static void too_long_an_instruction_is_an_error(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(read_text(&w, HEAD BODY), SR_OK);
  sr_begin(w.m, SpvOpPhi, 6, sr_fresh_id(w.m));
  for (uint32_t i = 0; i < 70000; i++)
    sr_put_id(w.m, 7);
  sr_end(w.m);
  assert_int_equal(sr_finish(w.m), SR_BAD_INPUT);
  assert_non_null(strstr(w.diag.text, "an OpPhi of more than 65,535 words"));
  done(&w);
}

/* ---- types of phis ---- */

#define CAPABILITY(NAME) "OpCapability " NAME "\n"
#define STORAGE_POINTERS CAPABILITY("VariablePointersStorageBuffer")
#define ALL_POINTERS STORAGE_POINTERS CAPABILITY("VariablePointers")

/* Which pointers a phi may have depends on the storage class and the capabilities (SPIR-V 1.6,
 * 2.16.1); a composite must not hold what a phi must not have. */
static void types_of_phis(void **unused) {
  (void)unused;
  static const struct {
    const char *capabilities;
    bool storage, workgroup, small, half, byte;
  } rows[] = {
      {"", false, false, false, false, false},
      {STORAGE_POINTERS, true, false, false, false, false},
      {ALL_POINTERS, true, true, false, false, false},
      {CAPABILITY("Int16"), false, false, true, false, false},
      {CAPABILITY("Float16"), false, false, false, true, false},
      {CAPABILITY("Int8"), false, false, false, false, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[4000];
    World w;
    snprintf(text, sizeof text,
             "OpCapability Shader\n%s"
             "OpMemoryModel Logical GLSL450\n%%2 = OpTypeVoid\n%%6 = OpTypeInt 32 0\n"
             "%%20 = OpTypePointer StorageBuffer %%6\n%%21 = OpTypePointer Workgroup %%6\n"
             "%%22 = OpTypePointer Function %%6\n%%23 = OpTypePointer Private %%6\n"
             "%%24 = OpTypePointer Uniform %%6\n%%25 = OpTypeInt 16 0\n%%26 = OpTypeFloat 16\n"
             "%%27 = OpTypeInt 8 1\n%%28 = OpTypeFloat 32\n"
             "%%30 = OpTypeImage %%28 2D 0 0 0 1 Unknown\n%%31 = OpTypeSampler\n"
             "%%32 = OpTypeSampledImage %%30\n%%33 = OpConstant %%6 2\n"
             "%%34 = OpTypeArray %%32 %%33\n%%35 = OpTypeStruct %%6 %%31\n"
             "%%36 = OpTypeVector %%25 2\n%%37 = OpTypeStruct %%6 %%28\n"
             "%%3 = OpTypeFunction %%2\n%%1 = OpFunction %%2 None %%3\n%%10 = OpLabel\n"
             "OpReturn\nOpFunctionEnd\n",
             rows[i].capabilities);
    assert_int_equal(read_text(&w, text), SR_OK);
    for (int again = 0; again < 2; again++) {
      assert_int_equal(sr_type_can_phi(w.m, 20), rows[i].storage);
      assert_int_equal(sr_type_can_phi(w.m, 21), rows[i].workgroup);
      for (uint32_t type = 22; type <= 24; type++)
        assert_false(sr_type_can_phi(w.m, type));
      assert_int_equal(sr_type_can_phi(w.m, 25), rows[i].small);
      assert_int_equal(sr_type_can_phi(w.m, 36), rows[i].small);
      assert_int_equal(sr_type_can_phi(w.m, 26), rows[i].half);
      assert_int_equal(sr_type_can_phi(w.m, 27), rows[i].byte);
      for (uint32_t type = 30; type <= 35; type++)
        assert_true(type == 33 || !sr_type_can_phi(w.m, type)); /* 33: the array's length */
      assert_true(sr_type_can_phi(w.m, 37));
      /* once more, after the tables have grown for a type that was added */
      uint32_t added = sr_type_bool(w.m);
      assert_true(sr_undef(w.m, added) && sr_type_can_phi(w.m, added));
    }
    done(&w);
  }
}

/* A copy has its operands, and counts like the original: debug instructions do not. */
static void clones(void **unused) {
  (void)unused;
  World w;
  assert_int_equal(
      read_text(&w, "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
                    "%30 = OpExtInstImport \"NonSemantic.Example\"\n"
                    "%33 = OpExtInstImport \"GLSL.std.450\"\n"
                    "OpMemoryModel Logical GLSL450\n%2 = OpTypeVoid\n%6 = OpTypeInt 32 0\n"
                    "%7 = OpConstant %6 7\n%3 = OpTypeFunction %2\n"
                    "%1 = OpFunction %2 None %3\n%10 = OpLabel\n%43 = OpExtInst %2 %30 1 %7\n"
                    "%44 = OpExtInst %6 %33 UMin %7 %7\nOpReturn\nOpFunctionEnd\n"),
      SR_OK);
  for (uint32_t id = 43; id < 45; id++) {
    SrRef r = sr_def(w.m, id), copy = sr_clone(w.m, r);
    uint32_t count = sr_word_count(w.m, r);
    assert_int_equal(sr_inst(w.m, copy)->nonsemantic, id == 43);
    assert_int_equal(sr_inst(w.m, copy)->type, sr_inst(w.m, r)->type);
    assert_true(sr_inst(w.m, copy)->result >= 45);
    assert_int_equal(sr_word_count(w.m, copy), count);
    for (uint32_t i = 3; i < count; i++) {
      assert_int_equal(sr_words(w.m, copy)[i], sr_words(w.m, r)[i]);
      assert_int_equal(sr_word_is_id(w.m, copy, i), sr_word_is_id(w.m, r, i));
    }
  }
  done(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip_is_exact),
      cmocka_unit_test(other_byte_order_is_refused),
      cmocka_unit_test(layout_and_targets),
      cmocka_unit_test(constants_are_interned),
      cmocka_unit_test(decorations_through_groups),
      cmocka_unit_test(names_of_copies),
      cmocka_unit_test(decorations_in_turn),
      cmocka_unit_test(same_decorations),
      cmocka_unit_test(what_joined_values_keep),
      cmocka_unit_test(targets_that_are_gone),
      cmocka_unit_test(sets_for_debugging),
      cmocka_unit_test(unknown_enumerants),
      cmocka_unit_test(many_edits),
      cmocka_unit_test(too_long_an_instruction_is_an_error),
      cmocka_unit_test(types_of_phis),
      cmocka_unit_test(clones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
