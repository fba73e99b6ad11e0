/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of calls: small graphs, and random ones, on which no direct path may lead from a call to
 * one of the same level, or of a lower one. */
#include "passes/transform/share/call_group.h"

#include "tests/unit/assembled.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { GRAPHS = 600, BLOCKS = 16, MAIN = 20, FIRST_LABEL = 100, FIRST_CALL = 200 };

/* Functions f and g, and the beginning of the one with the blocks. */
static const char head[] = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                           "OpMemoryModel Physical64 OpenCL\n"
                           "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeInt 32 0\n"
                           "%4 = OpTypeBool\n%5 = OpConstantTrue %4\n%6 = OpConstant %3 0\n"
                           "%10 = OpFunction %1 None %2\n%11 = OpLabel\nOpReturn\nOpFunctionEnd\n"
                           "%12 = OpFunction %1 None %2\n%13 = OpLabel\nOpReturn\nOpFunctionEnd\n"
                           "%20 = OpFunction %1 None %2\n";

typedef struct Program {
  SrModule *m;
  const SrFunction *f;
  SrCallGroups groups;
} Program;

static void put_end(char *text, size_t room, const SrGraph *g, uint32_t b) {
  const uint32_t *to = &g->succ[g->succ_at[b]];
  size_t at = strlen(text);
  switch (sr_succ_count(g, b)) {
  case 0:
    snprintf(text + at, room - at, "OpReturn\n");
    break;
  case 1:
    snprintf(text + at, room - at, "OpBranch %%%u\n", FIRST_LABEL + to[0]);
    break;
  case 2:
    snprintf(text + at, room - at, "OpBranchConditional %%5 %%%u %%%u\n", FIRST_LABEL + to[0],
             FIRST_LABEL + to[1]);
    break;
  default:
    snprintf(text + at, room - at, "OpSwitch %%6 %%%u 1 %%%u 2 %%%u\n", FIRST_LABEL + to[0],
             FIRST_LABEL + to[1], FIRST_LABEL + to[2]);
  }
}

/* `calls`: by block, such as "fg": its calls. */
static Program program(SrArena *arena, const SrGraph *g, const char *const *calls) {
  enum { ROOM = 1 << 14 };
  static char text[ROOM];
  uint32_t call = FIRST_CALL;
  snprintf(text, sizeof text, "%s", head);
  for (uint32_t b = 0; b < g->count; b++) {
    size_t at = strlen(text);
    at += (size_t)snprintf(text + at, ROOM - at, "%%%u = OpLabel\n", FIRST_LABEL + b);
    for (const char *c = calls[b]; *c; c++)
      at += (size_t)snprintf(text + at, ROOM - at, "%%%u = OpFunctionCall %%1 %%%d\n", call++,
                             *c == 'f' ? 10 : 12);
    put_end(text, ROOM, g, b);
  }
  size_t at = strlen(text);
  snprintf(text + at, ROOM - at, "OpFunctionEnd\n");
  Program p = {.m = assembled(arena, text)};
  uint32_t *parameters = sr_new_none(arena, sr_bound(p.m));
  parameters[10] = parameters[12] = 0;
  for (uint32_t i = 0; i < p.m->function_count; i++)
    if (p.m->functions[i].id == MAIN)
      p.f = &p.m->functions[i];
  p.groups = sr_call_groups(arena, p.m, p.f, parameters);
  return p;
}

/* "f1: 2 3 above 1; ": callee, level, blocks. */
static const char *listed(const Program *p) {
  static char text[256];
  size_t at = 0;
  *text = 0;
  for (uint32_t i = 0; i < p->groups.group.count; i++) {
    const SrCallGroup *g = &p->groups.group.at[i];
    const SrCallSite *s = &p->groups.site.at[g->first];
    at += (size_t)snprintf(text + at, sizeof text - at, "%c%u:", s->callee == 10 ? 'f' : 'g',
                           s->level);
    for (uint32_t j = 0; j < g->count; j++)
      at += (size_t)snprintf(text + at, sizeof text - at, " %u", s[j].block);
    at += (size_t)snprintf(text + at, sizeof text - at, " above %u; ", g->above);
  }
  return text;
}

static void expect(const SrEdge *edges, uint32_t edge_count, uint32_t count,
                   const char *const *calls, const char *expected) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  Program p = program(&arena, sr_graph_new(&arena, count, edges, edge_count), calls);
  assert_string_equal(listed(&p), expected);
  sr_heap_free_all(&heap);
}

