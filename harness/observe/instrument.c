/* SPDX-License-Identifier: Apache-2.0 */
/* instrument: see instrument.h. */
#include "harness/observe/instrument.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/integer.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST = 0x00010300, LISTS_ALL = 0x00010400, NAME = 3, BUILTINS = 6 };

static const SpvBuiltIn builtins[BUILTINS] = {SpvBuiltInWorkgroupId,
                                              SpvBuiltInNumWorkgroups,
                                              SpvBuiltInLocalInvocationIndex,
                                              SpvBuiltInSubgroupId,
                                              SpvBuiltInSubgroupLocalInvocationId,
                                              SpvBuiltInSubgroupSize};

typedef enum Input { GROUP, GROUPS, INDEX, SUBGROUP, LANE, SIZE } Input;

typedef struct Maker {
  SrModule *m;
  SrArena arena;
  const ObLog *log;
  SrRef entry;        /* OpEntryPoint */
  SrRef front, notes; /* where capabilities and decorations go */
  SrList *list;       /* where instructions go */
  SrRef before;
  uint32_t u32, u32x3, u32x4, boolean, word_pointer;
  uint32_t inputs[BUILTINS]; /* variables */
  uint32_t variable;         /* the log */
  uint32_t base;             /* id of the word where the invocation's part begins, in the current
                                function */
} Maker;

/* ---- instructions ---- */

/* Makes an instruction with up to three ids as operands; 0: there are no more. Returns its
 * result. */
static uint32_t value(Maker *k, SpvOp op, uint32_t type, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t operands[] = {a, b, c};
  uint32_t result = sr_fresh_id(k->m);
  sr_begin(k->m, op, type, result);
  for (int i = 0; i < 3 && operands[i]; i++)
    sr_put_id(k->m, operands[i]);
  sr_insert_before(k->m, k->list, k->before, sr_end(k->m));
  return result;
}

static uint32_t part_of(Maker *k, uint32_t type, uint32_t composite, uint32_t index) {
  uint32_t result = sr_fresh_id(k->m);
  sr_begin(k->m, SpvOpCompositeExtract, type, result);
  sr_put_id(k->m, composite);
  sr_put_literal(k->m, index);
  sr_insert_before(k->m, k->list, k->before, sr_end(k->m));
  return result;
}

static uint32_t number(Maker *k, uint32_t n) {
  return sr_const_u32(k->m, n);
}

static uint32_t sum(Maker *k, uint32_t a, uint32_t n) {
  return n ? value(k, SpvOpIAdd, k->u32, a, number(k, n), 0) : a;
}

static uint32_t word_at(Maker *k, uint32_t index) {
  return value(k, SpvOpAccessChain, k->word_pointer, k->variable, number(k, 0), index);
}

static void store(Maker *k, uint32_t index, uint32_t what) {
  uint32_t pointer = word_at(k, index);
  sr_begin(k->m, SpvOpStore, 0, 0);
  sr_put_id(k->m, pointer);
  sr_put_id(k->m, what);
  sr_insert_before(k->m, k->list, k->before, sr_end(k->m));
}

/* ---- inputs ---- */

/* The word of an input, or of component `index` of a vector; shaders may declare inputs as signed
 * integers. */
static uint32_t input(Maker *k, Input which, uint32_t index) {
  SrModule *m = k->m;
  uint32_t type = sr_variable_type(m, sr_def(m, k->inputs[which]));
  uint32_t loaded = value(k, SpvOpLoad, type, k->inputs[which], 0, 0);
  if (sr_def_op(m, type) == SpvOpTypeVector) {
    type = sr_words(m, sr_def(m, type))[2];
    loaded = part_of(k, type, loaded, index);
  }
  return type == k->u32 ? loaded : value(k, SpvOpBitcast, k->u32, loaded, 0, 0);
}

static uint32_t interface_at(const SrModule *m, SrRef entry) {
  return NAME + (uint32_t)strlen((const char *)&sr_words(m, entry)[NAME]) / 4 + 1;
}

static uint32_t find_input(Maker *k, SpvBuiltIn builtin) {
  SrModule *m = k->m;
  uint32_t found;
  for (uint32_t i = interface_at(m, k->entry); i < sr_word_count(m, k->entry); i++) {
    uint32_t id = sr_words(m, k->entry)[i];
    if (sr_def_op(m, id) == SpvOpVariable && sr_pointer_class(m, id) == SpvStorageClassInput &&
        sr_decoration_value(m, id, SpvDecorationBuiltIn, &found) && found == (uint32_t)builtin)
      return id;
  }
  return 0;
}

/* ---- the module's own part ---- */

static void append(Maker *k) {
  sr_append(k->m, &k->m->globals, sr_end(k->m));
}

