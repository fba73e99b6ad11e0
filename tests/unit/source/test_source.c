/* SPDX-License-Identifier: Apache-2.0 */
/* The places of instructions, by each kind of debug information, well-formed and not. */
#include "passes/source/source_names.h"
#include "passes/source/source_walk.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <string.h>

#define HEAD                                                                                       \
  "OpCapability Shader\nOpCapability Linkage\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
#define SHADER "%1 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
#define OPENCL "%1 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
#define MODEL "OpMemoryModel Logical GLSL450\n"
#define TYPES                                                                                      \
  "%90 = OpTypeVoid\n%91 = OpTypeFunction %90\n%92 = OpTypeInt 32 0\n"                             \
  "%100 = OpConstant %92 0\n%101 = OpConstant %92 1\n%102 = OpConstant %92 2\n"                    \
  "%103 = OpConstant %92 3\n%107 = OpConstant %92 7\n%109 = OpConstant %92 9\n"

typedef struct Bed {
  SrHeap heap;
  SrArena arena;
  SrModule *m;
  SrSource *s;
} Bed;

static Bed *bed_of(const char *text) {
  Bed *b = test_calloc(1, sizeof *b);
  sr_heap_init(&b->heap);
  b->arena = sr_arena_new(&b->heap);
  assert_int_equal(setjmp(b->heap.out_of_memory), 0);
  b->m = assembled(&b->arena, text);
  b->s = sr_source_new(&b->arena, b->m);
  return b;
}

static void free_bed(Bed *b) {
  sr_heap_free_all(&b->heap);
  test_free(b);
}

/* The place of the instruction with this result. */
static SrSourcePlace place_of(Bed *b, uint32_t id) {
  return sr_source_at(b->s, sr_def(b->m, id));
}

static void assert_place(Bed *b, uint32_t id, const char *file, uint32_t line, uint32_t column) {
  SrSourcePlace place = place_of(b, id);
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
  assert_int_equal(place.file == SR_NONE, file == NULL);
  if (file)
    assert_string_equal(b->s->files.at[place.file].name, file);
}

static void assert_function(Bed *b, uint32_t id, const char *name) {
  SrSourcePlace place = place_of(b, id);
  assert_int_equal(place.function == SR_NONE, name == NULL);
  if (name)
    assert_string_equal(b->s->functions.at[place.function].name, name);
}

/* ---- OpLine ---------------------------------------------------------------------------------- */

static void lines_end_with_the_block(void **state) {
  (void)state;
  Bed *b = bed_of(HEAD MODEL
                  "%10 = OpString \"./a/./main.comp\"\n%11 = OpString \"b.h\"\n"
                  "%12 = OpString \"a/main.comp\"\n"
                  "OpSource GLSL 450 %10 \"// OpModuleProcessed x\n#line 1\none\n\"\n"
                  "OpSourceContinued \"two\n#version 450 again\n\"\n"
                  "OpSource GLSL 450 %11 \"first\n#line 1\nthird\"\n" TYPES
                  "%20 = OpFunction %90 None %91\n%21 = OpLabel\n%30 = OpUndef %92\n"
                  "OpLine %10 7 3\n%31 = OpUndef %92\nOpLine %11 9 0\n%32 = OpUndef %92\n"
                  "OpNoLine\n%33 = OpUndef %92\nOpLine %12 2 1\nOpBranch %22\n%22 = OpLabel\n"
                  "%34 = OpUndef %92\nOpLine %12 0 0\n%35 = OpUndef %92\nOpLine %12 4294967295 1\n"
                  "%36 = OpUndef %92\nOpReturn\nOpFunctionEnd\n");
  assert_place(b, 30, NULL, 0, 0);
  assert_place(b, 31, "a/main.comp", 7, 3);
  assert_place(b, 32, "b.h", 9, 0);
  assert_place(b, 33, NULL, 0, 0);
  assert_place(b, 34, NULL, 0, 0); /* another block */
  assert_place(b, 35, NULL, 0, 0); /* line 0 */
  assert_place(b, 36, "a/main.comp", UINT32_MAX, 1);
  assert_int_equal(b->s->files.count, 2);
  const SrSourceFile *files = b->s->files.at;
  assert_int_equal(files[0].size, strlen("one\ntwo\n"));
  assert_memory_equal(files[0].text, "one\ntwo\n", files[0].size);
  assert_string_equal(files[1].text, "first\n#line 1\nthird"); /* nothing that glslang adds */
  free_bed(b);
}

/* ---- the instruction sets -------------------------------------------------------------------- */

