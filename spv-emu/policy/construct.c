/* SPDX-License-Identifier: Apache-2.0 */
/* construct: see construct.h. */
#include "spv-emu/policy/construct.h"

static void find_headers(SrArena *arena, const EmuBlockTable *table, const EmuFunctionBlocks *fn,
                         const uint32_t *first_part, EmuConstructs *c) {
  c->headed = sr_new_none(arena, fn->count);
  c->merged = sr_new_none(arena, fn->count);
  for (uint32_t b = 0; b < fn->count; b++) {
    uint32_t merge = table->merge[fn->first + b];
    if (merge == SR_NONE)
      continue;
    bool loop = table->cont[fn->first + b] != SR_NONE;
    uint32_t head = loop ? first_part[fn->first + b] - fn->first : b;
    c->headed[head] = c->merged[merge - fn->first] = c->all.count;
    SR_PUSH(arena, &c->all, (EmuConstruct){head, merge - fn->first, SR_NONE, b, loop});
  }
}

static void structural_dominators(SrArena *arena, const EmuBlockTable *table,
                                  const EmuFunctionBlocks *fn, EmuConstructs *c) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < fn->count; b++) {
    if (table->merge[fn->first + b] != SR_NONE)
      SR_PUSH(arena, &edges, (SrEdge){b, table->merge[fn->first + b] - fn->first});
    if (table->cont[fn->first + b] != SR_NONE)
      SR_PUSH(arena, &edges, (SrEdge){b, table->cont[fn->first + b] - fn->first});
    for (SR_SUCCS(t, fn->graph, b))
      SR_PUSH(arena, &edges, (SrEdge){b, *t});
  }
  c->dom = sr_dom_build(arena, sr_graph_new(arena, fn->count, edges.at, edges.count), 0);
}

static void nest_constructs(SrArena *arena, const EmuFunctionBlocks *fn, EmuConstructs *c) {
  c->inner = sr_new_none(arena, fn->count);
  for (uint32_t i = 0; i < c->dom->reached; i++) {
    uint32_t b = c->dom->preorder[i], left = c->merged[b], headed = c->headed[b];
    uint32_t in = b == 0 ? SR_NONE : c->inner[c->dom->idom[b]];
    if (left != SR_NONE)
      in = c->all.at[left].outer;
    if (headed != SR_NONE) {
      c->all.at[headed].outer = in;
      in = headed;
    }
    c->inner[b] = in;
  }
}

EmuConstructs emu_constructs_build(SrArena *arena, const EmuBlockTable *table,
                                   const EmuFunctionBlocks *fn, const uint32_t *first_part) {
  EmuConstructs c = {0};
  find_headers(arena, table, fn, first_part, &c);
  structural_dominators(arena, table, fn, &c);
  nest_constructs(arena, fn, &c);
  return c;
}
