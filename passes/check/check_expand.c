/* SPDX-License-Identifier: Apache-2.0 */
/* check_expand: see check_expand.h. */
#include "passes/check/check_expand.h"

#include "passes/ir/decorations.h"
#include "passes/ir/pointer.h"
#include "passes/walk/walk_cycle.h"

enum {
  MOST_GROWTH = 32
}; /* the module may grow to this many times its size by copies of functions
                              at further calls */

typedef SR_VEC(uint32_t) Words;

/* A function that is being written. */
typedef struct Frame {
  const SrFunction *f;
  uint32_t block;   /* the next one */
  SrRef at;         /* the next instruction; SR_NONE: the block is written */
  SrRef call;       /* of the function; SR_NONE: it stays */
  uint32_t returns; /* its returns are those from here on */
} Frame;

typedef struct Return {
  uint32_t value, label;
} Return;

typedef struct Expand {
  SrArena *arena;
  SrModule *m;
  SrCheckExpanded *out;
  uint32_t *function; /* by id: index of a function that goes, else SR_NONE */
  uint32_t *name;     /* by id: that of a parameter's argument; that at the current call */
  uint32_t *last;     /* by label: that of the block's last part */
  uint32_t *after;    /* by result of a call: label of the block with what follows it */
  uint32_t *copy;   /* by id: its last copy; by copy - `first_copy`, in `earlier`: the one before */
  SrBits *lost;     /* ids without a definition: parameters, results of void calls */
  SrBits *written;  /* by id: functions that go, and have their first call */
  uint32_t going;   /* functions that have no call yet */
  uint32_t staying; /* functions that stay and are written */
  uint32_t bound, first_copy;
  uint64_t room; /* words that may still be written for further calls; when none are left, the
                    expansion ends */
  bool full;
  SR_VEC(Frame) frame;
  SR_VEC(Return) returned;
  Words body, variables, all, earlier;
} Expand;

static void put(Expand *k, Words *to, uint32_t word) {
  SR_PUSH(k->arena, to, word);
}

static void put_op(Expand *k, Words *to, uint32_t op, uint32_t count) {
  put(k, to, count << 16 | op);
}

/* Writes an instruction as it is. */
static void put_words(Expand *k, SrRef r) {
  for (uint32_t i = 0; i < sr_word_count(k->m, r); i++)
    put(k, &k->all, sr_words(k->m, r)[i]);
}

/* The function that an instruction calls, if that function goes; else SR_NONE. */
static uint32_t goes_to(const Expand *k, SrRef r) {
  return sr_inst(k->m, r)->op == SpvOpFunctionCall ? k->function[sr_words(k->m, r)[3]] : SR_NONE;
}

static bool is_void(const Expand *k, SrRef call) {
  return sr_def_op(k->m, sr_inst(k->m, call)->type) == SpvOpTypeVoid;
}

/* ---- which functions go ---- */

static void find_going(Expand *k, const SrModule *after) {
  for (uint32_t i = 0; i < k->m->function_count; i++) {
    const SrFunction *f = &k->m->functions[i];
    if (!f->block_count || sr_def_op(after, f->id) == SpvOpFunction)
      continue;
    k->function[f->id] = i;
    k->going++;
    for (SR_EACH(k->m, r, f->head))
      if (sr_inst(k->m, r)->op == SpvOpFunctionParameter)
        sr_bit_set(k->lost, sr_inst(k->m, r)->result);
  }
}

/* Does word i name a function that goes? Any word of an unknown instruction may. */
static bool names_going(const Expand *k, SrRef r, uint32_t i) {
  uint32_t word = sr_words(k->m, r)[i];
  return (sr_word_is_id(k->m, r, i) || sr_inst(k->m, r)->unknown) && word < sr_bound(k->m) &&
         k->function[word] != SR_NONE;
}

static bool names_itself(const Expand *k, const SrFunction *f, SrRef r) {
  for (uint32_t i = sr_inst(k->m, r)->first; i < sr_word_count(k->m, r); i++)
    if (sr_word_is_id(k->m, r, i) && sr_words(k->m, r)[i] == f->id)
      return sr_inst(k->m, r)->nonsemantic;
  return false;
}

/* Is a function that goes used other than by a call? */
static bool is_used_otherwise(const Expand *k, const SrFunction *f, SrRef r) {
  for (uint32_t i = 1; i < sr_word_count(k->m, r); i++)
    if (names_going(k, r, i) && (goes_to(k, r) == SR_NONE || i != 3) && !names_itself(k, f, r))
      return true;
  return false;
}

