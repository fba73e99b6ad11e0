/* SPDX-License-Identifier: Apache-2.0 */
/* The least issues for recorded paths: hand-made cases, tiny cases compared with a plain search,
 * and large ones within the budget. */
#include "passes/base/vec.h"
#include "spv-emu/policy/optimum/optimum_bound.h"
#include "spv-emu/policy/optimum/optimum_schedule.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { MOST_PATHS = 4, MOST_LENGTH = 9 };

static SrArena begin(SrHeap *heap) {
  *heap = (SrHeap){0};
  sr_heap_init(heap);
  if (setjmp(heap->out_of_memory))
    fail_msg("out of memory");
  return sr_arena_new(heap);
}

static const uint32_t ones[26] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Paths as words, blocks as letters from A. */
static EmuOptimum of_words(const char *const *words, uint32_t count, const uint32_t *issues,
                           uint32_t budget) {
  SrHeap heap;
  SrArena arena = begin(&heap);
  EmuPath *paths = SR_NEW(&arena, EmuPath, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t n = (uint32_t)strlen(words[i]), *blocks = SR_NEW(&arena, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
      blocks[k] = (uint32_t)(words[i][k] - 'A');
    paths[i] = (EmuPath){blocks, n};
  }
  size_t before = heap.bytes;
  EmuOptimum best = emu_optimum(&arena, paths, count, issues, budget);
  assert_true(heap.bytes == before);
  sr_arena_free(&arena);
  return best;
}

static void by_hand(void **state) {
  (void)state;
  static const struct {
    const char *words[5];
    uint64_t issues;
  } cases[] = {
      {{"ABC"}, 3},
      {{"ABC", "ABC", "ABC"}, 3},
      {{"", "AB"}, 2},
      {{"ABD", "ACD"}, 4},
      {{"ABAB", "BABA"}, 5},
      {{"ABCBDAB", "BDCABA"}, 9},              /* Cormen et al.: their common subsequence has 4 */
      {{"ACDEF", "ABF", "ABCEF", "ABCDF"}, 6}, /* thread frontiers, figure 1 */
      {{"ABC", "BCA", "CAB"}, 5},
      {{"AAAA", "AA", "AAA"}, 4},
  };
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t count = 0;
    while (count < 5 && cases[i].words[count])
      count++;
    EmuOptimum best = of_words(cases[i].words, count, ones, 1000);
    assert_true(best.exact);
    assert_int_equal(best.issues, cases[i].issues);
  }
  const uint32_t weights[] = {10, 1, 100};
  const char *const turned[] = {"AB", "BA"}, *const heavy[] = {"CA", "AC"};
  assert_int_equal(of_words(turned, 2, weights, 1000).issues, 12);
  assert_int_equal(of_words(heavy, 2, weights, 1000).issues, 120);
  assert_int_equal(of_words(NULL, 0, weights, 1000).issues, 0);
}

/* ---- compared with a plain search ------------------------------------------------------------ */

typedef struct Tiny {
  uint32_t count, length[MOST_PATHS];
  uint32_t block[MOST_PATHS][MOST_LENGTH];
} Tiny;

/* The least cost from every combination of positions, from the ends back. */
static uint64_t plain_optimum(const Tiny *t, const uint32_t *issues) {
  enum { MOST = MOST_LENGTH + 1 };
  static uint64_t cost[MOST * MOST * MOST * MOST];
  uint32_t total = 1, base = 1;
  for (uint32_t i = 0; i < t->count; i++)
    base = t->length[i] >= base ? t->length[i] + 1 : base;
  for (uint32_t i = 0; i < t->count; i++)
    total *= base;
  for (uint32_t code = total; code-- > 0;) {
    uint32_t at[MOST_PATHS], rest = code;
    bool valid = true, over = true;
    for (uint32_t i = 0; i < t->count; i++, rest /= base) {
      at[i] = rest % base;
      valid = valid && at[i] <= t->length[i];
      over = over && at[i] >= t->length[i];
    }
    cost[code] = over ? 0 : UINT64_MAX;
    for (uint32_t i = 0; valid && i < t->count; i++) {
      if (at[i] == t->length[i])
        continue;
      uint32_t x = t->block[i][at[i]], to = 0, unit = 1;
      for (uint32_t k = 0; k < t->count; k++, unit *= base)
        to += unit * (at[k] + (at[k] < t->length[k] && t->block[k][at[k]] == x));
      if (cost[to] + issues[x] < cost[code])
        cost[code] = cost[to] + issues[x];
    }
  }
  return cost[0];
}

static void draw(Tiny *t, uint64_t *rng, uint32_t letters, uint32_t longest) {
  for (uint32_t i = 0; i < t->count; i++) {
    t->length[i] = unit_below(rng, longest + 1);
    for (uint32_t k = 0; k < t->length[i]; k++)
      t->block[i][k] = unit_below(rng, letters);
  }
}

/* The bounds alone, which seldom decide where a search ends. */
static void check_bounds(SrArena *arena, const EmuPath *paths, uint32_t count,
                         const uint32_t *issues, uint64_t right, uint64_t seed) {
  EmuLanePaths p;
  emu_lane_paths_init(arena, paths, count, issues, &p);
  for (p.work = 1; p.work < 1u << 20; p.work = p.work < 16 ? 4 * p.work : 64 * p.work) {
    uint64_t work = p.work, low = emu_optimum_bound(&p);
    assert_true(p.work <= work);
    p.work = work;
    uint64_t high = p.at.count ? emu_optimum_schedule(&p) : right;
    assert_true(p.work <= work);
    p.work = work;
    if (low > right || high < right)
      fail_msg("seed %llu: %llu is not between %llu and %llu", (unsigned long long)seed,
               (unsigned long long)right, (unsigned long long)low, (unsigned long long)high);
  }
}