static void add_capability(Maker *k, SpvCapability capability) {
  SrModule *m = k->m;
  for (SrRef r = m->globals.first; r != SR_NONE && sr_inst(m, r)->op == SpvOpCapability;
       r = sr_inst(m, r)->next)
    if (sr_words(m, r)[1] == (uint32_t)capability)
      return;
  sr_begin(m, SpvOpCapability, 0, 0);
  sr_put_literal(m, (uint32_t)capability);
  sr_insert_before(m, &m->globals, k->front, sr_end(m));
}

/* `member`: SR_NONE decorates the id itself. */
static void decorate(Maker *k, uint32_t id, uint32_t member, SpvDecoration decoration,
                     uint32_t literal) {
  SrModule *m = k->m;
  sr_begin(m, member == SR_NONE ? SpvOpDecorate : SpvOpMemberDecorate, 0, 0);
  sr_put_id(m, id);
  if (member != SR_NONE)
    sr_put_literal(m, member);
  sr_put_literal(m, (uint32_t)decoration);
  if (literal != SR_NONE)
    sr_put_literal(m, literal);
  sr_insert_before(m, &m->globals, k->notes, sr_end(m));
}

/* Types that are not aggregates may exist only once. */
static uint32_t vector_of_words(Maker *k, uint32_t components) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpTypeVector && w[2] == k->u32 && w[3] == components)
      return w[1];
  }
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeVector, 0, id);
  sr_put_id(m, k->u32);
  sr_put_literal(m, components);
  append(k);
  return id;
}

static uint32_t pointer_to(Maker *k, SpvStorageClass storage, uint32_t type) {
  uint32_t id = sr_fresh_id(k->m);
  sr_begin(k->m, SpvOpTypePointer, 0, id);
  sr_put_literal(k->m, (uint32_t)storage);
  sr_put_id(k->m, type);
  append(k);
  return id;
}

static uint32_t variable(Maker *k, SpvStorageClass storage, uint32_t type) {
  uint32_t pointer = pointer_to(k, storage, type), id = sr_fresh_id(k->m);
  sr_begin(k->m, SpvOpVariable, pointer, id);
  sr_put_literal(k->m, (uint32_t)storage);
  append(k);
  return id;
}

static void add_log(Maker *k) {
  SrModule *m = k->m;
  uint32_t array = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeRuntimeArray, 0, array);
  sr_put_id(m, k->u32);
  append(k);
  uint32_t block = sr_fresh_id(m);
  sr_begin(m, SpvOpTypeStruct, 0, block);
  sr_put_id(m, array);
  append(k);
  k->word_pointer = pointer_to(k, SpvStorageClassStorageBuffer, k->u32);
  k->variable = variable(k, SpvStorageClassStorageBuffer, block);
  decorate(k, array, SR_NONE, SpvDecorationArrayStride, sizeof(uint32_t));
  decorate(k, block, SR_NONE, SpvDecorationBlock, SR_NONE);
  decorate(k, block, 0, SpvDecorationOffset, 0);
  decorate(k, k->variable, SR_NONE, SpvDecorationDescriptorSet, k->log->set);
  decorate(k, k->variable, SR_NONE, SpvDecorationBinding, k->log->binding);
}

/* Replaces the OpEntryPoint by one that names the variables. */
static void extend_entry(Maker *k, const uint32_t *variables, uint32_t count) {
  SrModule *m = k->m;
  sr_begin(m, SpvOpEntryPoint, 0, 0);
  for (uint32_t i = 1; i < sr_word_count(m, k->entry); i++)
    if (sr_word_is_id(m, k->entry, i))
      sr_put_id(m, sr_words(m, k->entry)[i]);
    else
      sr_put_literal(m, sr_words(m, k->entry)[i]);
  for (uint32_t i = 0; i < count; i++)
    sr_put_id(m, variables[i]);
  SrRef longer = sr_end(m);
  sr_insert_before(m, &m->globals, k->entry, longer);
  sr_remove(m, &m->globals, k->entry);
  k->entry = longer;
}

static void add_variables(Maker *k) {
  uint32_t added[BUILTINS + 1], count = 0;
  for (int i = 0; i < BUILTINS; i++) {
    k->inputs[i] = find_input(k, builtins[i]);
    if (k->inputs[i])
      continue;
    k->inputs[i] = variable(k, SpvStorageClassInput, i <= GROUPS ? k->u32x3 : k->u32);
    decorate(k, k->inputs[i], SR_NONE, SpvDecorationBuiltIn, (uint32_t)builtins[i]);
    added[count++] = k->inputs[i];
  }
  add_log(k);
  if (k->m->header[1] >= LISTS_ALL)
    added[count++] = k->variable;
  extend_entry(k, added, count);
}

