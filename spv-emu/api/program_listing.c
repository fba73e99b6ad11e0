/* SPDX-License-Identifier: Apache-2.0 */
/* program_listing: see program_listing.h and spv_emu_list.
 *
 * A line is kept as counts of instructions by part of the program, so that one listing serves every
 * run: a line's issues are the sum of counts times executions. First all uses of lines are
 * collected, each with the place of its line. Sorted by place, they are the lines of the
 * listing. */
#include "spv-emu/api/program_listing.h"

#include "passes/base/sort.h"
#include "passes/ir/writer.h"
#include "passes/source/source_walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct Use {     /* instructions of a line and part */
  uint32_t file, number; /* a line of a source file, or `number` of the disassembly */
  uint32_t part, count;
} Use;

typedef struct Listing {
  spv_emu_listing list; /* first member: what callers get */
  SrHeap heap;
  SrArena arena;
  const spv_emu_program *program;
  uint32_t *part; /* by instruction */
  SR_VEC(spv_emu_line) lines;
  SR_VEC(spv_emu_section) sections;
  SR_VEC(Use) uses;
  uint32_t taken; /* uses that have a line */
} Listing;

uint32_t *emu_program_listing_parts(SrArena *arena, const spv_emu_program *program) {
  const EmuProgram *p = program->p;
  uint32_t *part = sr_new_none(arena, program->m->inst.count);
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    for (SrRef r = block->first; r != SR_NONE; r = sr_inst(program->m, r)->next) {
      part[r] = b;
      if (r == block->last)
        break;
    }
  }
  return part;
}

static void add_use(Listing *l, uint32_t file, uint32_t number, SrRef r) {
  if (!sr_counts(sr_inst(l->program->m, r)) || l->part[r] == SR_NONE)
    return;
  Use *last = l->uses.count ? &l->uses.at[l->uses.count - 1] : NULL;
  if (last && last->file == file && last->number == number && last->part == l->part[r])
    last->count++;
  else
    SR_PUSH(&l->arena, &l->uses, (Use){file, number, l->part[r], 1});
}

static void add_line(Listing *l, const char *text, size_t length, uint32_t number) {
  SR_PUSH(&l->arena, &l->lines,
          (spv_emu_line){.text = text, .length = (uint32_t)length, .number = number});
}

static int compare(uint32_t x, uint32_t y) {
  return (x > y) - (x < y);
}

static int by_place(const void *a, const void *b) {
  const Use *x = a, *y = b;
  int order = compare(x->file, y->file);
  order = order ? order : compare(x->number, y->number);
  return order ? order : compare(x->part, y->part);
}

/* Sorts the uses by place, and merges those of one place and part. */
static void sort_uses(Listing *l) {
  uint32_t kept = 0;
  if (l->uses.count)
    sr_sort(&l->arena, l->uses.at, l->uses.count, sizeof(Use), by_place);
  for (uint32_t i = 0; i < l->uses.count; i++) {
    Use *last = kept ? &l->uses.at[kept - 1] : NULL, use = l->uses.at[i];
    if (last && by_place(last, &use) == 0)
      last->count += use.count;
    else
      l->uses.at[kept++] = use;
  }
  l->uses.count = kept;
}

/* Gives a line the next uses, as long as they are of this place. */
static void take_uses(Listing *l, uint32_t file, uint32_t number, spv_emu_line *line) {
  line->use = l->taken;
  for (; l->taken < l->uses.count; l->taken++, line->uses++) {
    const Use *use = &l->uses.at[l->taken];
    if (use->file != file || use->number != number)
      break;
  }
}

static void finish(Listing *l) {
  spv_emu_use *uses = SR_NEW_RAW(&l->arena, spv_emu_use, l->uses.count);
  for (uint32_t i = 0; i < l->uses.count; i++)
    uses[i] = (spv_emu_use){l->uses.at[i].part, l->uses.at[i].count};
  l->list.lines = l->lines.at;
  l->list.line_count = l->lines.count;
  l->list.sections = l->sections.at;
  l->list.section_count = l->sections.count;
  l->list.uses = uses;
}

/* ---- source ---------------------------------------------------------------------------------- */

/* All parts of a block, from its first part on. */
static void add_source_uses(Listing *l, const EmuBlock *block) {
  SrSourceWalk walk = sr_source_walk(l->program->p->source);
  for (SrRef r = block->first; r != SR_NONE; r = sr_inst(l->program->m, r)->next) {
    SrSourcePlace place = sr_source_step(&walk, r);
    add_use(l, place.file, place.line, r);
  }
}