#define SHADER_SCOPES                                                                              \
  "%40 = OpExtInst %90 %1 DebugSource %10 %13\n%41 = OpExtInst %90 %1 DebugSource %11\n"           \
  "%42 = OpExtInst %90 %1 DebugCompilationUnit %101 %102 %40 %102\n"                               \
  "%43 = OpExtInst %90 %1 DebugTypeFunction %100 %90\n"                                            \
  "%44 = OpExtInst %90 %1 DebugFunction %12 %43 %40 %103 %101 %42 %12 %100 %103\n"                 \
  "%45 = OpExtInst %90 %1 DebugFunction %14 %43 %41 %107 %101 %42 %14 %100 %107\n"                 \
  "%46 = OpExtInst %90 %1 DebugLexicalBlock %41 %107 %101 %45\n"                                   \
  "%47 = OpExtInst %90 %1 DebugInlinedAt %109 %44\n"                                               \
  "%48 = OpExtInst %90 %1 DebugInlinedAt %107 %46 %47\n"
#define STRINGS                                                                                    \
  "%10 = OpString \"main.comp\"\n%11 = OpString \"b.h\"\n%12 = OpString \"main\"\n"                \
  "%13 = OpString \"void main() {}\n\"\n%14 = OpString \"f\"\n"

static void shader_debug_info(void **state) {
  (void)state;
  Bed *b = bed_of(HEAD SHADER MODEL STRINGS TYPES SHADER_SCOPES
                  "%20 = OpFunction %90 None %91\n%21 = OpLabel\n"
                  "%60 = OpExtInst %90 %1 DebugScope %44\n"
                  "%61 = OpExtInst %90 %1 DebugLine %40 %103 %103 %102 %102\n%30 = OpUndef %92\n"
                  "%62 = OpExtInst %90 %1 DebugScope %46 %48\n"
                  "%63 = OpExtInst %90 %1 DebugLine %41 %107 %109 %101 %101\n%31 = OpUndef %92\n"
                  "%64 = OpExtInst %90 %1 DebugNoLine\n%32 = OpUndef %92\n"
                  "%65 = OpExtInst %90 %1 DebugNoScope\n%33 = OpUndef %92\n"
                  "OpReturn\nOpFunctionEnd\n");
  assert_place(b, 30, "main.comp", 3, 2);
  assert_function(b, 30, "main");
  assert_int_equal(place_of(b, 30).call, SR_NONE);
  assert_place(b, 31, "b.h", 7, 1);
  assert_function(b, 31, "f");
  const SrSourceCall *call = &b->s->calls.at[place_of(b, 31).call], *outer;
  assert_int_equal(call->line, 7);
  assert_string_equal(b->s->files.at[call->file].name, "b.h");
  assert_string_equal(b->s->functions.at[call->function].name, "f");
  outer = &b->s->calls.at[call->outer];
  assert_int_equal(outer->line, 9);
  assert_string_equal(b->s->files.at[outer->file].name, "main.comp");
  assert_string_equal(b->s->functions.at[outer->function].name, "main");
  assert_int_equal(outer->outer, SR_NONE);
  assert_place(b, 32, NULL, 0, 0);
  assert_function(b, 32, "f");
  assert_function(b, 33, NULL);
  assert_string_equal(b->s->files.at[0].text, "void main() {}\n");
  assert_null(b->s->files.at[1].text);
  free_bed(b);
}

/* The variables whose values instructions compute, as DebugValue says. */
static void value_names(void **state) {
  (void)state;
  Bed *b = bed_of(HEAD SHADER MODEL STRINGS
                  "%15 = OpString \"steps\"\n%16 = OpString \"a\\n;b\"\n" TYPES SHADER_SCOPES
                  "%70 = OpExtInst %90 %1 DebugTypeBasic %15 %109 %103 %100\n"
                  "%71 = OpExtInst %90 %1 DebugLocalVariable %15 %70 %40 %103 %101 %44 %100\n"
                  "%72 = OpExtInst %90 %1 DebugLocalVariable %14 %70 %40 %103 %101 %44 %100\n"
                  "%73 = OpExtInst %90 %1 DebugLocalVariable %16 %70 %40 %103 %101 %44 %100\n"
                  "%74 = OpExtInst %90 %1 DebugExpression\n"
                  "%75 = OpExtInst %90 %1 DebugOperation %100\n"
                  "%76 = OpExtInst %90 %1 DebugExpression %75\n"
                  "%20 = OpFunction %90 None %91\n%21 = OpLabel\n"
                  "%30 = OpIAdd %92 %101 %102\n%31 = OpIAdd %92 %101 %30\n"
                  "%32 = OpIAdd %92 %101 %31\n%33 = OpIAdd %92 %101 %32\n"
                  "%60 = OpExtInst %90 %1 DebugValue %71 %30 %74\n"
                  "%61 = OpExtInst %90 %1 DebugValue %72 %30 %74\n"      /* has a name */
                  "%62 = OpExtInst %90 %1 DebugValue %71 %101 %74\n"     /* a constant */
                  "%63 = OpExtInst %90 %1 DebugValue %71 %31 %76\n"      /* what it points to */
                  "%64 = OpExtInst %90 %1 DebugValue %71 %32 %74 %100\n" /* a member */
                  "%65 = OpExtInst %90 %1 DebugValue %73 %33 %74\n"      /* no word */
                  "OpReturn\nOpFunctionEnd\n");
  const char **names = sr_source_value_names(&b->arena, b->m);
  assert_string_equal(names[30], "steps");
  for (uint32_t id = 31; id <= 33; id++)
    assert_null(names[id]);
  assert_null(names[101]);
  free_bed(b);
}

