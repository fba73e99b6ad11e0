/* SPDX-License-Identifier: Apache-2.0 */
/* check_expand: see check_expand.h. */
#include "check/check_expand.h"

#include "ir/decorations.h"
#include "ir/pointer.h"

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
  uint32_t *function;      /* by id: index of a function that goes, else SR_NONE */
  uint32_t *name;          /* by id of a parameter: its argument */
  uint32_t *last;          /* by label: that of the block's last part */
  SrBits *lost;            /* ids without a definition: parameters, results of void calls */
  SrBits *called;          /* by id: functions that go and were seen called */
  uint32_t going, written; /* functions */
  SR_VEC(Frame) frame;
  SR_VEC(Return) returned;
  Words body, variables, all;
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

/* The function that an instruction calls, if it goes; else SR_NONE. */
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

/* Is a function that goes used in another way than by a call, or by two? */
static bool is_used_otherwise(Expand *k, const SrFunction *f, SrRef r) {
  for (uint32_t i = 1; i < sr_word_count(k->m, r); i++) {
    uint32_t id = sr_words(k->m, r)[i];
    if (!names_going(k, r, i))
      continue;
    if (goes_to(k, r) == SR_NONE || i != 3) {
      if (!names_itself(k, f, r))
        return true;
    } else if (sr_bit(k->called, id)) {
      return true;
    } else {
      sr_bit_set(k->called, id);
    }
  }
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
        if (goes_to(k, r) == SR_NONE)
          continue;
        k->last[m->functions[i].blocks[b].id] = sr_words(m, r)[3];
        if (is_void(k, r))
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

/* A group is applied to the ids that are left. False if a parameter was among the others. */
static bool put_group(Expand *k, SrRef r) {
  const uint32_t *w = sr_words(k->m, r);
  uint32_t at = k->all.count;
  put(k, &k->all, 0);
  put(k, &k->all, w[1]);
  for (uint32_t i = 2; i < w[0] >> 16; i++)
    if (!sr_bit(k->lost, w[i]))
      put(k, &k->all, w[i]);
    else if (sr_def_op(k->m, w[i]) == SpvOpFunctionParameter)
      return false;
  k->all.at[at] = (k->all.count - at) << 16 | SpvOpGroupDecorate;
  return true;
}

/* Writes an instruction outside of blocks; names and decorations of ids that are lost go with them.
 * False if it has another use for such an id, or for a function that goes. */
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
  if (!lost) {
    put_words(k, r);
    return true;
  }
  if (op == SpvOpGroupDecorate)
    return put_group(k, r);
  return op == SpvOpName ||
         ((op == SpvOpDecorate || op == SpvOpDecorateId || op == SpvOpDecorateString) &&
          may_lose(m, r));
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
  return k->last[label] == SR_NONE ? label : k->last[label];
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
  uint32_t value = sr_variable_initializer(k->m, r), count = w[0] >> 16;
  bool stores = value && !sr_is_decorated(k->m, w[2], SpvDecorationNonWritable);
  count -= stores;
  put_op(k, &k->variables, sr_inst(k->m, r)->op, count);
  for (uint32_t i = 1; i < count; i++)
    put(k, &k->variables, w[i]);
  if (!stores)
    return;
  put_op(k, &k->body, SpvOpStore, 3);
  put(k, &k->body, w[2]);
  put(k, &k->body, value);
}

static void enter(Expand *k, SrRef call) {
  const uint32_t *w = sr_words(k->m, call);
  const SrFunction *f = &k->m->functions[k->function[w[3]]];
  uint32_t i = 4;
  for (SR_EACH(k->m, r, f->head))
    if (sr_inst(k->m, r)->op == SpvOpFunctionParameter && i < w[0] >> 16)
      k->name[sr_inst(k->m, r)->result] = name_of(k, w[i++]);
  put_jump(k, f->blocks[0].id);
  SR_PUSH(k->arena, &k->frame,
          (Frame){.f = f, .at = SR_NONE, .call = call, .returns = k->returned.count});
  k->written++;
}

static void leave(Expand *k) {
  Frame done = SR_POP(&k->frame);
  const SrInst *call = sr_inst(k->m, done.call);
  uint32_t count = k->returned.count - done.returns;
  put_op(k, &k->body, SpvOpLabel, 2);
  put(k, &k->body, done.f->id);
  if (!is_void(k, done.call)) {
    put_op(k, &k->body, SpvOpPhi, 3 + 2 * count);
    put(k, &k->body, call->type);
    put(k, &k->body, call->result);
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
  put_jump(k, t->f->id);
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

/* The variables of functions that go come right after the first label. False: see put_outside. */
static bool put_function(Expand *k, const SrFunction *f) {
  uint32_t label = 0;
  k->body.count = k->variables.count = 0;
  SR_PUSH(k->arena, &k->frame, (Frame){.f = f, .at = SR_NONE, .call = SR_NONE});
  while (k->frame.count) {
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
  if (!put_all_outside(k, f->head))
    return false;
  for (uint32_t i = 0; i < label; i++)
    put(k, &k->all, k->body.at[i]);
  for (uint32_t i = 0; i < k->variables.count; i++)
    put(k, &k->all, k->variables.at[i]);
  for (uint32_t i = label; i < k->body.count; i++)
    put(k, &k->all, k->body.at[i]);
  return put_all_outside(k, f->tail);
}

/* Is no id defined in the head of the function but its own and its parameters? */
static bool is_bare(const Expand *k, const SrFunction *f) {
  for (SR_EACH(k->m, r, f->head)) {
    uint16_t op = sr_inst(k->m, r)->op;
    if (op != SpvOpFunction && op != SpvOpFunctionParameter && sr_inst(k->m, r)->result)
      return false;
  }
  return true;
}

bool sr_check_expand(SrArena *arena, SrModule *before, const SrModule *after, SrCheckWords *out) {
  Expand k = {.arena = arena,
              .m = before,
              .function = sr_new_none(arena, sr_bound(before)),
              .name = sr_new_none(arena, sr_bound(before)),
              .last = sr_new_none(arena, sr_bound(before)),
              .lost = sr_bits_new(arena, sr_bound(before)),
              .called = sr_bits_new(arena, sr_bound(before))};
  find_going(&k, after);
  if (!k.going || !look_at_bodies(&k))
    return false;
  for (int i = 0; i < 5; i++)
    put(&k, &k.all, before->header[i]);
  if (!put_all_outside(&k, before->globals))
    return false;
  for (uint32_t i = 0; i < before->function_count; i++) {
    const SrFunction *f = &before->functions[i];
    if (k.function[f->id] == SR_NONE ? !put_function(&k, f) : !is_bare(&k, f))
      return false;
  }
  if (!put_all_outside(&k, before->tail))
    return false;
  *out = (SrCheckWords){k.all.at, k.all.count};
  return k.written == k.going;
}
