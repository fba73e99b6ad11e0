/* SPDX-License-Identifier: Apache-2.0 */
/* forward_copy: see forward_copy.h. */
#include "passes/transform/copy/forward_copy.h"

/* A new region like r, whose links are still those of r. */
static uint32_t duplicate(SrControlTree *t, uint32_t r) {
  SrRegion n = t->region.at[r];
  uint32_t first = t->arm.count;
  SR_RESERVE(t->arena, &t->arm, n.arm_count);
  for (uint32_t k = 0; k < n.arm_count; k++)
    t->arm.at[t->arm.count++] = t->arm.at[n.slot + k];
  n.slot = first;
  n.copy = true;
  n.was_copied = false;
  SR_PUSH(t->arena, &t->region, n);
  return t->region.count - 1;
}

static void map_to(SrControlTree *t, uint32_t r, uint32_t copy) {
  while (t->copy_of.count < t->region.count) {
    SR_PUSH(t->arena, &t->copy_of, 0);
    SR_PUSH(t->arena, &t->copy_epoch, 0);
  }
  t->copy_of.at[r] = copy;
  t->copy_epoch.at[r] = t->epoch;
}

/* r's counterpart in the current copy, or r itself. */
static uint32_t mapped(const SrControlTree *t, uint32_t r) {
  return r < t->copy_epoch.count && t->copy_epoch.at[r] == t->epoch ? t->copy_of.at[r] : r;
}

static void map_pointers(SrControlTree *t, uint32_t copy) {
  SrRegion *n = &t->region.at[copy];
  n->parent = mapped(t, n->parent);
  n->child = mapped(t, n->child);
  n->sibling = mapped(t, n->sibling);
  n->next = mapped(t, n->next);
  n->body = mapped(t, n->body);
  n->latch = mapped(t, n->latch);
  for (uint32_t k = 0; k < n->arm_count; k++)
    t->arm.at[n->slot + k] = mapped(t, t->arm.at[n->slot + k]);
}

static SrStatus duplicate_tree(SrControlTree *t, uint32_t r, uint32_t *copy) {
  SR_VEC(uint32_t) work = {0};
  uint32_t first = t->region.count;
  t->epoch++;
  if (t->region.at[r].fixed != SR_NONE)
    SR_CHECK(sr_growth_touch(t->growth, t->region.at[r].fixed));
  SR_CHECK(sr_growth_add(t->growth, t->region.at[r].size));
  SR_PUSH(t->arena, &work, r);
  while (work.count) {
    uint32_t from = SR_POP(&work);
    map_to(t, from, duplicate(t, from));
    for (uint32_t k = t->region.at[from].child; k != SR_NONE; k = t->region.at[k].sibling)
      SR_PUSH(t->arena, &work, k);
  }
  for (uint32_t n = first; n < t->region.count; n++)
    map_pointers(t, n);
  *copy = first;
  return SR_OK;
}

static void append(SrControlTree *t, uint32_t r, uint32_t k, uint32_t added, uint32_t *last) {
  if (*last == SR_NONE)
    t->arm.at[t->region.at[r].slot + k] = added;
  else
    t->region.at[*last].next = added;
  *last = added;
  sr_region_adopt(t, r, added);
}

void sr_forward_take(SrControlTree *t, uint32_t r, uint32_t k, uint32_t *target, uint32_t *last) {
  uint32_t taken = *target;
  t->region.at[taken].refs = 0;
  *target = t->region.at[taken].exit;
  append(t, r, k, taken, last);
}

SrStatus sr_forward_copy(SrControlTree *t, uint32_t r, uint32_t k, uint32_t end, uint32_t *target,
                         uint32_t *last) {
  bool copied = false, is_new = false;
  while (*target != end) {
    if (t->region.at[*target].refs == 1) {
      sr_forward_take(t, r, k, target, last);
      continue;
    }
    uint32_t from = *target, copy;
    is_new |= !copied && !t->region.at[from].was_copied;
    t->region.at[from].was_copied = true;
    t->region.at[from].refs--;
    SR_CHECK(duplicate_tree(t, from, &copy));
    append(t, r, k, copy, last);
    *target = t->region.at[from].exit;
    if (*target != SR_NONE)
      t->region.at[*target].refs++; /* the copy leads to that region in place of the arm */
    copied = true;
  }
  t->forward_copies += t->rule == SR_COPY_LEAST ? copied : is_new;
  t->forward_copy_edges += copied;
  t->out_edges += copied;
  return SR_OK;
}
