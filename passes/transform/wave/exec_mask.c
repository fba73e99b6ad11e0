/* SPDX-License-Identifier: Apache-2.0 */
/* exec_mask: see exec_mask.h. */
#include "passes/transform/wave/exec_mask.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/rejoin.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/base/text.h"
#include "passes/ir/effects.h"
#include "passes/transform/wave/exec_skip.h"

enum { MAX_CODE = 1 << 23 };

typedef struct Lower {
  const SrModule *m;
  const SrUniform *u;
  const SrWaveOptions *options;
  SrArena *scratch;
  SrWave *wave;
  SrBits *ending;           /* by id of function: a call may return without lanes */
  SrBits *entry_points;     /* by id of function */
  uint32_t *function_label; /* by id of function */
  /* the current function */
  const SrFunction *f;
  const SrGraph *g;
  const SrNest *nest;
  const SrRejoin *r;
  SrBits *skip;              /* by block: its skip branch stays */
  uint32_t *label, *flow;    /* by block: labels; SR_NONE: it has no flow block */
  uint32_t end_label;        /* SR_NONE: it is not used yet */
  uint32_t first_mask, next; /* the block that is laid out next, or SR_NONE */
  uint32_t *masks_at;        /* by mask in `r`: the first of the masks that it becomes, one or, with
                         branch_masks, one for each branch; then their number */
  uint32_t *own;             /* by block that ends in a divergent branch: the mask that it sets */
} Lower;

/* ---- options ---- */

bool sr_wave_options_read(const char *text, SrWaveOptions *options) {
  *options = (SrWaveOptions){0};
  for (const char *p = text; p && *p; p += *p == ',') {
    size_t length = strcspn(p, ",");
    if (length == 12 && memcmp(p, "needed-skips", length) == 0)
      options->needed_skips = true;
    else if (length == 11 && memcmp(p, "flow-blocks", length) == 0)
      options->flow_blocks = true;
    else if (length == 12 && memcmp(p, "branch-masks", length) == 0)
      options->branch_masks = true;
    else
      return false;
    p += length;
  }
  return true;
}

/* ---- instructions ---- */

static SrWaveInst *emit(Lower *l, SrWaveOp op) {
  SR_PUSH(l->wave->arena, &l->wave->code, (SrWaveInst){.op = (uint8_t)op});
  return &SR_LAST(&l->wave->code);
}

static void emit_mask(Lower *l, SrWaveOp op, uint32_t dst, uint32_t a, uint32_t b) {
  SrWaveInst *i = emit(l, op);
  i->dst = dst;
  i->a = a;
  i->b = b;
}

static void add_target(Lower *l, uint32_t label) {
  SR_PUSH(l->wave->arena, &l->wave->targets, label);
  SR_LAST(&l->wave->code).count++;
}

static void emit_branch(Lower *l, SrWaveOp op, uint32_t label) {
  emit(l, op)->target = l->wave->targets.count;
  add_target(l, label);
}

static uint32_t new_label(Lower *l, SrWaveLabelKind kind, uint32_t id) {
  SR_PUSH(l->wave->arena, &l->wave->labels,
          (SrWaveLabel){.id = id, .place = SR_NONE, .kind = (uint8_t)kind});
  return l->wave->labels.count - 1;
}

static void put_label(Lower *l, uint32_t label) {
  l->wave->labels.at[label].place = l->wave->code.count;
}

static uint32_t end_label(Lower *l) {
  if (l->end_label == SR_NONE)
    l->end_label = new_label(l, SR_WAVE_AT_END, l->f->id);
  return l->end_label;
}

/* ---- masks ---- */