static void check_tiny(uint64_t seed, uint32_t most_letters, uint32_t longest) {
  enum { LETTERS = 8 };
  uint64_t rng = seed;
  SrHeap heap;
  SrArena arena = begin(&heap);
  Tiny t = {.count = 1 + unit_below(&rng, MOST_PATHS)};
  EmuPath paths[MOST_PATHS];
  uint32_t issues[LETTERS], letters = 1 + unit_below(&rng, most_letters);
  for (uint32_t i = 0; i < LETTERS; i++)
    issues[i] = unit_below(&rng, 6);
  draw(&t, &rng, letters, longest);
  for (uint32_t i = 0; i < t.count; i++)
    paths[i] = (EmuPath){t.block[i], t.length[i]};
  uint64_t right = plain_optimum(&t, issues);
  EmuOptimum best = emu_optimum(&arena, paths, t.count, issues, 100000);
  if (!best.exact || best.issues != right || best.at_most != right)
    fail_msg("seed %llu: %llu, not %llu", (unsigned long long)seed, (unsigned long long)best.issues,
             (unsigned long long)right);
  for (uint32_t budget = 0; budget < 4; budget++) { /* too little: bounds */
    best = emu_optimum(&arena, paths, t.count, issues, budget);
    if (best.issues > right || best.at_most < right || best.exact != (best.issues == best.at_most))
      fail_msg("seed %llu: %llu is not between %llu and %llu", (unsigned long long)seed,
               (unsigned long long)right, (unsigned long long)best.issues,
               (unsigned long long)best.at_most);
  }
  check_bounds(&arena, paths, t.count, issues, right, seed);
  sr_arena_free(&arena);
}

static void tiny_cases(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(20000); seed++)
    check_tiny(seed, 4, 5);
  for (uint64_t seed = 1; seed <= unit_seeds(1000); seed++)
    check_tiny(seed, 8, MOST_LENGTH);
}

/* Loops one after the other are scheduled one by one; blocks that always follow each other are as
 * good as one. */
static void parts(void **state) {
  (void)state;
  const char *const words[] = {"ABCABDXYZYXYW", "ABDABCXYXYZYW", "ABCXYZYXYW"};
  const char *const first[] = {"ABCABD", "ABDABC", "ABC"}, *const last[] = {"XYZYXYW", "XYXYZYW"};
  EmuOptimum all = of_words(words, 3, ones, 1000);
  EmuOptimum sum = of_words(first, 3, ones, 1000), rest = of_words(last, 2, ones, 1000);
  assert_true(all.exact && all.issues == sum.issues + rest.issues);
  const char *const joined[] = {"ACCB", "CABC"}, *const apart[] = {"AECFCFB", "CFAEBCF"};
  const uint32_t whole[] = {9, 4, 5}, split[] = {4, 4, 2, 1, 5, 3};
  assert_int_equal(of_words(joined, 2, whole, 1000).issues, of_words(apart, 2, split, 1000).issues);
}

/* ---- large cases ----------------------------------------------------------------------------- */

static uint32_t *loop_path(SrArena *arena, uint32_t rounds, uint64_t *rng, uint32_t *count) {
  uint32_t *blocks = SR_NEW_RAW(arena, uint32_t, rounds * 4 + 2);
  *count = 0;
  blocks[(*count)++] = 0;
  for (uint32_t i = 0; i < rounds; i++) {
    blocks[(*count)++] = 1;
    if (rng)
      blocks[(*count)++] = 2 + unit_below(rng, 2);
    blocks[(*count)++] = 4;
  }
  blocks[(*count)++] = 5;
  return blocks;
}

static void many_lanes_of_one_path(void **state) {
  (void)state;
  SrHeap heap;
  SrArena arena = begin(&heap);
  EmuPath *paths = SR_NEW(&arena, EmuPath, 1000);
  for (uint32_t i = 0; i < 1000; i++)
    paths[i].blocks = loop_path(&arena, 2000, NULL, &paths[i].count);
  EmuOptimum best = emu_optimum(&arena, paths, 1000, ones, 10);
  assert_true(best.exact);
  assert_int_equal(best.issues, 4002);
  /* Lanes that leave the loop one by one. */
  for (uint32_t i = 0; i < 1000; i++)
    paths[i].blocks = loop_path(&arena, i + 1, NULL, &paths[i].count);
  best = emu_optimum(&arena, paths, 1000, ones, 100000);
  assert_true(best.exact);
  assert_int_equal(best.issues, 2002);
  sr_arena_free(&arena);
}

static void random_sides_in_a_loop(void **state) {
  (void)state;
  SrHeap heap;
  SrArena arena = begin(&heap);
  EmuPath paths[64];
  uint64_t rng = 7, longest = 0;
  for (uint32_t i = 0; i < 64; i++) {
    paths[i].blocks = loop_path(&arena, 1000, &rng, &paths[i].count);
    longest = paths[i].count > longest ? paths[i].count : longest;
  }
  EmuOptimum best = emu_optimum(&arena, paths, 64, ones, 20000);
  assert_true(best.issues > longest && best.issues <= 4002); /* both sides in every iteration */
  assert_true(best.at_most >= best.issues && best.at_most < 64 * longest);
  assert_true(heap.peak < (size_t)256 << 20);
  EmuOptimum two = emu_optimum(&arena, paths, 2, ones, 20000); /* a table of 9 million cells */
  assert_true(two.exact && two.issues <= 4002);
  sr_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(tiny_cases),
      cmocka_unit_test(parts),
      cmocka_unit_test(many_lanes_of_one_path),
      cmocka_unit_test(random_sides_in_a_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
