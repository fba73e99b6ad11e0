/* SPDX-License-Identifier: Apache-2.0 */
/* structure_edge: step 4 of the structure check (structure.c). */
#include "passes/analysis/structure/structure_check.h"

#include <stdio.h>

typedef struct Name {
  char text[80];
} Name;

static Name describe(const SrStructureCheck *c, const SrConstruct *k) {
  Name n = {0};
  if (k->kind == SR_CONSTRUCT_CONTINUE)
    snprintf(n.text, sizeof n.text, "the continue construct %%%u of loop %%%u",
             sr_structure_id(c, k->target), sr_structure_id(c, k->header));
  else
    snprintf(n.text, sizeof n.text, "the %s construct of %%%u",
             k->kind == SR_CONSTRUCT_LOOP     ? "loop"
             : k->kind == SR_CONSTRUCT_SWITCH ? "switch"
                                              : "selection",
             sr_structure_id(c, k->header));
  return n;
}

static bool is_own_exit(const SrConstruct *k, uint32_t v) {
  return v == k->merge || (k->kind == SR_CONSTRUCT_LOOP && v == k->target) ||
         (k->kind == SR_CONSTRUCT_CONTINUE && v == k->header);
}

static bool is_exit(const SrStructureCheck *c, const SrConstruct *k, uint32_t v) {
  if (is_own_exit(k, v))
    return true;
  if (k->kind == SR_CONSTRUCT_LOOP || k->kind == SR_CONSTRUCT_CONTINUE)
    return false;
  if (k->switch_ != SR_NONE && c->constructs.at[k->switch_].merge == v)
    return true;
  if (k->loop == SR_NONE)
    return false;
  const SrConstruct *loop = &c->constructs.at[k->loop];
  return v == loop->merge || (loop->kind == SR_CONSTRUCT_LOOP && v == loop->target);
}

static void report_exit(SrStructureCheck *c, const SrConstruct *k, uint32_t u, uint32_t v) {
  Name name = describe(c, k);
  if (k->kind == SR_CONSTRUCT_LOOP)
    sr_structure_add(
        c, SR_RULE_loop_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither its merge block %%%u nor its "
        "continue target %%%u; route it through %%%u",
        sr_structure_id(c, u), sr_structure_id(c, v), name.text, sr_structure_id(c, k->merge),
        sr_structure_id(c, k->target), sr_structure_id(c, k->merge));
  else if (k->kind == SR_CONSTRUCT_CONTINUE)
    sr_structure_add(
        c, SR_RULE_continue_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither the header nor the merge block "
        "%%%u; route it through %%%u",
        sr_structure_id(c, u), sr_structure_id(c, v), name.text, sr_structure_id(c, k->merge),
        sr_structure_id(c, k->merge));
  else
    sr_structure_add(
        c, SR_RULE_selection_exit, k->header, u, v,
        "edge %%%u -> %%%u leaves %s for a block that is neither its merge block %%%u nor a break "
        "or continue of the innermost loop or switch; route it through %%%u",
        sr_structure_id(c, u), sr_structure_id(c, v), name.text, sr_structure_id(c, k->merge),
        sr_structure_id(c, k->merge));
}

/* Checks edge u → v, which leaves the innermost construct k of u. */
static void check_exit(SrStructureCheck *c, const SrConstruct *k, uint32_t u, uint32_t v) {
  if (!is_exit(c, k, v)) {
    report_exit(c, k, u, v);
    return;
  }
  if (k->loop == SR_NONE)
    return;
  const SrConstruct *loop = &c->constructs.at[k->loop];
  if (loop->kind == SR_CONSTRUCT_CONTINUE && v == loop->merge && u != loop->latch)
    sr_structure_add(
        c, SR_RULE_continue_postdominance, loop->header, u, v,
        "edge %%%u -> %%%u leaves the continue construct %%%u of loop %%%u past its back-edge "
        "block %%%u; only that block may leave: end the continue construct before %%%u",
        sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, loop->target),
        sr_structure_id(c, loop->header), sr_structure_id(c, loop->latch), sr_structure_id(c, u));
}