/* Looks at all calls; false if a function cannot go. */
static bool look_at_bodies(Expand *k) {
  const SrModule *m = k->m;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list)) {
        if (is_used_otherwise(k, &m->functions[i], r))
          return false;
        if (goes_to(k, r) != SR_NONE && is_void(k, r))
          sr_bit_set(k->lost, sr_inst(m, r)->result);
      }
  return true;
}

/* ---- outside of blocks ---- */

/* May a parameter lose this decoration, because its argument takes its place? */
static bool may_lose(const SrModule *m, SrRef r) {
  if (sr_def_op(m, sr_words(m, r)[1]) != SpvOpFunctionParameter)
    return true;
  return sr_argument_may_lose(m, r);
}

static uint32_t earlier_copy(const Expand *k, uint32_t copy) {
  return k->earlier.at[copy - k->first_copy];
}

/* Applies a group to the ids that are left, and to their copies. False if a parameter was among the
 * others. */
static bool put_group(Expand *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  uint32_t at = k->all.count;
  put(k, &k->all, 0);
  put(k, &k->all, w[1]);
  for (uint32_t i = 2; i < w[0] >> 16; i++)
    if (!sr_bit(k->lost, w[i])) {
      put(k, &k->all, w[i]);
      for (uint32_t c = k->copy[w[i]]; c != SR_NONE; c = earlier_copy(k, c))
        put(k, &k->all, c);
    } else if (sr_def_op(k->m, w[i]) == SpvOpFunctionParameter)
      return false;
  k->all.at[at] = (k->all.count - at) << 16 | SpvOpGroupDecorate;
  return true;
}

static bool decorates(uint16_t op) {
  return op == SpvOpDecorate || op == SpvOpDecorateId || op == SpvOpDecorateString;
}

/* Writes a decoration of an id for its copies. */
static void put_for_copies(Expand *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  for (uint32_t c = k->copy[w[1]]; c != SR_NONE; c = earlier_copy(k, c)) {
    put_words(k, r);
    k->all.at[k->all.count - (w[0] >> 16) + 1] = c;
  }
}

/* Writes an instruction outside of blocks; drops names and decorations of lost ids. False if the
 * instruction uses such an id, or a function that goes, in any other way. */
static bool put_outside(Expand *k, SrRef r) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  bool lost = false;
  for (uint32_t i = 1; i < w[0] >> 16; i++) {
    if (op != SpvOpName && names_going(k, r, i))
      return false;
    lost |= sr_word_is_id(m, r, i) && sr_bit(k->lost, w[i]);
  }
  if (op == SpvOpGroupDecorate)
    return put_group(k, r);
  if (!lost) {
    put_words(k, r);
    if (decorates(op))
      put_for_copies(k, r);
    return true;
  }
  return op == SpvOpName || (decorates(op) && may_lose(m, r));
}

static bool put_all_outside(Expand *k, SrList list) {
  for (SR_EACH(k->m, r, list))
    if (!put_outside(k, r))
      return false;
  return true;
}

/* ---- functions ---- */

static uint32_t name_of(const Expand *k, uint32_t id) {
  return k->name[id] == SR_NONE ? id : k->name[id];
}

static uint32_t last_of(const Expand *k, uint32_t label) {
  return k->last[label] == SR_NONE ? name_of(k, label) : k->last[label];
}

/* A new id, which is a copy of `id` unless that is 0. */
static uint32_t new_copy(Expand *k, uint32_t id) {
  put(k, &k->earlier, id ? k->copy[id] : (uint32_t)SR_NONE);
  if (id)
    k->copy[id] = k->bound;
  SrWalkOrigin origin = id ? k->out->origin.at[id] : (SrWalkOrigin){0};
  SR_PUSH(k->arena, &k->out->origin, origin);
  return k->bound++;
}

/* Gives the function's ids their names at a call: new ones if `again`, and the blocks after its own
 * calls their labels. */
static void name_ids(Expand *k, const SrFunction *f, bool again) {
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(k->m, r, f->blocks[b].list)) {
      uint32_t result = sr_inst(k->m, r)->result;
      uint32_t callee = goes_to(k, r) == SR_NONE ? 0 : sr_words(k->m, r)[3];
      if (result)
        k->name[result] = again ? new_copy(k, result) : (uint32_t)SR_NONE;
      if (!callee)
        continue;
      k->after[result] = sr_bit(k->written, callee) ? new_copy(k, 0) : callee;
      k->last[f->blocks[b].id] = k->after[result];
      k->going -= !sr_bit(k->written, callee);
      sr_bit_set(k->written, callee);
    }
}