/* Adds the lines of a file's text. */
static void list_text(Listing *l, uint32_t file, const spv_emu_file *from) {
  const char *at = from->text, *end = at + from->size;
  for (uint32_t number = 1; at < end; number++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    bool crlf = length && at[length - 1] == '\r';
    add_line(l, at, length - crlf, number);
    take_uses(l, file, number, &SR_LAST(&l->lines));
    at += length + (stop != NULL);
  }
}

/* Adds the lines of the next use's file: its text, if there is one, and lines that are not in it,
 * but have instructions. */
static void list_file(Listing *l) {
  uint32_t file = l->uses.at[l->taken].file, first = l->lines.count;
  const spv_emu_file *from = &l->program->source.files[file];
  if (from->text)
    list_text(l, file, from);
  while (l->taken < l->uses.count && l->uses.at[l->taken].file == file) {
    uint32_t number = l->uses.at[l->taken].number;
    add_line(l, "", 0, number);
    take_uses(l, file, number, &SR_LAST(&l->lines));
  }
  SR_PUSH(&l->arena, &l->sections, (spv_emu_section){file, first, l->lines.count - first});
}

/* False: no instruction has a line. Uses without a line come last: their file is SR_NONE. */
static bool list_source(Listing *l) {
  const EmuProgram *p = l->program->p;
  for (uint32_t b = 0; b < p->blocks.count; b++)
    if (p->blocks.at[b].part == 0)
      add_source_uses(l, &p->blocks.at[b]);
  sort_uses(l);
  while (l->taken < l->uses.count && l->uses.at[l->taken].file != SR_NONE)
    list_file(l);
  take_uses(l, SR_NONE, 0, &l->list.unplaced);
  return l->lines.count > 0;
}

/* ---- disassembly ----------------------------------------------------------------------------- */

const char *emu_program_listing_plain(SrArena *arena, const spv_emu_program *program,
                                      spv_text *owner) {
  size_t count;
  const uint32_t *words = sr_write(program->m, arena, &count);
  return sr_dump_text(arena, words, count, owner);
}

/* Lists the module from the first function on: what is before it has no cost. */
static void list_instruction(void *user, SrRef r, const char *line, size_t length) {
  Listing *l = user;
  if (r == SR_NONE || (l->lines.count == 0 && sr_inst(l->program->m, r)->op != SpvOpFunction))
    return;
  const char *copy = sr_strndup(&l->arena, line, length);
  add_line(l, copy, length && copy[length - 1] == '\n' ? length - 1 : length, 0);
  add_use(l, 0, l->lines.count - 1, r);
}

static bool list_instructions(Listing *l, spv_text *plain) {
  const char *text = emu_program_listing_plain(&l->arena, l->program, plain);
  if (!text)
    return false;
  sr_dump_walk(l->program->m, text, list_instruction, l);
  sort_uses(l);
  for (uint32_t i = 0; i < l->lines.count; i++)
    take_uses(l, 0, i, &l->lines.at[i]);
  return true;
}

/* ---- the listing ----------------------------------------------------------------------------- */

static bool make(Listing *l, bool source, spv_text *plain) {
  if (setjmp(l->heap.out_of_memory))
    return false;
  l->arena = sr_arena_new(&l->heap);
  l->part = emu_program_listing_parts(&l->arena, l->program);
  l->list.source = source && list_source(l);
  if (!l->list.source) {
    l->uses.count = l->taken = 0;
    l->list.unplaced = (spv_emu_line){0};
    if (!list_instructions(l, plain))
      return false;
  }
  finish(l);
  return true;
}

spv_emu_listing *spv_emu_list(const spv_emu_program *program, bool source) {
  Listing *l = calloc(1, sizeof *l);
  spv_text plain = NULL;
  if (!l)
    return NULL;
  l->program = program;
  sr_heap_init(&l->heap);
  bool good = make(l, source, &plain);
  spvTextDestroy(plain);
  if (good)
    return &l->list;
  spv_emu_listing_free(&l->list);
  return NULL;
}

void spv_emu_listing_free(spv_emu_listing *listing) {
  Listing *l = (Listing *)listing;
  if (!l)
    return;
  sr_heap_free_all(&l->heap);
  free(l);
}
