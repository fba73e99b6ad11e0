/* SPDX-License-Identifier: Apache-2.0 */
/* debug_place: see debug_place.h.
 *
 * A breakpoint at a line without instructions is at the next line that has some. A line has
 * instructions in several blocks, say the two ends of a loop. A breakpoint at a line is at the
 * first of them in each function, and in each inlined call of a function. */
#include "spv-emu/debug/debug_place.h"

#include "passes/source/source_message.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>

enum { AROUND = 5, MOST_LISTED_INSTRUCTIONS = 40 };

/* ---- places ---------------------------------------------------------------------------------- */

static void walk_block(EmuDebugger *d, uint32_t block, SrSourcePlace *place, uint32_t *block_of) {
  const EmuStepRange *of = &d->p->steps_of[block];
  const EmuBlock *b = &d->p->blocks.at[block];
  const SrModule *m = d->p->module;
  SrSourceWalk walk = sr_source_walk(d->p->source);
  uint32_t step = 0;
  if (b->first == SR_NONE)
    return;
  for (SrRef r = sr_source_start(m, b->first); step < of->count; r = sr_inst(m, r)->next) {
    SrSourcePlace at = sr_source_step(&walk, r);
    if (d->p->steps.at[of->first + step].inst != r)
      continue;
    place[of->first + step] = at;
    block_of[of->first + step++] = block;
  }
}

void emu_debug_places(EmuDebugger *d) {
  SrSourcePlace *place = SR_NEW(d->arena, SrSourcePlace, d->p->steps.count);
  uint32_t *block_of = SR_NEW(d->arena, uint32_t, d->p->steps.count);
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    walk_block(d, b, place, block_of);
  d->place = place;
  d->block_of = block_of;
}

SrSourcePlace emu_debug_here(const EmuDebugger *d) {
  return d->place[emu_debug_step(d)];
}

bool emu_debug_same_line(SrSourcePlace a, SrSourcePlace b) {
  return a.line == b.line && a.file == b.file && a.call == b.call;
}

static const char *file_name(const EmuDebugger *d, uint32_t file) {
  const char *name = d->p->source->files.at[file].name, *last = strrchr(name, '/');
  return last ? last + 1 : name;
}

void emu_debug_add_block(EmuDebugger *d, uint32_t block, SrSourcePlace place) {
  const EmuBlock *b = &d->p->blocks.at[block];
  sr_text_add(&d->out, "block %%%u", b->id);
  if (!place.line)
    return;
  const char *name = file_name(d, place.file);
  sr_text_add(&d->out, *name ? " (%s:%u)" : " (%sline %u)", name, place.line);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void add_id(EmuDebugger *d, uint32_t id) {
  const char *name = d->names[id];
  sr_text_add(&d->out, " %%%u", id);
  if (name)
    sr_text_add(&d->out, " (%.40s)", name);
}

static void add_instruction(EmuDebugger *d, SrRef r) {
  const SrModule *m = d->p->module;
  const SrInst *in = sr_inst(m, r);
  if (in->result)
    sr_text_add(&d->out, "%%%u = ", in->result);
  sr_text_add(&d->out, "Op%s", spvOpcodeString(in->op));
  for (uint32_t i = in->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i))
      add_id(d, sr_words(m, r)[i]);
    else
      sr_text_add(&d->out, " %u", sr_words(m, r)[i]);
  sr_text_add(&d->out, "\n");
}

static void list_instructions(EmuDebugger *d) {
  const EmuStepRange *of = &d->p->steps_of[d->e->lanes.block];
  for (uint32_t i = 0; i < of->count && i < MOST_LISTED_INSTRUCTIONS; i++) {
    sr_text_add(&d->out, "%s ", i == d->e->step ? "->" : "  ");
    add_instruction(d, d->p->steps.at[of->first + i].inst);
  }
}

/* ---- the source ------------------------------------------------------------------------------ */

