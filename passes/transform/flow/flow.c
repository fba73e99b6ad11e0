/* SPDX-License-Identifier: Apache-2.0 */
/* flow: see flow.h. */
#include "passes/transform/flow/flow.h"

#include <assert.h>

uint32_t sr_flow_new_block(SrArena *arena, SrFlowGraph *flow, SrRole role, uint32_t user,
                           uint32_t slots) {
  SrFlowBlock b = {.role = role,
                   .user = user,
                   .slot = flow->slot.count,
                   .slot_count = slots,
                   .merge = SR_NONE,
                   .cont = SR_NONE,
                   .end = SR_NONE,
                   .cycle = SR_NONE,
                   .loop = SR_NONE,
                   .first_case = SR_NONE,
                   .next_case = SR_NONE,
                   .sets_for = SR_NONE};
  for (uint32_t i = 0; i < slots; i++)
    SR_PUSH(arena, &flow->slot, (SrSlot){SR_NONE, SR_NONE, SR_NONE});
  SR_PUSH(arena, &flow->block, b);
  return flow->block.count - 1;
}

void sr_flow_set_order(SrArena *arena, SrFlowGraph *flow) {
  flow->order = SR_NEW_RAW(arena, uint32_t, flow->block.count);
  uint32_t n = 0;
  for (uint32_t b = 0; b < flow->block.count; b++) {
    if (flow->block.at[b].role == SR_ROLE_CASE)
      continue;
    flow->order[n++] = b;
    for (uint32_t c = flow->block.at[b].first_case; c != SR_NONE; c = flow->block.at[c].next_case)
      flow->order[n++] = c;
  }
  assert(n == flow->block.count);
}