/* Checks that every construct that holds v but not u has v as its header. */
static bool check_entry(SrStructureCheck *c, uint32_t u, uint32_t v) {
  const SrStructureNode *n = &c->node[v];
  if (n->target_of != SR_NONE) {
    if (sr_dominates(c->dom, v, u) ||
        (sr_structure_reached(c, u) && sr_construct_has(c, sr_construct_of(c, n->target_of), u)))
      return true;
    sr_structure_add(c, SR_RULE_continue_entry, n->target_of, u, v,
                     "edge %%%u -> %%%u enters the continue target of loop %%%u from %s; %s",
                     sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, n->target_of),
                     sr_structure_reached(c, u) ? "outside its loop construct" : "unreachable code",
                     sr_structure_reached(c, u)
                         ? "name a later block as the loop's merge block, so that it is inside"
                         : "end that block in OpUnreachable");
    return false;
  }
  const SrConstruct *k = &c->constructs.at[n->outer];
  if (sr_construct_has(c, k, u))
    return true;
  Name name = describe(c, k);
  sr_structure_add(
      c, SR_RULE_construct_entry, k->header, u, v,
      "edge %%%u -> %%%u enters %s past its header; enter at the header, or reach %%%u through the "
      "merge block %%%u alone",
      sr_structure_id(c, u), sr_structure_id(c, v), name.text, sr_structure_id(c, v),
      sr_structure_id(c, k->merge));
  return false;
}

/* Does edge u → v lead from one case of the innermost switch k of u to a block outside that case? A
 * block that only merge instructions reach, such as the merge block of an if whose two sides
 * return, does not fall through. */
static bool leaves_case(const SrStructureCheck *c, const SrConstruct *k, uint32_t u, uint32_t v) {
  return k->kind == SR_CONSTRUCT_SWITCH && u != k->header && sr_construct_has(c, k, v) &&
         !sr_dominates(c->dom, c->node[u].arm, v) &&
         (sr_bit(c->live, u) || !sr_bit(c->live, k->header));
}

static void note_fall(SrStructureCheck *c, uint32_t w, uint32_t from, uint32_t to, uint32_t u,
                      uint32_t v) {
  SrStructureNode *source = &c->node[from], *target = &c->node[to];
  if (source->falls_to != SR_NONE && source->falls_to != to)
    sr_structure_add(
        c, SR_RULE_case_fan_out, w, u, v,
        "case %%%u of switch %%%u branches to case %%%u and, by edge %%%u -> %%%u, to case %%%u; "
        "only one of them is allowed: let %%%u branch to a copy of %%%u",
        sr_structure_id(c, from), sr_structure_id(c, w), sr_structure_id(c, source->falls_to),
        sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, to), sr_structure_id(c, u),
        sr_structure_id(c, v));
  else if (target->falls_from != SR_NONE && target->falls_from != from)
    sr_structure_add(
        c, SR_RULE_case_fan_in, w, u, v,
        "case %%%u of switch %%%u is branched to by case %%%u and, by edge %%%u -> %%%u, by case "
        "%%%u; only one of them is allowed: let %%%u branch to a copy of %%%u",
        sr_structure_id(c, to), sr_structure_id(c, w), sr_structure_id(c, target->falls_from),
        sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, from),
        sr_structure_id(c, u), sr_structure_id(c, v));
  source->falls_to = to;
  target->falls_from = from;
}

/* ---- cases that no branch reaches ---- */

/* Old versions of SPIRV-Tools' validator compare nesting depths where a case is left for the loop
 * around its switch, and use 0 for blocks that the entry does not reach. */
static void find_dead_cases(SrStructureCheck *c) {
  uint32_t count = c->f->block_count, depth = 0;
  uint32_t *stack = SR_NEW_RAW(&c->scratch, uint32_t, count);
  c->dead_cases = sr_bits_new(&c->scratch, count);
  for (uint32_t b = 0; b < count && c->validator < SR_VALIDATOR_SWITCH_EXITS; b++)
    if (c->node[b].case_of != SR_NONE && !sr_bit(c->live, b)) {
      sr_bit_set(c->dead_cases, b);
      stack[depth++] = b;
    }
  while (depth) {
    uint32_t b = stack[--depth];
    for (SR_SUCCS(v, c->cfg, b))
      if (!sr_bit(c->live, *v) && !sr_bit(c->dead_cases, *v)) {
        sr_bit_set(c->dead_cases, *v);
        stack[depth++] = *v;
      }
  }
}

