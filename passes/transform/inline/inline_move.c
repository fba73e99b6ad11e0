/* SPDX-License-Identifier: Apache-2.0 */
/* inline_move: see inline_move.h. One walk visits the caller's blocks, and at each call the blocks
 * of the function called before it continues; open functions are on a stack. Names are replaced at
 * the end, all at once. */
#include "passes/transform/inline/inline_move.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/ir/id_table.h"
#include "passes/ir/pointer.h"
#include "passes/transform/applied_line.h"

/* A function that the walk is in. */
typedef struct Frame {
  SrFunction *f;
  uint32_t next;    /* its next block */
  uint32_t origin;  /* label of the block that was divided last */
  SrBlock tail;     /* what follows the last call in this block */
  bool has_tail;    /* the tail has not been visited yet */
  SrApplied line;   /* the line and scope that apply at its start */
  SrRef call;       /* the call that led here; SR_NONE: this is the outermost caller */
  uint32_t returns; /* its returns are those from here on */
} Frame;

typedef struct Return {
  uint32_t value, label; /* value: that the block returns; label: of the block's last part */
} Return;

typedef struct Move {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrInlineChoice *choice;
  SrTransformCounts *counts;
  SR_VEC(Frame) frame;
  SR_VEC(Return) returned;
  SR_VEC(SrBlock) block; /* in their new order; in the module's arena */
  SrList variables;      /* of functions that were moved */
  SrIdTable *name;       /* by id of a parameter: its argument */
  SrIdTable *last;       /* by label of a divided block: that of its last part */
} Move;

static Frame *top(Move *k) {
  return &k->frame.at[k->frame.count - 1];
}

static void jump(Move *k, SrBlock *b, uint32_t target) {
  sr_begin(k->m, SpvOpBranch, 0, 0);
  sr_put_id(k->m, target);
  sr_append(k->m, &b->list, sr_end(k->m));
}

/* ---- calls ---- */

/* The value that replaces a parameter: an argument, or a copy of it, before the call. */
static uint32_t in_place_of(Move *k, SrList *list, SrRef call, SrRef parameter, uint32_t id) {
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, parameter);
  if (sr_keeps_in_place(m, in.result, id))
    return id;
  k->counts->added_instructions++;
  return sr_keep_in_place(m, list, call, in.type, in.result, id);
}

/* Names the arguments of a call. Those that are parameters themselves have names already. */
static void name_arguments(Move *k, SrList *list, SrRef call, const SrFunction *callee) {
  SrModule *m = k->m;
  uint32_t word = 4;
  for (SR_EACH(m, r, callee->head)) {
    if (sr_inst(m, r)->op != SpvOpFunctionParameter)
      continue;
    uint32_t id = sr_words(m, call)[word++], named = sr_ids_get(k->name, id);
    id = in_place_of(k, list, call, r, named == SR_NONE ? id : named);
    sr_ids_set(k->name, sr_inst(m, r)->result, id);
  }
}

/* Divides the block at a call: what precedes it stays, and what follows is the frame's tail. */
static void divide(Move *k, SrBlock *head, SrRef call, SrApplied line) {
  SrModule *m = k->m;
  Frame *t = top(k);
  uint32_t id = sr_words(m, call)[3];
  sr_hint_move_branch(m, head->id, id);
  sr_begin(m, SpvOpLabel, 0, id);
  t->tail = (SrBlock){.id = id, .label = sr_end(m), .added = true, .part = true};
  t->tail.list = (SrList){t->tail.label, t->tail.label};
  sr_move_rest(m, &head->list, call, &t->tail.list);
  sr_remove(m, &head->list, call);
  t->has_tail = true;
  t->line = line;
}

