/* SPDX-License-Identifier: Apache-2.0 */
/* flatten: see flatten.h. SPIRV-Tools' parser tells which words are ids. */
#include "tests/equiv/flatten.h"

#include "tests/equiv/gen/rng.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

typedef struct Inst {
  uint32_t *words;
  bool *is_id; /* by word: an operand that is an id */
  uint32_t count, op, type, result;
} Inst;

typedef struct Block {
  uint32_t label, first, last; /* instructions: the label, the terminator */
  uint32_t literal, number;    /* what names it, and the constant of that value */
} Block;

typedef struct Words {
  uint32_t *at;
  size_t count, room;
} Words;

typedef struct Flatten {
  const FlattenOptions *o;
  Flattened *out;
  Rng rng;
  uint32_t *words;
  Inst *inst;
  uint32_t inst_count, inst_room, bound;
  uint32_t uint_type;
  bool *no_phi;         /* by id of a type */
  uint32_t *pointer_to; /* by id of a type: its Function pointer */
  Words globals, body;  /* written */
  /* of the current function */
  Block *block;
  uint32_t block_count;
  int *home;         /* by id: its block, or NONE */
  uint32_t *inst_of; /* by id: its instruction */
  uint32_t
      *carried; /* by id: the id that carries it (a phi of the switch block, or a variable), 0 */
  uint32_t *loaded;           /* by id: what the current block has loaded it to, 0 */
  uint32_t *list, list_count; /* of carried ids; behind them those that the current block repeats */
  uint32_t repeated;
  uint32_t state, dispatch, latch, nowhere;
  Words preds; /* of the switch, or the latch: label, number, then one value for each carried id */
} Flatten;

/* ---- words ---- */

static void add(Words *w, uint32_t word) {
  if (w->count == w->room) {
    w->room = w->room ? 2 * w->room : 1024;
    w->at = realloc(w->at, w->room * sizeof *w->at);
    if (!w->at)
      abort();
  }
  w->at[w->count++] = word;
}

static void *alloc(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p)
    abort();
  return p;
}

/* An instruction of `count` words after the first. */
static void emit(Words *w, SpvOp op, uint32_t count, const uint32_t *words) {
  add(w, (count + 1) << 16 | op);
  for (uint32_t i = 0; i < count; i++)
    add(w, words[i]);
}

