/* SPDX-License-Identifier: Apache-2.0 */
/* native_check: see native_check.h. All of the file is compared except the rows of one execution of
 * a block, of which code stores only those that something reads later: these are looked for. */
#include "spv-emu/exec/native_check.h"

#include "spv-emu/memory/memory.h"

#include <string.h>

void emu_check_failed(EmuExec *e, const char *what) {
  EmuLanes *s = &e->lanes;
  emu_fault(s, emu_mask_next(&s->on, 0, s->words), "machine code %s (an error of spv-emu)", what);
}

void emu_check_begin(EmuExec *e) {
  memcpy(e->shared->native->before, e->lanes.file, e->shared->program->file_bytes);
}

void emu_check_again(EmuExec *e) {
  size_t bytes = e->shared->program->file_bytes;
  memcpy(e->shared->native->after, e->lanes.file, bytes);
  memcpy(e->lanes.file, e->shared->native->before, bytes);
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
  const uint8_t *file = e->lanes.file, *after = e->shared->native->after;
  if (memcmp(file + first, after + first, bytes) == 0)
    return true;
  for (uint32_t at = first; at < first + bytes; at++)
    if (file[at] != after[at] && !both_nan(file, after, at))
      return false;
  return true;
}

void emu_check_end(EmuExec *e) {
  if (!is_same(e, 0, e->shared->program->temporary))
    emu_check_failed(e, "computes another value");
}

/* ---- a stream -------------------------------------------------------------------------------- */

/* The instructions that one compiled function replaces (first to end), and the end of the stream. */
typedef struct Range {
  const EmuIns *first, *end, *last;
} Range;

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

static void compare_temporary(EmuExec *e, const EmuBlock *b, const Range *r) {
  const EmuProgram *p = e->shared->program;
  for (const EmuIns *i = r->first; i < r->end; i++)
    if (i->d >= p->temporary && is_read(p, b, r, i->d) && !is_same(e, i->d, p->width))
      emu_check_failed(e, "computes another value for the rest of its block");
}

static void compare_test(EmuExec *e, const EmuBlock *b, const EmuMask *native) {
  EmuMask mine = e->lanes.yes, other = *native;
  uint32_t words = e->lanes.words;
  if (!b->compared)
    return;
  emu_mask_keep(&mine, &e->lanes.on, words);
  emu_mask_keep(&other, &e->lanes.on, words);
  if (!emu_mask_equal(&mine, &other, words))
    emu_check_failed(e, "compares in another way");
}

static void check_function(EmuExec *e, const EmuBlock *b, const EmuIns *native, const Range *r) {
  EmuLanes *s = &e->lanes;
  emu_check_begin(e);
  native->run(s, native);
  const EmuMask yes = s->yes;
  emu_check_again(e);
  for (const EmuIns *i = r->first; i < r->end; i++)
    i->run(s, i);
  emu_check_end(e);
  compare_temporary(e, b, r);
  if (r->end == r->last)
    compare_test(e, b, &yes);
}

void emu_check_stream(EmuExec *e, const EmuBlock *b, const EmuNativeStream *stream) {
  bool full = e->full || b->some == b->full;
  const EmuIns *code = &e->shared->program->code.at[full ? b->full : b->some];
  Range r = {.first = code, .last = code + (full ? b->full_count : b->some_count)};
  for (uint32_t i = 0; i < stream->count; i++) {
    uint32_t covers = stream->covers[i];
    r.end = r.first + (covers ? covers : 1);
    if (covers)
      check_function(e, b, &stream->code[i], &r);
    else
      r.first->run(&e->lanes, r.first);
    r.first = r.end;
  }
}
