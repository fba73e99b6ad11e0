/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule of sync.h on the smallest graph that needs it: exactly the effects of one divergent
 * branch, no fewer (that would be wrong) and no more (that would be slow). The random programs of
 * test_uniform.c have few of these shapes, and if they do, another rule usually gives the same
 * result.
 *
 * A graph is a>bc b>d …: blocks are letters, the entry is a. Events are sorted: Jx a join, Sx a
 * split block, Ux an uneven cycle of header x, R lanes return from different blocks. */
#include "passes/analysis/uniform/sync.h"
#include "passes/base/vec.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 26 };

typedef struct Row {
  const char *rule, *graph;
  char branch;
  bool returns; /* blocks without successors return to a caller */
  const char *events;
} Row;

static const Row rows[] = {
    /* ---- joins and split blocks ---- */
    {"two ways meet", "a>bc b>d c>d d>", 'a', false, "Jd Sb Sc"},
    {"a way and a shortcut", "a>bc b>c c>", 'a', false, "Jc Sb"},
    {"ways that meet further on", "a>bc b>d c>e d>e e>f f>", 'a', false, "Je Sb Sc Sd"},
    {"two joins", "a>bc b>de c>d d>e e>", 'a', false, "Jd Je Sb Sc Sd"},
    {"behind the join all run together", "a>bc b>d c>d d>ef e>g f>g g>", 'a', false, "Jd Sb Sc"},
    {"the later branch only", "a>bc b>d c>d d>ef e>g f>g g>", 'd', false, "Jg Se Sf"},
    {"ways that never meet", "a>bc b> c>", 'a', true, "R Sb Sc"},
    {"one of the ways returns", "a>bc b> c>d d>", 'a', true, "R Sb Sc Sd"},
    {"a join that returns", "a>bc b>d c>d d>", 'a', true, "Jd Sb Sc"},

    /* ---- cycles ---- */
    {"lanes leave in different iterations", "a>b b>bc c>", 'b', false, "Ub"},
    {"lanes leave in different iterations, in the middle", "a>b b>c c>bd d>", 'c', false, "Ub"},
    {"inside an iteration", "a>b b>cd c>e d>e e>bf f>", 'b', false, "Je Sc Sd"},
    {"two exits of one cycle to one block", "a>b b>dc c>db d>", 'b', false, "Jd Ub"},
    {"two exits that meet further on", "a>b b>cd c>be d>f e>f f>", 'b', false, "Jf Sd Se Ub"},
    {"two back edges", "a>b b>bc c>b", 'b', false, "Jb Sb Sc"},
    {"two back edges, and an exit", "a>b b>cd c>be d>b e>", 'b', false, "Jb Sb Sc Sd Ub"},
    {"an inner cycle, left in different iterations", "a>b b>c c>cd d>be e>", 'c', false, "Uc"},
    {"an inner cycle that only the outer header follows", "a>b b>c c>bc", 'c', false,
     "Jb Jc Sb Sc Uc"},
    {"an inner cycle that an outer header but one follows", "a>b b>c c>d d>db", 'd', false,
     "Jb Jd Sb Sc Sd Ud"},

    {"a join that heads a cycle", "a>bc b>d c>d d>de e>", 'a', false, "Jd Sb Sc"},
    {"a join that heads a cycle inside another", "a>b b>cd c>e d>e e>fe f>bg g>", 'b', false,
     "Je Sc Sd"},

    /* ---- cycles with several entries ---- */
    {"entered at two places", "a>cb b>c c>b", 'a', false, "Jb Jc Sb Sc Ub"},
    {"entered at two places, and left", "a>bd b>d c> d>bc", 'a', false, "Jb Jc Jd Sb Sc Sd Ud"},
    {"entered at two places, and left to return", "a>cd b> c>bd d>c", 'a', true,
     "Jb Jc Jd R Sb Sc Sd Ud"},
    {"entered at two places inside a cycle, which continues", "a>c b>d c>bd d>eb e>c", 'c', false,
     "Jb Jc Jd Je Sb Sc Sd Se Ud"},
    {"entered at two places inside a cycle, which it leaves", "a>d b>gc c>eg d>b e>df f>b g>c", 'b',
     false, "Jb Jc Jd Je Jf Jg Sb Sc Sd Se Sf Sg Ub Uc"},
    {"two of them, one after the other", "a>ce b>de c>bd d>db e>ec", 'a', true,
     "Jb Jc Jd Je Sb Sc Sd Se Ud Ue"},
    {"one of them, entered at one place", "a>cb b>d c>d d>", 'a', false, "Jd Sb Sc"},
    {"one of them, entered at its header, and left", "a>cb b>de c>de d>c e>", 'b', false,
     "Je Sc Sd"},
    {"one of them, entered at another block, and left from its header", "a>bc b>de c>de d>c e>",
     'b', false, "Je Sc Sd"},
    {"entered by its inner cycle, and left from its header", "a>cb b>dg c>dg d>e e>df f>c g>", 'b',
     false, "Jg Sc Sd Se Sf"},

    /* ---- lanes that wait at the immediate post-dominator ---- */
    {"to the post-dominator, whose cycle drifts, or another outer iteration",
     "a>b b>c c>dg d>cef e>c f>b g>", 'd', false, "Jb Jc Sb Sc Sd Se Sf Ub Uc"},
    {"to the post-dominator, or another iteration without it", "a>c b>cb c>bc", 'c', false,
     "Jb Jc Sb Sc"},
    {"another iteration of an outer cycle", "a>c b>dc c>b d>b", 'b', false, "Jb Jc Jd Sb Sc Sd Ub"},
    {"other iterations of nested cycles", "a>cd b>c c>d d>cb", 'd', true, "Jb Jc Jd Sb Sc Sd"},
};

