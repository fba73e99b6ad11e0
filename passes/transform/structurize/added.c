/* SPDX-License-Identifier: Apache-2.0 */
/* added: see added.h. */
#include "transform/structurize/added.h"

enum {
  DEPTH_DIGITS = 2, /* binary digits of the turns that a loop is taken to make */
  MOST_DIGITS = 16,
};

static uint64_t weight(const SrNest *nest, uint32_t loop) {
  uint32_t digits = loop == SR_NONE ? 0 : nest->cycles[loop].depth * DEPTH_DIGITS;
  return (uint64_t)1 << (digits < MOST_DIGITS ? digits : MOST_DIGITS);
}

bool sr_flow_both_to_one(const SrFlowGraph *flow, const SrFlowBlock *b) {
  return b->slot_count == 2 && flow->slot.at[b->slot].to == flow->slot.at[b->slot + 1].to;
}

SrAdded sr_added(const SrFlowGraph *flow, const SrNest *nest) {
  SrAdded sum = {0};
  for (uint32_t i = 0; i < flow->block.count; i++) {
    const SrFlowBlock *b = &flow->block.at[i];
    if (b->role == SR_ROLE_USER) {
      sum.size += b->two_way_switch || sr_flow_both_to_one(flow, b);
      continue;
    }
    sum.size += 1 + (b->test != SR_TEST_NONE && !b->two_way_switch) + (b->test == SR_TEST_OUTSIDE);
    sum.issues += weight(nest, b->loop);
  }
  return sum;
}
