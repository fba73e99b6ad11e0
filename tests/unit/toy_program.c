/* SPDX-License-Identifier: Apache-2.0 */
/* toy_program: see toy_program.h. */
#include "tests/unit/toy_program.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"
#include "tests/unit/random_graph.h"

#include <stdarg.h>
#include <stdio.h>

/* The block itself or one that dominates it. */
static uint32_t pick_dominator(uint64_t *rng, const SrDom *dom, uint32_t b) {
  while (dom->idom[b] != SR_NONE && random_below(rng, 2))
    b = dom->idom[b];
  return b;
}

ToyProgram *toy_program_new(SrArena *arena, uint64_t seed, uint32_t count) {
  uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 7;
  ToyProgram *p = SR_NEW(arena, ToyProgram, 1);
  p->graph = random_graph(arena, seed, count);
  p->blocks = SR_NEW(arena, ToyBlock, count);
  const SrDom *dom = sr_dom_build(arena, p->graph, 0);
  for (uint32_t b = 0; b < count; b++) {
    ToyBlock *t = &p->blocks[b];
    uint32_t roll = random_below(&rng, 20);
    t->op = roll < 7    ? TOY_ADD
            : roll < 9  ? TOY_LANE
            : roll < 12 ? TOY_CONSTANT
            : roll < 15 ? TOY_LOAD
                        : (ToyOp)random_below(&rng, TOY_OPS);
    t->constant = random_below(&rng, 4);
    t->cell = random_below(&rng, TOY_CELLS);
    t->stores = random_below(&rng, 4) == 0;
    t->other = dom->idom[b] == SR_NONE ? b : pick_dominator(&rng, dom, dom->idom[b]);
    t->tested = pick_dominator(&rng, dom, b);
    t->shift = random_below(&rng, 3);
  }
  return p;
}

/* ---- as SPIR-V ---- */

typedef struct Text {
  SrArena *arena;
  SR_VEC(char) out;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text *t, const char *format, ...) {
  char line[256];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  for (int i = 0; i < n; i++)
    SR_PUSH(t->arena, &t->out, line[i]);
}

static const char head[] = "OpCapability Shader\nOpCapability GroupNonUniform\n"
                           "OpCapability GroupNonUniformBallot\n"
                           "OpCapability GroupNonUniformArithmetic\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %900 \"main\" %901\n"
                           "OpExecutionMode %900 LocalSize 4 1 1\n"
                           "OpDecorate %901 BuiltIn SubgroupLocalInvocationId\n"
                           "%902 = OpTypeVoid\n%903 = OpTypeFunction %902\n"
                           "%904 = OpTypeInt 32 0\n%905 = OpTypePointer Input %904\n"
                           "%906 = OpTypePointer Private %904\n%915 = OpTypeBool\n"
                           "%901 = OpVariable %905 Input\n"
                           "%910 = OpConstant %904 0\n%911 = OpConstant %904 1\n"
                           "%912 = OpConstant %904 2\n%913 = OpConstant %904 3\n"
                           "%920 = OpVariable %906 Private %910\n"
                           "%907 = OpTypePointer Function %904\n%908 = OpTypeStruct %904 %904\n"
                           "%909 = OpTypePointer Function %908\n%914 = OpConstantNull %908\n"
                           "%900 = OpFunction %902 None %903\n";

static const char locals[] =
    "%921 = OpVariable %907 Function %910\n%922 = OpVariable %909 Function %914\n";

/* The id of a pointer to the block's cell. */
static uint32_t put_pointer(Text *t, const ToyBlock *k, uint32_t b) {
  if (k->cell < 2)
    return 920 + k->cell;
  uint32_t part = toy_id(TOY_PART, b);
  if (k->stores || k->op == TOY_LOAD)
    put(t, "%%%u = OpAccessChain %%907 %%922 %%%u\n", part, 910 + k->cell - 2);
  return part;
}

