/* SPDX-License-Identifier: Apache-2.0 */
/* uniform: see uniform.h. Blocks are numbered through the module: `base` of their function plus
 * their index. The worklists in `Work` hold what has become divergent or partial and is not yet
 * propagated: values first, then branches, then functions. */
#include "passes/analysis/uniform/uniform.h"
#include "passes/analysis/uniform/dataflow.h"
#include "passes/analysis/uniform/end_mark.h"
#include "passes/analysis/uniform/local_flow.h"
#include "passes/analysis/uniform/memory_cells.h"
#include "passes/analysis/uniform/phi_copies.h"
#include "passes/analysis/uniform/quad_cells.h"
#include "passes/analysis/uniform/sync.h"

struct SrUniform {
  SrUniformMode mode;
  uint32_t bound;
  SrBits *divergent; /* by id, and after the ids by node (local_flow.h) */
  uint32_t *base;    /* by function index: number of its first block */
  SrBits *branch;    /* by block number: divergent */
  SrCause *cause;    /* as `divergent`; NULL: not wanted */
};

typedef struct Function {
  const SrFunction *f;
  SrGraph *g;
  SrNest *nest;
  SrSync *sync;         /* built at its first use */
  uint32_t calls;       /* number of calls of it in the module */
  bool entry;           /* an entry point */
  bool external;        /* may be called from outside, or has no body */
  bool partial;         /* may be called by only some of the lanes */
  bool mixes_calls;     /* may be run by lanes of different calls together */
  bool result_diverges; /* its result may be divergent */
  bool result_marks;    /* lanes may differ in whether it is the end mark */
  bool multi_site;      /* it, or a function it calls, has several call sites */
  bool lanes_diverge;   /* lanes may diverge in it, or in a function it calls */
  SrCause why;          /* of the last of these three that was found: partial, mixes_calls, … */
} Function;

typedef SR_VEC(uint32_t) Ids;

typedef struct Work {
  const SrModule *m;
  SrUniform *u;
  SrArena arena;
  bool workgroup, quad;
  const SrBits *settled;  /* NULL: causes are not wanted */
  const uint32_t *copies; /* phi_copies.h; NULL without `settled` */
  SrBits *marks;          /* of divergent values: lanes may differ in whether it is the end mark
                             (end_mark.h); NULL without `settled`: they may */
  SrCause now;            /* of what is being marked */
  SrMemory *memory;
  SrLocalFlow *local;
  Function *functions;
  uint32_t *function_at;  /* by id of OpFunction: its index */
  uint32_t *owner;        /* by block number: its function's index */
  uint32_t *home;         /* by instruction: its block's number; SR_NONE outside of blocks */
  SrRows uses;            /* by id: instructions that use it */
  SrRows loads;           /* by cell */
  SrRows calls;           /* by function index: its calls */
  SrBits *cell_divergent; /* by cell */
  Ids values, branches, partial, mixes_calls, lanes_diverge;
} Work;

/* ---- tables ---- */

static void collect_uses(const SrModule *m, SrArena *scratch, SrRef r, SrRowItems *uses) {
  const uint32_t *w = sr_words(m, r);
  for (uint32_t i = sr_inst(m, r)->first; i < w[0] >> 16; i++)
    if (sr_word_is_id(m, r, i) && sr_dataflow_may_differ(m, w[i]))
      SR_PUSH(scratch, uses, (SrRowItem){w[i], r});
}

