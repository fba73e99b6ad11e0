/* SPDX-License-Identifier: Apache-2.0 */
/* listing: see listing.h and spv_emu_list.
 *
 * A line is kept as counts of instructions by part of the program, so that one listing serves every
 * run: a line's issues are the sum of counts times executions. */
#include "api/listing.h"

#include "base/text.h"
#include "ir/writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct Use { /* of a line, in the order of the module */
  uint32_t line, part, count;
} Use;

typedef struct Listing {
  spv_emu_listing list; /* first member: what callers get */
  SrHeap heap;
  SrArena arena;
  const spv_emu_program *program;
  uint32_t *part; /* by instruction */
  SR_VEC(spv_emu_line) lines;
  SR_VEC(Use) uses;
} Listing;

uint32_t *emu_listing_parts(SrArena *arena, const spv_emu_program *program) {
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

static void add_use(Listing *l, uint32_t line, SrRef r) {
  if (!sr_counts(sr_inst(l->program->m, r)) || l->part[r] == SR_NONE)
    return;
  Use *last = l->uses.count ? &l->uses.at[l->uses.count - 1] : NULL;
  if (last && last->line == line && last->part == l->part[r])
    last->count++;
  else
    SR_PUSH(&l->arena, &l->uses, (Use){line, l->part[r], 1});
}

static void add_line(Listing *l, const char *text, size_t length) {
  SR_PUSH(&l->arena, &l->lines, (spv_emu_line){.text = text, .length = (uint32_t)length});
}

/* Sorts the uses by line, and merges those of one line and part. */
static void finish(Listing *l) {
  uint32_t count = l->uses.count, lines = l->lines.count;
  uint32_t *next = SR_NEW(&l->arena, uint32_t, lines + 1);
  Use *sorted = SR_NEW_RAW(&l->arena, Use, count);
  spv_emu_use *uses = SR_NEW_RAW(&l->arena, spv_emu_use, count);
  for (uint32_t i = 0; i < count; i++)
    next[l->uses.at[i].line + 1]++;
  for (uint32_t i = 0; i < lines; i++)
    next[i + 1] += next[i];
  for (uint32_t i = 0; i < count; i++)
    sorted[next[l->uses.at[i].line]++] = l->uses.at[i];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    spv_emu_line *line = &l->lines.at[sorted[i].line];
    if (line->uses && uses[kept - 1].part == sorted[i].part) {
      uses[kept - 1].count += sorted[i].count;
      continue;
    }
    if (!line->uses++)
      line->use = kept;
    uses[kept++] = (spv_emu_use){sorted[i].part, sorted[i].count};
  }
  l->list.lines = l->lines.at;
  l->list.line_count = lines;
  l->list.uses = uses;
}

/* ---- source ---------------------------------------------------------------------------------- */

/* The text of the first OpSource that has any, with its OpSourceContinued; empty: none. */
static char *source_text(const SrModule *m, SrArena *arena) {
  SrText text = {.arena = arena};
  bool found = false;
  for (SR_EACH(m, r, m->globals)) {
    uint16_t op = sr_inst(m, r)->op;
    const char *part = NULL;
    if (op == SpvOpSource && !found && sr_word_count(m, r) > 4)
      part = (const char *)&sr_words(m, r)[4];
    else if (op == SpvOpSourceContinued && found)
      part = (const char *)&sr_words(m, r)[1];
    if (part)
      sr_text_put(&text, part, strlen(part));
    found = found || part;
  }
  return sr_text_end(&text);
}

/* Removes what glslang adds: comments before the source, up to one that marks its beginning, and,
 * if its C interface was used, the preprocessed source after it. */
static const char *only_source(char *text) {
  static const char begin[] = "#line 1\n", again[] = "\n#version";
  char *found = strstr(text, begin);
  text = found ? found + strlen(begin) : text;
  char *second = strstr(text, again);
  if (second)
    second[1] = 0;
  return text;
}

/* An OpLine applies until the next one, or the block's end. */
static void add_source_uses(Listing *l, const SrFunction *f) {
  const SrModule *m = l->program->m;
  for (uint32_t b = 0; b < f->block_count; b++) {
    uint32_t line = 0;
    for (SR_EACH(m, r, f->blocks[b].list)) {
      const SrInst *in = sr_inst(m, r);
      if (in->op == SpvOpLine)
        line = sr_words(m, r)[2];
      else if (in->op == SpvOpNoLine)
        line = 0;
      else if (line > 0 && line <= l->lines.count)
        add_use(l, line - 1, r);
    }
  }
}

/* False: the module holds no source. */
static bool list_source(Listing *l) {
  const SrModule *m = l->program->m;
  for (const char *text = only_source(source_text(m, &l->arena)); *text;) {
    size_t length = strcspn(text, "\n");
    add_line(l, text, length);
    text += length + (text[length] != 0);
  }
  for (uint32_t i = 0; i < m->function_count && l->lines.count; i++)
    add_source_uses(l, &m->functions[i]);
  return l->lines.count > 0;
}

/* ---- disassembly ----------------------------------------------------------------------------- */

const char *emu_listing_plain(SrArena *arena, const spv_emu_program *program, spv_text *owner) {
  size_t count;
  const uint32_t *words = sr_write(program->m, arena, &count);
  return sr_dump_text(arena, words, count, owner);
}

/* Lists the module from the first function on; nothing before it runs. */
static void list_instruction(void *user, SrRef r, const char *line, size_t length) {
  Listing *l = user;
  if (r == SR_NONE || (l->lines.count == 0 && sr_inst(l->program->m, r)->op != SpvOpFunction))
    return;
  const char *copy = sr_strndup(&l->arena, line, length);
  add_line(l, copy, length && copy[length - 1] == '\n' ? length - 1 : length);
  add_use(l, l->lines.count - 1, r);
}

static bool list_instructions(Listing *l, spv_text *plain) {
  const char *text = emu_listing_plain(&l->arena, l->program, plain);
  if (text)
    sr_dump_walk(l->program->m, text, list_instruction, l);
  return text != NULL;
}

/* ---- either ---------------------------------------------------------------------------------- */

static bool make(Listing *l, bool source, spv_text *plain) {
  if (setjmp(l->heap.out_of_memory))
    return false;
  l->arena = sr_arena_new(&l->heap);
  l->part = emu_listing_parts(&l->arena, l->program);
  l->list.source = source && list_source(l);
  if (!l->list.source && !list_instructions(l, plain))
    return false;
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