/* ---- graphs ---- */

static SrGraph *read_graph(SrArena *arena, const char *text) {
  SR_VEC(SrEdge) edges = {0};
  uint32_t count = 0;
  for (const char *at = text; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    uint32_t from = (uint32_t)(at[0] - 'a');
    assert_true(from < LETTERS && at[1] == '>');
    count = from + 1 > count ? from + 1 : count;
    for (const char *to = at + 2; *to && *to != ' '; to++)
      SR_PUSH(arena, &edges, (SrEdge){from, (uint32_t)(*to - 'a')});
  }
  return sr_graph_new(arena, count, edges.at, edges.count);
}

static SrBits *returns_of(SrArena *arena, const SrGraph *g) {
  SrBits *returns = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) == 0)
      sr_bit_set(returns, b);
  return returns;
}

/* ---- events ---- */

typedef struct Events {
  char name[4 * LETTERS][4];
  size_t count;
} Events;

static int by_name(const void *a, const void *b) {
  return strcmp(a, b);
}

static void note(Events *all, const SrNest *nest, SrSyncEvent e) {
  char *name = all->name[all->count++];
  uint32_t block = e.kind == SR_SYNC_UNEVEN ? nest->cycles[e.index].header : e.index;
  assert_true(all->count < 4 * LETTERS);
  if (e.kind == SR_SYNC_RETURN || e.kind == SR_SYNC_ALL)
    snprintf(name, 4, "%s", e.kind == SR_SYNC_ALL ? "all" : "R");
  else
    snprintf(name, 4, "%c%c", "JSU"[e.kind], (char)('a' + block));
}

static void print(Events *all, char *text, size_t room) {
  qsort(all->name, all->count, sizeof *all->name, by_name);
  text[0] = 0;
  for (size_t i = 0; i < all->count; i++) {
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s%s", i ? " " : "", all->name[i]);
  }
}

static void check_row(const Row *row) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrGraph *g = read_graph(&arena, row->graph);
  SrNest *nest = sr_nest_build(&arena, g);
  SrSync *s = sr_sync_new(&arena, g, nest, row->returns ? returns_of(&arena, g) : NULL);
  Events all = {.count = 0};
  char text[400];
  sr_sync_branch(s, (uint32_t)(row->branch - 'a'));
  for (SrSyncEvent e; sr_sync_next(s, &e);)
    note(&all, nest, e);
  print(&all, text, sizeof text);
  sr_heap_free_all(&heap);
  if (strcmp(text, row->events) != 0)
    fail_msg("%s: %s, branch %c: %s, not %s", row->rule, row->graph, row->branch, text,
             row->events);
}

static void one_branch(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
}

/* If only some of the lanes call a function, all its blocks are split; this is reported once. */
static void split_all(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrGraph *g = read_graph(&arena, "a>bc b>d c>d d>");
  SrNest *nest = sr_nest_build(&arena, g);
  SrSync *s = sr_sync_new(&arena, g, nest, NULL);
  for (int round = 0; round < 2; round++) {
    Events all = {.count = 0};
    char text[400];
    sr_sync_split_all(s);
    for (SrSyncEvent e; sr_sync_next(s, &e);)
      note(&all, nest, e);
    print(&all, text, sizeof text);
    assert_string_equal(text, round ? "" : "Sa Sb Sc Sd");
  }
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_branch),
      cmocka_unit_test(split_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