static void index_instructions(Work *w) {
  const SrModule *m = w->m;
  SrArena scratch = sr_arena_new(w->arena.heap);
  SrRowItems uses = {0}, loads = {0}, calls = {0};
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list)) {
        w->home[r] = w->u->base[f] + b;
        if (sr_inst(m, r)->nonsemantic)
          continue;
        collect_uses(m, &scratch, r, &uses);
        uint32_t id = sr_words(m, r)[0] >> 16 > 3 ? sr_words(m, r)[3] : 0, cell;
        if (sr_inst(m, r)->op == SpvOpLoad && (cell = sr_memory_cell(w->memory, id)) != SR_NONE)
          SR_PUSH(&scratch, &loads, (SrRowItem){cell, r});
        if (sr_inst(m, r)->op == SpvOpFunctionCall && w->function_at[id] != SR_NONE)
          SR_PUSH(&scratch, &calls, (SrRowItem){w->function_at[id], r});
      }
  w->uses = sr_rows_new(&w->arena, w->u->bound, &uses);
  w->loads = sr_rows_new(&w->arena, w->u->bound, &loads);
  w->calls = sr_rows_new(&w->arena, m->function_count, &calls);
  for (uint32_t f = 0; f < m->function_count; f++)
    w->functions[f].calls = w->calls.at[f + 1] - w->calls.at[f];
  sr_arena_free(&scratch);
}

static void number_blocks(Work *w, SrArena *arena) {
  const SrModule *m = w->m;
  uint32_t n = 0;
  w->u->base = SR_NEW(arena, uint32_t, m->function_count + 1);
  for (uint32_t f = 0; f < m->function_count; f++) {
    w->u->base[f] = n;
    n += m->functions[f].block_count;
    w->functions[f].f = &m->functions[f];
    w->function_at[m->functions[f].id] = f;
  }
  w->u->base[m->function_count] = n;
  w->u->branch = sr_bits_new(arena, n);
  w->owner = SR_NEW_RAW(&w->arena, uint32_t, n);
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = w->u->base[f]; b < w->u->base[f + 1]; b++)
      w->owner[b] = f;
}

/* Finds entry points, which all lanes call with the same arguments, and functions that are exported
 * or have no caller in the module, so that nothing is known about their calls. */
static SrBits *find_callers(Work *w) {
  const SrModule *m = w->m;
  SrBits *external = sr_bits_new(&w->arena, m->function_count);
  SrBits *called = sr_bits_new(&w->arena, w->u->bound);
  for (uint32_t f = 0; f < m->function_count; f++)
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      for (SR_EACH(m, r, m->functions[f].blocks[b].list))
        if (sr_inst(m, r)->op == SpvOpFunctionCall)
          sr_bit_set(called, sr_words(m, r)[3]);
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *words = sr_words(m, r);
    if (sr_inst(m, r)->op == SpvOpEntryPoint && w->function_at[words[2]] != SR_NONE)
      w->functions[w->function_at[words[2]]].entry = true;
    if (sr_inst(m, r)->op == SpvOpDecorate && words[2] == SpvDecorationLinkageAttributes &&
        w->function_at[words[1]] != SR_NONE)
      w->functions[w->function_at[words[1]]].external = true;
  }
  for (uint32_t f = 0; f < m->function_count; f++) {
    Function *fn = &w->functions[f];
    bool has_caller = fn->entry || sr_bit(called, fn->f->id);
    if (w->settled && has_caller) /* the module is supposed to be the whole program */
      fn->external = false;
    fn->external = !fn->f->block_count || (!fn->entry && (fn->external || !has_caller));
    if (fn->external)
      sr_bit_set(external, f);
  }
  return external;
}

/* By index of a function: an entry point that nothing calls. */
static SrBits *find_starts(Work *w) {
  SrBits *starts = sr_bits_new(&w->arena, w->m->function_count);
  for (uint32_t f = 0; f < w->m->function_count; f++)
    if (w->functions[f].entry && !w->functions[f].calls)
      sr_bit_set(starts, f);
  return starts;
}

/* ---- what becomes divergent ---- */

/* May lanes differ in whether the divergent value is the end mark? */
static bool has_marks(const Work *w, uint32_t id) {
  return !w->marks || sr_bit(w->marks, id);
}

/* A value can change twice: it is divergent, and then lanes may differ in whether it is the end mark. */
static void mark_result_of(Work *w, uint32_t id, bool marks) {
  bool known = id && sr_bit(w->u->divergent, id);
  if (id == 0 || (known && (!marks || has_marks(w, id))))
    return;
  sr_bit_set(w->u->divergent, id);
  if (w->marks && marks)
    sr_bit_set(w->marks, id);
  if (w->u->cause && !known)
    w->u->cause[id] = w->now;
  SR_PUSH(&w->arena, &w->values, id);
}