/* Enters the function that is called. */
static void enter(Move *k, SrBlock *head, SrRef call, SrApplied line) {
  SrModule *m = k->m;
  SrFunction *callee = &m->functions[k->choice->function[sr_words(m, call)[3]]];
  name_arguments(k, &head->list, call, callee);
  divide(k, head, call, line);
  jump(k, head, callee->blocks[0].id);
  SR_PUSH(k->arena, &k->frame, (Frame){.f = callee, .call = call, .returns = k->returned.count});
  k->counts->added_blocks++;
}

/* Leaves the last frame's function, whose blocks have all been visited. Its caller continues with a
 * phi of the returned values. */
static void leave(Move *k) {
  SrModule *m = k->m;
  Frame done = SR_POP(&k->frame);
  SrFunction *f = done.f;
  const SrInst call = *sr_inst(m, done.call);
  Frame *t = top(k);
  SrRef after = sr_inst(m, t->tail.label)->next;
  if (sr_def_op(m, call.type) == SpvOpTypeVoid) {
    m->def[call.result] = m->home[call.result] = SR_NONE;
  } else {
    sr_begin(m, SpvOpPhi, call.type, call.result);
    for (uint32_t i = done.returns; i < k->returned.count; i++) {
      sr_put_id(m, k->returned.at[i].value);
      sr_put_id(m, k->returned.at[i].label);
    }
    sr_insert_before(m, &t->tail.list, after, sr_end(m));
    k->counts->added_phis++;
  }
  SrList lines = {SR_NONE, SR_NONE};
  SrApplied none = SR_NOT_APPLIED;
  sr_applied_switch(m, &lines, &none, t->line);
  for (SR_EACH_SAFE(m, r, lines))
    sr_insert_before(m, &t->tail.list, after, r);
  k->returned.count = done.returns;
  for (SR_EACH(m, r, f->head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter)
      m->def[sr_inst(m, r)->result] = SR_NONE;
  m->ids_gone = true;
  f->head = f->tail = (SrList){SR_NONE, SR_NONE};
  f->blocks = NULL;
  f->block_count = 0;
  f->moved = true;
}

/* ---- blocks ---- */

/* A variable without its initializer, which is the last word. */
static SrRef make_bare(Move *k, SrRef r) {
  SrModule *m = k->m;
  const SrInst in = *sr_inst(m, r);
  uint32_t count = sr_word_count(m, r) - 1;
  sr_begin(m, (SpvOp)in.op, in.type, in.result);
  sr_put_literal(m, sr_words(m, r)[in.first]);
  for (uint32_t i = in.first + 1; i < count; i++) /* the type of an untyped variable */
    sr_put_id(m, sr_words(m, r)[i]);
  return sr_end(m);
}

/* A moved variable goes to the entry block of the outermost caller. If it has an initializer, each
 * call stores the initializer, unless the variable is NonWritable. */
static void move_variable(Move *k, SrBlock *b, SrRef r) {
  SrModule *m = k->m;
  SrRef after = sr_inst(m, r)->next;
  uint32_t id = sr_inst(m, r)->result, value = sr_variable_initializer(m, r);
  sr_remove(m, &b->list, r);
  if (value && !sr_is_decorated(m, id, SpvDecorationNonWritable)) {
    r = make_bare(k, r);
    sr_begin(m, SpvOpStore, 0, 0);
    sr_put_id(m, id);
    sr_put_id(m, value);
    sr_insert_before(m, &b->list, after, sr_end(m));
    k->counts->added_instructions++;
  }
  sr_append(m, &k->variables, r);
}

/* Is it an instruction of debug information that says where its function is defined? */
static bool defines_function(const Move *k, SrRef r) {
  const SrModule *m = k->m;
  if (!sr_inst(m, r)->nonsemantic)
    return false;
  for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && sr_words(m, r)[i] == k->frame.at[k->frame.count - 1].f->id)
      return true;
  return false;
}

static void drop(const Move *k, SrBlock *b, SrRef r) {
  uint32_t id = sr_inst(k->m, r)->result;
  sr_remove(k->m, &b->list, r);
  if (id)
    k->m->def[id] = k->m->home[id] = SR_NONE;
}