static void number_masks(Lower *l) {
  const SrRejoin *r = l->r;
  bool each = l->options->branch_masks;
  l->masks_at = SR_NEW(l->scratch, uint32_t, (size_t)r->masks + 1);
  l->own = sr_new_none(l->scratch, l->g->count);
  for (uint32_t b = 0; b < l->g->count; b++)
    if (r->primary[b] != SR_NONE)
      l->masks_at[r->mask[r->primary[b]] + 1] += each;
  for (uint32_t m = 0; m < r->masks; m++)
    l->masks_at[m + 1] = l->masks_at[m] + (each ? l->masks_at[m + 1] : 1);
  uint32_t *next = SR_NEW(l->scratch, uint32_t, (size_t)r->masks + 1);
  memcpy(next, l->masks_at, ((size_t)r->masks + 1) * sizeof *next);
  for (uint32_t b = 0; b < l->g->count; b++) {
    uint32_t m = r->primary[b] == SR_NONE ? SR_NONE : r->mask[r->primary[b]];
    if (m == SR_NONE)
      continue;
    l->own[b] = l->first_mask + next[m];
    next[m] += each;
  }
}

/* Clears the masks of the primary successor with mask m in `r`, except one. */
static void clear_masks(Lower *l, uint32_t m, uint32_t except) {
  for (uint32_t k = l->masks_at[m]; k < l->masks_at[m + 1]; k++)
    if (l->first_mask + k != except)
      emit_mask(l, SR_WAVE_MOV, l->first_mask + k, SR_WAVE_ZERO, 0);
}

/* Must the branch keep what its mask holds? A mask of several branches holds lanes of the others; one
 * of its own those of an earlier run of a branch in a cycle. */
static bool keeps_mask(const Lower *l, uint32_t b) {
  return !sr_bit(l->r->first, b) && (!l->options->branch_masks || l->nest->inner[b] != SR_NONE);
}

/* The lanes in VCC wait in the branch's mask. */
static void fill_mask(Lower *l, uint32_t b) {
  if (sr_bit(l->r->first, b))
    clear_masks(l, l->r->mask[l->r->primary[b]], l->own[b]);
  if (keeps_mask(l, b))
    emit_mask(l, SR_WAVE_OR, l->own[b], l->own[b], SR_WAVE_VCC);
  else
    emit_mask(l, SR_WAVE_MOV, l->own[b], SR_WAVE_VCC, 0);
}

/* The lanes that wait for the block join. */
static void join_masks(Lower *l, uint32_t block) {
  uint32_t m = l->r->mask[block];
  for (uint32_t k = l->masks_at[m]; k < l->masks_at[m + 1]; k++)
    emit_mask(l, SR_WAVE_OR, SR_WAVE_EXEC, SR_WAVE_EXEC, l->first_mask + k);
}

/* ---- branches ---- */

/* The label that an edge leads to: the flow block's, if `to` has one and lanes wait there for the
 * lanes on this edge. */
static uint32_t edge_label(const Lower *l, uint32_t from, uint32_t to) {
  return l->flow[to] != SR_NONE && sr_rejoin_waits(l->r, from, to) ? l->flow[to] : l->label[to];
}

/* Does control fall through from one block to the other in the layout? */
static bool falls_to(const Lower *l, uint32_t from, uint32_t to) {
  return to == l->next && (l->flow[to] == SR_NONE || edge_label(l, from, to) == l->flow[to]);
}

static void branch_on(Lower *l, uint32_t from, uint32_t to) {
  if (!falls_to(l, from, to))
    emit_branch(l, SR_WAVE_BRANCH, edge_label(l, from, to));
}

/* Branches to `yes` if the branch's condition holds, else to `no`. */
static void branch_two(Lower *l, uint32_t from, uint32_t yes, SrWaveOp if_yes, uint32_t no,
                       SrWaveOp if_no) {
  if (falls_to(l, from, yes)) {
    emit_branch(l, if_no, edge_label(l, from, no));
    return;
  }
  emit_branch(l, if_yes, edge_label(l, from, yes));
  branch_on(l, from, no);
}

static void branch_divergent(Lower *l, uint32_t b) {
  uint32_t primary = l->r->primary[b];
  const uint32_t *t = &l->g->succ[l->g->succ_at[b]];
  uint32_t secondary = t[0] == primary ? t[1] : t[0];
  fill_mask(l, b);
  emit_mask(l, SR_WAVE_ANDN2, SR_WAVE_EXEC, SR_WAVE_EXEC, SR_WAVE_VCC);
  if (sr_bit(l->skip, b))
    branch_two(l, b, primary, SR_WAVE_EXECZ, secondary, SR_WAVE_EXECNZ);
  else
    branch_on(l, b, secondary);
}

