/* SPDX-License-Identifier: Apache-2.0 */
/* meld_write: see meld_write.h. Instructions are appended to the open block; a guard or a region
 * closes it. Ids of the second side that have become one with a partner are renamed at the end. */
#include "passes/transform/meld/meld_write.h"

#include "passes/base/sort.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/transform/ssa/ssa_select.h"

/* An OpSelect between a and b that was made in a line of code. */
typedef struct Chosen {
  uint32_t b, id, line, next;
} Chosen;

/* A phi of both sides; its operands are chosen when the blocks that they come from are written. */
typedef struct Pending {
  SrRef phi[2];
} Pending;

typedef struct Writer {
  const SrMeldPlan *plan;
  SrMeld *k;
  SrModule *m;
  SrMeldOutput *out;
  SrBlock open;   /* the open block */
  bool at_branch; /* it is the branch's block */
  SrApplied now;  /* the line at its end */
  uint32_t first; /* of this branch's blocks in out->block */
  SrMap place;    /* by id of a closed block: its index in out->block + 1; 0: it is the branch's
                     block */
  SrMap end_of;   /* by id of a block of the sides: the block that has its end now */
  SrMap rename;   /* by melded value of the second side: that of the first */
  SrMap chosen;   /* by value of the first side: index in `made`, a list */
  SR_VEC(Chosen) made;
  uint32_t line, lines; /* 0: the sequence of the sides themselves, whose values reach all code that
                           follows */
  SR_VEC(Pending) pending;
} Writer;

static const SrMeldSide *side_of(const Writer *w, int s) {
  return w->plan->pair.side[s];
}

static SrBlock *block_at(const Writer *w, uint32_t b) {
  return &w->k->f->blocks[b];
}

/* ---- blocks ---- */

static void open_block(Writer *w, SrBlock b) {
  w->open = b;
  w->now = SR_NOT_APPLIED;
}

static SrBlock new_block(Writer *w) {
  SrBlock b = sr_new_block(w->m);
  b.added = false;
  b.part = !block_at(w, w->plan->branch)->added;
  w->k->counts->added_blocks++;
  return b;
}

static void keep_block(Writer *w, SrBlock b) {
  SR_PUSH(w->k->arena, &w->out->block, b);
  sr_map_set(&w->place, b.id, w->out->block.count);
}

static void close_block(Writer *w) {
  if (!w->at_branch) {
    keep_block(w, w->open);
    return;
  }
  *block_at(w, w->plan->branch) = w->open;
  sr_map_set(&w->place, w->open.id, 0);
  w->at_branch = false;
}

static void append(Writer *w, SrRef r) {
  sr_append(w->m, &w->open.list, r);
}

static void append_branch(Writer *w, uint32_t target) {
  sr_begin(w->m, SpvOpBranch, 0, 0);
  sr_put_id(w->m, target);
  append(w, sr_end(w->m));
}

static uint32_t label_of(const Writer *w, uint32_t b) {
  return w->k->f->blocks[b].id;
}

static void ends_here(Writer *w, uint32_t b) {
  sr_map_set(&w->end_of, label_of(w, b), w->open.id);
}

/* ---- OpSelect ---- */

static bool is_undef(const Writer *w, uint32_t id) {
  return sr_def_op(w->m, id) == SpvOpUndef;
}

/* The value of the lanes of either side, if no OpSelect is needed for it; else 0. */
static uint32_t common_value(const Writer *w, uint32_t a, uint32_t b) {
  if (sr_meld_are_partners(&w->plan->pair, a, b) || is_undef(w, b))
    return a;
  return is_undef(w, a) ? b : 0;
}

/* Makes an OpSelect before `before` (SR_NONE: at the end) of a list. */
static uint32_t make_select(Writer *w, SrList *list, SrRef before, uint32_t a, uint32_t b) {
  SrModule *m = w->m;
  uint32_t type = sr_inst(m, sr_def(m, a))->type, width = sr_select_width(m, type);
  uint32_t condition = w->plan->pair.condition, id;
  if (width > 1) {
    condition = sr_select_condition(m, list, before, condition, width);
    w->k->counts->added_instructions++;
  }
  id = sr_fresh_id(m);
  sr_begin(m, SpvOpSelect, type, id);
  sr_put_id(m, condition);
  sr_put_id(m, a);
  sr_put_id(m, b);
  SrRef r = sr_end(m);
  if (before == SR_NONE)
    sr_append(m, list, r);
  else
    sr_insert_before(m, list, before, r);
  sr_keep(m, id, sr_kept_joined(sr_kept(m, a), sr_kept(m, b)));
  w->k->counts->added_instructions++;
  return id;
}

