/* SPDX-License-Identifier: Apache-2.0 */
/* decode_flow: functions and blocks; terminators, phis, calls.
 *
 * First every function that the entry point reaches gets its blocks, split after calls, and the
 * registers in which values cross edges: parameters, results, phis. Then blocks are decoded in
 * reverse post-order, so that definitions come before uses. Phis become moves on edges. The moves
 * of one edge are parallel, so they are ordered such that none overwrites a register that a later
 * one reads, with a spare register if they form a cycle (Boissinot et al., Revisiting Out-of-SSA
 * Translation, CGO 2009, algorithm 1). */
#include "spv-emu/decode/decode_geometry.h"
#include "spv-emu/decode/decode_stage.h"

#include "passes/analysis/uniform/reconverging.h"
#include "passes/base/sort.h"
#include "passes/transform/wave/wave_unit.h"
#include "spv-emu/engine/check_uniform.h"

/* ---- functions that are reached -------------------------------------------------------------- */

typedef struct CallWalk {
  uint32_t function; /* index in the module */
  uint32_t block;
  SrRef at; /* the next instruction to look at */
} CallWalk;

enum { NEW, OPEN, DONE };

static uint32_t function_of(const EmuDecode *d, uint32_t id) {
  return id < sr_bound(d->m) ? d->function_index_of[id] : SR_NONE;
}

/* The next call at or after a place; SR_NONE at the function's end. */
static SrRef next_call(const EmuDecode *d, CallWalk *w) {
  const SrFunction *f = &d->m->functions[w->function];
  for (; w->block < f->block_count; w->block++, w->at = SR_NONE) {
    if (w->at == SR_NONE)
      w->at = f->blocks[w->block].list.first;
    for (; w->at != SR_NONE; w->at = sr_inst(d->m, w->at)->next)
      if (sr_inst(d->m, w->at)->op == SpvOpFunctionCall)
        return w->at;
  }
  return SR_NONE;
}

/* A depth-first walk over calls, the entry point first. It refuses recursion, which SPIR-V forbids,
 * because registers are static. */
static bool reach_functions(EmuDecode *d, uint32_t entry) {
  SR_VEC(CallWalk) stack = {0};
  uint8_t *state = SR_NEW(d->scratch, uint8_t, d->m->function_count);
  SR_PUSH(d->scratch, &stack, (CallWalk){.function = entry, .at = SR_NONE});
  while (stack.count) {
    CallWalk *top = &SR_LAST(&stack);
    if (state[top->function] == NEW) {
      state[top->function] = OPEN;
      SR_PUSH(d->scratch, &d->reached, top->function);
    }
    SrRef site = next_call(d, top);
    if (site == SR_NONE) {
      state[top->function] = DONE;
      stack.count--;
      continue;
    }
    top->at = sr_inst(d->m, site)->next;
    if (top->at == SR_NONE)
      top->block++;
    uint32_t callee = function_of(d, emu_operand(d, site, 0));
    if (callee == SR_NONE || d->m->functions[callee].block_count == 0)
      return emu_refuse(d, site,
                        "function %%%u has no body: link the module that defines it (spirv-link)",
                        emu_operand(d, site, 0));
    if (state[callee] == OPEN)
      return emu_refuse(d, site,
                        "function %%%u calls itself; SPIR-V has no recursion: write it as a loop",
                        emu_operand(d, site, 0));
    if (state[callee] == NEW)
      SR_PUSH(d->scratch, &stack, (CallWalk){.function = callee, .at = SR_NONE});
  }
  return true;
}

/* ---- blocks and what crosses edges ----------------------------------------------------------- */

/* Records where the block comes from: its first line, up to its last line in the same file. */
static void note_place(EmuBlock *e, const SrInst *in, SrSourcePlace place) {
  if (sr_is_debug_line(in) || in->op == SpvOpLabel)
    return;
  e->end_place = place;
  if (!e->place.line && (place.line || e->place.function == SR_NONE))
    e->place = place;
  if (place.line > e->last_line && place.file == e->place.file && place.call == e->place.call)
    e->last_line = place.line;
}

