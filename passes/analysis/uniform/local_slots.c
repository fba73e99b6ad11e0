/* SPDX-License-Identifier: Apache-2.0 */
/* local_slots: see local_slots.h. A cell is not followed if
 *   - it escapes;
 *   - a call is given a part of the variable, or the variable twice, so that parameters alias;
 *   - it is a Private variable, and a function that is called uses it. */
#include "passes/analysis/uniform/local_slots.h"

#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"

enum { MAX_WIDTH = 32 };

/* ---- types ---- */

/* The type that a typed pointer points to, or 0. */
static uint32_t pointee(const SrModule *m, uint32_t pointer) {
  SrRef def = sr_def(m, pointer),
        type = def == SR_NONE ? SR_NONE : sr_def(m, sr_inst(m, def)->type);
  return type != SR_NONE && sr_inst(m, type)->op == SpvOpTypePointer ? sr_words(m, type)[3] : 0;
}

static uint32_t width_of(const SrLocalSlots *k, uint32_t type) {
  return type && k->width[type] ? k->width[type] : 1;
}

static void find_widths(SrLocalSlots *k) {
  const SrModule *m = k->m;
  for (SR_EACH(m, r, m->globals)) {
    if (sr_inst(m, r)->op != SpvOpTypeStruct)
      continue;
    uint32_t width = 0;
    for (uint32_t i = 2; i < sr_word_count(m, r) && width <= MAX_WIDTH; i++)
      width += width_of(k, sr_words(m, r)[i]);
    if (width <= MAX_WIDTH)
      k->width[sr_inst(m, r)->result] = (uint8_t)width;
  }
}

/* Narrows a place in an object of the type to one of its members, or to a part of a slot. Returns
 * the type of the member, or 0. */
static uint32_t enter_member(const SrLocalSlots *k, uint32_t type, uint32_t index,
                             SrLocalPlace *place) {
  SrRef def = sr_def(k->m, type);
  uint32_t members = sr_word_count(k->m, def) - 2;
  SrInteger i;
  place->whole = false;
  if (sr_def_op(k->m, type) != SpvOpTypeStruct || !sr_integer_constant(k->m, index, &i) ||
      i.bits >= members || (place->count == 1 && members > 1))
    return 0;
  const uint32_t *member = &sr_words(k->m, def)[2];
  for (uint32_t before = 0; before < i.bits; before++)
    place->first += width_of(k, member[before]);
  place->count = width_of(k, member[i.bits]);
  place->whole = true;
  return member[i.bits];
}

bool sr_local_place(const SrLocalSlots *k, uint32_t pointer, SrLocalPlace *out) {
  const SrModule *m = k->m;
  uint32_t cell = sr_memory_cell(k->memory, pointer), op = sr_def_op(m, pointer);
  if (cell == SR_NONE || sr_bit(k->not_followed, cell))
    return false;
  uint32_t root = sr_memory_root(k->memory, pointer), type = pointee(m, root);
  *out = (SrLocalPlace){.root = root, .count = width_of(k, type), .whole = type != 0};
  if (pointer == root)
    return true;
  SrRef chain = sr_def(m, pointer);
  out->whole = out->whole && (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) &&
               sr_words(m, chain)[3] == root;
  for (uint32_t i = 4; out->whole && i < sr_word_count(m, chain); i++)
    type = enter_member(k, type, sr_words(m, chain)[i], out);
  return true;
}

/* ---- calls ---- */

static void find_parameters(SrArena *arena, SrLocalSlots *k) {
  const SrModule *m = k->m;
  SrArena scratch = sr_arena_new(arena->heap);
  SrRowItems items = {0};
  for (uint32_t f = 0; f < m->function_count; f++)
    for (SR_EACH(m, r, m->functions[f].head))
      if (sr_inst(m, r)->op == SpvOpFunctionParameter)
        SR_PUSH(&scratch, &items, (SrRowItem){f, sr_inst(m, r)->result});
  k->parameters = sr_rows_new(arena, m->function_count, &items);
  sr_arena_free(&scratch);
}

static void lose(SrLocalSlots *k, uint32_t cell) {
  sr_bit_set(k->not_followed, cell);
}

