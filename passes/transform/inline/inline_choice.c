/* SPDX-License-Identifier: Apache-2.0 */
/* inline_choice: see inline_choice.h. */
#include "passes/transform/inline/inline_choice.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/id_table.h"

/* Bits of the function control. */
static const uint32_t MUST_STAY =
    SpvFunctionControlDontInlineMask | SpvFunctionControlOptNoneINTELMask;

typedef enum Apart { APART_UNKNOWN, APART_NO, APART_YES } Apart;

/* What is known of a function. */
typedef struct Fact {
  uint32_t calls;  /* number of calls of it */
  uint32_t caller; /* the function with the last of these calls */
  SrRef call;
  bool divides;   /* the block of that call may be divided there */
  bool pinned;    /* used by something other than a call */
  bool decorated; /* a parameter has a decoration that matters */
  bool holds;     /* instructions that do not belong to the function precede it */
  bool moves;
  uint8_t apart; /* Apart */
  uint32_t path; /* the path through callers that has visited it; 0: none */
} Fact;

typedef struct Choose {
  SrArena *arena;
  SrModule *m;
  const SrBits *cross_lane; /* of a shader */
  bool marked;              /* functions marked DontInline or OptNone, too */
  Fact *fact;               /* by index of the function */
  SrIdTable *uses;          /* by id of an OpSampledImage: how often its block uses it */
  uint32_t *function,
      *owner; /* by id: for an OpFunction, its index; for a parameter, its function's index */
} Choose;

/* ---- uses ---- */

static void number_functions(Choose *k) {
  SrModule *m = k->m;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    k->function[f->id] = i;
    for (SR_EACH(m, r, f->head)) {
      uint16_t op = sr_inst(m, r)->op;
      if (op == SpvOpFunctionParameter)
        k->owner[sr_inst(m, r)->result] = i;
      else if (op != SpvOpFunction && sr_inst(m, r)->result)
        k->fact[i].holds = true;
    }
  }
}

static void pin(Choose *k, uint32_t id) {
  if (k->function[id] != SR_NONE)
    k->fact[k->function[id]].pinned = true;
}

/* May word i of the instruction be an id? Any word of an unknown one may be. */
static bool may_be_id(const SrModule *m, SrRef r, uint32_t i) {
  return (sr_word_is_id(m, r, i) || sr_inst(m, r)->unknown) && sr_words(m, r)[i] < sr_bound(m);
}

/* An instruction outside of blocks pins the functions that it refers to, unless it only gives them
 * names. */
static void look_outside(Choose *k, SrRef r) {
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  if (op == SpvOpName || op == SpvOpFunction || op == SpvOpFunctionParameter)
    return;
  for (uint32_t i = 1; i < w[0] >> 16; i++) {
    if (!may_be_id(m, r, i))
      continue;
    pin(k, w[i]);
    if (k->owner[w[i]] != SR_NONE && !sr_argument_may_lose(m, r))
      k->fact[k->owner[w[i]]].decorated = true;
  }
}

/* `sampled`: a sampled image of its block is made before it and used after it. */
static void look_at(Choose *k, uint32_t in, SrRef r, bool sampled) {
  SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  bool call = sr_inst(m, r)->op == SpvOpFunctionCall;
  for (uint32_t i = sr_inst(m, r)->unknown ? 1 : sr_inst(m, r)->first; i < w[0] >> 16; i++) {
    uint32_t callee = may_be_id(m, r, i) ? k->function[w[i]] : (uint32_t)SR_NONE;
    if (callee == SR_NONE)
      continue;
    Fact *fact = &k->fact[callee];
    if (call && i == 3) {
      fact->calls++;
      fact->caller = in;
      fact->call = r;
      fact->divides = !sampled;
    } else if (!sr_inst(m, r)->nonsemantic || callee != in) {
      fact->pinned = true;
    }
  }
}

/* Counts the operands of the instruction that are results of OpSampledImage; `add`: in `uses`. */
static uint32_t sampled_operands(Choose *k, SrRef r, bool add) {
  const SrModule *m = k->m;
  uint32_t count = 0;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
    uint32_t id = sr_words(m, r)[i];
    if (!sr_word_is_id(m, r, i) || sr_def_op(m, id) != SpvOpSampledImage)
      continue;
    count++;
    if (add)
      sr_ids_set(k->uses, id, sr_ids_get(k->uses, id) == SR_NONE ? 1 : sr_ids_get(k->uses, id) + 1);
  }
  return count;
}

static bool samples(const SrModule *m, const SrBlock *b) {
  for (SR_EACH(m, r, b->list))
    if (sr_inst(m, r)->op == SpvOpSampledImage)
      return true;
  return false;
}

/* Between an OpSampledImage and its uses, which are in its block, the block may not be divided. */
static void look_at_sampling_block(Choose *k, uint32_t in, const SrBlock *b) {
  const SrModule *m = k->m;
  uint32_t open = 0; /* uses to come of what has been made */
  for (SR_EACH(m, r, b->list))
    sampled_operands(k, r, true);
  for (SR_EACH(m, r, b->list)) {
    uint32_t id = sr_inst(m, r)->result, used = sampled_operands(k, r, false);
    open -= used < open ? used : open;
    look_at(k, in, r, open != 0);
    if (sr_inst(m, r)->op == SpvOpSampledImage && sr_ids_get(k->uses, id) != SR_NONE)
      open += sr_ids_get(k->uses, id);
  }
}

static void look_at_block(Choose *k, uint32_t in, const SrBlock *b) {
  if (samples(k->m, b))
    look_at_sampling_block(k, in, b);
  else
    for (SR_EACH(k->m, r, b->list))
      look_at(k, in, r, false);
}

