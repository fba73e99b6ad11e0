/* SPDX-License-Identifier: Apache-2.0 */
/* native_check: see native_check.h. Of arms, all of the file is compared except the rows of one
 * execution of a block. Of a path, the rows that it writes are compared, in lanes that have not
 * ended: the interpreter leaves other values in lanes that do not run. Of a run, the rows of its
 * results are: rows of 1,024 lanes make files of megabytes. Of the rows of one execution of a block,
 * code stores only those that something reads later: these are looked for. */
#include "spv-emu/exec/native_check.h"

#include "spv-emu/memory/memory.h"

#include <string.h>

void emu_check_failed(EmuExec *e, const char *what) {
  EmuLanes *s = &e->lanes;
  emu_fault(s, emu_mask_next(&s->on, 0, s->words), "machine code %s (an error of spv-emu)", what);
}

static EmuChecked *checked_of(const EmuExec *e) {
  return &e->shared->native->checked;
}

bool emu_check_may(const EmuExec *e, const EmuNativeWhat *what) {
  return what->pure || (what->repeats && !e->lanes.shared_by_threads);
}

void emu_check_begin(EmuExec *e) {
  EmuChecked *c = checked_of(e);
  memcpy(c->before, e->lanes.file, e->shared->program->file_bytes);
  c->counts_before = e->lanes.counts;
  c->fault = e->lanes.fault;
}