/* Does edge u → v, from a case that no branch reaches, leave switch k for the loop around it? */
static void check_dead_exit(SrStructureCheck *c, const SrConstruct *k, uint32_t u, uint32_t v) {
  bool depth_0 = !sr_bit(c->live, v) && c->node[v].target_of != SR_NONE;
  if (u == k->header || v == k->merge || sr_construct_has(c, k, v) || depth_0)
    return;
  sr_structure_add(
      c, SR_RULE_case_exit, k->header, u, v,
      "edge %%%u -> %%%u leaves case %%%u of switch %%%u for the loop around it, but no branch "
      "leads "
      "to that case, and SPIRV-Tools' validator refuses this; route it through the merge block "
      "%%%u",
      sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, c->node[u].arm),
      sr_structure_id(c, k->header), sr_structure_id(c, k->merge));
}

static void check_case_exit(SrStructureCheck *c, const SrConstruct *k, uint32_t u, uint32_t v) {
  uint32_t w = k->header, arm = c->node[u].arm;
  if (c->node[v].case_of != w)
    sr_structure_add(
        c, SR_RULE_case_exit, w, u, v,
        "edge %%%u -> %%%u leaves case %%%u of switch %%%u for a block that other cases reach too; "
        "put it after the merge block %%%u",
        sr_structure_id(c, u), sr_structure_id(c, v), sr_structure_id(c, arm),
        sr_structure_id(c, w), sr_structure_id(c, k->merge));
  else if (c->node[arm].case_of == w)
    note_fall(c, w, arm, v, u, v);
}

static void check_edge(SrStructureCheck *c, uint32_t u, uint32_t v) {
  const SrConstruct *k = sr_construct_of(c, u);
  if (!check_entry(c, u, v))
    return;
  if (!sr_construct_has(c, k, v))
    check_exit(c, k, u, v);
  else if (leaves_case(c, k, u, v))
    check_case_exit(c, k, u, v);
  if (sr_bit(c->dead_cases, u) && k->switch_ != SR_NONE)
    check_dead_exit(c, &c->constructs.at[k->switch_], u, v);
}

static bool is_exit_edge(const SrStructureCheck *c, uint32_t u, uint32_t v) {
  const SrConstruct *k = sr_construct_of(c, u);
  return !sr_construct_has(c, k, v) || leaves_case(c, k, u, v);
}

/* Checks a conditional branch: it needs a merge instruction unless one of its two edges is an
 * exit. */
static void check_branch(SrStructureCheck *c, uint32_t u) {
  const SrStructureNode *n = &c->node[u];
  if (n->merge_op == SpvOpSelectionMerge ||
      (n->merge_op == SpvOpLoopMerge && c->validator < SR_VALIDATOR_LOOP_SELECTS))
    return;
  if (n->end_op == SpvOpSwitch) {
    sr_structure_add(
        c, SR_RULE_selection_merge, u, u, SR_NONE,
        "block %%%u ends in OpSwitch without an OpSelectionMerge; declare where its cases meet",
        sr_structure_id(c, u));
    return;
  }
  if (sr_succ_count(c->cfg, u) < 2)
    return;
  const uint32_t *t = &c->cfg->succ[c->cfg->succ_at[u]];
  if (is_exit_edge(c, u, t[0]) || is_exit_edge(c, u, t[1]))
    return;
  if (n->merge_op == SpvOpLoopMerge)
    sr_structure_add(
        c, SR_RULE_selection_merge, u, u, SR_NONE,
        "loop header %%%u branches to %%%u and %%%u, and neither edge leaves a construct; move the "
        "branch to a block of its own, after an OpSelectionMerge",
        sr_structure_id(c, u), sr_structure_id(c, t[0]), sr_structure_id(c, t[1]));
  else
    sr_structure_add(
        c, SR_RULE_selection_merge, u, u, SR_NONE,
        "block %%%u branches to %%%u and %%%u without an OpSelectionMerge, and neither edge leaves "
        "a construct; declare where the two sides meet",
        sr_structure_id(c, u), sr_structure_id(c, t[0]), sr_structure_id(c, t[1]));
}