/* In the open block: the value that is a for lanes of the first side and b for the others. */
static uint32_t choose(Writer *w, uint32_t a, uint32_t b) {
  uint32_t id = common_value(w, a, b), head = sr_map_get(&w->chosen, a);
  if (id)
    return id;
  for (uint32_t i = head; i != SR_NONE; i = w->made.at[i].next)
    if (w->made.at[i].b == b && (w->made.at[i].line == 0 || w->made.at[i].line == w->line))
      return w->made.at[i].id;
  id = make_select(w, &w->open.list, SR_NONE, a, b);
  SR_PUSH(w->k->arena, &w->made, (Chosen){b, id, w->line, head});
  sr_map_set(&w->chosen, a, w->made.count - 1);
  return id;
}

/* Sets each operand of x to a value that is x's for lanes of one side and y's for lanes of the
 * other. */
static void choose_operands(Writer *w, SrRef x, SrRef y) {
  SrModule *m = w->m;
  for (uint32_t i = sr_inst(m, x)->first; i < sr_word_count(m, x); i++) {
    uint32_t a = sr_words(m, x)[i], b = sr_words(m, y)[i];
    if (!sr_word_is_id(m, x, i) || a == b || sr_def_op(m, a) == SpvOpLabel)
      continue;
    uint32_t id = choose(w, a, b);
    sr_words(m, x)[i] = id;
  }
}

static void become_one(Writer *w, SrRef x, SrRef y) {
  uint32_t id = sr_inst(w->m, y)->result;
  if (id)
    sr_map_set(&w->rename, id, sr_inst(w->m, x)->result);
}

/* ---- terminators ---- */

static void retarget(Writer *w, SrRef r, uint32_t from, uint32_t to) {
  for (uint32_t i = 1; r != SR_NONE && i < sr_word_count(w->m, r); i++)
    if (sr_word_is_id(w->m, r, i) && sr_words(w->m, r)[i] == from)
      sr_words(w->m, r)[i] = to;
}

/* Moves the merge instruction and terminator of block b, in which label `from` becomes `to`, to the
 * end of the open block, and closes it. */
static void move_end(Writer *w, uint32_t b, uint32_t from, uint32_t to) {
  SrRef end[2] = {sr_merge_inst(w->m, block_at(w, b)), sr_terminator(block_at(w, b))};
  for (int i = 0; i < 2; i++) {
    if (end[i] == SR_NONE)
      continue;
    retarget(w, end[i], from, to);
    sr_remove(w->m, &block_at(w, b)->list, end[i]);
    append(w, end[i]);
  }
  close_block(w);
}

/* ---- one side alone ---- */

/* Moves the phis of block b to the end of the open block, except those that have become one with
 * another. */
static void move_phis(Writer *w, uint32_t b) {
  SrModule *m = w->m;
  SrList *list = &block_at(w, b)->list;
  for (SR_EACH_PHI(m, r, *list)) {
    if (sr_map_get(&w->rename, sr_inst(m, r)->result) != SR_NONE)
      continue;
    sr_remove(m, list, r);
    append(w, r);
  }
}

/* The parts of a region in the order of their blocks, so that dominators come first. */
static uint32_t *parts_in_order(Writer *w, const SrMeldSide *s, const SrMeldRegion *r) {
  uint32_t *order = SR_NEW_RAW(w->k->arena, uint32_t, r->parts);
  uint64_t *key = SR_NEW_RAW(w->k->arena, uint64_t, r->parts);
  for (uint32_t i = 0; i < r->parts; i++)
    key[i] = (uint64_t)s->part.at[r->part + i].block << 32 | i;
  sr_sort(w->k->scratch, key, r->parts, sizeof *key, sr_by_number);
  for (uint32_t i = 0; i < r->parts; i++)
    order[i] = (uint32_t)key[i];
  return order;
}