/* A line of a file, from 1. False: it has no such line, or its text is not known. */
static bool find_line(const EmuDebugger *d, uint32_t file, uint32_t line, const char **text,
                      size_t *length) {
  const spv_emu_file *f = &d->program->source.files[file];
  const char *at = f->text, *end = f->text ? f->text + f->size : NULL;
  for (; at && line > 1; line--) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next + 1 : NULL;
  }
  if (!at || at >= end)
    return false;
  const char *next = memchr(at, '\n', (size_t)(end - at));
  *text = at;
  *length = (size_t)((next ? next : end) - at);
  if (*length && at[*length - 1] == '\r')
    --*length;
  return true;
}

static bool print_line(EmuDebugger *d, uint32_t file, uint32_t line, bool here) {
  const char *text;
  size_t length;
  if (!find_line(d, file, line, &text, &length))
    return false;
  sr_text_add(&d->out, "%s%4u  %.*s\n", here ? "->" : "  ", line, (int)length, text);
  return true;
}

void emu_debug_show_line(EmuDebugger *d) {
  SrSourcePlace here = emu_debug_here(d);
  if (here.line && print_line(d, here.file, here.line, true))
    return;
  sr_text_add(&d->out, "-> ");
  add_instruction(d, d->p->steps.at[emu_debug_step(d)].inst);
}

bool emu_debug_number(const char *text, uint64_t *number) {
  char *end;
  *number = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end;
}

void emu_debug_list(EmuDebugger *d, const char *line) {
  SrSourcePlace here = emu_debug_here(d);
  uint64_t wanted = 0;
  if (line && (!emu_debug_number(line, &wanted) || !wanted || wanted > UINT32_MAX)) {
    sr_text_add(&d->out, "'%.40s' is not the number of a line\n", line);
    return;
  }
  if (here.file == SR_NONE || !d->program->source.files[here.file].text) {
    list_instructions(d);
    return;
  }
  uint32_t middle = line ? (uint32_t)wanted : d->listed ? d->listed + AROUND : here.line;
  uint32_t first = middle > AROUND ? middle - AROUND + (line || !d->listed ? 0 : 1) : 1;
  bool any = false;
  for (uint32_t i = first; i <= middle + AROUND; i++)
    if (print_line(d, here.file, i, i == here.line)) {
      d->listed = i;
      any = true;
    }
  if (!any)
    sr_text_add(&d->out, "the file has no line %u\n", first);
}

/* ---- breakpoints ----------------------------------------------------------------------------- */

/* Does the breakpoint have a step of the same function and inlined call? */
static bool has_call(const EmuDebugger *d, const EmuBreak *b, uint32_t step) {
  uint32_t function = d->p->blocks.at[d->block_of[step]].function;
  for (uint32_t i = 0; i < b->at.count; i++)
    if (d->place[b->at.at[i]].call == d->place[step].call &&
        d->p->blocks.at[d->block_of[b->at.at[i]]].function == function)
      return true;
  return false;
}

static bool is_file(const EmuDebugger *d, uint32_t file, const char *name, size_t length) {
  const char *full = d->p->source->files.at[file].name;
  size_t size = strlen(full);
  return size >= length && memcmp(full + size - length, name, length) == 0 &&
         (size == length || full[size - length - 1] == '/');
}

/* Is the place in the file of that name; without one, in the file of the running lanes? */
static bool is_in(const EmuDebugger *d, SrSourcePlace at, const char *name, size_t length) {
  SrSourcePlace here = emu_debug_here(d);
  if (at.file == SR_NONE || !at.line)
    return false;
  return length ? is_file(d, at.file, name, length) : here.file == SR_NONE || here.file == at.file;
}

/* The first line from `line` on that has instructions; 0: none has. */
static uint32_t line_with_code(const EmuDebugger *d, const char *name, size_t length,
                               uint32_t line) {
  uint32_t found = 0;
  for (uint32_t step = 0; step < d->p->steps.count; step++) {
    SrSourcePlace at = d->place[step];
    if (is_in(d, at, name, length) && at.line >= line && (!found || at.line < found))
      found = at.line;
  }
  return found;
}