/* The terminator of a block of the input is counted once, with the block's first part. */
static void count_instruction(EmuDecode *d, EmuBlock *e, const SrBlock *b, SrRef r) {
  const SrInst *in = sr_inst(d->m, r);
  if (in->op == SpvOpPhi)
    e->phis++;
  if (!sr_counts(in))
    return;
  e->issues++;
  e->scalar += sr_wave_unit(d->m, d->uniform, r) == SR_WAVE_SCALAR;
  bool own = r == sr_terminator(b) ? !b->part : !in->added;
  if (b->added || !own)
    e->overhead++;
}

static EmuBlock *new_block(EmuDecode *d, const SrBlock *b, uint32_t part, SrRef first) {
  SR_PUSH(d->arena, &d->p->blocks,
          (EmuBlock){.id = b->id,
                     .function = d->function_index,
                     .part = part,
                     .end = EMU_END_UNREACHABLE,
                     .row = EMU_NO_ROW,
                     .next = SR_NONE,
                     .merge = SR_NONE,
                     .cont = SR_NONE,
                     .first = first,
                     .last = first,
                     .place = SR_SOURCE_NOWHERE,
                     .end_place = SR_SOURCE_NOWHERE});
  return &SR_LAST(&d->p->blocks);
}

static void make_parts(EmuDecode *d, const SrBlock *b) {
  d->block_of[b->id] = d->p->blocks.count;
  EmuBlock *e = new_block(d, b, 0, b->list.first);
  SrSourceWalk walk = sr_source_walk(d->p->source);
  for (SR_EACH(d->m, r, b->list)) {
    e->last = r;
    note_place(e, sr_inst(d->m, r), sr_source_step(&walk, r));
    count_instruction(d, e, b, r);
    if (sr_inst(d->m, r)->op == SpvOpFunctionCall) {
      e->next = d->p->blocks.count;
      e = new_block(d, b, e->part + 1, sr_inst(d->m, r)->next);
    }
  }
}

/* Names may contain any bytes, but messages are one line. */
static const char *printable_name(EmuDecode *d, const SrFunction *f) {
  const char *name = sr_function_name(d->m, d->scratch, f);
  char *copy = sr_strndup(d->arena, name, strlen(name));
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
  return copy;
}

static void make_function(EmuDecode *d, uint32_t index) {
  const SrFunction *f = d->function = &d->m->functions[index];
  d->function_index = d->p->functions.count;
  EmuFunction e = {.id = f->id, .first = d->p->blocks.count};
  e.name = printable_name(d, f);
  e.structured = sr_is_structured(d->scratch, d->m, f);
  d->block_of[f->id] = d->function_index;
  for (uint32_t b = 0; b < f->block_count; b++)
    make_parts(d, &f->blocks[b]);
  e.count = d->p->blocks.count - e.first;
  e.row = emu_register_new(d, EMU_U32, EMU_REGISTER_SHARED);
  SR_PUSH(d->arena, &d->p->functions, e);
  uint32_t count;
  if (d->types[sr_inst(d->m, sr_def(d->m, f->id))->type].components)
    emu_value_new(d, f->id, EMU_REGISTER_SHARED, &count); /* where the function leaves its result */
  if (index != d->reached.at[0])
    for (SR_EACH(d->m, r, f->head))
      if (sr_inst(d->m, r)->op == SpvOpFunctionParameter)
        emu_value_new(d, sr_inst(d->m, r)->result, EMU_REGISTER_SHARED, &count);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(d->m, r, f->blocks[b].list))
      if (sr_inst(d->m, r)->op == SpvOpPhi)
        emu_value_new(d, sr_inst(d->m, r)->result, EMU_REGISTER_SHARED, &count);
}

/* ---- moves of an edge ------------------------------------------------------------------------ */

/* d->pairs holds the pairs (to, from) of the current edge. The tables by register are allocated
 * once and cleared after each edge. */