/* ---- what is removed ---- */

static bool is_promise(uint32_t mode) {
  return mode == SR_MODE_MAXIMALLY_RECONVERGES ||
         mode == SpvExecutionModeSubgroupUniformControlFlowKHR;
}

static bool is_unwanted(const Maker *k, SrRef r) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  uint32_t function = sr_words(m, k->entry)[2];
  switch (sr_inst(m, r)->op) {
  case SpvOpEntryPoint:
    return r != k->entry;
  case SpvOpExecutionMode:
    return w[1] != function || is_promise(w[2]);
  case SpvOpExecutionModeId:
    return w[1] != function;
  case SpvOpExtension:
    return strcmp((const char *)&w[1], "SPV_KHR_maximal_reconvergence") == 0 ||
           strcmp((const char *)&w[1], "SPV_KHR_subgroup_uniform_control_flow") == 0;
  default:
    return false;
  }
}

static void remove_unwanted(Maker *k) {
  SrModule *m = k->m;
  for (SR_EACH_SAFE(m, r, m->globals))
    if (is_unwanted(k, r))
      sr_remove(m, &m->globals, r);
}

/* ---- code ---- */

/* The invocation's part begins at this word. */
static void find_base(Maker *k) {
  uint32_t row = value(k, SpvOpIMul, k->u32, input(k, GROUP, 2), input(k, GROUPS, 1), 0);
  row = value(k, SpvOpIAdd, k->u32, row, input(k, GROUP, 1), 0);
  uint32_t group = value(k, SpvOpIMul, k->u32, row, input(k, GROUPS, 0), 0);
  group = value(k, SpvOpIAdd, k->u32, group, input(k, GROUP, 0), 0);
  uint32_t part = value(k, SpvOpIMul, k->u32, group, number(k, k->log->invocations), 0);
  part = value(k, SpvOpIAdd, k->u32, part, input(k, INDEX, 0), 0);
  k->base = value(k, SpvOpIMul, k->u32, part, number(k, ob_part_words(k->log->records)), 0);
}

static void store_head(Maker *k) {
  for (uint32_t i = 0; i < 3; i++)
    store(k, sum(k, k->base, 1 + i), input(k, (Input)(SUBGROUP + i), 0));
}

/* Appends a record of these words; 0: the word stays zero. */
static void record(Maker *k, uint32_t point, const uint32_t words[CV_WORDS]) {
  uint32_t count = value(k, SpvOpLoad, k->u32, word_at(k, k->base), 0, 0);
  uint32_t most = number(k, k->log->records);
  uint32_t fits = value(k, SpvOpULessThan, k->boolean, count, most, 0);
  uint32_t slot = value(k, SpvOpSelect, k->u32, fits, count, most);
  uint32_t at = value(k, SpvOpIMul, k->u32, slot, number(k, OB_RECORD), 0);
  at = sum(k, value(k, SpvOpIAdd, k->u32, k->base, at, 0), OB_HEAD);
  store(k, at, number(k, point + 1));
  for (uint32_t i = 0; i < CV_WORDS; i++)
    if (words[i])
      store(k, sum(k, at, 1 + i), words[i]);
  store(k, k->base, sum(k, count, 1));
}

static void record_tangle(Maker *k, uint32_t point) {
  uint32_t words[CV_WORDS];
  uint32_t ballot = value(k, SpvOpGroupNonUniformBallot, k->u32x4, number(k, SpvScopeSubgroup),
                          sr_const_bool(k->m, true), 0);
  for (uint32_t i = 0; i < CV_WORDS; i++)
    words[i] = part_of(k, k->u32, ballot, i);
  record(k, point, words);
}

static void record_selector(Maker *k, uint32_t point, uint32_t selector) {
  SrModule *m = k->m;
  uint32_t type = sr_inst(m, sr_def(m, selector))->type, width = sr_integer_width(m, type);
  uint32_t words[CV_WORDS] = {selector};
  if (width != 32)
    words[0] = value(k, SpvOpUConvert, k->u32, selector, 0, 0);
  else if (type != k->u32)
    words[0] = value(k, SpvOpBitcast, k->u32, selector, 0, 0);
  if (width > 32) {
    uint32_t high = value(k, SpvOpShiftRightLogical, type, selector, number(k, 32), 0);
    words[1] = value(k, SpvOpUConvert, k->u32, high, 0, 0);
  }
  record(k, point, words);
}

