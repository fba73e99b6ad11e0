/* SPDX-License-Identifier: Apache-2.0 */
/* reader: see reader.h. Two steps: the parse (parse.h), and one walk that sorts instructions into
 * globals, functions and blocks and checks the layout. Linear, except that a switch's cases are
 * sorted. */
#include "passes/ir/reader.h"
#include "passes/base/compiler.h"
#include "passes/base/map.h"
#include "passes/base/sort.h"
#include "passes/ir/edit.h"
#include "passes/ir/grammar.h"
#include "passes/ir/hint.h"
#include "passes/ir/integer.h"
#include "passes/ir/parse.h"
#include "passes/ir/pointer.h"
#include "passes/ir/promise.h"
#include "passes/ir/unknown.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MAX_SWITCH_CASES = 16383 };

typedef struct Reader {
  SrModule *m;
  SrMap names;   /* by id: OpName, else OpEntryPoint */
  SrMap unread;  /* by OpFunction: the first unknown instruction in it that may end a block */
  SrMap unknown; /* by OpFunction: the first instruction in it that the grammar does not know */
  /* state of the walk: */
  SrFunction *function;
  SrBlock *block;
  SrRef function_inst;  /* OpFunction of the function being read */
  SrList *list;         /* the list to which instructions are appended now */
  SrList lines;         /* debug lines read between blocks */
  SrBlock *free_blocks; /* the next unused block record */
} Reader;

/* ---- functions that are not read ---- */

/* Is the unknown instruction r before the first label, or the last one before another block or the
 * function's end? Then it may end a block. */
static bool may_branch(const SrModule *m, SrRef r, bool in_block) {
  SrRef next = r + 1;
  while (next < m->inst.count && sr_is_debug_line(sr_inst(m, next)))
    next++;
  uint16_t op = next < m->inst.count ? sr_inst(m, next)->op : SpvOpLabel;
  return !in_block || op == SpvOpLabel || op == SpvOpFunctionEnd;
}

/* Finds the functions with unknown instructions, and among them those with one that may end a
 * block: only these are passed on unread. */
static void find_unknown(Reader *rd) {
  const SrModule *m = rd->m;
  SrRef function = SR_NONE;
  bool in_block = false;
  for (SrRef r = 0; r < m->inst.count; r++) {
    const SrInst *in = sr_inst(m, r);
    if (in->op == SpvOpFunction)
      function = r;
    in_block = (in_block || in->op == SpvOpLabel) && in->op != SpvOpFunction;
    if (in->unknown && function != SR_NONE) {
      if (sr_map_get(&rd->unknown, function) == SR_NONE)
        sr_map_set(&rd->unknown, function, r);
      if (may_branch(m, r, in_block) && sr_map_get(&rd->unread, function) == SR_NONE)
        sr_map_set(&rd->unread, function, r);
    }
    if (in->op == SpvOpFunctionEnd)
      function = SR_NONE;
  }
}

/* ---- the walk ---- */

static uint32_t input_word(const SrModule *m, SrRef r) {
  return SR_HEADER_WORDS + sr_inst(m, r)->at;
}

static SrWhere place_of(const Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  SrWhere where = rd->function ? (SrWhere){.word = input_word(m, r)} : sr_parse_place(m, r);
  if (rd->function)
    where.function = sr_function_name(m, m->arena, rd->function);
  if (rd->block)
    where.block = rd->block->id;
  return where;
}

SR_PRINTF(3, 4)
SR_MUST_USE static SrStatus bad(const Reader *rd, SrRef r, const char *format, ...) {
  const SrModule *m = rd->m;
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return sr_fail(m->diag, SR_BAD_INPUT, place_of(rd, r), "%s", text);
}

static void link_last(SrModule *m, SrList *list, SrRef r) {
  SrInst *in = sr_inst(m, r);
  in->prev = list->last;
  in->next = SR_NONE;
  if (list->last == SR_NONE)
    list->first = r;
  else
    sr_inst(m, list->last)->next = r;
  list->last = r;
}

static void link_lines(SrModule *m, SrList *lines, SrList *list) {
  for (SR_EACH_SAFE(m, r, *lines))
    link_last(m, list, r);
  *lines = (SrList){SR_NONE, SR_NONE};
}

static SrStatus open_function(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  if (rd->function)
    return bad(rd, r, "OpFunction inside a function");
  rd->function = &m->functions[m->function_count++];
  *rd->function = (SrFunction){.id = sr_inst(m, r)->result,
                               .name = sr_map_get(&rd->names, sr_inst(m, r)->result),
                               .head = {SR_NONE, SR_NONE},
                               .tail = {SR_NONE, SR_NONE},
                               .blocks = rd->free_blocks};
  SrRef unread = sr_map_get(&rd->unread, r);
  rd->function->unknown = sr_map_get(&rd->unknown, r);
  rd->function->unread = unread != SR_NONE;
  if (unread != SR_NONE)
    sr_say_unknown(m, rd->function, unread);
  rd->function_inst = r;
  rd->list = &rd->function->head;
  link_lines(m, &rd->lines, rd->list);
  link_last(m, rd->list, r);
  return SR_OK;
}