static uint64_t size_of(const SrModule *m, const SrFunction *f) {
  uint64_t size = 0;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      size += sr_word_count(m, r);
  return size;
}

static void put_inst(Expand *k, Words *to, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  bool phi = sr_inst(k->m, r)->op == SpvOpPhi;
  for (uint32_t i = 0; i < w[0] >> 16; i++) {
    bool id = i && sr_word_is_id(k->m, r, i);
    put(k, to, !id ? w[i] : phi && i > 3 && i % 2 == 0 ? last_of(k, w[i]) : name_of(k, w[i]));
  }
}

static void put_jump(Expand *k, uint32_t label) {
  put_op(k, &k->body, SpvOpBranch, 2);
  put(k, &k->body, label);
}

/* A variable that may not be stored to keeps its initializer. */
static void put_variable(Expand *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  uint32_t id = name_of(k, w[2]);
  uint32_t value = sr_variable_initializer(k->m, r), count = w[0] >> 16;
  bool stores = value && !sr_is_decorated(k->m, w[2], SpvDecorationNonWritable);
  count -= stores;
  put_op(k, &k->variables, sr_inst(k->m, r)->op, count);
  for (uint32_t i = 1; i < count; i++)
    put(k, &k->variables, i == 2 ? id : w[i]);
  if (id != w[2])
    SR_PUSH(k->arena, &k->out->copy,
            (SrCheckCopy){.function = k->staying, .copy = id, .first = w[2]});
  if (!stores)
    return;
  put_op(k, &k->body, SpvOpStore, 3);
  put(k, &k->body, id);
  put(k, &k->body, value);
}

static void enter(Expand *k, SrRef call) {
  const uint32_t *w = sr_words(k->m, call);
  const SrFunction *f = &k->m->functions[k->function[w[3]]];
  uint32_t i = 4;
  bool again = k->after[sr_inst(k->m, call)->result] != w[3];
  uint64_t size = again ? size_of(k->m, f) : 0;
  if (size > k->room) {
    k->full = true;
    return;
  }
  k->room -= size;
  for (SR_EACH(k->m, r, f->head))
    if (sr_inst(k->m, r)->op == SpvOpFunctionParameter && i < w[0] >> 16)
      k->name[sr_inst(k->m, r)->result] = name_of(k, w[i++]);
  name_ids(k, f, again);
  put_jump(k, name_of(k, f->blocks[0].id));
  SR_PUSH(k->arena, &k->frame,
          (Frame){.f = f, .at = SR_NONE, .call = call, .returns = k->returned.count});
}

static void leave(Expand *k) {
  Frame done = SR_POP(&k->frame);
  const SrInst *call = sr_inst(k->m, done.call);
  uint32_t count = k->returned.count - done.returns;
  put_op(k, &k->body, SpvOpLabel, 2);
  put(k, &k->body, k->after[call->result]);
  if (!is_void(k, done.call)) {
    put_op(k, &k->body, SpvOpPhi, 3 + 2 * count);
    put(k, &k->body, call->type);
    put(k, &k->body, name_of(k, call->result));
    for (uint32_t i = done.returns; i < k->returned.count; i++) {
      put(k, &k->body, k->returned.at[i].value);
      put(k, &k->body, k->returned.at[i].label);
    }
  }
  k->returned.count = done.returns;
}

static void put_return(Expand *k, const Frame *t, SrRef r) {
  bool value = sr_inst(k->m, r)->op == SpvOpReturnValue;
  SR_PUSH(k->arena, &k->returned,
          (Return){value ? name_of(k, sr_words(k->m, r)[1]) : 0,
                   last_of(k, t->f->blocks[t->block - 1].id)});
  put_jump(k, k->after[sr_inst(k->m, t->call)->result]);
}

static void step(Expand *k, const Frame *t, SrRef r) {
  uint16_t op = sr_inst(k->m, r)->op;
  bool goes = t->call != SR_NONE;
  if (goes_to(k, r) != SR_NONE)
    enter(k, r);
  else if (goes && sr_is_variable(op))
    put_variable(k, r);
  else if (goes && (op == SpvOpReturn || op == SpvOpReturnValue))
    put_return(k, t, r);
  else if (!goes || !names_itself(k, t->f, r))
    put_inst(k, &k->body, r);
}