void emu_check_again(EmuExec *e) {
  EmuChecked *c = checked_of(e);
  size_t bytes = e->shared->program->file_bytes;
  memcpy(c->after, e->lanes.file, bytes);
  memcpy(e->lanes.file, c->before, bytes);
  c->counts_after = e->lanes.counts;
  e->lanes.counts = c->counts_before;
  e->lanes.fault = c->fault;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool both_nan(const uint8_t *a, const uint8_t *b, uint32_t at) {
  float x, y;
  double u, v;
  memcpy(&x, a + at / 4 * 4, sizeof x), memcpy(&y, b + at / 4 * 4, sizeof y);
  memcpy(&u, a + at / 8 * 8, sizeof u), memcpy(&v, b + at / 8 * 8, sizeof v);
  return (x != x && y != y) || (u != u && v != v);
}

/* Are the bytes from `first` on the same, and what the code has left? */
static bool is_same(const EmuExec *e, uint32_t first, uint32_t bytes) {
  const uint8_t *file = e->lanes.file, *after = checked_of(e)->after;
  if (memcmp(file + first, after + first, bytes) == 0)
    return true;
  for (uint32_t at = first; at < first + bytes; at++)
    if (file[at] != after[at] && !both_nan(file, after, at))
      return false;
  return true;
}

static const char other_value[] = "computes another value", other_way[] = "compares in another way";

static void compare_counts(EmuExec *e, const EmuCounts *native) {
  if (memcmp(native, &e->lanes.counts, sizeof *native) != 0)
    emu_check_failed(e, "counts memory accesses in another way");
}

void emu_check_end(EmuExec *e) {
  compare_counts(e, &checked_of(e)->counts_after);
  if (!is_same(e, 0, e->shared->program->temporary))
    emu_check_failed(e, other_value);
}

/* Does the row hold the same for all lanes that have not ended? `other`: a file. */
static bool same_row(const EmuExec *e, const uint8_t *other, const EmuNativeRow *row) {
  for (EMU_EACH_LANE(lane, &e->live, e->lanes.words)) {
    size_t at = row->row + (size_t)lane * row->bytes;
    if (memcmp(e->lanes.file + at, other + at, row->bytes) != 0 &&
        !both_nan(e->lanes.file, other, (uint32_t)at))
      return false;
  }
  return true;
}

static void compare_rows(EmuExec *e, const EmuNativePath *path, const uint8_t *other) {
  for (uint32_t i = 0; i < path->row_count; i++)
    if (!same_row(e, other, &path->rows[i]))
      emu_check_failed(e, other_value);
}

void emu_check_path_end(EmuExec *e, const EmuNativePath *path) {
  compare_counts(e, &checked_of(e)->counts_after);
  compare_rows(e, path, checked_of(e)->after);
}

/* ---- a path with hammocks, or where lanes part -------------------------------------------------- */

void emu_check_expect(EmuExec *e, const EmuNativePath *path, uint64_t issued) {
  EmuExpected *x = &e->shared->native->expected;
  const EmuLanes *s = &e->lanes;
  x->waits = true;
  x->path = path;
  x->issued = issued;
  x->block = s->block;
  x->on = s->on;
  x->yes = s->yes;
  x->counts = s->counts;
  memcpy(x->file, s->file, e->shared->program->file_bytes);
}

static bool same_test(const EmuExec *e, const EmuMask *native) {
  EmuMask mine = e->lanes.yes, other = *native;
  emu_mask_keep(&mine, &e->lanes.on, e->lanes.words);
  emu_mask_keep(&other, &e->lanes.on, e->lanes.words);
  return emu_mask_equal(&mine, &other, e->lanes.words);
}

void emu_check_arrive(EmuExec *e) {
  EmuExpected *x = &e->shared->native->expected;
  const EmuLanes *s = &e->lanes;
  if (e->shared->issued < x->issued)
    return;
  x->waits = false;
  if (e->shared->issued != x->issued || s->block != x->block ||
      !emu_mask_equal(&s->on, &x->on, s->words))
    emu_check_failed(e, "leaves a loop with other lanes, or in a different place");
  else if (e->shared->program->blocks.at[s->block].compared && !same_test(e, &x->yes))
    emu_check_failed(e, other_way);
  compare_counts(e, &x->counts);
  compare_rows(e, x->path, x->file);
}

/* ---- a stream -------------------------------------------------------------------------------- */

/* The instructions that one compiled function replaces (first to end), and the end of the stream. */
typedef struct Range {
  const EmuIns *first, *end, *last;
  const uint8_t *bytes; /* by instruction, beginning with `first`: of a lane of its result */
} Range;

/* Copies the rows of the results. */
static void copy_results(const EmuExec *e, const Range *r, uint8_t *to, const uint8_t *from) {
  for (const EmuIns *i = r->first; i < r->end; i++)
    memcpy(to + i->d, from + i->d, (size_t)r->bytes[i - r->first] * e->lanes.width);
}

static bool stores(const EmuProgram *p, const EmuIns *i, uint32_t row) {
  if (i->run != emu_store)
    return false;
  for (uint32_t n = 0; n < p->accesses.at[i->x].leaf_count; n++)
    if (p->rows.at[i->list + n] == row)
      return true;
  return false;
}

/* Is the row read after the range? */
static bool is_read(const EmuProgram *p, const EmuBlock *b, const Range *r, uint32_t row) {
  for (const EmuIns *i = r->end; i < r->last; i++)
    if (i->a == row || i->b == row || i->c == row || stores(p, i, row))
      return true;
  for (uint32_t k = b->edge; k < b->edge + b->edges; k++)
    for (uint32_t m = 0; m < p->edges.at[k].moves; m++)
      if (p->moves.at[p->edges.at[k].move + m].a == row)
        return true;
  return b->row == row && b->end != EMU_END_BRANCH;
}

static void compare_results(EmuExec *e, const EmuBlock *b, const Range *r) {
  const EmuProgram *p = e->shared->program;
  for (const EmuIns *i = r->first; i < r->end; i++)
    if ((i->d < p->temporary || is_read(p, b, r, i->d)) &&
        !is_same(e, i->d, r->bytes[i - r->first] * p->width))
      emu_check_failed(e, other_value);
}

static void check_function(EmuExec *e, const EmuBlock *b, const EmuIns *native, const Range *r) {
  const EmuChecked *w = checked_of(e);
  EmuLanes *s = &e->lanes;
  copy_results(e, r, w->before, s->file);
  native->run(s, native);
  const EmuMask yes = s->yes;
  copy_results(e, r, w->after, s->file);
  copy_results(e, r, s->file, w->before);
  for (const EmuIns *i = r->first; i < r->end; i++)
    i->run(s, i);
  compare_results(e, b, r);
  if (r->end == r->last && b->compared && !same_test(e, &yes))
    emu_check_failed(e, other_way);
}

void emu_check_stream(EmuExec *e, const EmuBlock *b, const EmuNativeStream *stream) {
  bool full = e->full || b->some == b->full;
  const EmuIns *code = &e->shared->program->code.at[full ? b->full : b->some];
  Range r = {
      .first = code, .last = code + (full ? b->full_count : b->some_count), .bytes = stream->bytes};
  for (uint32_t i = 0; i < stream->count; i++) {
    uint32_t covers = stream->covers[i];
    r.end = r.first + (covers ? covers : 1);
    if (covers)
      check_function(e, b, &stream->code[i], &r);
    else
      r.first->run(&e->lanes, r.first);
    r.bytes += r.end - r.first;
    r.first = r.end;
  }
}