static void end_block(Move *k, SrBlock *b, SrRef r) {
  SrModule *m = k->m;
  uint16_t op = sr_inst(m, r)->op;
  const Frame *t = top(k);
  if (b->part)
    sr_ids_set(k->last, t->origin, b->id);
  if (t->call == SR_NONE || (op != SpvOpReturn && op != SpvOpReturnValue))
    return;
  uint32_t value = op == SpvOpReturnValue ? sr_words(m, r)[1] : 0;
  sr_remove(m, &b->list, r);
  jump(k, b, sr_words(m, t->call)[3]);
  SR_PUSH(k->arena, &k->returned, (Return){value, b->id});
}

/* Visits a block, or the rest of it, up to a call. `line`: the line and scope at its start. */
static void visit(Move *k, SrBlock b, SrApplied line) {
  SrModule *m = k->m;
  bool inner = top(k)->call != SR_NONE;
  sr_hint_take(m, &b);
  for (SR_EACH_SAFE(m, r, b.list)) {
    uint16_t op = sr_inst(m, r)->op;
    sr_applied_step(m, r, &line);
    if (op == SpvOpFunctionCall && k->choice->function[sr_words(m, r)[3]] != SR_NONE) {
      enter(k, &b, r, line);
      break;
    }
    if (sr_is_variable(op) && inner)
      move_variable(k, &b, r);
    else if (inner && defines_function(k, r))
      drop(k, &b, r);
    else if (r == b.list.last)
      end_block(k, &b, r);
  }
  SR_PUSH(m->arena, &k->block, b);
}

static void walk(Move *k) {
  while (k->frame.count) {
    Frame *t = top(k);
    if (t->has_tail) {
      t->has_tail = false;
      visit(k, t->tail, t->line);
    } else if (t->next < t->f->block_count) {
      SrBlock b = t->f->blocks[t->next++];
      t->origin = b.id;
      visit(k, b, SR_NOT_APPLIED);
    } else if (t->call != SR_NONE) {
      leave(k);
    } else {
      k->frame.count = 0;
    }
  }
}

/* ---- names ---- */

static void put_variables(Move *k) {
  SrModule *m = k->m;
  SrBlock *entry = &k->block.at[0];
  SrRef before = sr_first_ordinary(m, entry);
  for (SR_EACH_SAFE(m, r, k->variables))
    sr_insert_before(m, &entry->list, before, r);
}

static void rename_block(Move *k, const SrBlock *b) {
  SrModule *m = k->m;
  for (SR_EACH(m, r, b->list)) {
    const SrInst *in = sr_inst(m, r);
    for (uint32_t i = in->first; i < sr_word_count(m, r); i++) {
      if (!sr_word_is_id(m, r, i))
        continue;
      bool parent = in->op == SpvOpPhi && (i - in->first) % 2 == 1;
      uint32_t *word = &sr_words(m, r)[i], to = sr_ids_get(parent ? k->last : k->name, *word);
      if (to != SR_NONE)
        *word = to;
    }
  }
}

void sr_inline_move(SrArena *arena, SrModule *m, SrFunction *f, const SrInlineChoice *choice,
                    SrTransformCounts *counts) {
  Move k = {.arena = arena,
            .m = m,
            .f = f,
            .choice = choice,
            .counts = counts,
            .variables = {SR_NONE, SR_NONE},
            .name = sr_ids_take(m),
            .last = sr_ids_take(m)};
  SR_PUSH(arena, &k.frame, (Frame){.f = f, .call = SR_NONE});
  walk(&k);
  put_variables(&k);
  f->blocks = k.block.at;
  f->block_count = k.block.count;
  for (uint32_t b = 0; b < f->block_count; b++)
    rename_block(&k, &f->blocks[b]);
  sr_set_homes(m, f);
  sr_ids_give(m, k.name);
  sr_ids_give(m, k.last);
}