static void mark_value(Work *w, uint32_t id) {
  mark_result_of(w, id, true);
}

static void mark_cell(Work *w, uint32_t cell) {
  if (cell == SR_NONE || sr_bit(w->cell_divergent, cell) || sr_local_flow_follows(w->local, cell))
    return;
  sr_bit_set(w->cell_divergent, cell);
  for (uint32_t i = w->loads.at[cell]; i < w->loads.at[cell + 1]; i++)
    mark_value(w, sr_inst(w->m, w->loads.number[i])->result);
}

static void mark_branch(Work *w, uint32_t block) {
  if (sr_bit(w->u->branch, block))
    return;
  sr_bit_set(w->u->branch, block);
  SR_PUSH(&w->arena, &w->branches, block);
}

static void mark_result(Work *w, uint32_t f, bool marks) {
  Function *fn = &w->functions[f];
  if (fn->result_diverges && (!marks || fn->result_marks))
    return;
  fn->result_diverges = true;
  fn->result_marks |= marks;
  for (uint32_t i = w->calls.at[f]; i < w->calls.at[f + 1]; i++)
    mark_result_of(w, sr_inst(w->m, w->calls.number[i])->result, marks);
}

static void mark_mixes_calls(Work *w, uint32_t f) {
  if (w->functions[f].mixes_calls)
    return;
  w->functions[f].mixes_calls = true;
  w->functions[f].why = w->now;
  SR_PUSH(&w->arena, &w->mixes_calls, f);
}

/* Marks a call that only some of the lanes run. */
static void mark_partial_call(Work *w, SrRef call) {
  uint32_t f = w->function_at[sr_words(w->m, call)[3]];
  if (f == SR_NONE)
    return;
  if (w->functions[f].calls > 1) /* its callees, too: see propagate_mixed_calls */
    mark_mixes_calls(w, f);
  if (w->functions[f].partial)
    return;
  w->functions[f].partial = true;
  w->functions[f].why = w->now;
  SR_PUSH(&w->arena, &w->partial, f);
}

static void mark_argument(Work *w, SrRef call, uint32_t id, bool marks) {
  const SrModule *m = w->m;
  uint32_t f = w->function_at[sr_words(m, call)[3]], i = 4, count = sr_word_count(m, call);
  if (f == SR_NONE)
    return;
  for (SR_EACH(m, r, m->functions[f].head))
    if (sr_inst(m, r)->op == SpvOpFunctionParameter && i < count && sr_words(m, call)[i++] == id)
      mark_result_of(w, sr_inst(m, r)->result, marks);
}

static bool is_copy(uint16_t op) {
  return op == SpvOpPhi || op == SpvOpCopyObject;
}

/* Propagates divergence from the id to instruction r, which uses it. */
static void propagate_to(Work *w, SrRef r, uint32_t id, bool marks) {
  const SrModule *m = w->m;
  const SrInst *inst = sr_inst(m, r);
  switch (inst->op) {
  case SpvOpStore:
    mark_cell(w, sr_memory_cell(w->memory, sr_words(m, r)[1]));
    return;
  case SpvOpBranchConditional:
  case SpvOpSwitch:
    mark_branch(w, w->home[r]);
    return;
  case SpvOpReturnValue:
    mark_result(w, w->owner[w->home[r]], marks);
    return;
  case SpvOpFunctionCall:
    mark_argument(w, r, id, marks);
    return;
  default:
    break;
  }
  if (w->settled && w->quad && sr_is_quad_cell(w->memory, m, r))
    return;
  if (!marks && sr_compares_end_mark(m, r))
    return;
  SrDataflow flow = sr_dataflow(m, r, w->workgroup);
  uint32_t selector = flow == SR_DATAFLOW_GROUP ? sr_dataflow_selector(m, r) : 0;
  if (flow == SR_DATAFLOW_PURE || flow == SR_DATAFLOW_LOAD || flow == SR_DATAFLOW_PHI ||
      (selector && sr_words(m, r)[selector] == id))
    mark_result_of(
        w, inst->result,
        !(w->marks && ((is_copy(inst->op) && !marks) || sr_is_lane_index(w->memory, m, r, id))));
}