/* Lanes enter the loop with header `header` from the open block, instead of from the branch. */
static void enter_from_here(Writer *w, uint32_t header) {
  uint32_t branch = label_of(w, w->plan->branch);
  for (SR_EACH(w->m, r, block_at(w, header)->list))
    for (uint32_t i = 3; sr_inst(w->m, r)->op == SpvOpPhi && i < sr_word_count(w->m, r); i += 2)
      if (sr_words(w->m, r)[i + 1] == branch)
        sr_words(w->m, r)[i + 1] = w->open.id;
}

/* Lets the open block lead into the region, and closes it. A side may begin with a loop, whose
 * header then names the branch's block. So may the other side. Each side is entered from its own
 * block, because `end_of` can hold only one of them. */
static void enter_region(Writer *w, const SrMeldSide *s, const SrMeldRegion *r, uint32_t after) {
  if (r->pre == w->plan->branch)
    enter_from_here(w, s->part.at[r->part].block);
  else
    sr_map_set(&w->end_of, label_of(w, r->pre), w->open.id);
  if (!r->loop) {
    sr_applied_switch(w->m, &w->open.list, &w->now, w->k->end_line[r->pre]);
    move_end(w, r->pre, label_of(w, r->stop), after);
    return;
  }
  append_branch(w, label_of(w, s->part.at[r->part].block));
  close_block(w);
}

static void write_region_alone(Writer *w, const SrMeldSide *s, const SrMeldRegion *r) {
  SrBlock after = new_block(w);
  uint32_t *order = parts_in_order(w, s, r), stop = label_of(w, r->stop);
  enter_region(w, s, r, after.id);
  for (uint32_t i = 0; i < r->parts; i++) {
    uint32_t b = s->part.at[r->part + order[i]].block;
    SrBlock *block = block_at(w, b);
    retarget(w, sr_merge_inst(w->m, block), stop, after.id);
    retarget(w, sr_terminator(block), stop, after.id);
    sr_map_set(&w->end_of, block->id, block->id);
    keep_block(w, *block);
    block->list = (SrList){SR_NONE, SR_NONE};
  }
  open_block(w, after);
  move_phis(w, r->stop);
}

/* Writes items from … to - 1 of those in a gap. */
static void write_alone(Writer *w, int side, const SrMeldItem *items, const uint32_t *at,
                        uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const SrMeldItem *item = &items[at[i]];
    if (item->inst == SR_NONE) {
      write_region_alone(w, side_of(w, side), &side_of(w, side)->region.at[item->region]);
      continue;
    }
    sr_applied_switch(w->m, &w->open.list, &w->now, item->applied);
    sr_remove(w->m, &block_at(w, item->block)->list, item->inst);
    append(w, item->inst);
  }
}

/* Writes one arm of a guard. */
static void write_arm(Writer *w, int side, const SrMeldItem *items, const SrMeldGap *gap,
                      SrBlock arm, uint32_t tail) {
  uint32_t begin = w->out->block.count;
  open_block(w, arm);
  write_alone(w, side, items, gap->at[side], gap->guard_from[side], gap->guard_to[side]);
  append_branch(w, tail);
  close_block(w);
  for (uint32_t i = begin; i < w->out->block.count; i++) {
    sr_map_set(&w->out->part_of, w->out->block.at[i].id, arm.id);
    sr_map_set(&w->out->tail_of, w->out->block.at[i].id, tail);
  }
}

static void write_guard(Writer *w, const SrMeldItem *const items[2], const SrMeldGap *gap) {
  SrModule *m = w->m;
  bool has[2] = {gap->guard_from[0] < gap->guard_to[0], gap->guard_from[1] < gap->guard_to[1]};
  if (!has[0] && !has[1])
    return;
  SrBlock tail = new_block(w), arm[2] = {{0}, {0}};
  for (int s = 0; s < 2; s++)
    if (has[s])
      arm[s] = new_block(w);
  if (w->k->structured) {
    sr_begin(m, SpvOpSelectionMerge, 0, 0);
    sr_put_id(m, tail.id);
    sr_put_literal(m, 0);
    append(w, sr_end(m));
  }
  sr_begin(m, SpvOpBranchConditional, 0, 0);
  sr_put_id(m, w->plan->pair.condition);
  for (int s = 0; s < 2; s++)
    sr_put_id(m, has[s] ? arm[s].id : tail.id);
  append(w, sr_end(m));
  close_block(w);
  for (int s = 0; s < 2; s++)
    if (has[s])
      write_arm(w, s, items[s], gap, arm[s], tail.id);
  open_block(w, tail);
}