/* Blocks are in the module's order. */
static void break_at_line(EmuDebugger *d, EmuBreak *b, const char *name, size_t length,
                          uint32_t wanted) {
  uint32_t line = line_with_code(d, name, length, wanted);
  for (uint32_t block = 0; block < d->p->blocks.count && line; block++) {
    const EmuStepRange *of = &d->p->steps_of[block];
    for (uint32_t step = of->first; step < of->first + of->count; step++)
      if (d->place[step].line == line && is_in(d, d->place[step], name, length) &&
          !has_call(d, b, step))
        SR_PUSH(d->arena, &b->at, step);
  }
}

static void break_at_block(EmuDebugger *d, EmuBreak *b, uint32_t id) {
  for (uint32_t block = 0; block < d->p->blocks.count; block++)
    if (d->p->blocks.at[block].id == id && !d->p->blocks.at[block].part)
      SR_PUSH(d->arena, &b->at, d->p->steps_of[block].first);
}

/* The entry of a function, or a block, with that name. glslang names functions "f(i1;". */
static void break_at_name(EmuDebugger *d, EmuBreak *b, const char *name) {
  size_t length = strlen(name);
  for (uint32_t f = 0; f < d->p->functions.count; f++) {
    const char *full = d->p->functions.at[f].name;
    if (strncmp(full, name, length) == 0 && (!full[length] || full[length] == '('))
      SR_PUSH(d->arena, &b->at, d->p->steps_of[d->p->functions.at[f].first].first);
  }
  for (uint32_t block = 0; block < d->p->blocks.count && !b->at.count; block++) {
    const char *full = d->names[d->p->blocks.at[block].id];
    if (full && strcmp(full, name) == 0)
      break_at_block(d, b, d->p->blocks.at[block].id);
  }
}

static void find_steps(EmuDebugger *d, EmuBreak *b, const char *where) {
  const char *colon = strrchr(where, ':');
  const char *number = colon ? colon + 1 : *where == '%' ? where + 1 : where;
  uint64_t value;
  bool is_number = emu_debug_number(number, &value) && value <= UINT32_MAX;
  if (!is_number)
    break_at_name(d, b, where);
  else if (*where == '%')
    break_at_block(d, b, (uint32_t)value);
  else
    break_at_line(d, b, where, colon ? (size_t)(colon - where) : 0, (uint32_t)value);
}

static void print_break(EmuDebugger *d, const EmuBreak *b) {
  sr_text_add(&d->out, "breakpoint %u: ", b->number);
  for (uint32_t i = 0; i < b->at.count; i++) {
    uint32_t block = d->block_of[b->at.at[i]];
    sr_text_add(&d->out, "%s%s, ", i ? "; " : "",
                d->p->functions.at[d->p->blocks.at[block].function].name);
    emu_debug_add_block(d, block, d->place[b->at.at[i]]);
  }
  sr_text_add(&d->out, "\n");
}

void emu_debug_break(EmuDebugger *d, const char *where) {
  EmuBreak b = {.number = d->breaks.count + 1};
  find_steps(d, &b, where);
  if (!b.at.count) {
    sr_text_add(&d->out,
                "no instruction is at '%.60s': a breakpoint is at LINE, "
                "FILE:LINE, %%BLOCK or "
                "FUNCTION\n",
                where);
    return;
  }
  SR_PUSH(d->arena, &d->breaks, b);
  print_break(d, &b);
}

void emu_debug_delete(EmuDebugger *d, const char *number) {
  uint64_t value;
  if (!emu_debug_number(number, &value) || value == 0 || value > d->breaks.count ||
      !d->breaks.at[value - 1].number)
    sr_text_add(&d->out, "there is no breakpoint '%.40s'\n", number);
  else
    d->breaks.at[value - 1].number = 0;
}

void emu_debug_list_breaks(EmuDebugger *d) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->breaks.count; i++)
    if (d->breaks.at[i].number) {
      print_break(d, &d->breaks.at[i]);
      count++;
    }
  if (!count)
    sr_text_add(&d->out, "there are no breakpoints\n");
}

uint32_t emu_debug_break_at(const EmuDebugger *d, uint32_t step) {
  for (uint32_t i = 0; i < d->breaks.count; i++)
    for (uint32_t k = 0; d->breaks.at[i].number && k < d->breaks.at[i].at.count; k++)
      if (d->breaks.at[i].at.at[k] == step)
        return d->breaks.at[i].number;
  return 0;
}