/* ---- effects of control flow ---- */

/* The value that the id is a copy of, or itself. */
static uint32_t original(const Work *w, uint32_t id) {
  return w->copies ? w->copies[id] : id;
}

/* Does the phi have different values on the edges into the cycle that its block begins? SR_NONE: on
 * all edges. */
static bool phi_chooses(const Work *w, SrRef phi, uint32_t f, uint32_t cycle) {
  const uint32_t *words = sr_words(w->m, phi);
  uint32_t value = 0;
  if (original(w, words[2]) != words[2])
    return false;
  for (uint32_t i = 3; i < words[0] >> 16; i += 2) {
    uint32_t from = sr_block_of(w->m, words[i + 1]), v = original(w, words[i]);
    if (cycle != SR_NONE && sr_cycle_has(w->functions[f].nest, cycle, from))
      continue;
    if (value && v != value)
      return true;
    value = v;
  }
  return false;
}

/* Marks the nodes of a block or function that choose between values. */
static void mark_choices(Work *w, const SrRows *rows, uint32_t key) {
  for (SR_NUMBERS(n, *rows, key))
    if (w->local->nodes.at[*n].chooses)
      mark_value(w, w->local->first + *n);
}

/* `cycle`: as for phi_chooses. */
static void mark_phis(Work *w, uint32_t f, uint32_t block, uint32_t cycle) {
  const SrBlock *b = &w->functions[f].f->blocks[block];
  for (SR_EACH(w->m, r, b->list))
    if (sr_inst(w->m, r)->op == SpvOpPhi && phi_chooses(w, r, f, cycle))
      mark_value(w, sr_inst(w->m, r)->result);
  mark_choices(w, &w->local->of_block, w->u->base[f] + block);
}

static void mark_returns(Work *w, uint32_t f) {
  const SrModule *m = w->m;
  uint32_t value = 0;
  mark_choices(w, &w->local->of_function, f);
  for (uint32_t b = 0; b < m->functions[f].block_count; b++) {
    SrRef end = sr_terminator(&m->functions[f].blocks[b]);
    if (sr_inst(m, end)->op != SpvOpReturnValue)
      continue;
    if (value && value != sr_words(m, end)[1])
      mark_result(w, f, true);
    value = sr_words(m, end)[1];
  }
}

/* Only some of the lanes run the block. Marks what it changes for other lanes and, with `group`,
 * the results that it computes from the lanes that run it. */
static void mark_partial_block(Work *w, const SrBlock *b, bool group) {
  const SrModule *m = w->m;
  for (SR_EACH(m, r, b->list)) {
    uint16_t op = sr_inst(m, r)->op;
    if (op == SpvOpStore)
      mark_cell(w, sr_memory_cell(w->memory, sr_words(m, r)[1]));
    else if (op == SpvOpFunctionCall)
      mark_partial_call(w, r);
    else if (group && sr_dataflow(m, r, w->workgroup) == SR_DATAFLOW_GROUP)
      mark_value(w, sr_inst(m, r)->result);
  }
}

static bool is_outside(const Work *w, uint32_t f, uint32_t cycle, uint32_t block) {
  return !sr_cycle_has(w->functions[f].nest, cycle, block - w->u->base[f]);
}

static void mark_edges_outside(Work *w, uint32_t f, uint32_t value, uint32_t cycle) {
  for (SR_NUMBERS(e, w->local->out, value))
    if (is_outside(w, f, cycle, w->local->edges.at[*e].block))
      mark_value(w, w->local->edges.at[*e].to);
}

/* Is the value a copy of one that was computed outside of the cycle? */
static bool copies_outside(const Work *w, uint32_t f, uint32_t cycle, uint32_t id) {
  uint32_t from = original(w, id);
  SrRef def = from == id ? SR_NONE : sr_def(w->m, from);
  return def != SR_NONE && (w->home[def] == SR_NONE || is_outside(w, f, cycle, w->home[def]));
}