static void check_leaf(SrStructureCheck *c, uint32_t u) {
  if (sr_succ_count(c->cfg, u) > 0 || sr_construct_of(c, u)->continue_ == SR_NONE)
    return;
  const SrConstruct *k = &c->constructs.at[sr_construct_of(c, u)->continue_];
  sr_structure_add(
      c, SR_RULE_continue_postdominance, k->header, u, SR_NONE,
      "block %%%u ends the invocation inside the continue construct %%%u of loop %%%u, whose "
      "blocks must all reach the back-edge block %%%u; move it in front of the continue target",
      sr_structure_id(c, u), sr_structure_id(c, k->target), sr_structure_id(c, k->header),
      sr_structure_id(c, k->latch));
}

static void note_cases(SrStructureCheck *c, uint32_t w) {
  for (SR_SUCCS(v, c->cfg, w)) {
    if (*v == c->node[w].merge)
      continue;
    if (sr_dominates(c->dom, w, *v))
      c->node[*v].case_of = w;
    else
      sr_structure_add(
          c, SR_RULE_case_dominance, w, w, *v,
          "switch header %%%u branches straight to %%%u, which other paths reach too; give that "
          "case a block of its own that branches to %%%u",
          sr_structure_id(c, w), sr_structure_id(c, *v), sr_structure_id(c, *v));
  }
}

/* Checks case `target` of switch header w, which `next` follows in the OpSwitch (SR_NONE: nothing):
 * the case may fall through to no other case. `by_default`: the target of the default, or SR_NONE
 * if that is a case, too. */
static void check_followed(SrStructureCheck *c, uint32_t w, uint32_t target, uint32_t next,
                           uint32_t by_default) {
  if (target == c->node[w].merge)
    return;
  uint32_t to = c->node[target].falls_to;
  if (to != SR_NONE && to == by_default)
    to = c->node[by_default].falls_to;
  if (to != SR_NONE && to != next)
    sr_structure_add(
        c, SR_RULE_case_order, w, target, to,
        "case %%%u of switch %%%u falls through to case %%%u, but does not immediately precede it "
        "in the OpSwitch; reorder its targets",
        sr_structure_id(c, target), sr_structure_id(c, w), sr_structure_id(c, to));
}

/* Checks the order of the cases. The default is not in it, unless it is a case too: a case that
 * falls through to the default must precede the case to which the default falls through.
 * Repetitions of a target in a row count once. */
static void check_order(SrStructureCheck *c, uint32_t w) {
  const SrModule *m = c->m;
  SrRef end = sr_terminator(&c->f->blocks[w]);
  uint32_t first = sr_next_target(m, end, 0);
  uint32_t by_default = sr_block_of(m, sr_words(m, end)[first]), lone = by_default;
  for (uint32_t i = first; (i = sr_next_target(m, end, i));)
    if (sr_block_of(m, sr_words(m, end)[i]) == by_default)
      lone = SR_NONE;
  uint32_t last = SR_NONE;
  for (uint32_t i = first; (i = sr_next_target(m, end, i));) {
    uint32_t t = sr_block_of(m, sr_words(m, end)[i]);
    if (last != SR_NONE && t != last)
      check_followed(c, w, last, t, lone);
    last = t;
  }
  if (last != SR_NONE)
    check_followed(c, w, last, SR_NONE, lone);
}

static void check_block(SrStructureCheck *c, uint32_t u) {
  if (!sr_structure_reached(c, u)) {
    for (SR_SUCCS(v, c->cfg, u))
      if (c->node[*v].target_of != SR_NONE && c->validator < SR_VALIDATOR_LIVE_ENTRIES)
        check_entry(c, u, *v);
    return;
  }
  for (SR_SUCCS(v, c->cfg, u))
    check_edge(c, u, *v);
  check_branch(c, u);
  check_leaf(c, u);
}

void sr_structure_check_edges(SrStructureCheck *c) {
  uint32_t count = c->f->block_count;
  for (uint32_t b = 0; b < count; b++)
    if (sr_structure_reached(c, b) && sr_structure_is_switch(c, b))
      note_cases(c, b);
  find_dead_cases(c);
  for (uint32_t b = 0; b < count && c->out->count < c->limit; b++)
    check_block(c, b);
  for (uint32_t b = 0; b < count && c->out->count < c->limit; b++)
    if (sr_structure_reached(c, b) && sr_structure_is_switch(c, b))
      check_order(c, b);
}
