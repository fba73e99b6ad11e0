/* SPDX-License-Identifier: Apache-2.0 */
/* meld_align: see meld_align.h. A cell is a pair of prefixes. Each cell has three states: no guard
 * is open, a guard of the first sequence is open, or one of the second. After a match no guard is
 * open. */
#include "passes/transform/meld/meld_align.h"

enum { CLOSED, FIRST, SECOND, STATES };
enum { MATCH, ALONE_0, ALONE_1, MOVES };
enum { HALF_BAND = 48, NEVER = INT32_MIN / 2 };

typedef struct Table {
  SrArena *arena;
  const SrMeldAlignment *a;
  uint32_t width;  /* cells of a row */
  int32_t *row[2]; /* scores: STATES for each cell; the row before, and this row */
  uint8_t *trace;  /* by row, cell and state: the move that led there and the state before */
  uint32_t *first; /* by row: the column of its first cell */
} Table;

static uint32_t first_column(const Table *t, uint32_t i) {
  uint64_t n = t->a->count[0], m = t->a->count[1];
  uint64_t middle = n ? i * m / n : 0, half = t->width / 2;
  return middle > half ? (uint32_t)(middle - half) : 0;
}

/* The scores of cell (i, j), where `row` holds those of row i; NULL: it is outside of the band. */
static int32_t *cell(const Table *t, int32_t *row, uint32_t i, uint32_t j) {
  uint32_t first = t->first[i];
  return j < first || j - first >= t->width ? NULL : row + (size_t)(j - first) * STATES;
}

static uint8_t *trace_of(const Table *t, uint32_t i, uint32_t j) {
  return t->trace + ((size_t)i * t->width + (j - t->first[i])) * STATES;
}

static void offer(int32_t *score, uint8_t *trace, int state, int32_t value, int move, int from) {
  if (value <= score[state])
    return;
  score[state] = value;
  trace[state] = (uint8_t)(move * STATES + from);
}

/* Element `i` of sequence `side` stays alone. */
static void leave_alone(const Table *t, int side, uint32_t i, const int32_t *from, int32_t *to,
                        uint8_t *trace) {
  bool guarded = t->a->guarded(t->a->user, side, i);
  int open = side ? SECOND : FIRST;
  for (int s = 0; s < STATES; s++) {
    if (from[s] <= NEVER)
      continue;
    if (!guarded)
      offer(to, trace, s, from[s], ALONE_0 + side, s);
    else if (s == open)
      offer(to, trace, s, from[s], ALONE_0 + side, s);
    else
      offer(to, trace, open, from[s] - (s == CLOSED ? t->a->guard : t->a->arm), ALONE_0 + side, s);
  }
}

static void fill_cell(Table *t, uint32_t i, uint32_t j) {
  int32_t *to = cell(t, t->row[i % 2], i, j);
  uint8_t *trace = trace_of(t, i, j);
  const int32_t *from;
  for (int s = 0; s < STATES; s++)
    to[s] = i || j || s != CLOSED ? NEVER : 0;
  if (i && (from = cell(t, t->row[(i - 1) % 2], i - 1, j)))
    leave_alone(t, 0, i - 1, from, to, trace);
  if (j && (from = cell(t, t->row[i % 2], i, j - 1)))
    leave_alone(t, 1, j - 1, from, to, trace);
  if (!i || !j || !(from = cell(t, t->row[(i - 1) % 2], i - 1, j - 1)))
    return;
  int32_t gain = t->a->gain(t->a->user, i - 1, j - 1);
  for (int s = 0; s < STATES; s++)
    if (gain > NEVER / 2 && from[s] > NEVER)
      offer(to, trace, CLOSED, from[s] + gain, MATCH, s);
}

static void walk_back(const Table *t, SrMeldSteps *out) {
  uint32_t i = t->a->count[0], j = t->a->count[1], begin = out->count;
  const int32_t *last = cell(t, t->row[i % 2], i, j);
  int state = CLOSED;
  for (int s = 0; s < STATES; s++)
    state = last[s] > last[state] ? s : state;
  while (i || j) {
    uint8_t trace = trace_of(t, i, j)[state];
    int move = trace / STATES;
    state = trace % STATES;
    SrMeldStep step = {{SR_NONE, SR_NONE}};
    if (move != ALONE_1)
      step.at[0] = --i;
    if (move != ALONE_0)
      step.at[1] = --j;
    SR_PUSH(t->arena, out, step);
  }
  for (uint32_t x = begin, y = out->count; x + 1 < y; x++) {
    SrMeldStep step = out->at[x];
    out->at[x] = out->at[--y];
    out->at[y] = step;
  }
}

void sr_meld_align(SrArena *arena, SrArena *scratch, const SrMeldAlignment *a, SrMeldSteps *out) {
  uint32_t n = a->count[0], m = a->count[1];
  SrMark mark = sr_arena_mark(scratch);
  Table t = {.arena = arena, .a = a};
  t.width = 2 * (HALF_BAND + (n ? m / n : m)) + 1;
  t.width = t.width > m + 1 ? m + 1 : t.width;
  t.first = SR_NEW(scratch, uint32_t, n + 1);
  t.trace = SR_NEW_RAW(scratch, uint8_t, (size_t)(n + 1) * t.width * STATES);
  size_t row_states = (size_t)t.width * STATES;
  for (int r = 0; r < 2; r++)
    t.row[r] = SR_NEW_RAW(scratch, int32_t, row_states);
  for (uint32_t i = 0; i <= n; i++) {
    t.first[i] = first_column(&t, i);
    t.first[i] = t.first[i] > m + 1 - t.width ? m + 1 - t.width : t.first[i];
  }
  for (uint32_t i = 0; i <= n; i++)
    for (uint32_t j = t.first[i]; j < t.first[i] + t.width; j++)
      fill_cell(&t, i, j);
  walk_back(&t, out);
  sr_arena_reset(scratch, mark);
}