static void branch_table(Lower *l, uint32_t b) {
  emit(l, SR_WAVE_TABLE)->target = l->wave->targets.count;
  for (SR_SUCCS(t, l->g, b))
    add_target(l, edge_label(l, b, *t));
}

/* Ends the function for all active lanes. */
static void leave(Lower *l, bool lanes_end) {
  if (sr_bit(l->entry_points, l->f->id)) {
    emit(l, SR_WAVE_END);
    return;
  }
  if (lanes_end)
    emit_mask(l, SR_WAVE_MOV, SR_WAVE_EXEC, SR_WAVE_ZERO, 0);
  emit(l, SR_WAVE_RETURN);
}

static void end_block(Lower *l, uint32_t b) {
  uint16_t op = sr_inst(l->m, sr_terminator(&l->f->blocks[b]))->op;
  const uint32_t *t = &l->g->succ[l->g->succ_at[b]];
  const SrSharedSets *sets = &l->r->sets;
  for (uint32_t m = sr_set_next(sets, l->r->clear[b], 0); m != SR_NONE;
       m = sr_set_next(sets, l->r->clear[b], m + 1))
    clear_masks(l, m, SR_NONE);
  if (l->r->primary[b] != SR_NONE)
    branch_divergent(l, b);
  else if (sr_succ_count(l->g, b) == 0)
    leave(l, op != SpvOpReturn && op != SpvOpReturnValue);
  else if (sr_succ_count(l->g, b) == 1)
    branch_on(l, b, t[0]);
  else if (op == SpvOpSwitch)
    branch_table(l, b);
  else
    branch_two(l, b, t[0], SR_WAVE_SCC1, t[1], SR_WAVE_SCC0);
}

/* ---- blocks ---- */

/* The label where a wave without lanes continues from inside a block: at waiting lanes, or at the
 * function's end. */
static uint32_t continue_label(Lower *l, uint32_t b) {
  uint32_t m = sr_set_max(&l->r->sets, l->r->in[b]);
  if (m == SR_NONE)
    return end_label(l);
  uint32_t to = l->r->block[m];
  return l->flow[to] != SR_NONE ? l->flow[to] : l->label[to];
}

static void emit_body(Lower *l, uint32_t b, uint32_t part, SrRef first, SrRef last) {
  SrWaveInst *i = emit(l, SR_WAVE_BODY);
  i->block = l->f->blocks[b].id;
  i->part = part;
  i->first = first;
  i->last = last;
  if (last == sr_terminator(&l->f->blocks[b]) && l->r->primary[b] != SR_NONE)
    i->primary = l->f->blocks[l->r->primary[b]].id;
}

static void emit_call(Lower *l, uint32_t b, uint32_t callee) {
  if (l->function_label[callee] == SR_NONE) /* not lowered: defined elsewhere */
    l->function_label[callee] = new_label(l, SR_WAVE_AT_FUNCTION, callee);
  emit_branch(l, SR_WAVE_CALL, l->function_label[callee]);
  if (sr_bit(l->ending, callee))
    emit_branch(l, SR_WAVE_EXECZ, continue_label(l, b));
}

static void emit_parts(Lower *l, uint32_t b) {
  const SrList *list = &l->f->blocks[b].list;
  SrRef first = list->first;
  uint32_t part = 0;
  for (SR_EACH(l->m, r, *list)) {
    if (sr_inst(l->m, r)->op != SpvOpFunctionCall)
      continue;
    emit_body(l, b, part++, first, r);
    emit_call(l, b, sr_words(l->m, r)[3]);
    first = sr_inst(l->m, r)->next;
  }
  emit_body(l, b, part, first, list->last);
}

static void lower_block(Lower *l, uint32_t b) {
  bool joins = l->r->mask[b] != SR_NONE;
  if (l->flow[b] != SR_NONE)
    put_label(l, l->flow[b]);
  else
    put_label(l, l->label[b]);
  if (joins)
    join_masks(l, b);
  if (l->flow[b] != SR_NONE)
    put_label(l, l->label[b]);
  emit_parts(l, b);
  end_block(l, b);
}

