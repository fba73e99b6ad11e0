/* SPDX-License-Identifier: Apache-2.0 */
/* The alignment of two sequences, compared with all alignments of short ones. The oracle knows
 * nothing of an order within a gap: a gap between two matches costs a guard if any element in it
 * needs one, and an arm more if elements of both sequences do. */
#include "passes/transform/meld/meld_align.h"
#include "tests/unit/unit.h"

enum { SHORT = 5, LONG = 1000, ROUNDS = 3000, GUARD = 4, ARM = 2, NEVER = INT32_MIN / 4 };

typedef struct Bed {
  uint32_t count[2];
  int32_t gain[SHORT][SHORT];
  bool guarded[2][SHORT];
} Bed;

static int32_t gain_of(void *user, uint32_t i, uint32_t j) {
  return ((const Bed *)user)->gain[i][j];
}

static bool is_guarded(void *user, int side, uint32_t i) {
  return ((const Bed *)user)->guarded[side][i];
}

/* ---- the oracle ---- */

/* What the elements of a gap cost that stay alone: from[s] … to[s] - 1 of either sequence. */
static int32_t gap_cost(const Bed *b, const uint32_t from[2], const uint32_t to[2]) {
  bool guarded[2] = {false, false};
  for (int s = 0; s < 2; s++)
    for (uint32_t i = from[s]; i < to[s]; i++)
      guarded[s] |= b->guarded[s][i];
  return (guarded[0] || guarded[1] ? GUARD : 0) + (guarded[0] && guarded[1] ? ARM : 0);
}

/* best[i][j]: the most that the elements from i and j on can save. */
static int32_t most_saved(const Bed *b) {
  int32_t best[SHORT + 1][SHORT + 1];
  for (uint32_t i = b->count[0] + 1; i-- > 0;)
    for (uint32_t j = b->count[1] + 1; j-- > 0;) {
      const uint32_t from[2] = {i, j};
      best[i][j] = -gap_cost(b, from, b->count);
      for (uint32_t x = i; x < b->count[0]; x++)
        for (uint32_t y = j; y < b->count[1]; y++) {
          int32_t saved =
              b->gain[x][y] + best[x + 1][y + 1] - gap_cost(b, from, (const uint32_t[2]){x, y});
          if (b->gain[x][y] != NEVER && saved > best[i][j])
            best[i][j] = saved;
        }
    }
  return best[0][0];
}

/* What these steps save. All elements must be there, in order. */
static int32_t saved_by(const Bed *b, const SrMeldSteps *steps) {
  uint32_t from[2] = {0, 0}, at[2] = {0, 0};
  int32_t sum = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const uint32_t *step = steps->at[i].at;
    bool match = step[0] != SR_NONE && step[1] != SR_NONE;
    sum -= match ? gap_cost(b, from, at) : 0;
    for (int s = 0; s < 2; s++)
      if (step[s] != SR_NONE)
        assert_int_equal(step[s], at[s]++);
    if (!match)
      continue;
    assert_true(b->gain[step[0]][step[1]] != NEVER);
    sum += b->gain[step[0]][step[1]];
    from[0] = at[0];
    from[1] = at[1];
  }
  for (int s = 0; s < 2; s++)
    assert_int_equal(at[s], b->count[s]);
  return sum - gap_cost(b, from, b->count);
}

/* ---- short sequences ---- */

static void check_bed(SrArena *arena, Bed *b) {
  SrMark mark = sr_arena_mark(arena);
  SrMeldSteps steps = {0};
  const SrMeldAlignment a = {.count = {b->count[0], b->count[1]},
                             .gain = gain_of,
                             .guarded = is_guarded,
                             .user = b,
                             .guard = GUARD,
                             .arm = ARM};
  SrArena scratch = sr_arena_new(arena->heap);
  sr_meld_align(arena, &scratch, &a, &steps);
  sr_arena_free(&scratch);
  assert_int_equal(saved_by(b, &steps), most_saved(b));
  sr_arena_reset(arena, mark);
}

static void make_bed(uint64_t *seed, Bed *b) {
  static const int32_t gains[] = {NEVER, NEVER, -1, 1, 2, 3, 8};
  for (int s = 0; s < 2; s++) {
    b->count[s] = unit_below(seed, SHORT + 1);
    for (int i = 0; i < SHORT; i++)
      b->guarded[s][i] = unit_below(seed, 2);
  }
  for (int i = 0; i < SHORT; i++)
    for (int j = 0; j < SHORT; j++)
      b->gain[i][j] = gains[unit_below(seed, sizeof gains / sizeof *gains)];
}

static void check_beds(SrArena *arena) {
  uint64_t seed = unit_seed();
  for (int i = 0; i < ROUNDS; i++) {
    Bed b;
    make_bed(&seed, &b);
    check_bed(arena, &b);
  }
}

static void saves_most(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  check_beds(&arena);
  sr_heap_free_all(&heap);
}

/* ---- long sequences: only a band around the diagonal is searched ---- */

typedef struct Shift {
  uint32_t by;
  uint64_t asked;
} Shift;

static int32_t gain_of_shift(void *user, uint32_t i, uint32_t j) {
  Shift *s = user;
  s->asked++;
  return j == i + s->by ? 2 : NEVER;
}

static bool is_never_guarded(void *user, int side, uint32_t i) {
  (void)user, (void)side, (void)i;
  return false;
}

/* The matches in two sequences of which the second has `by` more elements at its start. */
static uint32_t matches(uint32_t first, uint32_t second, uint32_t by, uint64_t *asked) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap), scratch = sr_arena_new(&heap);
  Shift shift = {by, 0};
  SrMeldSteps steps = {0};
  const SrMeldAlignment a = {
      .count = {first, second}, .gain = gain_of_shift, .guarded = is_never_guarded, .user = &shift};
  uint32_t found = 0, seen[2] = {0, 0};
  sr_meld_align(&arena, &scratch, &a, &steps);
  for (uint32_t i = 0; i < steps.count; i++) {
    found += steps.at[i].at[0] != SR_NONE && steps.at[i].at[1] != SR_NONE;
    for (int s = 0; s < 2; s++)
      seen[s] += steps.at[i].at[s] != SR_NONE;
  }
  assert_int_equal(seen[0], first);
  assert_int_equal(seen[1], second);
  *asked = shift.asked;
  sr_heap_free_all(&heap);
  return found;
}

static void searches_a_band(void **state) {
  (void)state;
  uint64_t asked, twice;
  assert_int_equal(matches(LONG, LONG, 0, &asked), LONG);
  assert_int_equal(matches(LONG, LONG, 40, &asked), LONG - 40);
  assert_in_range(matches(LONG, LONG, 60, &asked), 0, 60); /* where the band meets an end */
  assert_int_equal(matches(2 * LONG, 2 * LONG, 0, &twice), 2 * LONG);
  assert_true(twice <= 2 * asked + 10 * LONG); /* linear */
}

static void takes_any_lengths(void **state) {
  (void)state;
  uint64_t asked;
  assert_int_equal(matches(0, 0, 0, &asked), 0);
  assert_int_equal(matches(0, LONG, 0, &asked), 0);
  assert_int_equal(matches(LONG, 0, 0, &asked), 0);
  assert_int_equal(matches(1, LONG, 7, &asked), 1);
  assert_in_range(matches(3, 4 * LONG, 0, &asked), 1, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(saves_most),
      cmocka_unit_test(searches_a_band),
      cmocka_unit_test(takes_any_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