static void put_move(EmuDecode *d, uint32_t to, uint32_t from) {
  uint32_t bytes = emu_kind_bytes(emu_register_kind(d, to));
  emu_register_note_use(d, to);
  emu_register_note_use(d, from);
  SR_PUSH(d->arena, &d->p->moves, (EmuMove){to, from, bytes});
}

static void grow_tables(EmuDecode *d) {
  if (d->table_room >= d->registers.count)
    return;
  uint32_t room = 2 * d->registers.count;
  d->source_of = sr_new_none(d->scratch, room);
  d->held_in = sr_new_none(d->scratch, room);
  d->table_room = room;
}

/* source_of[b]: the register whose value b must receive; held_in[a]: the register that now holds
 * the initial value of a. */
static void order_moves(EmuDecode *d) {
  grow_tables(d);
  d->ready.count = d->todo.count = 0;
  for (uint32_t i = 0; i < d->pairs.count; i++)
    if (d->pairs.at[i].to != d->pairs.at[i].from) {
      d->held_in[d->pairs.at[i].from] = d->pairs.at[i].from;
      d->source_of[d->pairs.at[i].to] = d->pairs.at[i].from;
      SR_PUSH(d->scratch, &d->todo, d->pairs.at[i].to);
    }
  for (uint32_t i = 0; i < d->todo.count; i++)
    if (d->held_in[d->todo.at[i]] == SR_NONE)
      SR_PUSH(d->scratch, &d->ready, d->todo.at[i]); /* nothing reads it any more, so it may be
                                                        written */
  while (d->todo.count) {
    while (d->ready.count) {
      uint32_t b = SR_POP(&d->ready), a = d->source_of[b], c = d->held_in[a];
      put_move(d, b, c);
      d->held_in[a] = b;
      d->source_of[b] = SR_NONE;
      if (a == c && d->source_of[a] != SR_NONE)
        SR_PUSH(d->scratch, &d->ready, a);
    }
    uint32_t b = SR_POP(&d->todo);
    if (d->source_of[b] != SR_NONE) { /* a cycle: saves the value of b */
      uint32_t spare = emu_temp(d, emu_register_kind(d, b));
      put_move(d, spare, b);
      d->held_in[b] = spare;
      SR_PUSH(d->scratch, &d->ready, b);
    }
  }
  for (uint32_t i = 0; i < d->pairs.count; i++)
    d->held_in[d->pairs.at[i].from] = SR_NONE;
  d->pairs.count = 0;
}

/* Ends the edge to block `to` with the moves of d->pairs. */
static void put_edge(EmuDecode *d, uint32_t to) {
  uint32_t move = d->p->moves.count;
  order_moves(d);
  SR_PUSH(d->arena, &d->p->edges, (EmuEdge){to, move, d->p->moves.count - move});
}

static void pair_values(EmuDecode *d, uint32_t to_id, uint32_t from_id) {
  uint32_t to_count, from_count;
  const uint32_t *to = emu_use(d, to_id, &to_count), *from = emu_use(d, from_id, &from_count);
  for (uint32_t i = 0; i < to_count && i < from_count; i++)
    SR_PUSH(d->scratch, &d->pairs,
            (EmuPair){emu_register_real(d, to[i]), emu_register_real(d, from[i])});
}

static void branch_edge(EmuDecode *d, uint32_t from_label, uint32_t to_label) {
  const SrFunction *f = d->function;
  const SrBlock *to = &f->blocks[d->m->home[to_label]];
  for (SR_EACH(d->m, r, to->list)) {
    if (sr_inst(d->m, r)->op != SpvOpPhi)
      continue;
    for (uint32_t i = 3; i + 1 < sr_word_count(d->m, r); i += 2)
      if (sr_words(d->m, r)[i + 1] == from_label) {
        pair_values(d, sr_inst(d->m, r)->result, sr_words(d->m, r)[i]);
        break;
      }
  }
  put_edge(d, d->block_of[to_label]);
}

/* ---- terminators ----------------------------------------------------------------------------- */

