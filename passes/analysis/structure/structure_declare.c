/* SPDX-License-Identifier: Apache-2.0 */
/* structure_declare: steps 1 and 2 of the structure check (structure.c). */
#include "passes/analysis/structure/structure_check.h"

#include <string.h>

/* ---- 1. declarations ---- */

static void read_block(SrStructureCheck *c, uint32_t b) {
  const SrBlock *block = &c->f->blocks[b];
  SrStructureNode *n = &c->node[b];
  memset(n, 0xff, sizeof *n);
  n->end_op = sr_inst(c->m, sr_terminator(block))->op;
  SrRef merge = sr_merge_inst(c->m, block);
  n->merge_op = merge == SR_NONE ? SpvOpNop : sr_inst(c->m, merge)->op;
  if (merge == SR_NONE)
    return;
  n->merge = sr_block_of(c->m, sr_words(c->m, merge)[1]);
  if (n->merge_op == SpvOpLoopMerge)
    n->target = sr_block_of(c->m, sr_words(c->m, merge)[2]);
}

void sr_structure_check_misplaced(SrStructureCheck *c) {
  uint32_t label = c->f->misplaced;
  if (label)
    sr_structure_add(
        c, SR_RULE_merge_terminator, sr_block_of(c->m, label), SR_NONE, SR_NONE,
        "block %%%u has a merge instruction that does not directly precede the terminator; move it "
        "there, or drop it",
        label);
}

static void check_merge_terminator(SrStructureCheck *c, uint32_t b) {
  const SrStructureNode *n = &c->node[b];
  bool one_way = n->end_op == SpvOpBranch, two_way = n->end_op == SpvOpBranchConditional;
  if (sr_structure_is_loop(c, b) ? one_way || two_way : two_way || n->end_op == SpvOpSwitch)
    return;
  sr_structure_add(c, SR_RULE_merge_terminator, b, SR_NONE, SR_NONE,
                   "block %%%u has an %s, but ends in an instruction that cannot follow one; %s",
                   sr_structure_id(c, b),
                   sr_structure_is_loop(c, b) ? "OpLoopMerge" : "OpSelectionMerge",
                   sr_structure_is_loop(c, b)
                       ? "move the OpSwitch to a block of its own, after an OpSelectionMerge"
                       : "drop the merge");
}

/* Header h does not dominate block t, its merge block or continue target. */
static void add_around(SrStructureCheck *c, SrRule rule, uint32_t h, uint32_t t) {
  const char *what = rule == SR_RULE_merge_dominance ? "merge block" : "continue target";
  const char *advice = rule == SR_RULE_merge_dominance
                           ? "give the header an empty merge block of its own, which branches to"
                           : "give the loop an empty continue block of its own, in place of";
  SrStructureEdge e = sr_structure_edge_around(c, h, t);
  if (t == h)
    sr_structure_add(
        c, rule, h, SR_NONE, t,
        "header %%%u does not strictly dominate its merge block %%%u, which is itself; name the "
        "block that follows the construct",
        sr_structure_id(c, h), sr_structure_id(c, t));
  else if (e.to == SR_NONE)
    sr_structure_add(
        c, rule, h, SR_NONE, t,
        "header %%%u does not dominate its %s %%%u, which is also reached on a path around the "
        "header; %s %%%u",
        sr_structure_id(c, h), what, sr_structure_id(c, t), advice, sr_structure_id(c, t));
  else if (e.to == t)
    sr_structure_add(
        c, rule, h, e.from, t,
        "edge %%%u -> %%%u reaches the %s of header %%%u on a path around the header; %s %%%u",
        sr_structure_id(c, e.from), sr_structure_id(c, t), what, sr_structure_id(c, h), advice,
        sr_structure_id(c, t));
  else
    sr_structure_add(
        c, rule, h, e.from, e.to,
        "edge %%%u -> %%%u enters the construct of header %%%u past the header, so that the header "
        "does not "
        "dominate its %s %%%u; let %%%u branch to a copy of %%%u, and %s %%%u",
        sr_structure_id(c, e.from), sr_structure_id(c, e.to), sr_structure_id(c, h), what,
        sr_structure_id(c, t), sr_structure_id(c, e.from), sr_structure_id(c, e.to), advice,
        sr_structure_id(c, t));
}

