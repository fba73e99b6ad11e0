/* SPDX-License-Identifier: Apache-2.0 */
/* call_choice: see call_choice.h. A divergent branch above the calls makes the function run once
 * for each call; with the calls joined, it runs once. So the runs saved must cost more than the
 * branches that are added before and after each call.
 *
 * Lanes wait at the joined call for those that are still on a path to it from the branch above. So
 * on such a path no lane may wait for another one, or communicate. If a block that the branch above
 * dominates has such an operation, the group stays as it is. Blocks after the branch's
 * post-dominator do not count, because all lanes of the branch meet there as before. */
#include "passes/transform/share/call_choice.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

#include <stdio.h>

enum { ADDED = 8 }; /* instructions added for each call: branches, and phis as moves */

typedef struct Choose {
  SrArena *arena;
  SrModule *m;
  const SrFunction *f;
  const SrCallChoice *choice;
  SrCallGroups *groups;
  SrPassedVariables *variables;
  const SrDom *pdom;
  uint32_t *talked; /* by number in the dominator tree: blocks before it in which lanes may
                       communicate; one more for the end */
  uint32_t *stuck;  /* by block: number of blocks dominating it, itself included, that have a
                       value which must stay where it dominates its uses */
  char reason[80];
} Choose;

static const SrCallSite *sites_of(const Choose *k, const SrCallGroup *g) {
  return &k->groups->site.at[g->first];
}

static void say(const Choose *k, const SrCallGroup *g, const char *reason) {
  const SrCallSite *first = sites_of(k, g);
  SrWhere where = {.function = sr_function_name(k->m, k->arena, k->f),
                   .block = k->f->blocks[first->block].id,
                   .word = SR_NONE};
  const SrFunction *callee = &k->m->functions[k->choice->function_at[first->callee]];
  sr_notice(k->m->diag, where, "share-calls leaves %u calls of %s alone: %s", g->count,
            sr_function_name(k->m, k->arena, callee), reason);
}

/* ---- does it pay? ---- */

static bool pays(const Choose *k, const SrCallGroup *g) {
  uint64_t cost = k->choice->function_cost[sites_of(k, g)->callee];
  return cost * (g->count - 1) > (uint64_t)ADDED * g->count;
}

static bool diverges(const Choose *k, const SrCallGroup *g) {
  return !sr_uniform_branch(k->choice->uniform, k->m, k->f, g->above);
}

/* ---- what forbids it ---- */

static void count_talking(Choose *k) {
  const SrDom *dom = k->groups->dom;
  k->talked = SR_NEW(k->arena, uint32_t, dom->reached + 1);
  for (uint32_t i = 0; i < dom->reached; i++)
    k->talked[i + 1] =
        k->talked[i] + sr_talks(k->m, k->choice->talking, &k->f->blocks[dom->preorder[i]]);
}

static uint32_t talking_below(const Choose *k, uint32_t block) {
  const SrDom *dom = k->groups->dom;
  return k->talked[dom->leave[block]] - k->talked[dom->enter[block]];
}

/* Do all lanes of the branch above the calls meet in this block, after the calls? */
static bool follows(const Choose *k, const SrCallGroup *g, uint32_t block) {
  const SrDom *dom = k->groups->dom;
  bool after = block < k->f->block_count && sr_dominates(dom, g->above, block);
  for (uint32_t i = 0; i < g->count && after; i++)
    after = !sr_dominates(dom, block, sites_of(k, g)[i].block);
  return after;
}

static bool talks(Choose *k, const SrCallGroup *g) {
  uint32_t meet = k->pdom->idom[g->above];
  uint32_t below = talking_below(k, g->above);
  return below && (!follows(k, g, meet) || below != talking_below(k, meet));
}

static bool is_stuck(SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  return in->result && in->type && sr_def_op(m, in->type) != SpvOpTypeVoid &&
         in->op != SpvOpVariable && !sr_type_can_phi(m, in->type) &&
         !sr_ssa_can_rematerialize(m, r);
}