/* ---- functions ---- */

static SrWhere where_is(const SrModule *m, SrArena *scratch, const SrFunction *f, uint32_t block) {
  return (SrWhere){
      .function = sr_function_name(m, scratch, f), .block = f->blocks[block].id, .word = SR_NONE};
}

#define NOT_RECONVERGING                                                                           \
  "the branch diverges and no successor post-dominates it: the function is not reconverging "      \
  "(--transform=reconverge makes it so)"

const char *sr_exec_mask_refuses(SrArena *arena, const SrModule *m, const SrUniform *u,
                                 const SrFunction *f) {
  SrArena scratch = sr_arena_new(arena->heap);
  const SrGraph *g = sr_cfg_build(&scratch, m, f);
  const SrBits *divergent = sr_divergent_branches(&scratch, m, f, g, u);
  uint32_t bad;
  const char *why = NULL;
  if (!sr_rejoin_build(&scratch, sr_wave_graph(&scratch, m, f, g, divergent), divergent, false,
                       &bad)) {
    SrText text = {.arena = arena};
    char line[SR_MOST_PLACE];
    sr_diag_locate(m->diag, where_is(m, &scratch, f, bad), line);
    sr_text_add(&text, "function %s, block %%%u: " NOT_RECONVERGING "%s",
                sr_function_name(m, &scratch, f), f->blocks[bad].id, line);
    why = sr_text_end(&text);
  }
  sr_arena_free(&scratch);
  return why;
}

/* Blocks whose contents must not run without lanes. */
static SrBits *find_alive(Lower *l) {
  SrBits *alive = sr_bits_new(l->scratch, l->f->block_count);
  for (uint32_t b = 0; b < l->f->block_count; b++)
    for (SR_EACH(l->m, r, l->f->blocks[b].list))
      if (sr_is_cross_lane(l->m, r) || sr_inst(l->m, r)->op == SpvOpFunctionCall)
        sr_bit_set(alive, b);
  return alive;
}

static void choose_skips(Lower *l) {
  if (l->options->needed_skips) {
    l->skip = sr_exec_skip_needed(l->scratch, l->g, l->nest, l->r, find_alive(l));
    return;
  }
  l->skip = sr_bits_new(l->scratch, l->f->block_count);
  for (uint32_t b = 0; b < l->f->block_count; b++)
    sr_bit_set(l->skip, b);
}

static void make_labels(Lower *l) {
  l->label = sr_new_none(l->scratch, l->f->block_count);
  l->flow = sr_new_none(l->scratch, l->f->block_count);
  for (uint32_t i = 0; i < l->nest->count; i++) {
    uint32_t b = l->nest->order[i];
    if (l->options->flow_blocks && l->r->mask[b] != SR_NONE && sr_bit(l->r->entered, b))
      l->flow[b] = new_label(l, SR_WAVE_AT_FLOW, l->f->blocks[b].id);
    l->label[b] = new_label(l, SR_WAVE_AT_BLOCK, l->f->blocks[b].id);
  }
}

/* By set: how many masks it has. Sets are shared, so each is counted once. */
static uint32_t *count_masks(Lower *l) {
  const SrSharedSets *s = &l->r->sets;
  uint32_t *size = SR_NEW(l->scratch, uint32_t, s->node.count);
  size[1] = 1;
  for (uint32_t i = 2; i < s->node.count; i++) /* the parts of a set come before it */
    size[i] = size[s->node.at[i].half[0]] + size[s->node.at[i].half[1]];
  return size;
}

/* The same with a mask for each branch, for the sets of masks at the ends of blocks. */
static uint32_t *count_branch_masks(Lower *l) {
  const SrSharedSets *s = &l->r->sets;
  uint32_t *size = SR_NEW(l->scratch, uint32_t, s->node.count);
  for (uint32_t i = 0; i < l->nest->count; i++) {
    uint32_t set = l->r->out[l->nest->order[i]];
    for (uint32_t m = size[set] ? SR_NONE : sr_set_next(s, set, 0); m != SR_NONE;
         m = sr_set_next(s, set, m + 1))
      size[set] += l->masks_at[m + 1] - l->masks_at[m];
  }
  return size;
}