static void check_loop_declaration(SrStructureCheck *c, uint32_t b) {
  const SrStructureNode *n = &c->node[b];
  if (n->target == n->merge)
    sr_structure_add(
        c, SR_RULE_merge_distinct, b, SR_NONE, n->merge,
        "loop header %%%u names %%%u both as merge block and as continue target; name another "
        "merge "
        "block, which follows the loop or ends in OpUnreachable",
        sr_structure_id(c, b), sr_structure_id(c, n->merge));
  else if (n->target != b && (sr_structure_reached(c, b) ? c->dom->idom[n->target] != b
                                                         : sr_structure_reached(c, n->target)))
    add_around(c, SR_RULE_continue_dominance, b, n->target);
}

/* The edge header → merge is structural, so dominated means: child in the dominator tree. */
static void check_declaration(SrStructureCheck *c, uint32_t b, uint32_t *claimed) {
  const SrStructureNode *n = &c->node[b];
  check_merge_terminator(c, b);
  if (claimed[n->merge] != SR_NONE)
    sr_structure_add(
        c, SR_RULE_merge_unique, b, SR_NONE, n->merge,
        "block %%%u is the merge block of header %%%u and of header %%%u; give %%%u an empty merge "
        "block of its own that branches to %%%u",
        sr_structure_id(c, n->merge), sr_structure_id(c, claimed[n->merge]), sr_structure_id(c, b),
        sr_structure_id(c, b), sr_structure_id(c, n->merge));
  else if (sr_structure_reached(c, b) ? c->dom->idom[n->merge] != b
                                      : sr_structure_is_loop(c, b) && n->merge == b)
    add_around(c, SR_RULE_merge_dominance, b, n->merge);
  claimed[n->merge] = b;
  if (sr_structure_is_loop(c, b))
    check_loop_declaration(c, b);
  if (!sr_structure_reached(c, b))
    return;
  c->node[n->merge].merge_of = b;
  if (sr_structure_is_loop(c, b) && n->target != b)
    c->node[n->target].target_of = b;
}

void sr_structure_check_declarations(SrStructureCheck *c) {
  uint32_t *claimed = sr_new_none(&c->scratch, c->f->block_count);
  for (uint32_t b = 0; b < c->f->block_count; b++)
    read_block(c, b);
  for (uint32_t b = 0; b < c->f->block_count; b++)
    if (c->node[b].merge_op != SpvOpNop)
      check_declaration(c, b, claimed);
}

/* ---- 2. back edges ---- */

/* A depth-first search of the structural graph from the entry and then, so that no block is missed,
 * from unreachable blocks, those without predecessors first. */
typedef struct Search {
  uint32_t *enter, *leave, *next, *stack;
  uint32_t time;
} Search;

static void search_from(const SrGraph *g, Search *s, uint32_t root) {
  if (s->enter[root] != SR_NONE)
    return;
  uint32_t depth = 0;
  s->stack[depth++] = root;
  s->enter[root] = s->time++;
  while (depth) {
    uint32_t b = s->stack[depth - 1];
    if (s->next[b] == sr_succ_count(g, b)) {
      s->leave[b] = s->time;
      depth--;
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + s->next[b]++];
    if (s->enter[t] == SR_NONE) {
      s->enter[t] = s->time++;
      s->stack[depth++] = t;
    }
  }
}

static Search search_all(SrStructureCheck *c) {
  uint32_t count = c->f->block_count;
  Search s = {.enter = sr_new_none(&c->scratch, count),
              .leave = sr_new_none(&c->scratch, count),
              .next = SR_NEW(&c->scratch, uint32_t, count),
              .stack = SR_NEW_RAW(&c->scratch, uint32_t, count)};
  search_from(c->structural, &s, 0);
  for (uint32_t b = 0; b < count; b++)
    if (sr_pred_count(c->structural, b) == 0)
      search_from(c->structural, &s, b);
  for (uint32_t b = 0; b < count; b++)
    search_from(c->structural, &s, b);
  return s;
}