#define EXPECT(edges, count, calls, expected)                                                      \
  expect(edges, sizeof(edges) / sizeof *(edges), count, calls, expected)

/* 0 -> 1 2; 1 -> 3; 2 -> 3 */
static void test_arms(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  EXPECT(edges, 4, ((const char *[]){"", "f", "f", ""}), "f0: 1 2 above 0; ");
  EXPECT(edges, 4, ((const char *[]){"", "ff", "ff", "f"}), "f0: 1 2 above 0; f1: 1 2 above 0; ");
  EXPECT(edges, 4, ((const char *[]){"f", "f", "f", "f"}), "f1: 1 2 above 0; ");
  EXPECT(edges, 4, ((const char *[]){"", "fg", "gf", ""}), ""); /* no level has two of one */
  EXPECT(edges, 4, ((const char *[]){"", "fg", "f", ""}), "f0: 1 2 above 0; ");
  EXPECT(edges, 4, ((const char *[]){"", "f", "", "f"}), "");
}

/* A loop of 2, 3, 4 in arm 1; arm 5: calls in the loop are no calls before the one after it. */
static void test_inner_cycle(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 5}, {1, 2}, {2, 3}, {2, 4},
                                 {3, 2}, {4, 2}, {4, 6}, {5, 7}, {6, 7}};
  EXPECT(edges, 8, ((const char *[]){"", "", "", "f", "f", "f", "f", ""}),
         "f0: 3 4 above 2; f0: 6 5 above 0; ");
}

/* A cycle with two entries, 1 and 2. */
static void test_irreducible(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3}, {2, 3}};
  EXPECT(edges, 4, ((const char *[]){"", "f", "f", ""}), "");
}

/* ---- random graphs ---- */

/* Marks the blocks to which direct paths lead from block b, in its cycle. */
static void reach(const SrCallGroups *o, uint32_t cycle, uint32_t b, bool *seen) {
  for (SR_SUCCS(t, o->graph, b)) {
    bool inside = cycle == SR_NONE ||
                  (sr_cycle_has(o->nest, cycle, *t) && o->nest->cycles[cycle].header != *t);
    if (inside && !seen[*t]) {
      seen[*t] = true;
      reach(o, cycle, *t, seen);
    }
  }
}

static void check_site(const SrCallGroups *o, const SrCallSite *s) {
  bool seen[BLOCKS + 2] = {false};
  reach(o, s->cycle, s->block, seen);
  for (uint32_t i = 0; i < o->site.count; i++) {
    const SrCallSite *t = &o->site.at[i];
    if (t->cycle == s->cycle && t->block != s->block && seen[t->block])
      assert_true(t->level > s->level);
    if (t->cycle == s->cycle && t->block == s->block)
      assert_int_equal(t->level > s->level, t->number > s->number);
  }
}

static void check_groups(const SrCallGroups *o) {
  for (uint32_t i = 0; i < o->group.count; i++) {
    const SrCallGroup *g = &o->group.at[i];
    const SrCallSite *s = &o->site.at[g->first];
    assert_true(g->count > 1);
    for (uint32_t j = 0; j < g->count; j++) {
      assert_true(s[j].callee == s->callee && s[j].cycle == s->cycle && s[j].level == s->level);
      assert_true(g->above != s[j].block && sr_dominates(o->dom, g->above, s[j].block));
      for (uint32_t k = 0; k < j; k++)
        assert_false(sr_dominates(o->dom, s[k].block, s[j].block));
    }
  }
}

static void test_random(void **state) {
  (void)state;
  static const char *const calls[] = {"", "f", "g", "ff", "gf", ""};
  uint64_t random = unit_seed();
  uint32_t groups = 0;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (int i = 0; i < GRAPHS; i++) {
    SrArena arena = sr_arena_new(&heap);
    const SrGraph *g =
        random_graph(&arena, random_next(&random) | 1, 2 + random_below(&random, BLOCKS));
    const char *by_block[BLOCKS + 2];
    for (uint32_t b = 0; b < g->count; b++)
      by_block[b] = calls[random_below(&random, 6)];
    Program p = program(&arena, g, by_block);
    for (uint32_t k = 0; k < p.groups.site.count && p.groups.group.count; k++)
      check_site(&p.groups, &p.groups.site.at[k]);
    check_groups(&p.groups);
    groups += p.groups.group.count;
    sr_arena_free(&arena);
  }
  assert_true(groups > GRAPHS / 12);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arms), cmocka_unit_test(test_inner_cycle),
      cmocka_unit_test(test_irreducible), cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
