/* SPDX-License-Identifier: Apache-2.0 */
/* rare_move: see rare_move.h. First the tails are copied, as struct-copy copies code; the loops
 * stay as they are. Then each header's edges are divided: those from its loop without the arm stay,
 * the others lead to H'. A block dominates the same blocks as before this step, so only the
 * header's phis are divided, too. */
#include "passes/transform/speculative/rare_move.h"

#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "passes/ir/id_table.h"
#include "passes/transform/copy/copy_blocks.h"
#include "passes/transform/copy/tail.h"

typedef struct Move {
  SrArena *arena;
  SrModule *m;
  SrFunction *f;
  const SrRareArms *arms;
  SrTransformCounts *counts;
  SrIdTable *stays;          /* by label: the label of the header to which its back edge still
                                leads */
  SR_VEC(uint32_t) operands; /* operands of the phi for H': value, label */
} Move;

/* ---- tails ---- */

/* Redirects edges from the arm to its tail to the tail's copy. */
static void enter_copy(const Move *k, const SrTails *t, const SrRareArm *arm) {
  const SrNest *nest = k->arms->nest;
  const SrCycle *c = &nest->cycles[arm->cycle];
  for (uint32_t r = c->first; r <= c->last; r++) {
    const SrTailNode *n = &t->node.at[nest->order[r]];
    if (!sr_rare_has(k->arms, arm, nest->order[r]))
      continue;
    for (uint32_t e = n->first; e < n->first + n->count; e++) {
      uint32_t copy = t->node.at[t->edge.at[e].to].copy;
      if (copy != SR_NONE)
        t->edge.at[e].to = copy;
    }
  }
}

static SrStatus copy_tails(Move *k) {
  const SrRareArms *arms = k->arms;
  SrCopyGraph c = sr_copy_graph_new(k->arena, k->m, k->f, arms->graph);
  const SrBits *none = sr_bits_new(k->arena, k->f->block_count);
  SrTails t = sr_tails_new(k->arena, k->arena, &c, arms->nest, none);
  for (uint32_t i = 0; i < arms->arm.count; i++) {
    const SrRareArm *arm = &arms->arm.at[i];
    t.tail.count = 0;
    for (uint32_t j = 0; j < arm->tail_count; j++)
      SR_PUSH(k->arena, &t.tail, arms->tail.at[arm->tail + j]);
    sr_tails_copy_once(&t);
    enter_copy(k, &t, arm);
    sr_tails_forget(&t);
    k->counts->forward_copies += arm->tail_count > 0;
  }
  sr_tails_finish(&t);
  const SrCopyPlan *plan = sr_copy_plan_of(k->arena, arms->graph, c.graph, c.block.at);
  return sr_copy_blocks(k->m, k->f, k->arena, plan, k->counts);
}

/* ---- headers ---- */

/* Notes the back edges that do not come from the arms. */
static void find_staying(Move *k) {
  const SrRareArms *arms = k->arms;
  for (uint32_t i = 0; i < arms->arm.count; i++) {
    const SrRareArm *arm = &arms->arm.at[i];
    for (SR_PREDS(p, arms->graph, arm->header))
      if (sr_cycle_has(arms->nest, arm->cycle, *p) && !sr_rare_has(arms, arm, *p))
        sr_ids_set(k->stays, k->f->blocks[*p].id, k->f->blocks[arm->header].id);
  }
}

static bool stays(const Move *k, uint32_t label, uint32_t header) {
  return sr_ids_get(k->stays, label) == header;
}

/* The value of the phi for the edges that now lead to H': their operand if they all have the same
 * one, else a phi in H'. */
static uint32_t outer_value(Move *k, SrBlock *outer, const SrInst *phi) {
  SrModule *m = k->m;
  uint32_t value = k->operands.at[0];
  for (uint32_t i = 2; i < k->operands.count; i += 2)
    value = k->operands.at[i] == value ? value : 0;
  if (value)
    return value;
  value = sr_fresh_id(m);
  sr_begin(m, SpvOpPhi, phi->type, value);
  for (uint32_t i = 0; i < k->operands.count; i++)
    sr_put_id(m, k->operands.at[i]);
  sr_append(m, &outer->list, sr_end(m));
  sr_keep(m, value, sr_kept(m, phi->result));
  k->counts->added_phis++;
  return value;
}