/* Marks the uses of the block's values outside of a cycle around it (temporal divergence). */
static void mark_uses_outside(Work *w, uint32_t f, uint32_t block, uint32_t cycle) {
  const SrRows *nodes = &w->local->of_block;
  for (SR_EACH(w->m, r, w->functions[f].f->blocks[block].list)) {
    uint32_t id = sr_inst(w->m, r)->result;
    if (copies_outside(w, f, cycle, id))
      continue;
    for (SR_NUMBERS(use, w->uses, id))
      if (is_outside(w, f, cycle, w->home[*use]))
        propagate_to(w, *use, id, true);
    mark_edges_outside(w, f, id, cycle);
  }
  for (SR_NUMBERS(n, *nodes, w->u->base[f] + block))
    mark_edges_outside(w, f, w->local->first + *n, cycle);
}

/* For a cycle that lanes leave in different iterations: marks the values that leave it, and what
 * its blocks store. */
static void mark_uneven_cycle(Work *w, uint32_t f, uint32_t cycle) {
  const Function *fn = &w->functions[f];
  const SrCycle *c = &fn->nest->cycles[cycle];
  for (uint32_t rank = c->first; rank <= c->last; rank++) {
    mark_partial_block(w, &fn->f->blocks[fn->nest->order[rank]], false);
    mark_uses_outside(w, f, fn->nest->order[rank], cycle);
  }
}

/* Assumes that every block is split and a join, and every cycle uneven. */
static void assume_all_divergent(Work *w, uint32_t f) {
  const Function *fn = &w->functions[f];
  for (uint32_t rank = 0; rank < fn->nest->count; rank++) {
    uint32_t block = fn->nest->order[rank];
    mark_phis(w, f, block, SR_NONE);
    mark_partial_block(w, &fn->f->blocks[block], true);
    if (fn->nest->inner[block] != SR_NONE)
      mark_uses_outside(w, f, block, fn->nest->inner[block]);
  }
  mark_returns(w, f);
}

static SrSync *sync_of(Work *w, uint32_t f) {
  Function *fn = &w->functions[f];
  if (fn->sync)
    return fn->sync;
  fn->g = sr_cfg_build(&w->arena, w->m, fn->f);
  fn->nest = sr_nest_build(&w->arena, fn->g);
  SrBits *returns = fn->entry ? NULL : sr_bits_new(&w->arena, fn->g->count);
  for (uint32_t b = 0; returns && b < fn->g->count; b++) {
    uint16_t op = sr_inst(w->m, sr_terminator(&fn->f->blocks[b]))->op;
    if (op == SpvOpReturn || op == SpvOpReturnValue)
      sr_bit_set(returns, b);
  }
  fn->sync = sr_sync_new(&w->arena, fn->g, fn->nest, returns);
  return fn->sync;
}

/* ---- shared functions in cycles ---- */

/* Thread frontiers treat calls and returns like edges, so several call sites of one function are
 * connected: a cycle with such a call contains paths that no lane takes, and the order of its
 * blocks may let lanes of a later iteration run before others. Nothing is known about a function
 * with such a cycle once lanes diverge in it. */

static void find_shared(Work *w) {
  Ids todo = {0};
  for (uint32_t f = 0; f < w->m->function_count; f++)
    if (w->functions[f].calls > 1) {
      w->functions[f].multi_site = true;
      SR_PUSH(&w->arena, &todo, f);
    }
  while (todo.count) {
    uint32_t f = SR_POP(&todo);
    for (uint32_t i = w->calls.at[f]; i < w->calls.at[f + 1]; i++) {
      uint32_t caller = w->owner[w->home[w->calls.number[i]]];
      if (w->functions[caller].multi_site)
        continue;
      w->functions[caller].multi_site = true;
      SR_PUSH(&w->arena, &todo, caller);
    }
  }
}

