/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_element: see kernel_element.h. */
#include "passes/transform/kernel/kernel_element.h"

#include "passes/transform/kernel/kernel_base.h"
#include "passes/transform/kernel/kernel_intern.h"
#include "passes/transform/kernel/kernel_layout.h"

static void join(SrKernelBase *root, const SrKernelBase *b) {
  if (b->unit && (!root->unit || b->unit < root->unit))
    root->unit = b->unit;
  if (!root->whole || (b->whole && b->whole != root->whole))
    root->whole = root->whole ? (uint32_t)SR_NONE : b->whole;
}

/* Is every access of this type, at a multiple of its size? */
static bool is_whole(const SrKernels *k, const SrKernelBase *b, uint32_t type) {
  if (!type || type == SR_NONE)
    return false;
  uint32_t size = sr_kernel_size_of(k, type);
  return !b->grain || b->grain >= size;
}

static void choose(SrKernels *k, SrKernelBase *b, const SrKernelBase *root) {
  bool whole = is_whole(k, b, root->whole);
  b->unit = whole ? sr_kernel_size_of(k, root->whole) : root->unit ? root->unit : 4;
  if (whole)
    b->element = root->whole;
  else if (b->scalar && b->scalar != SR_NONE && sr_kernel_size_of(k, b->scalar) == b->unit)
    b->element = b->scalar;
  else
    b->element = sr_kernel_int(k, 8 * b->unit);
  if (!b->grain || b->grain > b->unit)
    b->grain = b->unit;
}

void sr_kernel_element_choose(SrKernels *k) {
  for (uint32_t i = 0; i < k->base.count; i++) {
    uint32_t root = sr_kernel_base_root(k, &k->base.at[i]);
    if (root != i)
      join(&k->base.at[root], &k->base.at[i]);
  }
  for (uint32_t i = 0; i < k->base.count; i++) /* one that is not whole makes none of them whole */
    if (!is_whole(k, &k->base.at[i], k->base.at[sr_kernel_base_root(k, &k->base.at[i])].whole))
      k->base.at[sr_kernel_base_root(k, &k->base.at[i])].whole = SR_NONE;
  for (uint32_t i = 0; i < k->base.count; i++) {
    uint32_t root = sr_kernel_base_root(k, &k->base.at[i]);
    if (root != i)
      choose(k, &k->base.at[i], &k->base.at[root]);
  }
  for (uint32_t i = 0; i < k->base.count; i++)
    if (sr_kernel_base_root(k, &k->base.at[i]) == i)
      choose(k, &k->base.at[i], &k->base.at[i]);
}