static void divide_phi(Move *k, SrBlock *header, SrBlock *outer, SrRef r) {
  SrModule *m = k->m;
  const SrInst phi = *sr_inst(m, r);
  k->operands.count = 0;
  for (uint32_t i = 3; i + 1 < sr_word_count(m, r); i += 2) {
    const uint32_t *w = &sr_words(m, r)[i];
    if (stays(k, w[1], header->id))
      continue;
    SR_PUSH(k->arena, &k->operands, w[0]);
    SR_PUSH(k->arena, &k->operands, w[1]);
  }
  uint32_t value = outer_value(k, outer, &phi);
  sr_begin(m, SpvOpPhi, phi.type, phi.result);
  sr_put_id(m, value);
  sr_put_id(m, outer->id);
  for (uint32_t i = 3; i + 1 < sr_word_count(m, r); i += 2)
    if (stays(k, sr_words(m, r)[i + 1], header->id)) {
      sr_put_id(m, sr_words(m, r)[i]);
      sr_put_id(m, sr_words(m, r)[i + 1]);
    }
  SrRef divided = sr_end(m);
  sr_inst(m, divided)->added = phi.added;
  sr_insert_before(m, &header->list, r, divided);
  sr_remove(m, &header->list, r);
}

/* Redirects the back edges that do not stay to H'. */
static void redirect(const Move *k, const SrGraph *g, uint32_t header, uint32_t to) {
  uint32_t label = k->f->blocks[header].id;
  for (SR_PREDS(p, g, header)) {
    const SrBlock *from = &k->f->blocks[*p];
    SrRef end = sr_terminator(from);
    if (stays(k, from->id, label))
      continue;
    for (uint32_t i = 0; (i = sr_next_target(k->m, end, i));)
      if (sr_words(k->m, end)[i] == label)
        sr_words(k->m, end)[i] = to;
  }
}

/* Makes H'. */
static SrBlock divide(Move *k, const SrGraph *g, uint32_t header) {
  SrModule *m = k->m;
  SrBlock outer = sr_new_block(m), *inner = &k->f->blocks[header];
  for (SR_EACH_PHI(m, r, inner->list))
    divide_phi(k, inner, &outer, r);
  redirect(k, g, header, outer.id);
  sr_begin(m, SpvOpBranch, 0, 0);
  sr_put_id(m, inner->id);
  sr_append(m, &outer.list, sr_end(m));
  sr_hint_copy(m, inner->id, outer.id);
  k->counts->added_blocks++;
  k->counts->added_instructions++;
  return outer;
}

/* By label: the header of a loop that changes. */
static SrIdTable *headers(Move *k, const uint32_t *labels) {
  SrIdTable *table = sr_ids_take(k->m);
  for (uint32_t i = 0; i < k->arms->arm.count; i++)
    sr_ids_set(table, labels[i], i);
  return table;
}

static void divide_all(Move *k, const uint32_t *labels) {
  SrModule *m = k->m;
  SrFunction *f = k->f;
  const SrGraph *g = sr_cfg_build(k->arena, m, f);
  SrIdTable *is_header = headers(k, labels);
  uint32_t count = 0;
  SrBlock *blocks = SR_NEW_RAW(m->arena, SrBlock, f->block_count + k->arms->arm.count);
  for (uint32_t b = 0; b < f->block_count; b++) {
    sr_hint_take(m, &f->blocks[b]);
    if (sr_ids_get(is_header, f->blocks[b].id) != SR_NONE)
      blocks[count++] = divide(k, g, b);
    blocks[count++] = f->blocks[b];
  }
  sr_ids_give(m, is_header);
  f->blocks = blocks;
  f->block_count = count;
  sr_set_homes(m, f);
}

SrStatus sr_rare_move(SrArena *arena, SrModule *m, SrFunction *f, const SrRareArms *arms,
                      SrTransformCounts *counts) {
  Move k = {.arena = arena, .m = m, .f = f, .arms = arms, .counts = counts};
  uint32_t *labels = SR_NEW_RAW(arena, uint32_t, arms->arm.count), copies = 0;
  for (uint32_t i = 0; i < arms->arm.count; i++) {
    labels[i] = f->blocks[arms->arm.at[i].header].id;
    copies += arms->arm.at[i].tail_count;
  }
  k.stays = sr_ids_take(m);
  find_staying(&k);
  SrStatus status = copies ? copy_tails(&k) : SR_OK;
  if (status == SR_OK)
    divide_all(&k, labels);
  sr_ids_give(m, k.stays);
  return status;
}