static void put_operation(Text *t, const ToyBlock *k, uint32_t b) {
  uint32_t value = toy_id(TOY_VALUE, b), phi = toy_id(TOY_PHI, b), extra = toy_id(TOY_LOADED, b),
           constant = 910 + k->constant, pointer = put_pointer(t, k, b);
  switch (k->op) {
  case TOY_ADD:
    put(t, "%%%u = OpIAdd %%904 %%%u %%%u\n", value, phi, constant);
    break;
  case TOY_LANE:
    put(t, "%%%u = OpLoad %%904 %%901\n", extra);
    put(t, "%%%u = OpBitwiseXor %%904 %%%u %%%u\n", value, phi, extra);
    break;
  case TOY_LOAD:
    put(t, "%%%u = OpLoad %%904 %%%u\n", extra, pointer);
    put(t, "%%%u = OpIAdd %%904 %%%u %%%u\n", value, extra, constant);
    break;
  case TOY_FIRST:
    put(t, "%%%u = OpGroupNonUniformBroadcastFirst %%904 %%913 %%%u\n", value, phi);
    break;
  case TOY_ACTIVE:
    put(t, "%%%u = OpGroupNonUniformIAdd %%904 %%913 Reduce %%911\n", value);
    break;
  case TOY_OTHER:
    put(t, "%%%u = OpIAdd %%904 %%%u %%%u\n", value, phi,
        k->other == b ? phi : toy_id(TOY_VALUE, k->other));
    break;
  default:
    put(t, "%%%u = OpCopyObject %%904 %%%u\n", value, constant);
  }
  if (k->stores)
    put(t, "OpStore %%%u %%%u\n", pointer, value);
}

static void put_branch(Text *t, const SrGraph *g, const ToyBlock *k, uint32_t b) {
  const uint32_t *to = &g->succ[g->succ_at[b]];
  uint32_t n = sr_succ_count(g, b);
  if (n > 1) {
    put(t, "%%%u = OpShiftRightLogical %%904 %%%u %%%u\n", toy_id(TOY_SHIFTED, b),
        toy_id(TOY_VALUE, k->tested), 910 + k->shift);
    put(t, "%%%u = OpBitwiseAnd %%904 %%%u %%%u\n", toy_id(TOY_BITS, b), toy_id(TOY_SHIFTED, b),
        n == 2 ? 911 : 913);
  }
  if (n == 0)
    put(t, "OpReturn\n");
  else if (n == 1)
    put(t, "OpBranch %%%u\n", toy_id(TOY_LABEL, to[0]));
  else if (n == 3)
    put(t, "OpSwitch %%%u %%%u 1 %%%u 2 %%%u\n", toy_id(TOY_BITS, b), toy_id(TOY_LABEL, to[0]),
        toy_id(TOY_LABEL, to[1]), toy_id(TOY_LABEL, to[2]));
  else {
    put(t, "%%%u = OpIEqual %%915 %%%u %%910\n", toy_id(TOY_CONDITION, b), toy_id(TOY_BITS, b));
    put(t, "OpBranchConditional %%%u %%%u %%%u\n", toy_id(TOY_CONDITION, b),
        toy_id(TOY_LABEL, to[0]), toy_id(TOY_LABEL, to[1]));
  }
}

/* The operand of a phi for predecessor b; a constant directly, so that the value depends only on
 * the path to the phi. */
static uint32_t phi_operand(const ToyProgram *p, uint32_t b) {
  const ToyBlock *k = &p->blocks[b];
  return k->op == TOY_CONSTANT ? 910 + k->constant : toy_id(TOY_VALUE, b);
}

char *toy_program_text(SrArena *arena, const ToyProgram *p) {
  Text t = {.arena = arena};
  const SrGraph *g = p->graph;
  put(&t, "%s", "");
  for (const char *c = head; *c; c++)
    SR_PUSH(arena, &t.out, *c);
  for (uint32_t b = 0; b < g->count; b++) {
    put(&t, "%%%u = OpLabel\n%s", toy_id(TOY_LABEL, b), b ? "" : locals);
    if (sr_pred_count(g, b) == 0)
      put(&t, "%%%u = OpCopyObject %%904 %%910\n", toy_id(TOY_PHI, b));
    else
      put(&t, "%%%u = OpPhi %%904", toy_id(TOY_PHI, b));
    for (SR_PREDS(q, g, b))
      put(&t, " %%%u %%%u", phi_operand(p, *q), toy_id(TOY_LABEL, *q));
    put(&t, "\n");
    put_operation(&t, &p->blocks[b], b);
    put_branch(&t, g, &p->blocks[b], b);
  }
  put(&t, "OpFunctionEnd\n");
  SR_PUSH(arena, &t.out, 0);
  return t.out.at;
}