static bool has_shared_call_in_cycle(Work *w, uint32_t f) {
  const Function *fn = &w->functions[f];
  for (uint32_t b = 0; b < fn->f->block_count; b++) {
    if (fn->nest->inner[b] == SR_NONE)
      continue;
    for (SR_EACH(w->m, r, fn->f->blocks[b].list)) {
      if (sr_inst(w->m, r)->op != SpvOpFunctionCall)
        continue;
      uint32_t callee = w->function_at[sr_words(w->m, r)[3]];
      if (callee != SR_NONE && w->functions[callee].multi_site)
        return true;
    }
  }
  return false;
}

static void mark_lanes_diverge(Work *w, uint32_t f) {
  if (w->functions[f].lanes_diverge)
    return;
  w->functions[f].lanes_diverge = true;
  w->functions[f].why = w->now;
  SR_PUSH(&w->arena, &w->lanes_diverge, f);
}

static void propagate_lanes_diverge(Work *w) {
  uint32_t f = SR_POP(&w->lanes_diverge);
  w->now = w->functions[f].why;
  for (uint32_t i = w->calls.at[f]; i < w->calls.at[f + 1]; i++)
    mark_lanes_diverge(w, w->owner[w->home[w->calls.number[i]]]);
  if (w->settled || !w->functions[f].multi_site || !w->functions[f].f->block_count)
    return; /* the lint supposes that lanes run calls in their order */
  sync_of(w, f);
  if (has_shared_call_in_cycle(w, f))
    assume_all_divergent(w, f);
}

/* The cycle with one entry that begins at a join of lanes from a branch outside of it; SR_NONE: there is
 * none. If all lanes come to the join before one of them is in its second iteration, as the lint
 * supposes, only the values on the edges into the cycle meet there. */
static uint32_t cycle_at_join(const Work *w, uint32_t f, uint32_t join, uint32_t branch) {
  const SrNest *nest = w->functions[f].nest;
  uint32_t cycle = w->settled ? nest->inner[join] : SR_NONE;
  if (cycle == SR_NONE || nest->cycles[cycle].header != join || nest->cycles[cycle].entries > 1 ||
      !is_outside(w, f, cycle, branch))
    return SR_NONE;
  return cycle;
}

/* `branch`: the number of the block whose branch has these effects. */
static void apply_events(Work *w, uint32_t f, uint32_t branch) {
  const Function *fn = &w->functions[f];
  SrSyncEvent e;
  while (sr_sync_next(fn->sync, &e)) {
    w->now = (SrCause){e.kind == SR_SYNC_SPLIT    ? SR_CAUSE_PARTIAL
                       : e.kind == SR_SYNC_UNEVEN ? SR_CAUSE_ITERATION
                                                  : SR_CAUSE_PATH,
                       branch};
    if (e.kind == SR_SYNC_JOIN)
      mark_phis(w, f, e.index, cycle_at_join(w, f, e.index, branch));
    else if (e.kind == SR_SYNC_SPLIT)
      mark_partial_block(w, &fn->f->blocks[e.index], true);
    else if (e.kind == SR_SYNC_UNEVEN)
      mark_uneven_cycle(w, f, e.index);
    else if (e.kind == SR_SYNC_RETURN)
      mark_returns(w, f);
    else
      assume_all_divergent(w, f);
  }
}

/* ---- calls ---- */

static void mark_parameters(Work *w, uint32_t f) {
  const SrRows *nodes = &w->local->of_function;
  for (SR_EACH(w->m, r, w->m->functions[f].head))
    if (sr_inst(w->m, r)->op == SpvOpFunctionParameter)
      mark_value(w, sr_inst(w->m, r)->result);
  for (SR_NUMBERS(n, *nodes, f))
    if (w->local->nodes.at[*n].kind == SR_LOCAL_PARAMETER)
      mark_value(w, w->local->first + *n);
}

static void propagate_partial(Work *w, uint32_t f) {
  if (!w->functions[f].f->block_count)
    return;
  sr_sync_split_all(sync_of(w, f));
  apply_events(w, f, w->functions[f].why.from);
  mark_lanes_diverge(w, f);
}

