/* SPDX-License-Identifier: Apache-2.0 */
/* The budget of the uniformity analysis: what it says of a module that is too large to be analysed exactly. */
#include "tests/unit/analysis/uniform_rules.h"

#include <stdio.h>
#include <stdlib.h>

/* Nested loops that lanes leave one after the other: the effects that a loop has outside of it cost
 * as much as it has blocks, so that a deep nest uses up the analysis' budget. Then everything must
 * be regarded as divergent; indeed the count of each loop differs outside of it. */

enum { NEST = 700 };

static char *write_nest(void) {
  size_t room = 1 << 20, n = 0;
  char *text = malloc(room);
  assert_non_null(text);
#define PUT(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
  PUT("%s%s%sOpBranch %%h0\n", SHADER_HEAD, SHADER_TYPES, SHADER_MAIN);
  for (int i = 0; i < NEST; i++) {
    char from[16] = "entry";
    if (i)
      snprintf(from, sizeof from, "h%d", i - 1);
    PUT("%%h%d = OpLabel\n%%i%d = OpPhi %%uint %%c0 %%%s %%n%d %%x%d\n%%b%d = OpIEqual %%bool "
        "%%i%d %%lane\nOpBranchConditional %%b%d %%x%d %%h%d\n",
        i, i, from, i, i + 1, i, i, i, i, i + 1);
  }
  PUT("%%h%d = OpLabel\nOpBranch %%x%d\n", NEST, NEST);
  for (int i = NEST; i > 0; i--) /* x: lanes leave loop i, then repeat loop i - 1 */
    PUT("%%x%d = OpLabel\n%%n%d = OpIAdd %%uint %%i%d %%c1\nOpBranch %%h%d\n", i, i - 1, i - 1,
        i - 1);
  PUT("%%x0 = OpLabel\n");
  PUT("%%1000 = OpIAdd %%uint %%i0 %%c1\nOpReturn\nOpFunctionEnd\n");
#undef PUT
  return text;
}

static void deep_nests_lose_all(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  char *text = write_nest();
  const SrModule *m = assembled(&arena, text);
  const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  uint32_t adds = 0;
  for (uint32_t b = 0; b < m->functions[0].block_count; b++)
    for (SR_EACH(m, r, m->functions[0].blocks[b].list))
      if (sr_inst(m, r)->op == SpvOpIAdd) {
        adds++;
        if (sr_uniform_value(u, sr_inst(m, r)->result))
          fail_msg("the count of a loop is uniform outside (block %u)", b);
      }
  assert_int_equal(adds, NEST + 1);
  free(text);
  sr_heap_free_all(&heap);
}

/* Variables that only some of the lanes store, in a function so large that not all of them can be
 * followed: the others are divergent, too. If all lanes store, all are uniform. */

enum { VARIABLES = 200, BRANCHES = 7000 };

static char *write_variables(const char *condition) {
  size_t room = 1 << 21, n = 0;
  char *text = malloc(room);
  assert_non_null(text);
#define PUT(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
  PUT("%s%s%s", SHADER_HEAD, SHADER_TYPES, SHADER_MAIN);
  for (int i = 0; i < VARIABLES; i++)
    PUT("%%v%d = OpVariable %%p_mine Function %%c0\n", i);
  for (int i = 0; i < BRANCHES; i++)
    PUT("OpBranchConditional %s %%a%d %%b%d\n%%a%d = OpLabel\nOpStore %%v%d %%c1\nOpBranch %%b%d\n"
        "%%b%d = OpLabel\n",
        condition, i, i, i, i % VARIABLES, i, i);
  for (int i = 0; i < VARIABLES; i++)
    PUT("%%l%d = OpLoad %%uint %%v%d\n", i, i);
  PUT("OpReturn\nOpFunctionEnd\n");
#undef PUT
  return text;
}

static void many_variables(void **state) {
  (void)state;
  for (int divergent = 0; divergent < 2; divergent++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    char *text = write_variables(divergent ? "%t" : "%ut");
    const SrModule *m = assembled(&arena, text);
    const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
    const SrFunction *f = &m->functions[0];
    uint32_t loads = 0;
    for (SR_EACH(m, r, f->blocks[f->block_count - 1].list))
      if (sr_inst(m, r)->op == SpvOpLoad) {
        loads++;
        assert_int_equal(sr_uniform_value(u, sr_inst(m, r)->result), !divergent);
      }
    assert_int_equal(loads, VARIABLES);
    free(text);
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deep_nests_lose_all),
      cmocka_unit_test(many_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
