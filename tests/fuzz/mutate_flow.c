/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_flow: see mutate_flow.h. OpPhis are not adapted, so it is useful for modules that keep
 * their values in variables. */
#include "tests/fuzz/mutate_flow.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

typedef struct Words {
  uint32_t *at;
  size_t count;
} Words;

/* A word that names a label: its position, its instruction and its function's range of labels. */
typedef struct Slot {
  uint32_t *word, *inst;
  size_t first_label, last_label;
} Slot;

typedef struct Flow {
  uint32_t *labels;
  Slot *slots;
  size_t label_count, slot_count;
} Flow;

static uint64_t next_random(uint64_t *state) { /* splitmix64 (Steele, Lea, Flood 2014) */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static size_t pick(uint64_t *state, size_t count) {
  return (size_t)(next_random(state) % count);
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The labels that an instruction names are its words `first`, `first` + `step`, … below the
 * returned end. An instruction may be too short for its opcode. */
static size_t label_words(const uint32_t *inst, size_t *first, size_t *step) {
  size_t count = inst[0] >> 16;
  *step = 1;
  switch (inst[0] & 0xffff) {
  case SpvOpBranch:
  case SpvOpSelectionMerge:
    *first = 1;
    return least(count, 2);
  case SpvOpLoopMerge:
    *first = 1;
    return least(count, 3);
  case SpvOpBranchConditional:
    *first = 2;
    return least(count, 4);
  case SpvOpSwitch: /* with 32-bit literals */
    *first = 2;
    *step = 2;
    return count;
  default:
    *first = 1;
    return 1;
  }
}

static void add_slots(Flow *flow, uint32_t *inst, size_t first_label) {
  size_t first, step, end = label_words(inst, &first, &step);
  for (size_t i = first; i < end; i += step)
    flow->slots[flow->slot_count++] = (Slot){inst + i, inst, first_label, 0};
}

static Flow find_flow(Words w) {
  Flow flow = {.labels = malloc(w.count * sizeof *flow.labels),
               .slots = malloc(w.count * sizeof *flow.slots)};
  size_t first_label = 0, first_slot = 0;
  for (size_t at = 5; at < w.count; at += w.at[at] >> 16) {
    uint32_t op = w.at[at] & 0xffff;
    if (op == SpvOpFunction) {
      first_label = flow.label_count;
      first_slot = flow.slot_count;
    } else if (op == SpvOpLabel && w.at[at] >> 16 > 1) {
      flow.labels[flow.label_count++] = w.at[at + 1];
    } else if (op == SpvOpFunctionEnd && flow.label_count > 0) {
      for (size_t s = first_slot; s < flow.slot_count; s++)
        flow.slots[s].last_label = flow.label_count - 1;
    } else {
      add_slots(&flow, &w.at[at], first_label);
    }
  }
  return flow;
}

/* Another label, not the entry block's, usually one that is near in the function: such changes are
 * nearly correct. */
static void redirect(const Flow *flow, const Slot *slot, uint64_t *state) {
  if (slot->last_label <= slot->first_label) /* one block, or a function that does not end */
    return;
  size_t first = slot->first_label + 1, n = slot->last_label - slot->first_label;
  size_t near = first;
  while (near < slot->last_label && flow->labels[near] != *slot->word)
    near++;
  size_t step = 1 + pick(state, 3);
  if (pick(state, 3) == 0)
    near = first + pick(state, n);
  else if (pick(state, 2) == 0)
    near = near + step > slot->last_label ? first : near + step;
  else
    near = near < first + step ? slot->last_label : near - step;
  *slot->word = flow->labels[near];
}

static void swap_labels(const Slot *slot, uint64_t *state) {
  size_t first, step, end = label_words(slot->inst, &first, &step);
  uint32_t *other = slot->inst + first + step * pick(state, (end - first + step - 1) / step);
  uint32_t word = *slot->word;
  *slot->word = *other;
  *other = word;
}

static void drop_merge(const Slot *slot) {
  uint32_t op = slot->inst[0] & 0xffff;
  if (op != SpvOpSelectionMerge && op != SpvOpLoopMerge)
    return;
  for (size_t i = 0, n = slot->inst[0] >> 16; i < n; i++)
    slot->inst[i] = 1u << 16 | SpvOpNop;
}

bool mutate_flow(uint32_t *words, size_t count, uint64_t seed) {
  Flow flow = find_flow((Words){words, count});
  uint64_t state = seed;
  for (size_t n = flow.slot_count ? 1 + pick(&state, 3) : 0; n > 0; n--) {
    const Slot *slot = &flow.slots[pick(&state, flow.slot_count)];
    size_t kind = pick(&state, 8);
    if ((slot->inst[0] & 0xffff) == SpvOpNop)
      continue;
    if (kind == 0)
      drop_merge(slot);
    else if (kind == 1)
      swap_labels(slot, &state);
    else
      redirect(&flow, slot, &state);
  }
  bool any = flow.slot_count > 0;
  free(flow.labels);
  free(flow.slots);
  return any;
}