/* Writes a function; the variables of functions that go come right after the first label. False:
 * see put_outside. */
static bool put_function(Expand *k, const SrFunction *f) {
  uint32_t label = 0;
  k->body.count = k->variables.count = 0;
  name_ids(k, f, false);
  SR_PUSH(k->arena, &k->frame, (Frame){.f = f, .at = SR_NONE, .call = SR_NONE});
  while (k->frame.count && !k->full) {
    Frame *t = &k->frame.at[k->frame.count - 1];
    SrRef r = t->at;
    if (r != SR_NONE) {
      Frame now = *t;
      t->at = sr_inst(k->m, r)->next;
      step(k, &now, r);
      if (r == f->blocks[0].label)
        label = k->body.count;
    } else if (t->block < t->f->block_count) {
      t->at = t->f->blocks[t->block++].list.first;
    } else if (t->call != SR_NONE) {
      leave(k);
    } else {
      k->frame.count = 0;
    }
  }
  if (k->full || !put_all_outside(k, f->head))
    return false;
  for (uint32_t i = 0; i < label; i++)
    put(k, &k->all, k->body.at[i]);
  for (uint32_t i = 0; i < k->variables.count; i++)
    put(k, &k->all, k->variables.at[i]);
  for (uint32_t i = label; i < k->body.count; i++)
    put(k, &k->all, k->body.at[i]);
  return put_all_outside(k, f->tail);
}

/* Does the head of the function define no ids except the function's own and its parameters? */
static bool is_bare(const Expand *k, const SrFunction *f) {
  for (SR_EACH(k->m, r, f->head)) {
    uint16_t op = sr_inst(k->m, r)->op;
    if (op != SpvOpFunction && op != SpvOpFunctionParameter && sr_inst(k->m, r)->result)
      return false;
  }
  return true;
}

static void find_origins(Expand *k) {
  for (uint32_t id = 0; id < k->bound; id++)
    SR_PUSH(k->arena, &k->out->origin, (SrWalkOrigin){0});
  for (uint32_t i = 0; i < k->m->function_count; i++) {
    const SrFunction *f = &k->m->functions[i];
    const SrBits *cycles = f->block_count ? sr_walk_cycles(k->arena, k->m, f) : NULL;
    for (uint32_t b = 0; b < f->block_count; b++)
      for (SR_EACH(k->m, r, f->blocks[b].list))
        k->out->origin.at[sr_inst(k->m, r)->result] =
            (SrWalkOrigin){sr_inst(k->m, r)->result, i, sr_bit(cycles, b)};
  }
}

/* Functions first, so that it is known which ids have copies; then what comes before and after
 * them. */
static bool put_module(Expand *k) {
  const SrModule *m = k->m;
  Words functions;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    bool stays = k->function[f->id] == SR_NONE;
    if (stays ? !put_function(k, f) : !is_bare(k, f))
      return false;
    k->staying += stays;
  }
  functions = k->all;
  k->all = (Words){0};
  for (int i = 0; i < 5; i++)
    put(k, &k->all, i == 3 ? k->bound : m->header[i]);
  if (!put_all_outside(k, m->globals))
    return false;
  for (uint32_t i = 0; i < functions.count; i++)
    put(k, &k->all, functions.at[i]);
  return put_all_outside(k, m->tail);
}

bool sr_check_expand(SrArena *arena, SrModule *before, const SrModule *after,
                     SrCheckExpanded *out) {
  uint32_t bound = sr_bound(before), free = sr_bound(after) > bound ? sr_bound(after) : bound;
  *out = (SrCheckExpanded){0};
  Expand k = {.arena = arena,
              .m = before,
              .out = out,
              .function = sr_new_none(arena, bound),
              .name = sr_new_none(arena, bound),
              .last = sr_new_none(arena, bound),
              .after = sr_new_none(arena, bound),
              .copy = sr_new_none(arena, bound),
              .lost = sr_bits_new(arena, bound),
              .written = sr_bits_new(arena, bound),
              .bound = free,
              .first_copy = free};
  find_going(&k, after);
  if (!k.going || !look_at_bodies(&k))
    return false;
  find_origins(&k);
  k.room = MOST_GROWTH * (uint64_t)before->pool.count;
  if (!put_module(&k) || k.going) {
    *out = (SrCheckExpanded){0};
    return false;
  }
  out->words = k.all.at;
  out->count = k.all.count;
  return true;
}