static void write_gap(Writer *w, const SrMeldItem *const items[2], const SrMeldGap *gap) {
  for (int s = 0; s < 2; s++)
    write_alone(w, s, items[s], gap->at[s], 0, gap->guard_from[s]);
  write_guard(w, items, gap);
  for (int s = 0; s < 2; s++)
    write_alone(w, s, items[s], gap->at[s], gap->guard_to[s], gap->count[s]);
}

/* ---- both sides ---- */

static void write_pair(Writer *w, const SrMeldItem *x, const SrMeldItem *y) {
  SrModule *m = w->m;
  sr_applied_switch(m, &w->open.list, &w->now, sr_applied_common(m, x->applied, y->applied));
  choose_operands(w, x->inst, y->inst);
  sr_remove(m, &block_at(w, x->block)->list, x->inst);
  append(w, x->inst);
  become_one(w, x->inst, y->inst);
  w->k->counts->merged_instructions++;
}

/* Records the phis of block a that become one with phis of the other side. */
static void note_phis(Writer *w, uint32_t a) {
  for (SR_EACH(w->m, r, block_at(w, a)->list)) {
    uint32_t other = sr_map_get(&w->plan->phi_of, r);
    if (sr_inst(w->m, r)->op != SpvOpPhi || other == SR_NONE)
      continue;
    SR_PUSH(w->k->arena, &w->pending, (Pending){{r, other}});
    become_one(w, r, other);
  }
}

/* Moves the phis of both blocks to the end of the open block. */
static void write_phis(Writer *w, uint32_t a, uint32_t b) {
  note_phis(w, a);
  move_phis(w, a);
  move_phis(w, b);
}

/* The list of the closed block `id`. */
static SrList *list_of(Writer *w, uint32_t id) {
  uint32_t place = sr_map_get(&w->place, id);
  return place ? &w->out->block.at[place - 1].list : &block_at(w, w->plan->branch)->list;
}

static uint32_t end_of(const Writer *w, uint32_t label) {
  uint32_t id = sr_map_get(&w->end_of, label);
  return id == SR_NONE ? label : id;
}

/* The place before the terminator, or merge instruction, at the end of the list. */
static SrRef before_end(const Writer *w, const SrList *list) {
  SrRef end = list->last, prev = sr_inst(w->m, end)->prev;
  uint16_t op = prev == SR_NONE ? SpvOpNop : sr_inst(w->m, prev)->op;
  return op == SpvOpSelectionMerge || op == SpvOpLoopMerge ? prev : end;
}

/* Chooses the operands of a phi of both sides at the ends of the blocks that they come from. */
static void finish_phi(Writer *w, Pending p) {
  SrModule *m = w->m;
  SrMark mark = sr_arena_mark(w->k->scratch);
  SrMap other = {.arena = w->k->scratch};
  for (uint32_t i = 3; i < sr_word_count(m, p.phi[1]); i += 2)
    sr_map_set(&other, end_of(w, sr_words(m, p.phi[1])[i + 1]), sr_words(m, p.phi[1])[i]);
  for (uint32_t i = 3; i < sr_word_count(m, p.phi[0]); i += 2) {
    uint32_t a = sr_words(m, p.phi[0])[i], from = end_of(w, sr_words(m, p.phi[0])[i + 1]);
    uint32_t b = sr_map_get(&other, from), id = common_value(w, a, b);
    if (!id) {
      SrList *list = list_of(w, from);
      id = make_select(w, list, before_end(w, list), a, b);
    }
    sr_words(m, p.phi[0])[i] = id;
  }
  sr_arena_reset(w->k->scratch, mark);
}