/* Lanes in the function may belong to different calls: then arguments may differ, one call may
 * have stored values in the module's variables that the other has not yet stored, and lanes of a
 * later call may meet lanes of an earlier one in loops. */
static void propagate_mixed_calls(Work *w, uint32_t f) {
  const SrModule *m = w->m;
  w->now = w->functions[f].why;
  if (w->functions[f].f->block_count) {
    sync_of(w, f);
    assume_all_divergent(w, f);
  }
  mark_parameters(w, f);
  for (uint32_t b = 0; b < w->functions[f].f->block_count; b++)
    for (SR_EACH(m, r, w->functions[f].f->blocks[b].list)) {
      uint16_t op = sr_inst(m, r)->op;
      uint32_t cell = op == SpvOpLoad ? sr_memory_cell(w->memory, sr_words(m, r)[3]) : SR_NONE;
      if (cell != SR_NONE && sr_memory_changes_outside(w->memory, cell))
        mark_value(w, sr_inst(m, r)->result);
      if (op == SpvOpFunctionCall && w->function_at[sr_words(m, r)[3]] != SR_NONE)
        mark_mixes_calls(w, w->function_at[sr_words(m, r)[3]]);
    }
}

/* ---- the whole ---- */

static bool load_differs(const Work *w, SrRef r) {
  return sr_memory_load_differs(w->memory, r, w->workgroup) &&
         !(w->quad && sr_memory_loads_of_primitive(w->memory, r)) &&
         !(w->settled && sr_bit(w->settled, r));
}

static void find_sources(Work *w) {
  const SrModule *m = w->m;
  w->now = (SrCause){SR_CAUSE_SOURCE, 0};
  for (uint32_t id = 1; id < w->u->bound; id++) {
    if (sr_memory_cell(w->memory, id) == id && sr_memory_escapes(w->memory, id))
      mark_cell(w, id);
    if (sr_def(m, id) == SR_NONE)
      mark_value(w, id);
  }
  mark_value(w, w->local->leftover);
  for (uint32_t f = 0; f < m->function_count; f++) {
    Function *fn = &w->functions[f];
    if (fn->external) {
      mark_parameters(w, f);
      mark_result(w, f, true);
      mark_mixes_calls(w, f);
      fn->partial = true;
      fn->why = w->now;
      SR_PUSH(&w->arena, &w->partial, f);
    }
    for (uint32_t b = 0; b < fn->f->block_count; b++)
      for (SR_EACH(m, r, fn->f->blocks[b].list)) {
        SrDataflow flow = sr_dataflow(m, r, w->workgroup);
        if (flow == SR_DATAFLOW_DIFFERS || (flow == SR_DATAFLOW_LOAD && load_differs(w, r)) ||
            (flow == SR_DATAFLOW_CALL && w->function_at[sr_words(m, r)[3]] == SR_NONE))
          mark_value(w, sr_inst(m, r)->result);
      }
  }
}

static void propagate_value(Work *w) {
  uint32_t id = SR_POP(&w->values);
  w->now = (SrCause){SR_CAUSE_VALUE, id};
  if (id < w->u->bound)
    for (SR_NUMBERS(use, w->uses, id))
      propagate_to(w, *use, id, has_marks(w, id));
  for (SR_NUMBERS(e, w->local->out, id))
    mark_result_of(w, w->local->edges.at[*e].to, has_marks(w, id));
}

static void propagate_branch(Work *w) {
  uint32_t block = SR_POP(&w->branches), f = w->owner[block];
  sr_sync_branch(sync_of(w, f), block - w->u->base[f]);
  w->now = (SrCause){SR_CAUSE_PARTIAL, block};
  apply_events(w, f, block);
  mark_lanes_diverge(w, f);
}

static void solve(Work *w) {
  for (;;)
    if (w->values.count)
      propagate_value(w);
    else if (w->branches.count)
      propagate_branch(w);
    else if (w->partial.count)
      propagate_partial(w, SR_POP(&w->partial));
    else if (w->mixes_calls.count)
      propagate_mixed_calls(w, SR_POP(&w->mixes_calls));
    else if (w->lanes_diverge.count)
      propagate_lanes_diverge(w);
    else
      return;
}