static SrStatus close_function(Reader *rd, SrRef r) {
  if (!rd->function || rd->block)
    return bad(rd, r,
               rd->block ? "the block has no terminator" : "OpFunctionEnd outside a function");
  rd->list = &rd->function->tail;
  link_lines(rd->m, &rd->lines, rd->list);
  link_last(rd->m, rd->list, r);
  rd->function = NULL;
  return SR_OK;
}

static SrStatus open_block(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  if (!rd->function)
    return bad(rd, r, "OpLabel outside a function");
  if (rd->block)
    return bad(rd, r, "the block has no terminator");
  rd->block = rd->free_blocks++;
  *rd->block = (SrBlock){
      .id = sr_inst(m, r)->result, .label = r, .list = {SR_NONE, SR_NONE}, .added = false};
  m->home[rd->block->id] = rd->function->block_count++;
  link_lines(m, &rd->lines, &rd->block->list);
  link_last(m, &rd->block->list, r);
  return SR_OK;
}

/* Between functions and between blocks only debug lines are allowed; they belong to what
 * follows. */
static SrStatus between(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  const SrInst *in = sr_inst(m, r);
  bool head = rd->function && rd->function->block_count == 0 && in->op == SpvOpFunctionParameter;
  if (head) {
    link_lines(m, &rd->lines, &rd->function->head);
    link_last(m, &rd->function->head, r);
    return SR_OK;
  }
  if (!sr_is_debug_line(in))
    return bad(rd, r, "Op%s outside a block", sr_grammar_name(in->op));
  link_last(m, &rd->lines, r);
  return SR_OK;
}

static SrStatus in_block(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpPhi) {
    SrRef before = rd->block->list.last;
    while (sr_is_debug_line(sr_inst(m, before)))
      before = sr_inst(m, before)->prev;
    if (sr_inst(m, before)->op != SpvOpPhi && before != rd->block->label)
      return bad(rd, r, "OpPhi %%%u is not at the start of its block", in->result);
    if (rd->function->block_count == 1)
      return bad(rd, r, "OpPhi %%%u in the entry block", in->result);
    assert(sr_word_count(m, r) % 2 != 0); /* operands.c has checked that each operand has its
                                             parent */
  }
  if (in->op == SpvOpFunctionParameter)
    return bad(rd, r, "OpFunctionParameter in a block");
  if (sr_is_variable(in->op) && rd->function->block_count > 1)
    return bad(rd, r, "OpVariable %%%u is not in the entry block", in->result);
  if (in->result)
    m->home[in->result] = rd->function->block_count - 1;
  link_last(m, &rd->block->list, r);
  if (sr_is_terminator(in->op))
    rd->block = NULL;
  return SR_OK;
}

/* Takes an instruction of an unread function: all but the last are in the function's head. */
static void pass_on(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  if (sr_inst(m, r)->result)
    m->home[sr_inst(m, r)->result] = 0;
  link_last(m, &rd->function->head, r);
}

static SrStatus place(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpFunction)
    return open_function(rd, r);
  if (in->op == SpvOpFunctionEnd)
    return close_function(rd, r);
  if (rd->function && rd->function->unread) {
    pass_on(rd, r);
    return SR_OK;
  }
  if (in->op == SpvOpLabel)
    return open_block(rd, r);
  if (rd->block)
    return in_block(rd, r);
  if (rd->function || m->function_count)
    return between(rd, r);
  link_last(m, &m->globals, r);
  return SR_OK;
}

static void note_name(Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  if (op == SpvOpName && w[2] && sr_def_op(m, w[1]) == SpvOpFunction) {
    SrRef before = sr_map_get(&rd->names, w[1]);
    if (before == SR_NONE || sr_inst(m, before)->op != SpvOpName)
      sr_map_set(&rd->names, w[1], r);
  } else if (op == SpvOpEntryPoint && w[3] && sr_map_get(&rd->names, w[2]) == SR_NONE) {
    sr_map_set(&rd->names, w[2], r);
  }
}

static SrStatus walk(Reader *rd) {
  SrModule *m = rd->m;
  for (SrRef r = 0; r < m->inst.count && sr_inst(m, r)->op != SpvOpFunction; r++)
    note_name(rd, r);
  for (SrRef r = 0; r < m->inst.count; r++)
    SR_CHECK(place(rd, r));
  if (rd->function && m->inst.count)
    return bad(rd, m->inst.count - 1, "the function has no OpFunctionEnd");
  link_lines(m, &rd->lines, &m->tail);
  return SR_OK;
}

