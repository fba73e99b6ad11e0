/* SPDX-License-Identifier: Apache-2.0 */
/* shared_set: see shared_set.h. Node 0 is the empty set at every depth; node 1 is the leaf
 * of every element. The depth of the recursion is at most the number of bits of an integer. */
#include "passes/base/shared_set.h"

enum { LEAF = 1, FIRST_ROOM = 256 };

SrSharedSets sr_shared_sets_new(SrArena *arena, uint32_t limit) {
  SrSharedSets s = {.arena = arena, .room = FIRST_ROOM};
  while (s.depth < 32 && (uint64_t)1 << s.depth < limit)
    s.depth++;
  s.slots = sr_new_none(arena, s.room);
  SR_PUSH(arena, &s.node, (SrSetNode){{0, 0}});
  SR_PUSH(arena, &s.node, (SrSetNode){{0, 0}});
  return s;
}

/* ---- hash consing ---- */

static uint32_t hash(SrSetNode n) {
  uint64_t h = ((uint64_t)n.half[0] << 32 | n.half[1]) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(h >> 32);
}

static uint32_t *slot_of(const SrSharedSets *s, SrSetNode n) {
  uint32_t i = hash(n) & (s->room - 1);
  for (; s->slots[i] != SR_NONE; i = (i + 1) & (s->room - 1)) {
    const SrSetNode *there = &s->node.at[s->slots[i]];
    if (there->half[0] == n.half[0] && there->half[1] == n.half[1])
      break;
  }
  return &s->slots[i];
}

static void grow(SrSharedSets *s) {
  s->room *= 2;
  s->slots = sr_new_none(s->arena, s->room);
  for (uint32_t i = LEAF + 1; i < s->node.count; i++)
    *slot_of(s, s->node.at[i]) = i;
}

static uint32_t node(SrSharedSets *s, uint32_t zero, uint32_t one) {
  SrSetNode n = {{zero, one}};
  if (!zero && !one)
    return SR_EMPTY_SET;
  uint32_t *slot = slot_of(s, n);
  if (*slot != SR_NONE)
    return *slot;
  *slot = s->node.count;
  SR_PUSH(s->arena, &s->node, n);
  if (2 * s->node.count > s->room)
    grow(s);
  return s->node.count - 1;
}

/* ---- operations ---- */

static uint32_t unite(SrSharedSets *s, uint32_t a, uint32_t b) {
  if (a == b || !b)
    return a;
  if (!a)
    return b;
  SrSetNode x = s->node.at[a], y = s->node.at[b]; /* the array may move */
  uint32_t zero = unite(s, x.half[0], y.half[0]);
  return node(s, zero, unite(s, x.half[1], y.half[1]));
}

static uint32_t take_out(SrSharedSets *s, uint32_t a, uint32_t b) {
  if (a == b || !a)
    return SR_EMPTY_SET;
  if (!b)
    return a;
  SrSetNode x = s->node.at[a], y = s->node.at[b];
  uint32_t zero = take_out(s, x.half[0], y.half[0]);
  return node(s, zero, take_out(s, x.half[1], y.half[1]));
}

uint32_t sr_set_union(SrSharedSets *s, uint32_t a, uint32_t b) {
  return unite(s, a, b);
}

uint32_t sr_set_minus(SrSharedSets *s, uint32_t a, uint32_t b) {
  return take_out(s, a, b);
}

uint32_t sr_set_single(SrSharedSets *s, uint32_t element) {
  uint32_t set = LEAF;
  for (uint32_t bit = 0; bit < s->depth; bit++)
    set = element >> bit & 1 ? node(s, 0, set) : node(s, set, 0);
  return set;
}

bool sr_set_has(const SrSharedSets *s, uint32_t set, uint32_t element) {
  for (uint32_t bit = s->depth; bit-- > 0 && set;)
    set = s->node.at[set].half[element >> bit & 1];
  return set != SR_EMPTY_SET;
}

uint32_t sr_set_max(const SrSharedSets *s, uint32_t set) {
  if (!set)
    return SR_NONE;
  uint32_t element = 0;
  for (uint32_t bit = s->depth; bit-- > 0;) {
    uint32_t one = s->node.at[set].half[1] != 0;
    element = element << 1 | one;
    set = s->node.at[set].half[one];
  }
  return element;
}

/* The smallest element of a trie of `bits` levels. */
static uint32_t least(const SrSharedSets *s, uint32_t set, uint32_t bits) {
  uint32_t element = 0;
  while (bits-- > 0) {
    uint32_t one = s->node.at[set].half[0] == 0;
    element = element << 1 | one;
    set = s->node.at[set].half[one];
  }
  return element;
}

uint32_t sr_set_next(const SrSharedSets *s, uint32_t set, uint32_t from) {
  uint32_t right = SR_NONE, right_bit = 0; /* the last half that lies entirely after `from` */
  if (s->depth < 32 && from >> s->depth)
    return SR_NONE;
  uint32_t bit = s->depth;
  while (bit > 0 && set) {
    uint32_t one = from >> --bit & 1;
    if (!one && s->node.at[set].half[1]) {
      right = s->node.at[set].half[1];
      right_bit = bit;
    }
    set = s->node.at[set].half[one];
  }
  if (set)
    return from;
  if (right == SR_NONE)
    return SR_NONE;
  uint32_t high = right_bit + 1 < 32 ? from >> (right_bit + 1) << (right_bit + 1) : 0;
  return high | (uint32_t)1 << right_bit | least(s, right, right_bit);
}