static void opencl_debug_info(void **state) {
  (void)state;
  Bed *b = bed_of(HEAD OPENCL MODEL STRINGS
                  "%15 = OpString \"//__CSK_MD5:28bd\"\n%16 = OpString \"\"\n" TYPES
                  "%39 = OpExtInst %90 %1 DebugInfoNone\n"
                  "%40 = OpExtInst %90 %1 DebugSource %10 %15\n"
                  "%42 = OpExtInst %90 %1 DebugCompilationUnit 65536 5 %40 OpenCL_C\n"
                  "%43 = OpExtInst %90 %1 DebugTypeFunction None %90\n"
                  "%44 = OpExtInst %90 %1 DebugFunction %12 %43 %40 3 1 %42 %16 None 3 %20 %39\n"
                  "%46 = OpExtInst %90 %1 DebugLexicalBlock %40 7 1 %44\n"
                  "%47 = OpExtInst %90 %1 DebugInlinedAt 9 %46\n"
                  "%20 = OpFunction %90 None %91\n%21 = OpLabel\n"
                  "%60 = OpExtInst %90 %1 DebugScope %46 %47\nOpLine %10 5 6\n"
                  "%30 = OpUndef %92\nOpReturn\nOpFunctionEnd\n");
  assert_place(b, 30, "main.comp", 5, 6);
  assert_function(b, 30, "main");
  assert_int_equal(b->s->calls.at[place_of(b, 30).call].line, 9);
  assert_null(b->s->files.at[0].text); /* a checksum is no text */
  free_bed(b);
}

/* ---- what is malformed ----------------------------------------------------------------------- */

/* A scope around itself, a call inlined in itself, ids of other things, missing operands. */
static void malformed(void **state) {
  (void)state;
  Bed *b = bed_of(HEAD SHADER MODEL STRINGS TYPES
                  "%40 = OpExtInst %90 %1 DebugSource %92\n"
                  "%46 = OpExtInst %90 %1 DebugLexicalBlock %40 %107 %101 %50\n"
                  "%50 = OpExtInst %90 %1 DebugLexicalBlock %40 %107 %101 %46\n"
                  "%47 = OpExtInst %90 %1 DebugInlinedAt %109 %46 %48\n"
                  "%48 = OpExtInst %90 %1 DebugInlinedAt %92 %47 %47\n"
                  "%20 = OpFunction %90 None %91\n%21 = OpLabel\n"
                  "%60 = OpExtInst %90 %1 DebugScope %46 %47\n"
                  "%61 = OpExtInst %90 %1 DebugLine %40 %103 %103 %102 %102\n%30 = OpUndef %92\n"
                  "%62 = OpExtInst %90 %1 DebugScope %30 %48\n"
                  "%63 = OpExtInst %90 %1 DebugLine %10 %30 %103 %102 %102\n%31 = OpUndef %92\n"
                  "OpReturn\nOpFunctionEnd\n");
  assert_place(b, 30, NULL, 0, 0);
  assert_function(b, 30, NULL);
  for (uint32_t i = 0; i < b->s->calls.count; i++)
    assert_true(b->s->calls.at[i].outer == SR_NONE || b->s->calls.at[i].outer < i);
  assert_int_not_equal(place_of(b, 30).call, SR_NONE);
  assert_place(b, 31, NULL, 0, 0);
  assert_function(b, 31, NULL);
  free_bed(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_end_with_the_block),
      cmocka_unit_test(shader_debug_info),
      cmocka_unit_test(value_names),
      cmocka_unit_test(opencl_debug_info),
      cmocka_unit_test(malformed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