/* The most masks in which lanes can wait at the end of a block. */
static uint32_t most_masks(Lower *l) {
  const uint32_t *size = l->options->branch_masks ? count_branch_masks(l) : count_masks(l);
  uint32_t most = 0;
  for (uint32_t i = 0; i < l->nest->count; i++)
    if (size[l->r->out[l->nest->order[i]]] > most)
      most = size[l->r->out[l->nest->order[i]]];
  return most;
}

static SrStatus lower_function(Lower *l, uint32_t index) {
  l->f = &l->m->functions[index];
  const SrGraph *g = sr_cfg_build(l->scratch, l->m, l->f);
  const SrBits *divergent = sr_divergent_branches(l->scratch, l->m, l->f, g, l->u);
  l->g = sr_wave_graph(l->scratch, l->m, l->f, g, divergent);
  l->nest = sr_nest_build(l->scratch, l->g);
  uint32_t bad;
  l->r = sr_rejoin_build(l->scratch, l->g, divergent, l->options->flow_blocks, &bad);
  if (!l->r)
    return sr_fail(l->m->diag, SR_BAD_INPUT, where_is(l->m, l->scratch, l->f, bad),
                   NOT_RECONVERGING);
  choose_skips(l);
  make_labels(l);
  l->end_label = SR_NONE;
  l->first_mask = l->wave->masks;
  number_masks(l);
  uint32_t masks = l->masks_at[l->r->masks];
  l->wave->masks += masks;
  put_label(l, l->function_label[l->f->id]);
  SR_PUSH(l->wave->arena, &l->wave->functions,
          (SrWaveFunction){.index = index,
                           .first = l->wave->code.count,
                           .masks = masks,
                           .first_mask = l->first_mask,
                           .most_masks = most_masks(l)});
  for (uint32_t i = 0; i < l->nest->count; i++) {
    l->next = i + 1 < l->nest->count ? l->nest->order[i + 1] : SR_NONE;
    lower_block(l, l->nest->order[i]);
    if (l->wave->code.count > MAX_CODE)
      return sr_fail(l->m->diag, SR_BAD_INPUT, where_is(l->m, l->scratch, l->f, 0),
                     "its wave-level program is longer than %u instructions", (unsigned)MAX_CODE);
  }
  if (l->end_label != SR_NONE) {
    put_label(l, l->end_label);
    leave(l, false);
  }
  return SR_OK;
}

static void find_entry_points(Lower *l) {
  l->entry_points = sr_bits_new(l->scratch, sr_bound(l->m));
  for (SR_EACH(l->m, r, l->m->globals))
    if (sr_inst(l->m, r)->op == SpvOpEntryPoint)
      sr_bit_set(l->entry_points, sr_words(l->m, r)[2]);
}

SrStatus sr_exec_mask_lower(SrArena *arena, const SrModule *m, const SrUniform *u,
                            const uint32_t *functions, uint32_t count, const SrWaveOptions *options,
                            SrWave **wave) {
  SrArena kept = sr_arena_new(arena->heap), scratch = sr_arena_new(arena->heap);
  *wave = SR_NEW(arena, SrWave, 1);
  (*wave)->arena = arena;
  Lower l = {.m = m, .u = u, .options = options, .scratch = &kept, .wave = *wave};
  l.ending = sr_ending_functions(&kept, m);
  find_entry_points(&l);
  l.function_label = sr_new_none(&kept, sr_bound(m));
  for (uint32_t i = 0; i < count; i++)
    l.function_label[m->functions[functions[i]].id] =
        new_label(&l, SR_WAVE_AT_FUNCTION, m->functions[functions[i]].id);
  l.scratch = &scratch;
  SrStatus status = SR_OK;
  for (uint32_t i = 0; i < count && status == SR_OK; i++) {
    SrMark mark = sr_arena_mark(&scratch);
    status = lower_function(&l, functions[i]);
    sr_arena_reset(&scratch, mark);
  }
  sr_arena_free(&scratch);
  sr_arena_free(&kept);
  return status;
}