#define EMIT(w, op, ...)                                                                           \
  emit((w), (op), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* ---- reading ---- */

static spv_result_t read_header(void *user, spv_endianness_t endian, uint32_t magic,
                                uint32_t version, uint32_t generator, uint32_t bound,
                                uint32_t schema) {
  (void)endian, (void)magic, (void)version, (void)generator, (void)schema;
  ((Flatten *)user)->bound = bound;
  return SPV_SUCCESS;
}

static spv_result_t read_inst(void *user, const spv_parsed_instruction_t *p) {
  Flatten *f = user;
  if (f->inst_count == f->inst_room) {
    f->inst_room = f->inst_room ? 2 * f->inst_room : 1024;
    f->inst = realloc(f->inst, f->inst_room * sizeof *f->inst);
    if (!f->inst)
      abort();
  }
  Inst in = {.count = p->num_words, .op = p->opcode, .type = p->type_id, .result = p->result_id};
  in.words = alloc(p->num_words, sizeof *in.words);
  in.is_id = alloc(p->num_words, sizeof *in.is_id);
  memcpy(in.words, p->words, p->num_words * sizeof *in.words);
  for (uint32_t i = 0; i < p->num_operands; i++) {
    spv_operand_type_t t = p->operands[i].type;
    in.is_id[p->operands[i].offset] = t == SPV_OPERAND_TYPE_ID ||
                                      t == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
                                      t == SPV_OPERAND_TYPE_SCOPE_ID;
  }
  f->inst[f->inst_count++] = in;
  return SPV_SUCCESS;
}

static bool is_terminator(uint32_t op) {
  return (op >= SpvOpBranch && op <= SpvOpUnreachable) || op == SpvOpTerminateInvocation;
}

/* ---- types ---- */

static void read_types(Flatten *f) {
  for (uint32_t i = 0; i < f->inst_count && f->inst[i].op != SpvOpFunction; i++) {
    const Inst *in = &f->inst[i];
    bool no = false;
    switch (in->op) {
    case SpvOpTypeInt:
      if (in->words[2] == 32 && in->words[3] == 0)
        f->uint_type = in->result;
      break;
    case SpvOpTypePointer:
      if (in->words[2] == SpvStorageClassFunction)
        f->pointer_to[in->words[3]] = in->result;
      no = true;
      break;
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
      no = true;
      break;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
      no = f->no_phi[in->words[2]];
      break;
    case SpvOpTypeStruct:
      for (uint32_t k = 2; k < in->count; k++)
        no = no || f->no_phi[in->words[k]];
      break;
    default:
      break;
    }
    if (in->result)
      f->no_phi[in->result] = no;
  }
}

static uint32_t pointer_to(Flatten *f, uint32_t type) {
  if (!f->pointer_to[type]) {
    f->pointer_to[type] = f->bound++;
    EMIT(&f->globals, SpvOpTypePointer, f->pointer_to[type], SpvStorageClassFunction, type);
  }
  return f->pointer_to[type];
}

/* ---- a function ---- */

static int target(const Flatten *f, uint32_t label) {
  return f->home[label];
}

static void find_blocks(Flatten *f, uint32_t first, uint32_t last) {
  f->block_count = 0;
  for (uint32_t i = first; i <= last; i++) {
    const Inst *in = &f->inst[i];
    if (in->op == SpvOpLabel)
      f->block[f->block_count++] = (Block){.label = in->result, .first = i};
    if (f->block_count && in->result) {
      f->home[in->result] = (int)f->block_count - 1;
      f->inst_of[in->result] = i;
    }
    if (is_terminator(in->op))
      f->block[f->block_count - 1].last = i;
  }
}

static bool is_label(const Flatten *f, uint32_t id) {
  return f->inst[f->inst_of[id]].op == SpvOpLabel;
}

/* Counts the blocks that the entry reaches. */
static uint32_t count_reached(const Flatten *f) {
  uint32_t *work = alloc(f->block_count, sizeof *work), count = 1, reached = 0;
  bool *seen = alloc(f->block_count, sizeof *seen);
  seen[0] = true;
  while (count) {
    const Inst *in = &f->inst[f->block[work[--count]].last];
    reached++;
    for (uint32_t i = 1; i < in->count; i++) {
      if (!in->is_id[i] || f->home[in->words[i]] == NONE || !is_label(f, in->words[i]))
        continue;
      uint32_t to = (uint32_t)f->home[in->words[i]];
      if (!seen[to])
        work[count++] = to;
      seen[to] = true;
    }
  }
  free(work);
  free(seen);
  return reached;
}

static const Inst *def_of(const Flatten *f, uint32_t id) {
  return &f->inst[f->inst_of[id]];
}

/* Is the id computed in a block other than b, by anything but a label or a variable? A phi counts
 * as computed elsewhere: the loop carries it. */
static bool is_from_outside(const Flatten *f, uint32_t id, uint32_t b) {
  return f->home[id] != NONE && !is_label(f, id) && def_of(f, id)->op != SpvOpVariable &&
         (f->home[id] != (int)b || def_of(f, id)->op == SpvOpPhi);
}

/* Pointers cannot be carried, and are computed again. */
static bool is_repeated(const Flatten *f, uint32_t id) {
  return f->no_phi[def_of(f, id)->type];
}

/* Marks a value that block b needs; returns whether it can be carried, or computed again. */
static bool mark(Flatten *f, uint32_t id, uint32_t b) {
  if (!is_from_outside(f, id, b))
    return true;
  if (!is_repeated(f, id)) {
    f->carried[id] = 1;
    return true;
  }
  const Inst *in = def_of(f, id);
  bool can = in->op == SpvOpAccessChain || in->op == SpvOpInBoundsAccessChain;
  for (uint32_t k = 3; k < in->count; k++)
    can = can && mark(f, in->words[k], b);
  return can;
}

/* Makes a list of the values that other blocks use, and of all phis; returns whether all of them
 * can be carried. */
static bool find_carried(Flatten *f) {
  bool all = true;
  f->list_count = f->repeated = 0;
  for (uint32_t b = 0; b < f->block_count; b++)
    for (uint32_t i = f->block[b].first; i <= f->block[b].last; i++) {
      const Inst *in = &f->inst[i];
      if (in->op == SpvOpPhi)
        f->carried[in->result] = 1;
      for (uint32_t k = 1; k < in->count; k++)
        if (in->is_id[k])
          all = mark(f, in->words[k], in->op == SpvOpPhi ? f->block_count : b) && all;
    }
  for (uint32_t b = 0; b < f->block_count; b++)
    for (uint32_t i = f->block[b].first; i <= f->block[b].last; i++) {
      uint32_t id = f->inst[i].result;
      if (!id || !f->carried[id])
        continue;
      f->list[f->list_count++] = id;
      all = all && !f->no_phi[f->inst[i].type];
    }
  return all;
}

static bool has_phi(const Flatten *f, int b) {
  for (uint32_t i = f->block[b].first; i <= f->block[b].last; i++)
    if (f->inst[i].op == SpvOpPhi)
      return true;
  return false;
}

/* What holds `id` in block b of the result. */
static uint32_t use(Flatten *f, uint32_t b, uint32_t id) {
  if (!is_from_outside(f, id, b))
    return id;
  return f->o->variables || is_repeated(f, id) ? f->loaded[id] : f->carried[id];
}

/* The operand of a phi for predecessor b, 0: there is none. */
static uint32_t phi_operand(const Flatten *f, const Inst *phi, uint32_t b) {
  for (uint32_t k = 3; k + 1 < phi->count; k += 2)
    if (phi->words[k + 1] == f->block[b].label)
      return phi->words[k];
  return 0;
}

/* ---- the end of a block ---- */

/* Ends a written block, which lanes leave from block b for block `to` (NONE: for one of several,
 * none of which has phis): `number` names where they go. */
static void go_on(Flatten *f, uint32_t label, uint32_t b, int to, uint32_t number) {
  add(&f->preds, label);
  add(&f->preds, number);
  for (uint32_t k = 0; k < f->list_count; k++) {
    uint32_t id = f->list[k], value;
    const Inst *in = &f->inst[f->inst_of[id]];
    if (in->op == SpvOpPhi && to != NONE && f->home[id] == to)
      value = use(f, b, phi_operand(f, in, b));
    else if (f->home[id] == (int)b && in->op != SpvOpPhi)
      value = id;
    else
      value = b == 0 ? 0 : f->carried[id];
    if (!f->o->variables)
      add(&f->preds, value);
    else if (value && value != f->carried[id])
      EMIT(&f->body, SpvOpStore, f->carried[id], value);
  }
  if (f->o->variables)
    EMIT(&f->body, SpvOpStore, f->state, number);
  EMIT(&f->body, SpvOpBranch, f->o->latch ? f->latch : f->dispatch);
}

/* A block of its own for an edge. */
static void edge_block(Flatten *f, uint32_t label, uint32_t b, int to) {
  EMIT(&f->body, SpvOpLabel, label);
  go_on(f, label, b, to, f->block[to].number);
}

static void end_block(Flatten *f, uint32_t b) {
  const Inst *in = &f->inst[f->block[b].last];
  uint32_t label = f->block[b].label;
  if (in->op == SpvOpBranch) {
    int to = target(f, in->words[1]);
    go_on(f, label, b, to, f->block[to].number);
  } else if (in->op == SpvOpBranchConditional) {
    int yes = target(f, in->words[2]), no = target(f, in->words[3]);
    uint32_t condition = use(f, b, in->words[1]), id = f->bound;
    if (!has_phi(f, yes) && !has_phi(f, no) && rng_below(&f->rng, 2)) {
      f->bound++;
      EMIT(&f->body, SpvOpSelect, f->uint_type, id, condition, f->block[yes].number,
           f->block[no].number);
      go_on(f, label, b, NONE, id);
    } else {
      f->bound += 2;
      EMIT(&f->body, SpvOpBranchConditional, condition, id, id + 1);
      edge_block(f, id, b, yes);
      edge_block(f, id + 1, b, no);
    }
  } else if (in->op == SpvOpSwitch) {
    uint32_t *words = alloc(in->count, sizeof *words), first = f->bound;
    memcpy(words, in->words, in->count * sizeof *words);
    words[1] = use(f, b, words[1]);
    for (uint32_t k = 2; k < in->count; k++)
      if (in->is_id[k])
        words[k] = f->bound++;
    emit(&f->body, SpvOpSwitch, in->count - 1, words + 1);
    for (uint32_t k = 2, n = first; k < in->count; k++)
      if (in->is_id[k])
        edge_block(f, n++, b, target(f, in->words[k]));
    free(words);
  } else {
    uint32_t *words = alloc(in->count, sizeof *words);
    for (uint32_t k = 1; k < in->count; k++)
      words[k] = in->is_id[k] ? use(f, b, in->words[k]) : in->words[k];
    emit(&f->body, (SpvOp)in->op, in->count - 1, words + 1);
    free(words);
  }
}

/* ---- blocks ---- */

static void copy_inst(Flatten *f, const Inst *in, uint32_t b) {
  add(&f->body, in->words[0]);
  for (uint32_t k = 1; k < in->count; k++)
    add(&f->body, in->is_id[k] ? use(f, b, in->words[k]) : in->words[k]);
}

/* Loads what block b needs, or computes it again, at its start. */
static void load(Flatten *f, uint32_t b, uint32_t id) {
  if (!is_from_outside(f, id, b) || f->loaded[id])
    return;
  const Inst *in = def_of(f, id);
  if (is_repeated(f, id)) {
    for (uint32_t k = 3; k < in->count; k++)
      load(f, b, in->words[k]);
    f->loaded[id] = f->bound++;
    f->list[f->list_count + f->repeated++] = id;
    add(&f->body, in->words[0]);
    add(&f->body, in->type);
    add(&f->body, f->loaded[id]);
    for (uint32_t k = 3; k < in->count; k++)
      add(&f->body, use(f, b, in->words[k]));
  } else if (f->o->variables) {
    f->loaded[id] = f->bound++;
    EMIT(&f->body, SpvOpLoad, in->type, f->loaded[id], f->carried[id]);
  }
}

static void load_for_phis(Flatten *f, uint32_t b) {
  for (uint32_t k = 0; k < f->list_count; k++) {
    const Inst *in = &f->inst[f->inst_of[f->list[k]]];
    uint32_t id = in->op == SpvOpPhi ? phi_operand(f, in, b) : 0;
    if (id)
      load(f, b, id);
  }
}

static void load_all(Flatten *f, uint32_t b) {
  for (uint32_t k = 0; k < f->list_count + f->repeated; k++)
    f->loaded[f->list[k]] = 0;
  f->repeated = 0;
  for (uint32_t i = f->block[b].first; i <= f->block[b].last; i++) {
    const Inst *in = &f->inst[i];
    for (uint32_t k = 1; in->op != SpvOpPhi && k < in->count; k++)
      if (in->is_id[k])
        load(f, b, in->words[k]);
  }
  load_for_phis(f, b);
}

static void write_block(Flatten *f, uint32_t b) {
  uint32_t i = f->block[b].first;
  copy_inst(f, &f->inst[i++], b);
  if (b == 0) {
    for (; f->inst[i].op == SpvOpVariable || f->inst[i].op == SpvOpLine ||
           f->inst[i].op == SpvOpNoLine;
         i++)
      if (f->inst[i].op == SpvOpVariable)
        copy_inst(f, &f->inst[i], b);
    for (uint32_t k = 0; f->o->variables && k < f->list_count; k++)
      EMIT(&f->body, SpvOpVariable, pointer_to(f, f->inst[f->inst_of[f->list[k]]].type),
           f->carried[f->list[k]], SpvStorageClassFunction);
    if (f->o->variables)
      EMIT(&f->body, SpvOpVariable, pointer_to(f, f->uint_type), f->state, SpvStorageClassFunction);
  }
  load_all(f, b);
  for (; i < f->block[b].last; i++) {
    const Inst *in = &f->inst[i];
    if (in->op != SpvOpPhi && in->op != SpvOpSelectionMerge && in->op != SpvOpLoopMerge)
      copy_inst(f, in, b);
  }
  end_block(f, b);
}

/* ---- the loop ---- */

/* The phis of a block with the given predecessors, `count` rows from `first` on; `names`: by place
 * in the row, the phi's result. An undefined value is made where there is none. */
static void write_phis(Flatten *f, size_t first, size_t end, const uint32_t *names) {
  size_t row = 2 + (f->o->variables ? 0 : f->list_count);
  if (f->o->variables)
    return;
  for (uint32_t k = 1; k < row; k++) {
    uint32_t type = k == 1 ? f->uint_type : f->inst[f->inst_of[f->list[k - 2]]].type;
    uint32_t undef = 0;
    for (size_t p = first; p < end; p += row)
      if (!f->preds.at[p + k] && !undef) {
        undef = f->bound++;
        EMIT(&f->globals, SpvOpUndef, type, undef);
      }
    add(&f->body, (uint32_t)(3 + 2 * ((end - first) / row)) << 16 | SpvOpPhi);
    add(&f->body, type);
    add(&f->body, names[k]);
    for (size_t p = first; p < end; p += row) {
      add(&f->body, f->preds.at[p + k] ? f->preds.at[p + k] : undef);
      add(&f->body, f->preds.at[p]);
    }
  }
}

/* The latch takes the values of all blocks but the entry, whose rows come first. */
static void write_latch(Flatten *f, size_t entry_end) {
  uint32_t row = 2 + (f->o->variables ? 0 : f->list_count);
  uint32_t *names = alloc(row, sizeof *names);
  names[0] = f->latch;
  for (uint32_t k = 1; k < row; k++)
    names[k] = f->bound++;
  EMIT(&f->body, SpvOpLabel, f->latch);
  write_phis(f, entry_end, f->preds.count, names);
  EMIT(&f->body, SpvOpBranch, f->dispatch);
  f->preds.count = entry_end;
  for (uint32_t k = 0; k < row; k++)
    add(&f->preds, names[k]);
  free(names);
}

static void write_dispatch(Flatten *f) {
  uint32_t row = 2 + (f->o->variables ? 0 : f->list_count), selector = f->state;
  uint32_t *names = alloc(row, sizeof *names);
  names[1] = f->state;
  for (uint32_t k = 2; k < row; k++)
    names[k] = f->carried[f->list[k - 2]];
  EMIT(&f->body, SpvOpLabel, f->dispatch);
  write_phis(f, 0, f->preds.count, names);
  if (f->o->variables) {
    selector = f->bound++;
    EMIT(&f->body, SpvOpLoad, f->uint_type, selector, f->state);
  }
  add(&f->body, (3 + 2 * (f->block_count - 1)) << 16 | SpvOpSwitch);
  add(&f->body, selector);
  add(&f->body, f->nowhere);
  for (uint32_t b = 1; b < f->block_count; b++) {
    add(&f->body, f->block[b].literal);
    add(&f->body, f->block[b].label);
  }
  EMIT(&f->body, SpvOpLabel, f->nowhere);
  add(&f->body, 1u << 16 | SpvOpUnreachable);
  free(names);
}

/* ---- all of it ---- */

/* Numbers that are all different, in no order. */
static void name_blocks(Flatten *f) {
  uint32_t step = (uint32_t)rng_below(&f->rng, 1000) * 2 + 1, number = (uint32_t)rng_next(&f->rng);
  for (uint32_t b = 1; b < f->block_count; b++) {
    f->block[b].literal = number += step;
    f->block[b].number = f->bound++;
    EMIT(&f->globals, SpvOpConstant, f->uint_type, f->block[b].number, number);
  }
}

static void copy_as_is(Flatten *f, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i <= last; i++)
    for (uint32_t k = 0; k < f->inst[i].count; k++)
      add(&f->body, f->inst[i].words[k]);
}

