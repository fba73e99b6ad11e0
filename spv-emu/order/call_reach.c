/* call_reach: see call_reach.h. */
#include "order/call_reach.h"

typedef struct Reach {
  const EmuFlow *flow;
  SrBits *met;
  uint32_t *work, left; /* blocks that are met and not looked at */
  bool *returns;        /* by function */
  uint32_t *calls; /* by function that does not return so far: list of the calls that are met */
  uint32_t *other; /* by block: the next in the list */
} Reach;

bool emu_block_returns(const EmuFlow *flow, uint32_t block) {
  const EmuFlowFunction *function = &flow->functions[flow->function[block]];
  return flow->callee[block] == SR_NONE && sr_succ_count(flow->graph, block) &&
         !sr_succ_count(function->graph, block - function->first);
}

static void meet(Reach *r, uint32_t block) {
  if (sr_bit(r->met, block))
    return;
  sr_bit_set(r->met, block);
  r->work[r->left++] = block;
}

static void call(Reach *r, uint32_t block) {
  uint32_t callee = r->flow->callee[block];
  meet(r, r->flow->functions[callee].first);
  if (r->returns[callee]) {
    meet(r, r->flow->next[block]);
    return;
  }
  r->other[block] = r->calls[callee];
  r->calls[callee] = block;
}

static void leave(Reach *r, uint32_t function) {
  if (r->returns[function])
    return;
  r->returns[function] = true;
  for (uint32_t c = r->calls[function]; c != SR_NONE; c = r->other[c])
    meet(r, r->flow->next[c]);
}

static void look_at(Reach *r, uint32_t block) {
  const EmuFlow *flow = r->flow;
  if (flow->callee[block] != SR_NONE)
    call(r, block);
  else if (emu_block_returns(flow, block))
    leave(r, flow->function[block]);
  else
    for (SR_SUCCS(t, flow->graph, block))
      meet(r, *t);
}

SrBits *emu_call_reach(SrArena *arena, const EmuFlow *flow) {
  Reach r = {.flow = flow,
             .met = sr_bits_new(arena, flow->count),
             .work = SR_NEW_RAW(arena, uint32_t, flow->count),
             .returns = SR_NEW(arena, bool, flow->function_count),
             .calls = sr_new_none(arena, flow->function_count),
             .other = SR_NEW_RAW(arena, uint32_t, flow->count)};
  meet(&r, flow->functions[flow->entry_function].first);
  while (r.left)
    look_at(&r, r.work[--r.left]);
  return r.met;
}
