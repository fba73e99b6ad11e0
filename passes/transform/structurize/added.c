/* SPDX-License-Identifier: Apache-2.0 */
/* added: see added.h. */
#include "passes/transform/structurize/added.h"

enum {
  DEPTH_DIGITS = 2, /* binary digits of the iterations that a loop is taken to have */
  MOST_DIGITS = 16,
  MOST_STEPS = 8, /* steps from a test back to the block where lanes with different targets meet */
};

static uint64_t weight(const SrNest *nest, uint32_t loop) {
  uint32_t digits = loop == SR_NONE ? 0 : nest->cycles[loop].depth * DEPTH_DIGITS;
  return (uint64_t)1 << (digits < MOST_DIGITS ? digits : MOST_DIGITS);
}

bool sr_flow_both_to_one(const SrFlowGraph *flow, const SrFlowBlock *b) {
  return b->slot_count == 2 && flow->slot.at[b->slot].to == flow->slot.at[b->slot + 1].to;
}

/* ---- the selector ---- */

/* The edges into a block so far: there are none; all of them set the selector; or some pass it on,
 * the last of these from block `from`. */
typedef struct Entry {
  uint32_t edges, passed, from;
} Entry;

static Entry *find_entries(SrArena *arena, const SrFlowGraph *flow) {
  Entry *entry = SR_NEW(arena, Entry, flow->block.count);
  for (uint32_t b = 0; b < flow->block.count; b++)
    for (uint32_t k = 0; flow->block.at[b].role != SR_ROLE_DEAD && k < flow->block.at[b].slot_count;
         k++) {
      const SrSlot *slot = &flow->slot.at[flow->block.at[b].slot + k];
      Entry *e = &entry[slot->to];
      e->edges++;
      if (slot->set != SR_NONE)
        continue;
      e->passed++;
      e->from = b;
    }
  return entry;
}

/* Is the outcome of b's test known on the edges where its lanes have met, so that it needs no
 * comparison (ssa_test.h)? */
static bool is_known(const SrFlowGraph *flow, const Entry *entry, uint32_t b) {
  for (int step = 0; step < MOST_STEPS; step++) {
    if (!entry[b].passed)
      return true;
    if (entry[b].edges > 1 || flow->block.at[entry[b].from].role == SR_ROLE_USER)
      return false;
    b = entry[b].from;
  }
  return false;
}

/* Both edges of a branch lead to block b. Is the branch's condition itself the outcome of the next
 * test? */
static bool is_outcome(const SrFlowGraph *flow, const Entry *entry, uint32_t b) {
  const SrFlowBlock *at = &flow->block.at[b];
  if (at->test == SR_TEST_NONE && at->slot_count == 1)
    b = flow->slot.at[at->slot].to;
  at = &flow->block.at[b];
  return at->test != SR_TEST_NONE && !at->small_switch && is_known(flow, entry, b);
}

/* ---- the sum ---- */

SrAdded sr_added(SrArena *scratch, const SrFlowGraph *flow, const SrNest *nest) {
  const Entry *entry = find_entries(scratch, flow);
  SrAdded sum = {0};
  for (uint32_t i = 0; i < flow->block.count; i++) {
    const SrFlowBlock *b = &flow->block.at[i];
    if (b->role == SR_ROLE_USER) {
      sum.size += b->small_switch;
      sum.size +=
          sr_flow_both_to_one(flow, b) && !is_outcome(flow, entry, flow->slot.at[b->slot].to);
      continue;
    }
    bool compares = b->test != SR_TEST_NONE && !b->small_switch && !is_known(flow, entry, i);
    sum.size += 1 + compares + (compares && b->test == SR_TEST_OUTSIDE);
    if (b->role != SR_ROLE_DEAD)
      sum.issues += weight(nest, b->loop);
  }
  return sum;
}