static void analyse(SrUniform *u, SrArena *arena, const SrModule *m, SrScope scope,
                    const SrBits *settled) {
  Work w = {.m = m,
            .u = u,
            .workgroup = scope == SR_SCOPE_WORKGROUP,
            .quad = scope == SR_SCOPE_QUAD,
            .settled = settled};
  w.arena = sr_arena_new(arena->heap);
  w.functions = SR_NEW(&w.arena, Function, m->function_count);
  w.function_at = sr_new_none(&w.arena, u->bound);
  w.home = sr_new_none(&w.arena, m->inst.count);
  w.cell_divergent = sr_bits_new(&w.arena, u->bound);
  w.copies = settled ? sr_phi_copies(&w.arena, m) : NULL;
  number_blocks(&w, arena);
  SrBits *external = find_callers(&w);
  w.memory = sr_memory_build(&w.arena, m, external);
  index_instructions(&w);
  w.local = sr_local_flow_build(&w.arena, m, w.memory, u->base, w.function_at, find_starts(&w));
  uint32_t values = w.local->first + w.local->nodes.count;
  u->divergent = sr_bits_new(arena, values);
  u->cause = settled ? SR_NEW(arena, SrCause, values) : NULL;
  w.marks = settled ? sr_bits_new(&w.arena, values) : NULL;
  find_shared(&w);
  find_sources(&w);
  solve(&w);
  sr_arena_free(&w.arena);
}

SrUniform *sr_uniform_build(SrArena *arena, const SrModule *m, SrUniformMode mode, SrScope scope) {
  SrUniform *u = SR_NEW(arena, SrUniform, 1);
  u->mode = mode;
  u->bound = sr_bound(m);
  if (mode == SR_UNIFORM_ANALYSIS) {
    analyse(u, arena, m, scope, NULL);
    return u;
  }
  u->divergent = sr_bits_new(arena, u->bound);
  if (mode == SR_UNIFORM_ALL_DIVERGENT)
    for (uint32_t id = 1; id < u->bound; id++)
      if (sr_dataflow_may_differ(m, id))
        sr_bit_set(u->divergent, id);
  return u;
}

SrUniform *sr_uniform_explain(SrArena *arena, const SrModule *m, SrScope scope,
                              const SrBits *settled) {
  SrUniform *u = SR_NEW(arena, SrUniform, 1);
  u->mode = SR_UNIFORM_ANALYSIS;
  u->bound = sr_bound(m);
  analyse(u, arena, m, scope, settled);
  return u;
}

SrCause sr_uniform_cause(const SrUniform *u, uint32_t value) {
  return u->cause[value];
}

uint32_t sr_uniform_block(const SrUniform *u, const SrModule *m, uint32_t number,
                          uint32_t *function) {
  uint32_t low = 0, high = m->function_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (u->base[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  *function = low;
  return number - u->base[low];
}

bool sr_uniform_value(const SrUniform *u, uint32_t id) {
  return id < u->bound ? !sr_bit(u->divergent, id) : u->mode == SR_UNIFORM_ALL_UNIFORM;
}

/* Does the block have at most one successor: is `end` not a branch, or are all its targets the
 * same? */
static bool has_one_target(const SrModule *m, SrRef end) {
  uint32_t i = sr_next_target(m, end, 0), first = i;
  while (i && (i = sr_next_target(m, end, i)))
    if (sr_words(m, end)[i] != sr_words(m, end)[first])
      return false;
  return true;
}

bool sr_uniform_branch(const SrUniform *u, const SrModule *m, const SrFunction *f, uint32_t block) {
  if (u->mode == SR_UNIFORM_ALL_UNIFORM || has_one_target(m, sr_terminator(&f->blocks[block])))
    return true;
  if (u->mode == SR_UNIFORM_ALL_DIVERGENT)
    return false;
  return !sr_bit(u->branch, u->base[f - m->functions] + block);
}