static void write_line(Writer *w, SrMeldLine line, uint32_t region[2], uint32_t part);

/* Closes the open block with what ends both blocks. */
static void write_ends(Writer *w, uint32_t a, uint32_t b, uint32_t from, uint32_t to) {
  SrModule *m = w->m;
  const SrMeld *k = w->k;
  sr_applied_switch(m, &w->open.list, &w->now,
                    sr_applied_common(m, k->end_line[a], k->end_line[b]));
  choose_operands(w, sr_terminator(block_at(w, a)), sr_terminator(block_at(w, b)));
  ends_here(w, a);
  ends_here(w, b);
  move_end(w, a, from, to);
}

static void write_joined_part(Writer *w, const SrMeldJoined *j, uint32_t part, uint32_t after) {
  const SrMeldRegion *x = &side_of(w, 0)->region.at[j->region[0]],
                     *y = &side_of(w, 1)->region.at[j->region[1]];
  uint32_t a = side_of(w, 0)->part.at[x->part + part].block,
           b = side_of(w, 1)->part.at[y->part + part].block;
  SrBlock block = *block_at(w, a);
  uint32_t region[2] = {j->region[0], j->region[1]};
  sr_remove(w->m, &block_at(w, a)->list, block.label);
  block.list = (SrList){SR_NONE, SR_NONE};
  open_block(w, block);
  append(w, block.label);
  write_phis(w, a, b);
  w->line = ++w->lines;
  write_line(w, w->plan->line.at[j->line + part], region, part);
  write_ends(w, a, b, label_of(w, x->stop), after);
  w->line = 0;
}

static void write_joined(Writer *w, const SrMeldJoined *j) {
  const SrMeldRegion *x = &side_of(w, 0)->region.at[j->region[0]],
                     *y = &side_of(w, 1)->region.at[j->region[1]];
  SrBlock after = new_block(w);
  uint32_t *order = parts_in_order(w, side_of(w, 0), x), begin = w->pending.count;
  if (x->loop) {
    ends_here(w, x->pre);
    ends_here(w, y->pre);
    append_branch(w, label_of(w, side_of(w, 0)->part.at[x->part].block));
    close_block(w);
  } else {
    write_ends(w, x->pre, y->pre, label_of(w, x->stop), after.id);
  }
  for (uint32_t i = 0; i < x->parts; i++)
    write_joined_part(w, j, order[i], after.id);
  w->k->counts->merged_blocks += x->parts;
  open_block(w, after);
  write_phis(w, x->stop, y->stop);
  while (w->pending.count > begin)
    finish_phi(w, SR_POP(&w->pending));
}

static void write_line(Writer *w, SrMeldLine line, uint32_t region[2], uint32_t part) {
  uint32_t count;
  const SrMeldItem *items[2] = {sr_meld_items(side_of(w, 0), region[0], part, &count),
                                sr_meld_items(side_of(w, 1), region[1], part, &count)};
  for (uint32_t i = line.first; i < line.first + line.count;) {
    SrMeldStep step = w->plan->step.at[i];
    if (step.at[0] == SR_NONE || step.at[1] == SR_NONE) {
      SrMark mark = sr_arena_mark(w->k->scratch);
      SrMeldGap gap;
      i = sr_meld_gap(w->plan, w->k->scratch, line, i, items, &gap);
      write_gap(w, items, &gap);
      sr_arena_reset(w->k->scratch, mark);
      continue;
    }
    const SrMeldItem *x = &items[0][step.at[0]], *y = &items[1][step.at[1]];
    if (x->inst != SR_NONE)
      write_pair(w, x, y);
    else
      write_joined(w, &w->plan->joined.at[w->plan->joined_of[x->region]]);
    i++;
  }
}

/* ---- the join ---- */