/* ---- what functions refer to ---- */

/* Is `id` a label in f? Blocks of f are between its first and last label in reading order. */
static bool is_label_of(const SrModule *m, const SrFunction *f, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpLabel && f->blocks[0].label <= r &&
         r <= f->blocks[f->block_count - 1].label;
}

static SrStatus check_label(Reader *rd, SrRef r, uint32_t id, const char *what) {
  if (!is_label_of(rd->m, rd->function, id))
    return bad(rd, r, "%s %%%u is not a block of this function", what, id);
  return SR_OK;
}

/* Some compilers place a merge instruction before others of the block. It declares nothing then. */
static void drop_merge(Reader *rd, SrRef r) {
  SrModule *m = rd->m;
  sr_notice(m->diag, place_of(rd, r),
            "Op%s does not directly precede the terminator, and is therefore dropped",
            sr_grammar_name(sr_inst(m, r)->op));
  if (!rd->function->misplaced)
    rd->function->misplaced = rd->block->id;
  sr_remove(m, &rd->block->list, r);
  sr_hint_keep(rd->m, rd->block->id, r);
}

static SrStatus check_merge(Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  if (sr_merge_inst(m, rd->block) != r) {
    drop_merge(rd, r);
    return SR_OK;
  }
  SR_CHECK(check_label(rd, r, sr_words(m, r)[1], "merge block"));
  if (sr_inst(m, r)->op == SpvOpLoopMerge)
    SR_CHECK(check_label(rd, r, sr_words(m, r)[2], "continue target"));
  return SR_OK;
}

/* Two cases with one literal are invalid, which spirv-val does not detect; transforms reorder
 * cases. Of a literal's words, only the bits of the selector's width count. */
static SrStatus check_literals(Reader *rd, SrRef r, uint32_t cases) {
  const uint32_t *w = sr_words(rd->m, r);
  if (cases == 0)
    return SR_OK;
  SrArena *arena = rd->m->arena;
  SrMark mark = sr_arena_mark(arena);
  uint64_t *literal = SR_NEW_RAW(arena, uint64_t, cases);
  uint32_t step = (sr_word_count(rd->m, r) - 3) / cases;
  uint32_t type = sr_inst(rd->m, sr_def(rd->m, w[1]))->type;
  for (uint32_t k = 0; k < cases; k++) {
    SrInteger number;
    if (!sr_integer_read(rd->m, type, w + 3 + (size_t)k * step, &number))
      return bad(rd, r, "OpSwitch on %%%u, which is not an integer of at most 64 bits", w[1]);
    literal[k] = number.bits;
  }
  sr_sort(arena, literal, cases, sizeof *literal, sr_by_number);
  for (uint32_t k = 1; k < cases; k++)
    if (literal[k] == literal[k - 1])
      return bad(rd, r, "OpSwitch has two cases for %" PRIu64, literal[k]);
  sr_arena_reset(arena, mark);
  return SR_OK;
}

/* The condition must be a boolean, since transforms move it into phis and selects of booleans. */
static SrStatus check_condition(Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  uint32_t id = sr_words(m, r)[1], type = sr_inst(m, sr_def(m, id))->type;
  if (type == 0 || sr_def_op(m, type) != SpvOpTypeBool)
    return bad(rd, r, "OpBranchConditional on %%%u, no Boolean", id);
  return SR_OK;
}

static SrStatus check_terminator(Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  uint32_t targets = 0;
  if (sr_inst(m, r)->op == SpvOpBranchConditional)
    SR_CHECK(check_condition(rd, r));
  for (uint32_t i = 0; (i = sr_next_target(m, r, i)); targets++) {
    uint32_t id = sr_words(m, r)[i];
    SR_CHECK(check_label(rd, r, id, "branch target"));
    if (id == rd->function->blocks[0].id)
      return bad(rd, r, "branch to the entry block %%%u", id);
  }
  if (targets > MAX_SWITCH_CASES + 1)
    return bad(rd, r, "OpSwitch has %u cases, more than SPIR-V's limit of %u", targets - 1,
               (unsigned)MAX_SWITCH_CASES);
  return sr_inst(m, r)->op == SpvOpSwitch ? check_literals(rd, r, targets - 1) : SR_OK;
}

static SrStatus check_phi(Reader *rd, SrRef r) {
  const SrModule *m = rd->m;
  for (uint32_t i = 4; i < sr_word_count(m, r); i += 2)
    SR_CHECK(check_label(rd, r, sr_words(m, r)[i], "OpPhi's parent"));
  return SR_OK;
}