/* The edge of this branch to a label, as an index among the block's edges; created at its first
 * use. */
static uint32_t edge_to(EmuDecode *d, uint32_t label, uint32_t to_label) {
  uint32_t known = sr_map_get(&d->edge_of, to_label);
  if (known != SR_NONE)
    return known;
  branch_edge(d, label, to_label);
  EmuBlock *e = &d->p->blocks.at[d->block];
  sr_map_set(&d->edge_of, to_label, e->edges);
  return e->edges++;
}

static int by_value(const void *a, const void *b) {
  uint64_t x = ((const EmuSwitchCase *)a)->value, y = ((const EmuSwitchCase *)b)->value;
  return (x > y) - (x < y);
}

static void end_switch(EmuDecode *d, SrRef r, uint32_t label) {
  uint32_t selector = emu_use1(d, sr_words(d->m, r)[1]);
  EmuBlock *e = &d->p->blocks.at[d->block];
  e->end = EMU_END_SWITCH;
  e->row = selector;
  e->kind = emu_register(d, selector)->kind;
  e->cases = d->p->cases.count;
  edge_to(d, label, sr_words(d->m, r)[2]);
  EmuKind kind = (EmuKind)e->kind;
  uint32_t wide = kind == EMU_U64 ? 2 : 1;
  for (uint32_t i = 3; i + wide < sr_word_count(d->m, r); i += wide + 1) {
    uint64_t value = sr_words(d->m, r)[i];
    if (wide == 2)
      value |= (uint64_t)sr_words(d->m, r)[i + 1] << 32;
    EmuSwitchCase c = {emu_kind_cut(kind, value), edge_to(d, label, sr_words(d->m, r)[i + wide])};
    SR_PUSH(d->arena, &d->p->cases, c);
  }
  e = &d->p->blocks.at[d->block];
  e->case_count = d->p->cases.count - e->cases;
  if (e->case_count) /* a switch may have only its default */
    sr_sort(d->scratch, d->p->cases.at + e->cases, e->case_count, sizeof(EmuSwitchCase), by_value);
  emu_register_note_use(d, selector);
}

static void end_branch(EmuDecode *d, SrRef r, uint32_t label) {
  const uint32_t *w = sr_words(d->m, r);
  EmuBlock *e = &d->p->blocks.at[d->block];
  if (w[2] == w[3]) {
    e->end = EMU_END_BRANCH;
    edge_to(d, label, w[2]);
    return;
  }
  e->end = EMU_END_IF;
  e->row = emu_use1(d, w[1]);
  emu_register_note_use(d, e->row);
  edge_to(d, label, sr_words(d->m, r)[2]);
  edge_to(d, label, sr_words(d->m, r)[3]);
}

static void end_return(EmuDecode *d, SrRef r) {
  EmuBlock *e = &d->p->blocks.at[d->block];
  if (d->function_index == d->p->entry) {
    e->end = EMU_END_EXIT;
    return;
  }
  e->end = EMU_END_RETURN;
  if (sr_inst(d->m, r)->op == SpvOpReturnValue)
    pair_values(d, d->function->id, sr_words(d->m, r)[1]);
  put_edge(d, SR_NONE);
  d->p->blocks.at[d->block].edges = 1;
}