/* SrStructureEdge u → v closes a cycle, and v is not a loop header. */
static void add_unnamed_cycle(SrStructureCheck *c, uint32_t u, uint32_t v) {
  char list[SR_STRUCTURE_MOST_NAMED * 16];
  SrViolation with = {0};
  sr_structure_find_entries(c, u, v, &with);
  sr_structure_list_blocks(c, with.entries, with.entry_count, list, sizeof list);
  if (with.entry_count)
    sr_structure_add(
        c, SR_RULE_back_edge_target, v, u, v,
        "edge %%%u -> %%%u closes a cycle that is entered at %s; give it one entry: a loop header "
        "before these blocks, to which all edges to them lead, and which branches to the right one",
        sr_structure_id(c, u), sr_structure_id(c, v), list);
  else
    sr_structure_add(
        c, SR_RULE_back_edge_target, v, u, v,
        "edge %%%u -> %%%u closes a cycle, but %%%u has no OpLoopMerge; make it a loop header, or "
        "send the edge to the continue target of its loop",
        sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, v));
  if (with.entry_count && c->out->count) {
    c->out->at[c->out->count - 1].entries = with.entries;
    c->out->at[c->out->count - 1].entry_count = with.entry_count;
  }
}

static void note_back_edge(SrStructureCheck *c, uint32_t u, uint32_t v) {
  if (!sr_structure_is_loop(c, v))
    add_unnamed_cycle(c, u, v);
  else if (c->node[v].latch != SR_NONE && sr_structure_reached(c, v))
    sr_structure_add(
        c, SR_RULE_back_edge_count, v, u, v,
        "loop header %%%u has back edges from %%%u and from %%%u; send both to its continue target "
        "%%%u and branch back from there",
        sr_structure_id(c, v), sr_structure_id(c, c->node[v].latch), sr_structure_id(c, u),
        sr_structure_id(c, c->node[v].target));
  else
    c->node[v].latch = u;
}

static void check_latch(SrStructureCheck *c, uint32_t h) {
  const SrStructureNode *n = &c->node[h];
  if (n->latch == SR_NONE)
    sr_structure_add(
        c, SR_RULE_back_edge_count, h, SR_NONE, SR_NONE,
        "loop header %%%u has no back edge; branch to it from its continue target %%%u, or replace "
        "the OpLoopMerge by OpSelectionMerge",
        sr_structure_id(c, h), sr_structure_id(c, n->target));
  else if (!sr_dominates(c->dom, n->target, n->latch))
    sr_structure_add(
        c, SR_RULE_back_edge_source, h, n->latch, h,
        "back edge %%%u -> %%%u comes from outside the loop's continue construct; route it through "
        "the continue target %%%u",
        sr_structure_id(c, n->latch), sr_structure_id(c, h), sr_structure_id(c, n->target));
  else if (sr_dominates(c->dom, n->merge, n->latch))
    sr_structure_add(
        c, SR_RULE_merge_distinct, h, n->latch, h,
        "loop header %%%u names %%%u as merge block, but its back edge comes from there; name the "
        "block that follows the loop, or an empty one that ends in OpUnreachable",
        sr_structure_id(c, h), sr_structure_id(c, n->merge));
  else if (n->target == h && n->latch != h)
    sr_structure_add(
        c, SR_RULE_continue_postdominance, h, n->latch, h,
        "loop header %%%u is its own continue target, but its back edge comes from %%%u; name %%%u "
        "or a block before it as the continue target",
        sr_structure_id(c, h), sr_structure_id(c, n->latch), sr_structure_id(c, n->latch));
}

void sr_structure_check_back_edges(SrStructureCheck *c) {
  Search s = search_all(c);
  for (uint32_t u = 0; u < c->f->block_count; u++)
    for (SR_SUCCS(v, c->cfg, u))
      if (s.enter[*v] <= s.enter[u] && s.leave[u] <= s.leave[*v])
        note_back_edge(c, u, *v);
  for (uint32_t h = 0; h < c->f->block_count; h++)
    if (sr_structure_is_loop(c, h) && sr_structure_reached(c, h))
      check_latch(c, h);
}
