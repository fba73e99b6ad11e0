/* SPDX-License-Identifier: Apache-2.0 */
/* region: see region.h. */
#include "passes/transform/copy/region.h"

uint32_t sr_region_new(SrControlTree *t, SrRegionKind kind, uint32_t of, uint32_t arms) {
  SrRegion r = {.kind = kind,
                .of = of,
                .slot = t->arm.count,
                .arm_count = arms,
                .parent = SR_NONE,
                .child = SR_NONE,
                .sibling = SR_NONE,
                .next = SR_NONE,
                .body = SR_NONE,
                .latch = SR_NONE,
                .exit = SR_NONE,
                .fixed = SR_NONE};
  r.size = kind == SR_REGION_BLOCK ? t->c->size[t->c->block.at[of]] : kind == SR_REGION_TEST;
  if (kind == SR_REGION_BLOCK && sr_bit(t->growth->fixed, t->c->block.at[of]))
    r.fixed = t->c->block.at[of];
  for (uint32_t k = 0; k < arms; k++)
    SR_PUSH(t->arena, &t->arm, SR_ARM_THROUGH);
  SR_PUSH(t->arena, &t->region, r);
  return t->region.count - 1;
}

void sr_region_adopt(SrControlTree *t, uint32_t parent, uint32_t r) {
  SrRegion *p = &t->region.at[parent], *c = &t->region.at[r];
  c->parent = parent;
  c->sibling = p->child;
  p->child = r;
  p->size += c->size;
  if (p->fixed == SR_NONE)
    p->fixed = c->fixed;
}