static void count_stuck(Choose *k) {
  const SrDom *dom = k->groups->dom;
  k->stuck = SR_NEW(k->arena, uint32_t, k->f->block_count);
  for (uint32_t i = 0; i < dom->reached; i++) {
    uint32_t b = dom->preorder[i], up = dom->idom[b];
    bool any = false;
    for (SR_EACH(k->m, r, k->f->blocks[b].list))
      any |= is_stuck(k->m, r);
    k->stuck[b] = (up == SR_NONE ? 0 : k->stuck[up]) + any;
  }
}

/* Is there a value that no phi may hold, and that dominates some but not all of the calls?
 * (call_carry.h: only such values may need a phi.) */
static bool has_stuck(const Choose *k, const SrCallGroup *g) {
  for (uint32_t i = 0; i < g->count; i++)
    if (k->stuck[sites_of(k, g)[i].block] != k->stuck[g->above])
      return true;
  return false;
}

static bool differ_in_decorations(const Choose *k, const SrCallGroup *g) {
  const SrCallSite *s = sites_of(k, g);
  uint32_t first = sr_inst(k->m, s->call)->result;
  for (uint32_t i = 1; i < g->count; i++)
    if (!sr_same_decorations(k->m, first, sr_inst(k->m, s[i].call)->result))
      return true;
  return false;
}

/* The number of an argument that cannot be joined, from 1; 0: there is none. */
static uint32_t unfit_argument(const Choose *k, const SrCallGroup *g) {
  const SrCallSite *s = sites_of(k, g);
  for (uint32_t i = 0; i + SR_CALL_ARGUMENTS < sr_word_count(k->m, s->call); i++)
    if (sr_call_argument(k->m, k->variables, s, g->count, i) == SR_ARGUMENT_NONE)
      return i + 1;
  return 0;
}

/* Why the calls cannot be joined, or NULL. */
static const char *forbids(Choose *k, const SrCallGroup *g) {
  if (talks(k, g))
    return "lanes may communicate in it, or on the way to it";
  if (sr_bit(k->choice->chooses, sites_of(k, g)->callee))
    return "it indexes an array of resources, and the index may have to be the same for all lanes";
  if (has_stuck(k, g))
    return "no phi may hold a value before one of them";
  if (differ_in_decorations(k, g))
    return "their results have different decorations";
  uint32_t argument = unfit_argument(k, g);
  if (!argument)
    return NULL;
  snprintf(k->reason, sizeof k->reason, "argument %u is a different pointer or handle in each",
           argument);
  return k->reason;
}

/* ---- choice ---- */

/* Decides which variables serve the group. */
static void take(Choose *k, const SrCallGroup *g) {
  const SrCallSite *s = sites_of(k, g);
  for (uint32_t i = 0; i + SR_CALL_ARGUMENTS < sr_word_count(k->m, s->call); i++)
    if (sr_call_argument(k->m, k->variables, s, g->count, i) == SR_ARGUMENT_VARIABLE)
      sr_choose_variable(k->m, k->variables, s, i);
}

static bool is_taken(Choose *k, const SrCallGroup *g) {
  const char *reason = NULL;
  if (!k->choice->all && !diverges(k, g))
    reason = "no branch that diverges leads to them";
  else if (!k->choice->all && !pays(k, g))
    reason = "it is too small";
  else
    reason = forbids(k, g);
  if (reason)
    say(k, g, reason);
  else
    take(k, g);
  return !reason;
}

SrCallGroups sr_call_choice(SrArena *arena, SrModule *m, const SrFunction *f,
                            const SrCallChoice *choice, SrPassedVariables *variables) {
  SrCallGroups out = sr_call_groups(arena, m, f, choice->parameters);
  if (!out.group.count)
    return out;
  *variables = sr_passed_variables(arena, m, f, choice->outs ? out.nest : NULL, choice->parameters);
  Choose k = {
      .arena = arena, .m = m, .f = f, .choice = choice, .groups = &out, .variables = variables};
  k.pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, out.graph), out.graph->count);
  count_talking(&k);
  count_stuck(&k);
  uint32_t count = 0;
  for (uint32_t i = 0; i < out.group.count; i++)
    if (is_taken(&k, &out.group.at[i]))
      out.group.at[count++] = out.group.at[i];
  out.group.count = count;
  return out;
}