/* Gives a phi of the join one operand in place of those of the two sides. */
static SrRef join_phi(Writer *w, SrRef phi, SrList *list) {
  SrModule *m = w->m;
  const SrInst in = *sr_inst(m, phi);
  uint32_t from[2], value[2] = {0, 0}, count = sr_word_count(m, phi);
  for (int s = 0; s < 2; s++)
    from[s] = label_of(w, side_of(w, s)->last);
  for (uint32_t i = 3; i < count; i += 2)
    for (int s = 0; s < 2; s++)
      if (sr_words(m, phi)[i + 1] == from[s])
        value[s] = sr_words(m, phi)[i];
  uint32_t id = choose(w, value[0], value[1]);
  sr_begin(m, SpvOpPhi, in.type, in.result);
  for (uint32_t i = 3; i < count; i += 2) {
    uint32_t parent = sr_words(m, phi)[i + 1], operand = sr_words(m, phi)[i];
    if (parent == from[1])
      continue;
    sr_put_id(m, parent == from[0] ? id : operand);
    sr_put_id(m, parent == from[0] ? w->open.id : parent);
  }
  SrRef r = sr_end(m);
  sr_inst(m, r)->added = in.added;
  sr_insert_before(m, list, phi, r);
  sr_remove(m, list, phi);
  return r;
}

static void write_join(Writer *w) {
  SrModule *m = w->m;
  SrList *list = &block_at(w, w->plan->join)->list;
  for (SR_EACH_PHI(m, r, *list)) {
    SrRef phi = join_phi(w, r, list);
    SR_PUSH(w->k->arena, &w->out->single, phi);
  }
  append_branch(w, label_of(w, w->plan->join));
  close_block(w);
}

/* ---- names ---- */

static void rename_in(Writer *w, SrList list) {
  SrModule *m = w->m;
  for (SR_EACH(m, r, list)) {
    bool phi = sr_inst(m, r)->op == SpvOpPhi;
    for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
      uint32_t id = sr_words(m, r)[i];
      if (!sr_word_is_id(m, r, i))
        continue;
      uint32_t to = sr_map_get(phi && i % 2 == 0 ? &w->end_of : &w->rename, id);
      if (to != SR_NONE)
        sr_words(m, r)[i] = to;
    }
  }
}

static void rename_all(Writer *w) {
  rename_in(w, block_at(w, w->plan->branch)->list);
  for (uint32_t i = w->first; i < w->out->block.count; i++)
    rename_in(w, w->out->block.at[i].list);
  for (SR_EACH(w->m, r, block_at(w, w->plan->join)->list))
    for (uint32_t i = 3; sr_inst(w->m, r)->op == SpvOpPhi && i < sr_word_count(w->m, r); i += 2) {
      uint32_t to = sr_map_get(&w->rename, sr_words(w->m, r)[i]);
      if (to != SR_NONE)
        sr_words(w->m, r)[i] = to;
    }
}

/* Drops what is left of the sides' blocks. */
static void drop_sides(Writer *w) {
  SrModule *m = w->m;
  for (int s = 0; s < 2; s++)
    for (uint32_t i = 0; i < side_of(w, s)->block.count; i++) {
      uint32_t b = side_of(w, s)->block.at[i];
      sr_undefine_block(m, block_at(w, b));
      sr_bit_set(w->out->gone, b);
      sr_bit_set(w->k->touched, b);
    }
}

SrStatus sr_meld_write(const SrMeldPlan *plan, SrMeldOutput *out) {
  SrMeld *k = plan->pair.k;
  Writer w = {.plan = plan, .k = k, .m = k->m, .out = out, .at_branch = true};
  SrBlock *branch = &k->f->blocks[plan->branch];
  uint32_t top[2] = {SR_NONE, SR_NONE};
  SrRef merge = sr_merge_inst(k->m, branch);
  w.place.arena = w.end_of.arena = w.rename.arena = w.chosen.arena = k->arena;
  w.first = out->block.count;
  if (merge != SR_NONE)
    sr_remove(k->m, &branch->list, merge);
  sr_remove(k->m, &branch->list, sr_terminator(branch));
  open_block(&w, *branch);
  for (SR_EACH(k->m, r, branch->list))
    sr_applied_step(k->m, r, &w.now);
  write_line(&w, plan->line.at[0], top, 0);
  write_join(&w);
  rename_all(&w);
  drop_sides(&w);
  sr_bit_set(k->touched, plan->branch);
  out->first[plan->branch] = w.first;
  out->count[plan->branch] = out->block.count - w.first;
  return sr_check_bound(k->m);
}