static void count_uses(Choose *k) {
  const SrModule *m = k->m;
  for (SR_EACH(m, r, m->globals))
    look_outside(k, r);
  for (SR_EACH(m, r, m->tail))
    look_outside(k, r);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    for (SR_EACH(m, r, f->head))
      look_outside(k, r);
    for (uint32_t b = 0; b < f->block_count; b++)
      look_at_block(k, i, &f->blocks[b]);
  }
}

/* ---- what forbids it ---- */

static bool is_apart(Choose *k, uint32_t i) {
  Fact *fact = &k->fact[i];
  if (fact->apart == APART_UNKNOWN) {
    SrMark mark = sr_arena_mark(k->arena);
    bool apart = sr_cross_lane_apart(k->arena, k->m, &k->m->functions[i], k->cross_lane) != SR_NONE;
    sr_arena_reset(k->arena, mark);
    fact->apart = apart ? APART_YES : APART_NO;
  }
  return fact->apart == APART_YES;
}

/* How the function returns: SpvOpReturn or SpvOpReturnValue; SpvOpNop: it does not return, or uses
 * both. */
static SpvOp return_op(const SrModule *m, const SrFunction *f) {
  SpvOp found = SpvOpNop;
  for (uint32_t b = 0; b < f->block_count; b++) {
    SpvOp op = (SpvOp)sr_inst(m, sr_terminator(&f->blocks[b]))->op;
    if (op != SpvOpReturn && op != SpvOpReturnValue)
      continue;
    if (found != SpvOpNop && found != op)
      return SpvOpNop;
    found = op;
  }
  return found;
}

static bool passes_all(const SrModule *m, const SrFunction *f, SrRef call) {
  uint32_t parameters = 0;
  for (SR_EACH(m, r, f->head))
    parameters += sr_inst(m, r)->op == SpvOpFunctionParameter;
  return sr_word_count(m, call) == 4 + parameters;
}

/* Why function i cannot be moved, or NULL. */
static const char *forbids(Choose *k, uint32_t i) {
  const Fact *fact = &k->fact[i];
  const SrFunction *f = &k->m->functions[i], *caller = &k->m->functions[fact->caller];
  uint32_t type = sr_inst(k->m, fact->call)->type;
  if (f->unknown != SR_NONE || caller->unknown != SR_NONE || caller->unread)
    return "there are instructions that this version of SPIR-V's grammar does not know";
  if (fact->decorated)
    return "a parameter has a decoration that its argument may not have";
  if (!k->marked && sr_words(k->m, sr_def(k->m, f->id))[3] & MUST_STAY)
    return "the function is marked DontInline or OptNone";
  if (fact->holds)
    return "instructions that do not belong to the function come before it";
  if (!fact->divides)
    return "a sampled image is made before it, in its block";
  SpvOp returns = return_op(k->m, f);
  bool is_void = sr_def_op(k->m, type) == SpvOpTypeVoid;
  if (returns == SpvOpNop)
    return "the function has no return";
  if (!passes_all(k->m, f, fact->call) || is_void != (returns == SpvOpReturn))
    return "its arguments or its result are not those of the function";
  if (!is_void && !sr_type_can_phi(k->m, type))
    return "no phi may hold what the function returns";
  if (k->m->shader && (is_apart(k, i) || is_apart(k, fact->caller)))
    return "lanes communicate in a block that not all of them run together, exactly once";
  return NULL;
}

static bool may_move(Choose *k, uint32_t i) {
  const Fact *fact = &k->fact[i];
  const SrFunction *f = &k->m->functions[i];
  if (fact->calls != 1 || fact->pinned || f->block_count == 0)
    return false;
  const char *reason = forbids(k, i);
  if (!reason)
    return true;
  SrMark mark = sr_arena_mark(k->arena);
  SrWhere where = {.function = sr_function_name(k->m, k->arena, &k->m->functions[fact->caller]),
                   .word = SR_NONE};
  sr_notice(k->m->diag, where, "inline leaves the call of %s alone: %s",
            sr_function_name(k->m, k->arena, f), reason);
  sr_arena_reset(k->arena, mark);
  return false;
}

/* ---- cycles ---- */

/* Takes functions that call each other in a cycle out of the choice. Each function has one caller,
 * so a path from function to caller ends in a function that stays, or in a cycle. */
static void drop_cycles(Choose *k) {
  for (uint32_t i = 0; i < k->m->function_count; i++) {
    uint32_t at = i;
    while (k->fact[at].moves && !k->fact[at].path) {
      k->fact[at].path = i + 1;
      at = k->fact[at].caller;
    }
    while (k->fact[at].moves && k->fact[at].path == i + 1) { /* a cycle */
      k->fact[at].moves = false;
      at = k->fact[at].caller;
    }
  }
}

SrInlineChoice sr_inline_choice(SrArena *arena, SrModule *m, bool marked) {
  Choose k = {.arena = arena,
              .m = m,
              .cross_lane = m->shader ? sr_cross_lane_functions(arena, m) : NULL,
              .marked = marked,
              .fact = SR_NEW(arena, Fact, m->function_count),
              .uses = sr_ids_take(m),
              .function = sr_new_none(arena, sr_bound(m)),
              .owner = sr_new_none(arena, sr_bound(m))};
  SrInlineChoice out = {.function = sr_new_none(arena, sr_bound(m))};
  number_functions(&k);
  count_uses(&k);
  sr_ids_give(m, k.uses);
  for (uint32_t i = 0; i < m->function_count; i++)
    k.fact[i].moves = may_move(&k, i);
  drop_cycles(&k);
  for (uint32_t i = 0; i < m->function_count; i++)
    if (k.fact[i].moves)
      out.function[m->functions[i].id] = i;
  return out;
}