static bool end_block(EmuDecode *d, const SrBlock *b) {
  SrRef r = sr_terminator(b);
  EmuBlock *e = &d->p->blocks.at[d->block];
  e->edge = d->p->edges.count;
  d->edge_of = (SrMap){.arena = d->scratch};
  SrRef merge = sr_merge_inst(d->m, b);
  if (merge != SR_NONE) {
    e->merge = d->block_of[sr_words(d->m, merge)[1]];
    if (sr_inst(d->m, merge)->op == SpvOpLoopMerge)
      e->cont = d->block_of[sr_words(d->m, merge)[2]];
  }
  e->uniform = sr_uniform_branch(d->uniform, d->m, d->function, d->m->home[b->id]);
  switch (sr_inst(d->m, r)->op) {
  case SpvOpBranch:
    e->end = EMU_END_BRANCH;
    edge_to(d, b->id, sr_words(d->m, r)[1]);
    return true;
  case SpvOpBranchConditional:
    end_branch(d, r, b->id);
    return true;
  case SpvOpSwitch:
    end_switch(d, r, b->id);
    return true;
  case SpvOpReturn:
  case SpvOpReturnValue:
    end_return(d, r);
    return true;
  case SpvOpKill:
  case SpvOpTerminateInvocation:
    e->end = EMU_END_KILL;
    d->p->facts.ends_early = true;
    return true;
  case SpvOpUnreachable:
    return true;
  }
  return emu_refuse(d, r, "compute shaders and kernels do not end so");
}

/* ---- the code of a block --------------------------------------------------------------------- */

static void begin_code(EmuDecode *d, uint32_t block) {
  d->block = block;
  d->block_code[block].first = d->emitted.count;
  if (d->p->steps_of)
    d->p->steps_of[block].first = d->p->steps.count;
}

static void end_code(EmuDecode *d) {
  EmuStepRange *steps = d->p->steps_of ? &d->p->steps_of[d->block] : NULL;
  d->block_code[d->block].count = d->emitted.count - d->block_code[d->block].first;
  if (steps)
    steps->count = d->p->steps.count - steps->first;
}