typedef struct Scan {
  SrArena arena;
  SrLocalSlots *slots;
  uint32_t *given;   /* by id: the last call that the variable was given to */
  SrRowItems passed; /* by parameter: parameters of the callers that are given to it */
  SR_VEC(uint32_t) written;
} Scan;

static void note_written(Scan *s, uint32_t root) {
  if (sr_def_op(s->slots->m, root) != SpvOpFunctionParameter || sr_bit(s->slots->written, root))
    return;
  sr_bit_set(s->slots->written, root);
  SR_PUSH(&s->arena, &s->written, root);
}

static void scan_call(Scan *s, SrRef r) {
  SrLocalSlots *k = s->slots;
  const uint32_t *words = sr_words(k->m, r);
  uint32_t f = k->function_at[words[3]], i = 4, count = sr_word_count(k->m, r);
  if (f == SR_NONE)
    return; /* the arguments escape */
  for (SR_NUMBERS(p, k->parameters, f)) {
    uint32_t given = i < count ? words[i++] : 0;
    uint32_t cell = sr_memory_cell(k->memory, given);
    if (cell == SR_NONE)
      continue;
    if (sr_memory_root(k->memory, given) != given || s->given[given] == r ||
        !pointee(k->m, given) || pointee(k->m, given) != pointee(k->m, *p))
      lose(k, cell);
    s->given[given] = r;
    if (sr_def_op(k->m, given) == SpvOpFunctionParameter)
      SR_PUSH(&s->arena, &s->passed, (SrRowItem){*p, given});
  }
}

/* A function that is called uses the Private variables that it names. */
static void scan_private(SrLocalSlots *k, SrRef r) {
  for (uint32_t i = sr_inst(k->m, r)->first; i < sr_word_count(k->m, r); i++) {
    uint32_t cell =
        sr_word_is_id(k->m, r, i) ? sr_memory_cell(k->memory, sr_words(k->m, r)[i]) : SR_NONE;
    if (cell != SR_NONE && sr_memory_changes_outside(k->memory, cell))
      lose(k, cell);
  }
}

static void scan_function(Scan *s, const SrFunction *f, bool called) {
  const SrModule *m = s->slots->m;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list)) {
      if (sr_inst(m, r)->nonsemantic)
        continue;
      if (called)
        scan_private(s->slots, r);
      if (sr_inst(m, r)->op == SpvOpFunctionCall)
        scan_call(s, r);
      if (sr_inst(m, r)->op == SpvOpStore &&
          sr_memory_cell(s->slots->memory, sr_words(m, r)[1]) != SR_NONE)
        note_written(s, sr_memory_root(s->slots->memory, sr_words(m, r)[1]));
    }
}

static void propagate_written(Scan *s) {
  SrRows passed = sr_rows_new(&s->arena, sr_bound(s->slots->m), &s->passed);
  while (s->written.count) {
    uint32_t parameter = SR_POP(&s->written);
    for (SR_NUMBERS(p, passed, parameter))
      note_written(s, *p);
  }
}

SrLocalSlots *sr_local_slots_build(SrArena *arena, SrArena *longer, const SrModule *m,
                                   const SrMemory *memory, const uint32_t *function_at,
                                   const SrBits *starts) {
  SrLocalSlots *k = SR_NEW(arena, SrLocalSlots, 1);
  k->m = m;
  k->memory = memory;
  k->function_at = function_at;
  k->width = SR_NEW(arena, uint8_t, sr_bound(m));
  k->written = sr_bits_new(arena, sr_bound(m));
  k->not_followed = sr_bits_new(longer, sr_bound(m));
  find_widths(k);
  find_parameters(arena, k);
  for (uint32_t id = 1; id < sr_bound(m); id++)
    if (sr_memory_cell(memory, id) == id && sr_memory_escapes(memory, id))
      lose(k, id);
  Scan s = {.arena = sr_arena_new(arena->heap), .slots = k};
  s.given = sr_new_none(&s.arena, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++)
    scan_function(&s, &m->functions[f], !sr_bit(starts, f));
  propagate_written(&s);
  sr_arena_free(&s.arena);
  return k;
}