/* May word i of the instruction be a label? */
static bool takes_label(const SrModule *m, SrRef r, uint32_t i) {
  switch (sr_inst(m, r)->op) {
  case SpvOpPhi:
    return i >= 4 && i % 2 == 0;
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
  case SpvOpBranch:
    return true;
  case SpvOpBranchConditional:
  case SpvOpSwitch:
    return i > 1;
  default:
    return false;
  }
}

/* A function's values are used in that function only, and its labels only as branch targets, merge
 * blocks, continue targets and parents of phis. Its instructions are contiguous. */
static SrStatus check_scope(Reader *rd) {
  const SrModule *m = rd->m;
  SrRef first = rd->function->head.first, last = rd->function->tail.last;
  for (SrRef r = first; r <= last; r++) {
    const uint32_t *w = sr_words(m, r);
    for (uint32_t i = sr_inst(m, r)->first, n = w[0] >> 16; i < n; i++) {
      if (!sr_word_is_id(m, r, i))
        continue;
      if (sr_def_op(m, w[i]) == SpvOpLabel && !takes_label(m, r, i))
        return bad(rd, r, "id %%%u is a label, not a value", w[i]);
      if (m->def[w[i]] >= first && m->def[w[i]] <= last)
        continue;
      if (m->home[w[i]] != SR_NONE || sr_def_op(m, w[i]) == SpvOpFunctionParameter)
        return bad(rd, r, "id %%%u is defined in another function", w[i]);
    }
  }
  return SR_OK;
}

static SrStatus check_references(Reader *rd) {
  SrModule *m = rd->m;
  for (uint32_t f = 0; f < m->function_count; f++) {
    rd->function = &m->functions[f];
    rd->block = NULL;
    SR_CHECK(check_scope(rd));
    for (uint32_t b = 0; b < rd->function->block_count; b++) {
      rd->block = &rd->function->blocks[b];
      for (SR_EACH_SAFE(m, r, rd->block->list)) {
        uint16_t op = sr_inst(m, r)->op;
        if (op == SpvOpPhi)
          SR_CHECK(check_phi(rd, r));
        else if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge)
          SR_CHECK(check_merge(rd, r));
      }
      SR_CHECK(check_terminator(rd, sr_terminator(rd->block)));
    }
  }
  rd->function = NULL;
  rd->block = NULL;
  return SR_OK;
}

/* Every id that is used must be defined, and every result type must be an id that has no type of
 * its own. The walk relies on both. */
static SrStatus check_ids(Reader *rd) {
  const SrModule *m = rd->m;
  for (SrRef r = 0; r < m->inst.count; r++) {
    const uint32_t *w = sr_words(m, r);
    uint32_t type = sr_inst(m, r)->type;
    for (uint32_t i = 1, n = w[0] >> 16; i < n; i++)
      if (sr_word_is_id(m, r, i) && (w[i] >= sr_bound(m) || m->def[w[i]] == SR_NONE))
        return bad(rd, r, "id %%%u is used but not defined", w[i]);
    if (type && (sr_inst(m, m->def[type])->type || sr_def_op(m, type) == SpvOpLabel))
      return bad(rd, r, "id %%%u is not a type", type);
  }
  return SR_OK;
}

/* Structure is required if Shader is declared, or implied by a capability that depends on Shader.
 * The memory model shows the latter: all but OpenCL's depend on Shader. */
static void read_capabilities(SrModule *m) {
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    uint16_t op = sr_inst(m, r)->op;
    if (op == SpvOpCapability && w[1] == SpvCapabilityShader)
      m->shader = true;
    if (op != SpvOpMemoryModel)
      continue;
    m->logical_pointers =
        w[1] == SpvAddressingModelLogical || w[1] == SpvAddressingModelPhysicalStorageBuffer64;
    m->shader = m->shader || w[2] != SpvMemoryModelOpenCL;
  }
}

SrStatus sr_read(SrArena *arena, SrDiag *diag, const uint32_t *words, size_t count,
                 SrModule **out) {
  SrModule *m;
  SrParsed parsed;
  *out = NULL;
  SR_CHECK(sr_parse(arena, diag, words, count, &m, &parsed));
  m->functions = SR_NEW(arena, SrFunction, parsed.functions);
  Reader rd = {.m = m,
               .names = {.arena = arena},
               .unread = {.arena = arena},
               .unknown = {.arena = arena},
               .lines = {SR_NONE, SR_NONE},
               .free_blocks = SR_NEW(arena, SrBlock, parsed.labels + 1)};
  if (parsed.unknown)
    find_unknown(&rd);
  SR_CHECK(check_ids(&rd));
  SR_CHECK(walk(&rd));
  SR_CHECK(check_references(&rd));
  read_capabilities(m);
  sr_promises_read(m);
  *out = m;
  return SR_OK;
}