static void append(Words *to, const Words *from) {
  for (size_t i = 0; i < from->count; i++)
    add(to, from->at[i]);
}

static void write_blocks(Flatten *f) {
  f->state = f->bound++;
  f->dispatch = f->bound++;
  f->latch = f->bound++;
  f->nowhere = f->bound++;
  f->preds.count = 0;
  bool latch = f->o->latch;
  FlattenOptions direct = *f->o, asked = *f->o;
  direct.latch = false;
  f->o = &direct;
  write_block(f, 0); /* the entry leads to the switch, not to the latch */
  f->o = &asked;
  size_t entry_end = f->preds.count;
  Words front = f->body;
  f->body = (Words){0};
  for (uint32_t b = 1; b < f->block_count; b++)
    write_block(f, b);
  if (latch && f->preds.count > entry_end)
    write_latch(f, entry_end);
  Words rest = f->body;
  f->body = front;
  write_dispatch(f);
  append(&f->body, &rest);
  free(rest.at);
}

/* `*blocks`: of the function, if it is flattened. */
static void flatten_function(Flatten *f, uint32_t first, uint32_t last, uint32_t *blocks) {
  const FlattenOptions *o = f->o;
  find_blocks(f, first, last);
  bool carries = find_carried(f);
  if (f->block_count < 2 || !carries) {
    f->out->left += f->block_count > 1;
    copy_as_is(f, first, last);
  } else {
    f->out->functions++;
    *blocks = count_reached(f);
    f->out->blocks += *blocks;
    f->out->carried += f->list_count;
    name_blocks(f);
    for (uint32_t k = 0; k < f->list_count; k++) /* decorations of a phi stay those of its id */
      f->carried[f->list[k]] = def_of(f, f->list[k])->op == SpvOpPhi ? f->list[k] : f->bound++;
    copy_as_is(f, first, f->block[0].first - 1);
    write_blocks(f);
    add(&f->body, 1u << 16 | SpvOpFunctionEnd);
  }
  f->o = o;
  for (uint32_t i = first; i <= last; i++)
    if (f->inst[i].result) {
      f->home[f->inst[i].result] = NONE;
      f->carried[f->inst[i].result] = 0;
    }
}