/* The points of a block are consecutive, as are those of a function. */
static void add_code(Maker *k, const ObPoints *points, const ObSite *sites) {
  const SrModule *m = k->m;
  uint32_t function = 0;
  for (uint32_t p = 0; p < points->count; p++) {
    k->list = sites[p].list;
    k->before = sites[p].before;
    if (function < m->function_count && points->at[p].kind == OB_BLOCK &&
        points->at[p].block == m->functions[function].blocks[0].id) {
      function++;
      find_base(k);
      if (p == points->entry)
        store_head(k);
    }
    if (points->at[p].kind == OB_SELECTOR)
      record_selector(k, p, sites[p].selector);
    else
      record_tangle(k, p);
  }
}

/* ---- the whole module ---- */

static SrRef find_entry(const SrModule *m, const char *name) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint && sr_words(m, r)[1] == SpvExecutionModelGLCompute &&
        strcmp((const char *)&sr_words(m, r)[NAME], name) == 0)
      return r;
  return SR_NONE;
}

static SrStatus instrument(Maker *k, HnModule module, const char *entry_point, SrDiag *diag,
                           ObPoints *points) {
  ObSite *sites;
  SR_CHECK(sr_read(&k->arena, diag, module.words, module.count, &k->m));
  SrModule *m = k->m;
  k->entry = find_entry(m, entry_point);
  if (k->entry == SR_NONE)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "no compute entry point '%.100s'", entry_point);
  SR_CHECK(ob_points_find(m, &k->arena, sr_words(m, k->entry)[2], points, &sites));
  remove_unwanted(k);
  if (m->header[1] < LOWEST)
    m->header[1] = LOWEST;
  k->front = m->globals.first;
  k->notes = sr_decoration_place(m);
  k->u32 = sr_type_u32(m);
  k->boolean = sr_type_bool(m);
  k->u32x3 = vector_of_words(k, 3);
  k->u32x4 = vector_of_words(k, 4);
  add_variables(k);
  add_code(k, points, sites);
  add_capability(k, SpvCapabilityGroupNonUniform);
  add_capability(k, SpvCapabilityGroupNonUniformBallot);
  return sr_check_bound(m);
}

static bool copy_out(Maker *k, HnModule *out) {
  size_t count;
  const uint32_t *words = sr_write(k->m, &k->arena, &count);
  uint32_t *copy = malloc(count * sizeof *copy);
  if (copy)
    memcpy(copy, words, count * sizeof *copy);
  *out = (HnModule){copy, copy ? count : 0};
  return copy;
}

/* `heap` is the caller's, so that it survives the jump. */
static bool make(SrHeap *heap, HnModule module, const char *entry_point, const ObLog *log,
                 HnModule *out, ObPoints *points, SrDiag *diag) {
  if (setjmp(heap->out_of_memory)) {
    snprintf(diag->text, sizeof diag->text, "out of memory");
    return false;
  }
  Maker k = {.arena = sr_arena_new(heap), .log = log};
  if (instrument(&k, module, entry_point, diag, points) != SR_OK)
    return false;
  if (copy_out(&k, out))
    return true;
  snprintf(diag->text, sizeof diag->text, "out of memory");
  return false;
}

bool ob_instrument(HnModule module, const char *entry_point, const ObLog *log, HnModule *out,
                   ObPoints *points, char **message) {
  SrHeap heap = {0};
  SrDiag diag = {.status = SR_OK};
  *points = (ObPoints){0};
  sr_heap_init(&heap);
  bool good = make(&heap, module, entry_point, log, out, points, &diag);
  sr_heap_free_all(&heap);
  *message = good ? NULL : strdup(diag.text);
  return good;
}

/* ---- promises ---- */

static bool read_promise(SrHeap *heap, HnModule module, const char *entry_point, CvMode *mode,
                         SrDiag *diag) {
  SrModule *m;
  if (setjmp(heap->out_of_memory)) {
    snprintf(diag->text, sizeof diag->text, "out of memory");
    return false;
  }
  SrArena arena = sr_arena_new(heap);
  if (sr_read(&arena, diag, module.words, module.count, &m) != SR_OK)
    return false;
  SrRef entry = find_entry(m, entry_point);
  *mode = CV_NO_PROMISE;
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (entry == SR_NONE || sr_inst(m, r)->op != SpvOpExecutionMode ||
        w[1] != sr_words(m, entry)[2] || !is_promise(w[2]))
      continue;
    CvMode found = w[2] == SR_MODE_MAXIMALLY_RECONVERGES ? CV_MAXIMAL : CV_UNIFORM;
    *mode = found < *mode ? found : *mode;
  }
  return true;
}

bool ob_promise(HnModule module, const char *entry_point, CvMode *mode, char **message) {
  SrHeap heap = {0};
  SrDiag diag = {.status = SR_OK};
  sr_heap_init(&heap);
  bool good = read_promise(&heap, module, entry_point, mode, &diag);
  sr_heap_free_all(&heap);
  *message = good ? NULL : strdup(diag.text);
  return good;
}