/* An instruction that a debugger can stop before. */
static void begin_step(EmuDecode *d, SrRef r) {
  uint32_t at = d->emitted.count - d->block_code[d->block].first;
  if (d->p->steps_of && sr_counts(sr_inst(d->m, r)))
    SR_PUSH(d->arena, &d->p->steps, (EmuStep){.inst = r, .at = at});
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool call(EmuDecode *d, SrRef r) {
  uint32_t id = emu_operand(d, r, 0), count;
  const SrFunction *f = &d->m->functions[function_of(d, id)];
  uint32_t callee = d->block_of[id], i = 1;
  EmuBlock *e = &d->p->blocks.at[d->block];
  e->end = EMU_END_CALL;
  e->edge = d->p->edges.count;
  e->edges = 1;
  for (SR_EACH(d->m, p, f->head))
    if (sr_inst(d->m, p)->op == SpvOpFunctionParameter)
      pair_values(d, sr_inst(d->m, p)->result, emu_operand(d, r, i++));
  put_edge(d, d->p->functions.at[callee].first);
  end_code(d);
  begin_code(d, d->block + 1);
  if (!d->types[sr_inst(d->m, r)->type].components)
    return true;
  const uint32_t *from = emu_use(d, id, &count);
  const uint32_t *to = emu_define(d, r, &count);
  for (uint32_t k = 0; k < count; k++)
    emu_emit(d, d->isa->move[emu_kind_bytes(emu_register_kind(d, to[k]))], to[k], from[k],
             EMU_NO_ROW, EMU_NO_ROW);
  return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_void(EmuDecode *d, uint32_t type) {
  return type == 0 || emu_type(d, type)->op == SpvOpTypeVoid;
}

static bool instruction(EmuDecode *d, SrRef r) {
  bool mine = true;
  uint32_t type = sr_inst(d->m, r)->type;
  if (!is_void(d, type) && !emu_type_has_value(d, r, type))
    return false;
  switch (sr_inst(d->m, r)->op) {
  case SpvOpLabel:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpNop:
  case SpvOpPhi:
  case SpvOpUndef:
  case SpvOpSelectionMerge:
  case SpvOpLoopMerge:
    return true;
  case SpvOpVariable:
    return emu_variable_start(d, r);
  case SpvOpFunctionCall:
    return call(d, r);
  case SpvOpExtInst:
    if (sr_inst(d->m, r)->nonsemantic)
      return true;
    if (!emu_decode_ext_inst(d, r, &mine))
      return false;
    return mine ||
           emu_refuse(d, r,
                      "the instruction set is not supported; GLSL.std.450 and OpenCL.std are");
  }
  static bool (*const families[])(EmuDecode *, SrRef, bool *) = {
      emu_decode_async, emu_decode_memory, emu_decode_alu,      emu_decode_lanes,
      emu_decode_image, emu_decode_stage,  emu_decode_geometry, emu_decode_clock};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++) {
    mine = true;
    if (!families[i](d, r, &mine))
      return false;
    if (mine)
      return true;
  }
  return emu_refuse(d, r, "this instruction (opcode %u) is not supported", sr_inst(d->m, r)->op);
}

/* Emits a check that a value proven uniform is uniform (spv_emu_load_options). */
static void check_uniform(EmuDecode *d, SrRef r) {
  uint32_t id = sr_inst(d->m, r)->result;
  if (!d->options->check_uniform || !id || d->pointers[id] != SR_NONE || !d->values[id].count)
    return;
  if (!sr_uniform_value(d->uniform, id))
    return;
  for (uint32_t i = 0; i < d->values[id].count; i++) {
    uint32_t reg = d->values[id].at[i];
    emu_emit_masked(d,
                    &(EmuIns){.run = emu_check_uniform,
                              .d = EMU_NO_ROW,
                              .a = reg,
                              .b = EMU_NO_ROW,
                              .c = EMU_NO_ROW,
                              .list = emu_register(d, reg)->kind,
                              .x = id},
                    0, 0);
  }
}

static bool decode_block(EmuDecode *d, const SrBlock *b) {
  begin_code(d, d->block_of[b->id]);
  if (d->block == d->p->functions.at[d->function_index].first && d->function_index == d->p->entry &&
      !emu_variables_start(d))
    return false;
  for (SrRef r = b->list.first; r != SR_NONE; r = sr_inst(d->m, r)->next) {
    begin_step(d, r);
    if (r == sr_terminator(b)) {
      if (!end_block(d, b))
        return false;
    } else {
      if (d->options->check_vuid || d->options->check_convergence)
        emu_decode_rules(d, r);
      if (!instruction(d, r))
        return false;
      check_uniform(d, r);
    }
  }
  end_code(d);
  return true;
}

static bool declare_variables(EmuDecode *d, const SrFunction *f) {
  for (SR_EACH(d->m, r, f->blocks[0].list))
    if (sr_inst(d->m, r)->op == SpvOpVariable && !emu_variable_declare(d, r))
      return false;
  return true;
}

static bool decode_function(EmuDecode *d, uint32_t index) {
  const SrFunction *f = d->function = &d->m->functions[d->reached.at[index]];
  d->function_index = index;
  d->block = SR_NONE;
  if (!declare_variables(d, f))
    return false;
  if (!d->options->debug)
    emu_alias_loads(d);
  SrGraph *g = sr_cfg_build(d->scratch, d->m, f);
  uint32_t *order = SR_NEW_RAW(d->scratch, uint32_t, f->block_count);
  uint32_t count = sr_graph_rpo(d->scratch, g, 0, false, order);
  for (uint32_t i = 0; i < count; i++)
    if (!decode_block(d, &f->blocks[order[i]]))
      return false;
  d->function = NULL;
  d->block = SR_NONE;
  return true;
}

bool emu_decode_functions(EmuDecode *d, uint32_t entry) {
  d->function_index_of = sr_new_none(d->scratch, sr_bound(d->m));
  for (uint32_t i = 0; i < d->m->function_count; i++)
    d->function_index_of[d->m->functions[i].id] = i;
  if (!reach_functions(d, entry))
    return false;
  for (uint32_t i = 0; i < d->reached.count; i++)
    make_function(d, d->reached.at[i]);
  d->function = NULL;
  d->block_code = SR_NEW(d->scratch, EmuRange, d->p->blocks.count);
  if (d->options->debug)
    d->p->steps_of = SR_NEW(d->arena, EmuStepRange, d->p->blocks.count);
  for (uint32_t i = 0; i < d->reached.count; i++)
    if (!decode_function(d, i))
      return false;
  return true;
}