static void flatten_all(Flatten *f) {
  uint32_t i = 0, functions = 0;
  for (; f->inst[i].op != SpvOpFunction; i++)
    ;
  copy_as_is(f, 0, i - 1);
  for (uint32_t k = i; k < f->inst_count; k++)
    functions += f->inst[k].op == SpvOpFunctionEnd;
  uint32_t *blocks = f->out->blocks_of = alloc(functions, sizeof *blocks);
  f->globals = f->body;
  f->body = (Words){0};
  for (uint32_t first = i; i < f->inst_count; i++)
    if (f->inst[i].op == SpvOpFunctionEnd) {
      flatten_function(f, first, i, blocks++);
      first = i + 1;
    }
}

void flatten(const uint32_t *words, size_t count, const FlattenOptions *options, Flattened *out) {
  *out = (Flattened){0};
  Flatten f = {.o = options, .out = out, .rng = {options->seed}};
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  if (spvBinaryParse(context, &f, words, count, read_header, read_inst, NULL) != SPV_SUCCESS)
    abort();
  spvContextDestroy(context);
  f.no_phi = alloc(f.bound, sizeof *f.no_phi);
  f.pointer_to = alloc(f.bound, sizeof *f.pointer_to);
  f.home = alloc(f.bound, sizeof *f.home);
  f.inst_of = alloc(f.bound, sizeof *f.inst_of);
  f.carried = alloc(f.bound, sizeof *f.carried);
  f.loaded = alloc(f.bound, sizeof *f.loaded);
  f.list = alloc(2 * (size_t)f.bound, sizeof *f.list);
  f.block = alloc(f.inst_count, sizeof *f.block);
  memset(f.home, 0xff, f.bound * sizeof *f.home);
  read_types(&f);
  flatten_all(&f);
  Words all = {0};
  for (uint32_t i = 0; i < 5; i++)
    add(&all, i == 3 ? f.bound : words[i]);
  append(&all, &f.globals);
  append(&all, &f.body);
  out->words = all.at;
  out->count = all.count;
  for (uint32_t i = 0; i < f.inst_count; i++) {
    free(f.inst[i].words);
    free(f.inst[i].is_id);
  }
  void *const arrays[] = {f.inst,   f.no_phi, f.pointer_to, f.home,       f.inst_of, f.carried,
                          f.loaded, f.list,   f.block,      f.globals.at, f.body.at, f.preds.at};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
}
